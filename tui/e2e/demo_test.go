package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

func TestTheFirstStartExplainsTheDemoAndSetup(t *testing.T) {
	t.Parallel()
	terminal := alone(t, "", "LANG=fr_FR.UTF-8", "TILL_LANGUAGE=").Resize(120, 36).Sees("Une caisse :", "À essayer dans la démo", "DÉMO · journée type")
	terminal.Press("f1").Sees("till setup", "config.toml").Press("esc").Sees("F1 à essayer")
	terminal.Type("Vary 3500x2").Press("enter").Sees("7 000").Gone("Une caisse :")
	terminal.Press("f1").Sees("till setup").Press("esc").Gone("till setup")
	terminal.Press("enter").Sees("Encaisser").Press("enter").Sees("À payer").QR()
	terminal.Press("p").Sees("PAYÉ").Press("f7").Sees("VOALOA")
}

func TestTheCustomerScreenShowsTheDemosSale(t *testing.T) {
	t.Parallel()
	home := "HOME=" + t.TempDir()
	terminal := alone(t, "demo", home).Sees("Total", "awaits", "A shop's till")
	customer := alone(t, "display --demo", home).Sees("Welcome")
	terminal.Type("Vary 3500x2").Press("enter").Sees("7 000")
	customer.Sees("Vary", "7 000 Ar")
	link := terminal.Press("enter").Sees("Charge").Press("enter").Sees("To pay").QR()
	if got := customer.Sees("left").QR(); got != link {
		t.Errorf("got code %q on the customer's screen, want %q", got, link)
	}
	terminal.Press("p").Sees("PAID")
	customer.Sees("PAID")
}

func TestTheDemoBeginsInTheMiddleOfASampleDay(t *testing.T) {
	t.Parallel()
	home := "HOME=" + t.TempDir()
	terminal := alone(t, "demo", home).Resize(120, 36).Sees("DEMO · sample day", "11:40", "34 sales", "1 to check", "CHECK", "2:")
	terminal.Press("f4", "enter").Sees("To pay").QR()
	terminal.Press("f").Sees("Balance too low").Press("p").Sees("PAID", "next sale").Press("enter").Sees("35 sales")
	leave := func(terminal *tuitest.Terminal) {
		terminal.Press("ctrl+c").Sees("Leave till while").Press("enter").Wait()
	}
	leave(terminal)
	leave(alone(t, "demo", home).Resize(120, 36).Sees("34 sales")) // Each start of the demo begins a new sample day.
	empty := alone(t, "demo --empty", home).Resize(120, 36).Sees("DEMO: no real money", "0 sales", "No payment is awaited")
	quit(t, empty)
	if screen := empty.Screen(); strings.Contains(screen, "http://") {
		t.Errorf("the screen names an address of the ended demo:\n%s", screen)
	}
}

func TestASecondDemoHasADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	home := "HOME=" + t.TempDir()
	first := alone(t, "demo", home).Sees("awaits")
	second := alone(t, "demo", home).Sees("awaits")
	sell(second)
	sell(first)
}

// The terminal never breaks a word at the end of a row.
func TestALongMessageIsWrappedAtTheTerminal(t *testing.T) {
	t.Parallel()
	alone(t, "backup /nowhere/at/all/copy.db", "HOME="+t.TempDir()).Resize(80, 24).Sees(
		"till: there is no folder /nowhere/at/all: is the disk or the USB stick", "connected? Else make the folder first").Wait()
}

func TestTheGuideIsReadInATerminal(t *testing.T) {
	t.Parallel()
	pages := alone(t, "guide", "TILL_LANGUAGE=fr").Sees("q ferme").Resize(60, 24).Sees("Le guide de la boutique", "q ferme", "F1 montre")
	pages.Press("pgdown").Sees("Relier votre compte").Gone("Le guide de la boutique")
	pages.Press("end").Sees("Articles · Entrée · modifier", "enregistrer").Press("q").Wait()
	alone(t, "guide", "TILL_LANGUAGE=fr", "TILL_PLAIN=on").Sees("enregistrer").Wait()
}

