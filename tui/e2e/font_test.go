package e2e_test

import (
	"fmt"
	"os"
	"testing"

	"checkout/till/tui/tuitest"
)

// consoleFont reads a font of Debian's text console. If the fonts are not installed, the test is
// skipped or, if TILL_TEST_REQUIRE is set, fails.
func consoleFont(t *testing.T, name string) tuitest.Font {
	t.Helper()
	font, err := tuitest.ReadFont("/usr/share/consolefonts/" + name + ".psf.gz")
	switch {
	case os.IsNotExist(err) && os.Getenv("TILL_TEST_REQUIRE") == "":
		t.Skip("needs the package console-setup-linux: ", err)
	case err != nil:
		t.Fatal(err)
	}
	return font
}

func TestTheScreenUsesOnlyCharactersOfTheLinuxConsoleFont(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		font                string
		term                string
		columns, rows, link int
	}{
		// Debian's default fonts have no half blocks.
		{"Lat15-Fixed16", "TERM=linux", 100, 37, 53},
		{"Lat15-Terminus16", "TERM=screen.linux", 128, 48, 106},
		{"Uni2-Fixed16", "TERM=vt220", 128, 48, 78},
	} {
		t.Run(fmt.Sprintf("%s, %s, %d×%d", tt.font, tt.term, tt.columns, tt.rows), func(t *testing.T) {
			t.Parallel()
			font := consoleFont(t, tt.font)
			shop := open(t, file, page(tt.link))
			terminal := tuitest.Start(t, tt.columns, tt.rows, shop.program("", tt.term, "LANG=C.UTF-8", "TILL_LANGUAGE=fr"))
			drawn := func() {
				t.Helper()
				if missing := font.Lacks(terminal.Snapshot()); missing != "" {
					t.Errorf("the font lacks %q on\n%s", missing, terminal.Screen())
				}
			}
			terminal.Sees("Total", "Tantely", "attend les paiements").Type("Vary 3500 x2").Press("enter").Sees("7 000")
			drawn()
			terminal.Press("enter").Sees("Encaisser").Press("enter").Sees("pay.example.test").QR()
			drawn()
			if link, err := tuitest.ReadCode(font.Draw(terminal.Snapshot())); err != nil || link != pageOf(tt.link) {
				t.Errorf("got link %q (%v) from the drawn code\n%s", link, err, terminal.Screen())
			}
			shop.pay(shop.service.last())
			terminal.Sees("recette du jour", "vente suivante")
			drawn()
		})
	}
}

func TestASmallWindowSaysThatTheCodeNeedsHalfBlocks(t *testing.T) {
	t.Parallel()
	shop := open(t, file, page(78))
	settings := []string{"TERM=linux", "LANG=C.UTF-8", "TILL_LANGUAGE=fr"}
	terminal := tuitest.Start(t, 80, 25, shop.program("", settings...)).Sees("Tantely")
	terminal.Type("Vary 3500 x2").Press("enter").Sees("7 000").Press("enter").Sees("? ").Press("enter")
	terminal.Sees("le code demande une fenêtre de 70x38, ou une autre police, voir till doctor.", "https://pay.example.test/c7f3")
	doctor := tuitest.Start(t, 100, 60, shop.program("doctor", settings...))
	doctor.Wait()
	doctor.Sees("setfont Vietnamese-Terminus16")
}
