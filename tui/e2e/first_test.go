package e2e_test

import (
	"os/exec"
	"testing"

	"checkout/till/tui/tuitest"
)

func TestTheFirstStartSaysWhatThisIsAndHowToGoLive(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(binary)
	cmd.Env = tuitest.Environ("HOME="+t.TempDir(), "LANG=fr_FR.UTF-8", "TILL_SOUND=off")
	terminal := tuitest.Start(t, 80, 24, cmd).Sees("Bienvenue.", "till setup", "config.toml", "DÉMO")
	terminal.Type("Vary 3500x2").Press("enter").Sees("7 000").Gone("Bienvenue.")
	terminal.Press("enter").Sees("Encaisser").Press("enter").Sees("Scannez pour payer").QR()
	terminal.Press("p").Sees("PAYÉ").Press("f7").Sees("VOALOA")
}

func TestTheCustomersScreenOfTheDemoShowsItsSale(t *testing.T) {
	t.Parallel()
	env := tuitest.Environ("HOME="+t.TempDir(), "TILL_LANGUAGE=en", "TILL_SOUND=off")
	start := func(args ...string) *tuitest.Terminal {
		cmd := exec.Command(binary, args...)
		cmd.Env = env
		return tuitest.Start(t, 80, 24, cmd)
	}
	terminal := start("demo").Sees("Total", "receives payments", "Type what the customer takes")
	customer := start("display", "--demo").Sees("Welcome")
	terminal.Type("Vary 3500x2").Press("enter").Sees("7 000")
	customer.Sees("Vary", "7 000 Ar")
	link := terminal.Press("enter").Sees("Charge").Press("enter").Sees("To pay").QR()
	if got := customer.Sees("left").QR(); got != link {
		t.Errorf("the customer's code says %q, want %q", got, link)
	}
	terminal.Press("p").Sees("PAID")
	customer.Sees("PAID")
}

func TestTheGuideIsReadInATerminal(t *testing.T) {
	t.Parallel()
	start := func(env ...string) *tuitest.Terminal {
		cmd := exec.Command(binary, "guide")
		cmd.Env = tuitest.Environ(append(env, "HOME="+t.TempDir(), "LANG=fr_FR.UTF-8")...)
		return tuitest.Start(t, 60, 24, cmd)
	}
	pages := start().Sees("Le guide de la boutique", "q ferme", "F1 montre")
	pages.Press("pgdown").Sees("Relier votre compte").Gone("Le guide de la boutique")
	pages.Press("end").Sees("Articles · Entrée · corriger", "enregistrer").Press("q").Wait()
	start("TILL_PLAIN=on").Sees("enregistrer").Wait()
}
