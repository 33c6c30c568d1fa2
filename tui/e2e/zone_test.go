package e2e_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

// A cashier could put sales into a separate database. Therefore, the screen must show which
// database is open.
func TestF8HasTheFindingsOfThisMachine(t *testing.T) {
	t.Parallel()
	shop, settings := open(t, file, nil), []string{"TILL_PRINTER=/dev/usb/no-such-printer", "TZ=EAT-3"}
	terminal := shop.start("", settings...).Press("f8").Sees(
		"Stored in", "till.db", "Not set by the settings file", "TZ=EAT-3 is not a known time zone", "Printer", "The printer cannot be reached.", "Backup", "none yet")
	tuitest.Must(t, shop.program("backup "+filepath.Join(t.TempDir(), "copy.db")).Run())
	terminal.Press("r").Sees("Backup", "last one ", ", 0 s ago")
}

func TestTheProgramContainsTheTimeZones(t *testing.T) {
	t.Parallel()
	linked, err := exec.Command("go", "list", "-deps", "checkout/till").Output()
	tuitest.Must(t, err)
	if !slices.Contains(strings.Fields(string(linked)), "time/tzdata") {
		t.Error("the program does not import time/tzdata")
	}
}
