package e2e_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"checkout/till/tui/tuitest"
)

var pictureFolder = flag.String("pictures", "", "draw the pictures of the README into this folder")

// demo starts the demo in an English shop, for those who make pictures; every
// other test run skips them.
func demo(t *testing.T) *tuitest.Terminal {
	t.Helper()
	if *pictureFolder == "" {
		t.Skip("draws only when -pictures names a folder")
	}
	cmd := exec.Command(binary, "demo")
	cmd.Env = tuitest.Environ("HOME="+t.TempDir(), "TILL_SHOP=Tantely", "TILL_LANGUAGE=en")
	return tuitest.Start(t, 120, 36, cmd).Sees("Total", "receives payments", "Ravitoto")
}

// TestPicturesOfASale plays a sale in the demo and draws what the screen shows
// as SVG files. The README's pictures are made by it.
func TestPicturesOfASale(t *testing.T) {
	terminal := demo(t)
	terminal.Type("Vary 3500x2").Press("enter").Sees("7 000")
	terminal.Type("Coca 2000").Press("enter").Sees("9 000")
	terminal.Type("3*Mofo 500").Press("enter").Sees("10 500 Ar").Press("enter").Sees("Charge").Press("enter")
	terminal.Sees("To pay", "lets it expire", "Time left").QR()
	draw(t, terminal.Snapshot(), "code.svg")
	terminal.Press("p").Sees("PAID", "next sale")
	draw(t, terminal.Snapshot(), "paid.svg")
}

// draw writes a screen as an SVG file.
func draw(t *testing.T, screen tuitest.Screen, name string) {
	t.Helper()
	cols, rows := screen.Size()
	var svg strings.Builder
	svg.WriteString(pictureHead(cols, rows, ""))
	for y := range rows {
		svg.WriteString(drawRow(screen, y, y*cellHeight+cellHeight/2))
	}
	svg.WriteString("</svg>\n")
	keep(t, name, svg.String())
}

// keep writes a file among the pictures.
func keep(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(*pictureFolder, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
