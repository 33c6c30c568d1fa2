package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"checkout/till/tui/tuitest"
)

// N27: what F7 chose outlives the program.
func TestTheLanguageThatWasChosenIsThereAtTheNextStart(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	start := func(says string, env ...string) *tuitest.Terminal {
		cmd := exec.Command(binary, "demo")
		cmd.Env = tuitest.Environ(append(env, "HOME="+home, "TILL_SOUND=off")...)
		return tuitest.Start(t, 80, 24, cmd).Sees(says)
	}
	first := start("Type what the customer takes")
	first.Press("f7").Sees("Tapez ce que prend le client")
	eventually(t, "the choice is on disk", func() bool {
		kept, _ := filepath.Glob(filepath.Join(home, ".local/share/till/language"))
		return len(kept) == 1
	})
	first.Press("ctrl+c").Wait()
	start("Tapez ce que prend le client").Press("ctrl+c").Wait() // N27.
	start("Soraty izay alain", "TILL_LANGUAGE=mg").Press("ctrl+c").Wait()
	if err := os.WriteFile(filepath.Join(home, ".local/share/till/language"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	start("Type what the customer takes").Press("ctrl+c").Wait()
}
