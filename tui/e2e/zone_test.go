package e2e_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

func TestAnUnknownTimeZoneIsReported(t *testing.T) {
	t.Parallel()
	const want = "TZ=EAT-3 n'est pas un fuseau connu"
	shop, settings := open(t, file, nil), []string{"TZ=EAT-3", "TILL_LANGUAGE=fr"}
	if said, _ := shop.program("doctor", settings...).Output(); !strings.Contains(unwrapped(string(said)), want) {
		t.Errorf("the doctor does not print %q:\n%s", want, said)
	}
	shop.start("", settings...).Sees("Tantely").Press("f8").Sees(want)
}

// A cashier could put sales into a separate database. Therefore, the screen must show which
// database is open.
func TestF8NamesTheOpenDatabase(t *testing.T) {
	t.Parallel()
	open(t, file, nil).start("").Press("f8").Sees("Stored in", "till.db", "Not set by the settings file")
}

func TestTheProgramContainsTheTimeZones(t *testing.T) {
	t.Parallel()
	linked, err := exec.Command("go", "list", "-deps", "checkout/till").Output()
	tuitest.Must(t, err)
	if !slices.Contains(strings.Fields(string(linked)), "time/tzdata") {
		t.Error("the program does not import time/tzdata")
	}
}

func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestF8KnowsThePrinterAndTheLastBackup(t *testing.T) {
	t.Parallel()
	shop, printer := open(t, file, nil), "TILL_PRINTER=/dev/usb/no-such-printer"
	terminal := shop.start("", printer).Press("f8").Sees("Printer", "The printer cannot be reached.", "Backup", "none yet")
	tuitest.Must(t, shop.program("backup "+filepath.Join(t.TempDir(), "copy.db")).Run())
	terminal.Press("r").Sees("Backup", "last one ", ", 0 s ago")
}
