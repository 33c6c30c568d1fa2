package cli_test

import (
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/tuitest"
)

func TestAReceiptIsShownAndPrintedFromTheCommandLine(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.tag()
	desk.taken()
	desk.says("", 1, "There is no receipt: the sale is not paid", "receipt", "B4")
	desk.says("", 0, "T1-GT-C-000001", "cash", "sale", "--item", "Vary:3500", "--given", "5000")
	desk.says("", 0, "Ticket T1-GT-000001", "receipt", "T1-GT-C-000001")
	desk.says("", 1, "No printer is set", "receipt", "T1-GT-C-000001", "--print")
	printer, printed := tuitest.Printer(t, "127.0.0.1:0")
	prints := func(address string) []string {
		return []string{"receipt", "T1-GT-C-000001", "--print", "--json", "--printer", address, "--printer-status", "off"}
	}
	desk.says("", 1, "cannot be reached", prints("/dev/usb/no-such-printer")...)
	desk.says("", 0, `"copy":false,"print":"sent"`, prints("tcp://"+printer.Addr().String())...)
	if got := <-printed; !strings.Contains(got, "TOTAL") || !strings.Contains(got, "3 500 Ar") || strings.Contains(got, "COPY") {
		t.Errorf("the printer got %q", got)
	}
	desk.says("", 0, `"copy":true`, prints("tcp://"+printer.Addr().String())...)
	if got := <-printed; !strings.Contains(got, "COPY") {
		t.Errorf("the printer got %q", got)
	}
	desk.says("", 0, "COPY", "receipt", "T1-GT-C-000001")
}

func TestTheHelpSaysHowACopyIsHeaded(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	for _, language := range i18n.Languages() {
		desk.env["TILL_LANGUAGE"] = language
		desk.says("", 0, i18n.Load(language).Receipt.Copy, "receipt", "--help")
	}
}

func TestATestPageIsPrintedWithTheSettings(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.says("", 2, "Name a sale, or write --test alone.", "receipt")
	desk.says("", 2, "Name a sale, or write --test alone.", "receipt", "B4", "--test")
	desk.says("", 1, "No printer is set: till guide shop shows how", "receipt", "--test")
	printer, printed := tuitest.Printer(t, "127.0.0.1:0")
	desk.says("", 0, "1252: é è ç", "receipt", "--test", "--printer", "tcp://"+printer.Addr().String())
	if got := <-printed; !strings.Contains(got, "Setting printer_codepage") {
		t.Errorf("the printer got %q", got)
	}
	desk.says("", 0, `"print":"sent","lines":[`, "receipt", "--test", "--json", "--printer", "tcp://"+printer.Addr().String(), "--printer-status", "off")
	if got := <-printed; strings.Contains(got, "\x10\x04") {
		t.Errorf("a printer that must not be asked got %q", got)
	}
	desk.tag()
	desk.taken()
	desk.says("", 0, "T1-GT-C-000001", "cash", "sale", "--item", "Café:3500")
	desk.says("", 0, "Sent", "receipt", "T1-GT-C-000001", "--print", "--printer", "tcp://"+printer.Addr().String(), "--printer-codepage", "1252", "--printer-code", "off")
	if got := <-printed; !strings.Contains(got, "\x1bt\x10") || !strings.Contains(got, "Caf\xe9") || strings.Contains(got, "\x1dv0") {
		t.Errorf("the printer got %q", got)
	}
}

// If a change is repeated with the same ID, the cash drawer opens only once.
func TestTheDrawerOpensAtEveryMovementOfCash(t *testing.T) {
	t.Parallel()
	desk := newDesk(t)
	desk.tag()
	desk.taken()
	desk.says("", 1, "No printer is set", "cash", "open")
	printer, printed := tuitest.Printer(t, "127.0.0.1:0")
	desk.env["TILL_PRINTER"], desk.env["TILL_PRINTER_STATUS"] = "tcp://"+printer.Addr().String(), "off"
	for _, command := range [][]string{
		{"cash", "sale", "--item", "Vary:3500", "--id", "a1"},
		{"cash", "float", "50000"},
		{"cash", "in", "5000", "change"},
		{"cash", "out", "2000", "bread"},
		{"cash", "refund", "T1-GT-C-000001", "500", "broken"},
		{"cash", "void", "T1-GT-C-000001", "wrong"},
		{"cash", "open", "--id", "a2"},
	} {
		desk.says("", 0, "", command...)
		if got := <-printed; !strings.Contains(got, "\x1bp\x00") {
			t.Errorf("%q: the printer got %q", command, got)
		}
	}
	desk.says("", 0, "", "cash", "sale", "--item", "Vary:3500", "--id", "a1")
	desk.says("", 0, "", "cash", "open", "--id", "a2")
	desk.says("", 0, "Drawer opened", "cash", "count", "52000")
	desk.env["TILL_PRINTER"] = "/dev/usb/no-such-printer"
	desk.says("", 0, "The printer cannot be reached.", "cash", "in", "100", "found")
	if len(printed) > 0 {
		t.Errorf("the drawer opened for a repeated change or after a count: %q", <-printed)
	}
}
