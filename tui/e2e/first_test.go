package e2e_test

import (
	"os/exec"
	"testing"

	"checkout/till/tui/tuitest"
)

func TestTheFirstStartSaysWhatThisIsAndHowToGoLive(t *testing.T) {
	cmd := exec.Command(binary)
	cmd.Env = tuitest.Environ("HOME="+t.TempDir(), "LANG=fr_FR.UTF-8", "TILL_SOUND=off")
	terminal := tuitest.Start(t, 80, 24, cmd).Sees("Bienvenue.", "README", "config.toml", "DÉMO")
	terminal.Type("Vary 3500x2").Press("enter").Sees("7 000 Ar").Gone("Bienvenue.")
	terminal.Press("enter").Sees("Encaisser").Press("enter").Sees("Scannez pour payer").QR()
	terminal.Press("p").Sees("PAYÉ").Press("f7").Sees("VOALOA")
}
