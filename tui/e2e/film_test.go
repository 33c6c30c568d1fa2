package e2e_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/tuitest"
)

var pictureFolder = flag.String("pictures", "", "draw the pictures of the README into this folder")

// How long a frame of the film is shown.
const (
	stroke  = 90 * time.Millisecond   // Between two keys.
	glance  = 700 * time.Millisecond  // After a key press.
	reading = 1600 * time.Millisecond // Time to read a text.
)

// TestFilmOfASale plays two sales in the demo. It draws an animated picture of the screen, and
// pictures of a code and of its payment, for the README. Without -pictures it is skipped.
func TestFilmOfASale(t *testing.T) {
	if *pictureFolder == "" {
		t.Skip("draws only when -pictures names a folder")
	}
	cmd := exec.Command(binary, "demo")
	cmd.Env = tuitest.Environ("HOME="+t.TempDir(), "TILL_SHOP=Tantely", "TILL_LANGUAGE=en", "TILL_THEME=dark", "COLORTERM=truecolor")
	terminal := tuitest.Start(t, 120, 36, cmd).Sees("Total", "listens", "Ravitoto", "34 sales", "F10")
	film := film{terminal: terminal}
	film.hold(reading)
	film.types("Vary 3500x2")
	film.press("7 000", glance)
	film.types("3*mof")
	terminal.Sees("3 × Mofo gasy")
	film.hold(glance)
	film.press("7 900", glance)
	film.types("coca")
	terminal.Sees("Coca  2 000")
	film.hold(glance)
	film.press("9 900", glance)
	film.press("Charge 9 900 Ar?", glance)

	terminal.Press("enter").Sees("To pay", "lets it expire", "Time left")
	link := terminal.QR()
	draw(t, stillOf(terminal.Sees("9:59")), "code.svg")
	film.still = len(film.frames)
	film.hold(time.Second)
	for _, left := range []string{"9:58", "9:57"} {
		terminal.Sees(left)
		film.hold(time.Second)
	}
	reply, err := http.PostForm(link, url.Values{"outcome": {"success"}})
	tuitest.Must(t, err)
	_ = reply.Body.Close()
	draw(t, stillOf(terminal.Sees("PAID", "next sale")), "paid.svg")
	film.hold(2 * reading)
	film.press("35 sales", glance)
	film.hold(reading)
	keep(t, "film.svg", film.draw())
}

type film struct {
	terminal *tuitest.Terminal
	frames   []frame
	still    int // Index of the frame that is shown without animation.
}

type frame struct {
	screen tuitest.Screen
	lasts  time.Duration
}

// hold adds the current screen, which is then shown for the time lasts.
func (f *film) hold(lasts time.Duration) {
	f.frames = append(f.frames, frame{stillOf(f.terminal), lasts})
}

// stillOf waits until the screen has not changed for a while, and returns it. A screen that is just
// being drawn would be torn.
func stillOf(terminal *tuitest.Terminal) tuitest.Screen {
	const still = 150 * time.Millisecond
	before := ""
	for {
		screen := terminal.Snapshot()
		now := picture(screen)
		if now == before {
			return screen
		}
		before = now
		<-time.After(still)
	}
}

// types types a text and adds a frame after each key.
func (f *film) types(text string) {
	for n := range len(text) {
		f.terminal.Type(text[n : n+1]).Sees("› " + strings.TrimRight(text[:n+1], " "))
		f.hold(stroke)
	}
}

// press presses Enter and adds the resulting screen.
func (f *film) press(sees string, lasts time.Duration) {
	f.terminal.Press("enter").Sees(sees)
	f.hold(lasts)
}

// draw returns the film as an SVG file with a CSS animation: the frames are
// placed below each other and moved past the window. Viewers without animation,
// or with reduced motion, show one frame. Equal rows are drawn once.
func (f *film) draw() string {
	cols, rows := f.frames[0].screen.Size()
	height := (rows + 1) * cellHeight
	var whole, now time.Duration
	for _, frame := range f.frames {
		whole += frame.lasts
	}
	var steps, defs, strip strings.Builder
	names := map[string]int{}
	for n, frame := range f.frames {
		fmt.Fprintf(&steps, "%.3f%%{transform:translateY(-%dpx)}\n", 100*now.Seconds()/whole.Seconds(), n*height)
		now += frame.lasts
		for y := range rows {
			row := drawRow(frame.screen, y, 0)
			if row == "" {
				continue
			}
			name, known := names[row]
			if !known {
				name = len(names)
				names[row] = name
				fmt.Fprintf(&defs, `<g id="r%d">`+"\n%s</g>\n", name, row)
			}
			fmt.Fprintf(&strip, `<use href="#r%d" y="%d"/>`, name, n*height+y*cellHeight+cellHeight/2)
		}
		strip.WriteString("\n")
	}
	style := fmt.Sprintf("<style>\n.film{animation:film %gs step-end infinite}\n@keyframes film{\n%s}\n"+
		"@media (prefers-reduced-motion:reduce){.film{animation:none}}\n</style>\n", whole.Seconds(), steps.String())
	return pictureHead(cols, rows, style) + "<defs>\n" + defs.String() + "</defs>\n" +
		fmt.Sprintf(`<g class="film" transform="translate(0 -%d)">`+"\n", f.still*height) + strip.String() + "</g>\n</svg>\n"
}

func draw(t *testing.T, screen tuitest.Screen, name string) {
	t.Helper()
	keep(t, name, picture(screen))
}

// picture returns a screen as an SVG file.
func picture(screen tuitest.Screen) string {
	cols, rows := screen.Size()
	var svg strings.Builder
	svg.WriteString(pictureHead(cols, rows, ""))
	for y := range rows {
		svg.WriteString(drawRow(screen, y, y*cellHeight+cellHeight/2))
	}
	svg.WriteString("</svg>\n")
	return svg.String()
}

func keep(t *testing.T, name, text string) {
	t.Helper()
	tuitest.Must(t, os.WriteFile(filepath.Join(*pictureFolder, name), []byte(text), 0o644))
}
