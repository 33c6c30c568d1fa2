package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

// showing starts the demo of a script at a small part of its time.
func showing(t *testing.T, home, temporary string, args ...string) *tuitest.Terminal {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"demo", "--pace", "0.1", "--script"}, args...)...)
	cmd.Env = tuitest.Environ("HOME="+home, "TMPDIR="+temporary, "TMP="+temporary, "TILL_LANGUAGE=en", "TILL_SOUND=off")
	// A whole script takes a while.
	return tuitest.Start(t, 80, 24, cmd, tuitest.Patience(2*time.Minute)).Sees("Plays by itself: any key takes over.", "DEMO: no real money")
}

func TestTheDemosPlayByThemselves(t *testing.T) {
	t.Parallel()
	scripts := map[string]struct{ shows, leaves []string }{
		"happy": {
			shows:  []string{"To pay", "✓ PAID"},
			leaves: []string{"✓ PAID     9 000", "✓ PAID    15 800"},
		},
		"busy": {
			shows:  []string{"To pay", "Waiting  3", "F2  Show", "✓ PAID"},
			leaves: []string{"✓ PAID    14 000", "✓ PAID     4 800", "✓ PAID     4 400", "✓ PAID    13 000"},
		},
		"trouble": {
			shows: []string{
				"REFUSED BY THE SERVICE", "Compte marchand suspendu", "Payment refused",
				"Paid after the order was over", "The service reports 2 500", "◆ MARKED PAID", "3 times",
			},
			leaves: []string{
				"✗ REFUSED        7 000", "✓ PAID           7 000", "◆ MARKED PAID   16 000", "◆ MARKED PAID    3 000", "✓ PAID             800",
			},
		},
	}
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, temporary := t.TempDir(), t.TempDir()
			terminal := showing(t, home, temporary, name)
			terminal.Shows(script.shows...)
			// News stand where it says that it plays, and that is no end.
			eventually(t, "the script ends", func() bool {
				screen := terminal.Screen()
				return strings.Contains(screen, "Type what the customer takes") &&
					!strings.Contains(screen, "Plays by itself") && !strings.Contains(screen, "F2  Show")
			})
			terminal.Press("f3").Sees(script.leaves...)
			terminal.Press("esc").Sees("Type what the customer takes").Press("ctrl+c")
			if code := terminal.Wait(); code != 0 {
				t.Errorf("it ends with %d", code)
			}
			terminal.Restored()
			if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
				t.Errorf("it leaves %v, %v", left, err)
			}
			if kept, err := filepath.Glob(filepath.Join(home, ".local/share/till/*.db*")); err != nil || len(kept) > 0 {
				t.Errorf("it keeps %v, %v", kept, err)
			}
		})
	}
}

func TestAPersonTakesADemoOver(t *testing.T) {
	t.Parallel()
	terminal := showing(t, t.TempDir(), t.TempDir(), "happy", "--loop", "--pace", "1")
	terminal.Sees("› Vary")
	terminal.Press("backspace").Gone("Plays by itself")
	terminal.Press("esc").Sees("› ").Type("Savon 700").Press("enter").Sees("Savon", "charges 700").Press("ctrl+c")
	if code := terminal.Wait(); code != 0 {
		t.Errorf("it ends with %d", code)
	}
	terminal.Restored()
}

func TestTheDemoIsOpenToTheNetworkThatIsChosen(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(binary, "demo", "--interface", "127.0.0.1")
	cmd.Env = tuitest.Environ("HOME="+t.TempDir(), "TILL_LANGUAGE=en")
	terminal := tuitest.Start(t, 80, 24, cmd).Sees("DEMO: no real money", "Total").Gone("Phones")
	terminal.Press("ctrl+c").Wait()
	// The first screen, from before the console, is back.
	if screen := terminal.Screen(); !strings.Contains(screen, "dashboard of the demo, while it runs: http://127.0.0.1:") {
		t.Errorf("the dashboard is not named\n%s", screen)
	}

	cmd = exec.Command(binary, "demo", "--lan")
	cmd.Env = tuitest.Environ("HOME="+t.TempDir(), "TILL_LANGUAGE=en")
	terminal = tuitest.Start(t, 80, 24, cmd)
	eventually(t, "the console opens or says why not", func() bool {
		screen := terminal.Screen()
		return strings.Contains(screen, "Phones: http://") || strings.Contains(screen, "no address in a local network")
	})
	if !strings.Contains(terminal.Screen(), "Phones: http://") {
		t.Skip("this machine is in no network")
	}
	_, rest, _ := strings.Cut(terminal.Screen(), "Phones: http://")
	address, _, _ := strings.Cut(rest, "\n")
	sell(terminal)
	if link := terminal.QR(); !strings.HasPrefix(link, "http://"+address+"/") {
		t.Errorf("the code says %s, and the banner %s", link, address)
	}
	terminal.Press("ctrl+c").Sees("Payments awaited").Press("enter").Wait()
	if screen := terminal.Screen(); !strings.Contains(screen, "phones on this network open http://"+address) {
		t.Errorf("the address is not printed\n%s", screen)
	}
}