// The script language.txtar of tui/cli shows when a kept choice counts.
func TestTheChosenLanguageIsKeptForTheNextStart(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	demo := func(says string) *tuitest.Terminal {
		return alone(t, "demo --empty", "HOME="+home, "TILL_LANGUAGE=").Sees(says)
	}
	first := demo("Type what the customer takes").Press("f7").Sees("Tapez ce que prend le client")
	eventually(t, "the choice is on disk", func() bool {
		_, err := os.Stat(filepath.Join(home, ".local/share/till/language"))
		return err == nil
	})
	quit(t, first)
	quit(t, demo("Tapez ce que prend le client"))
}

func TestTheDemoScriptsPlayToTheEnd(t *testing.T) {
	t.Parallel()
	scripts := map[string]struct{ shows, leaves []string }{
		"blackout": {
			shows:  []string{"To pay", "A customer pays 4 800 Ar.", "✓ 2 PAID  18 800 Ar    While the till was off", "next sale"},
			leaves: []string{"✓ PAID    14 000", "✓ PAID     4 800"},
		},
		"happy": {
			shows:  []string{"To pay", "next sale"},
			leaves: []string{"✓ PAID     9 000", "✓ PAID    15 800"},
		},
		"busy": {
			shows:  []string{"To pay", "Wait3", "F2  Show", "next sale"},
			leaves: []string{"✓ PAID    14 000", "✓ PAID     4 800", "✓ PAID     4 400", "✓ PAID    13 000"},
		},
		"trouble": {
			shows: []string{
				"REFUSED BY THE SERVICE", "Compte marchand suspendu", "They scan the same code again.",
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
			terminal := alone(t, "demo --pace 0.1 --script "+name, "HOME="+home, "TMPDIR="+temporary, "TMP="+temporary).
				Sees("Plays by itself: any key takes over.", "DEMO: no real money").Shows(script.shows...)
			// A banner can hide the text "Plays by itself", so the script has ended only if the screen shows
			// neither of them.
			eventually(t, "the script ends", func() bool {
				screen := terminal.Screen()
				return strings.Contains(screen, "Type what the customer takes") &&
					!strings.Contains(screen, "Plays by itself") && !strings.Contains(screen, "F2  Show")
			})
			quit(t, terminal.Press("f3").Sees(script.leaves...).Press("esc").Sees("Type what the customer takes"))
			terminal.Restored()
			left, err := os.ReadDir(temporary)
			kept, failed := filepath.Glob(filepath.Join(home, ".local/share/till/*.db*"))
			if err != nil || failed != nil || len(left) > 0 || len(kept) > 0 {
				t.Errorf("the demo leaves files %v and %v (%v, %v)", left, kept, err, failed)
			}
		})
	}
}

func TestAPersonTakesADemoOver(t *testing.T) {
	t.Parallel()
	terminal := alone(t, "demo --script happy --loop --pace 1").Sees("Plays by itself: any key takes over.", "› Vary")
	terminal.Press("backspace").Gone("Plays by itself")
	quit(t, terminal.Press("esc").Gone("› Var").Type("Savon 700").Press("enter").Sees("Savon", "charges 700"))
	terminal.Restored()
}

func TestTheDemoCanServeTheNetwork(t *testing.T) {
	t.Parallel()
	terminal := alone(t, "demo --lan")
	eventually(t, "the console opens or says why not", func() bool {
		screen := terminal.Screen()
		return strings.Contains(screen, "Phones: http://") || strings.Contains(screen, "no way into a network")
	})
	_, rest, network := strings.Cut(terminal.Screen(), "Phones: http://")
	if !network {
		t.Skip("this machine has no network")
	}
	address, _, _ := strings.Cut(rest, "\n")
	if link := sell(terminal); !strings.HasPrefix(link, "http://"+address+"/") {
		t.Errorf("got the code %s but the banner %s", link, address)
	}
	terminal.Press("ctrl+c").Sees("Leave till while").Press("enter").Wait()
}
