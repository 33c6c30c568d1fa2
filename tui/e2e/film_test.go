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

// TestFilmOfASale plays a sale in the demo, and then a power cut. It draws an animated picture of the screen, and
// pictures of a code and of its payment, for the README. Without -pictures it is skipped.
func TestFilmOfASale(t *testing.T) {
	film := film{terminal: demo(t).Sees("Total", "awaits", "Ravitoto", "34 sales", "F10")}
	film.says("A till for the counter of a shop. It runs in a terminal.")
	film.hold(reading)
	film.says("The cashier types what the customer takes, or scans it.")
	film.types("Vary 3500x2")
	film.press("7 000", glance)
	film.types("3*mo")
	film.press("7 900", glance)
	film.types("coca")
	film.press("9 900", glance)
	film.says("Enter charges the sum. The payment service makes a link, and the screen shows it as a code.")
	film.press("Charge 9 900 Ar?", reading)

	film.terminal.Press("enter").Sees("To pay", "expires", "Time left")
	film.says("The customer scans the code with a phone, and confirms there.")
	link := film.terminal.QR()
	draw(t, stillOf(film.terminal.Sees("9:59")), "code.svg")
	film.still = len(film.frames)
	film.scanned.from = film.length()
	film.hold(2 * reading)
	film.scanned.to = film.length()
	reply, err := http.PostForm(link, url.Values{"outcome": {"success"}})
	tuitest.Must(t, err)
	_ = reply.Body.Close()
	film.says("The service reports the payment, and the screen turns green by itself.")
	draw(t, stillOf(film.terminal.Sees("PAID", "next sale")), "paid.svg")
	film.hold(2 * reading)
	film.says("The next sale begins at once.")
	film.press("35 sales", reading)

	film.terminal = demo(t, "--script", "blackout", "--pace", "2").Sees("14 000 Ar", "Charge 4 800 Ar?")
	film.says("One customer is still paying, and the next one begins.")
	film.hold(reading)
	film.terminal.Sees("no power")
	film.says("Power cut, before one of them has paid.")
	film.hold(reading)
	film.says("They pay meanwhile. A relay on the internet keeps what the service reports.")
	film.terminal.Sees("14 000 Ar")
	film.hold(glance)
	film.terminal.Sees("4 800 Ar")
	film.hold(reading)
	film.terminal.Sees("2 PAID", "While the till was off")
	film.says("The power is back, and no payment is forgotten.")
	film.hold(2 * reading)
	film.says("till: one program without an installation, for Linux, macOS and Windows.")
	film.hold(reading)
	keep(t, "film.svg", film.draw())
}

// TestPicturesOfTheTenders draws the ways to pay at the counter, for the shop's guide: a part in cash, the card, the
// debts and a debt that is paid. Without -pictures it is skipped.
func TestPicturesOfTheTenders(t *testing.T) {
	terminal := demo(t).Sees("Total", "awaits", "Ravitoto", "34 sales", "F10")
	terminal.Type("Riz 20000").Press("enter").Sees("Riz").Press("enter").Sees("Charge 20 000 Ar?").Press("tab").Sees("To pay")
	terminal.Type("5000").Press("enter")
	draw(t, stillOf(terminal.Sees("15 000")), "part.svg")
	terminal.Press("esc", "tab").Sees("accepted on the terminal?").Press("enter")
	draw(t, stillOf(terminal.Sees("CARD", "next sale")), "card.svg")
	terminal.Press("enter").Sees("nothing yet").Press("f5").Sees("Held sales").Press("tab")
	draw(t, stillOf(terminal.Sees("Rabe", "Voahangy", "22 000")), "debts.svg")
	terminal.Press("enter").Sees("Rabe").Type("10000").Press("enter").Sees("Charge 10 000 Ar?").Press("tab").Sees("To pay").Press("enter")
	draw(t, stillOf(terminal.Sees("Rabe still owes", "next sale")), "debt.svg")
}

// demo starts the demo with additional arguments. Without -pictures, it skips the test.
func demo(t *testing.T, arguments ...string) *tuitest.Terminal {
	if *pictureFolder == "" {
		t.Skip("draws only when -pictures names a folder")
	}
	cmd := exec.Command(binary, append([]string{"demo"}, arguments...)...)
	cmd.Env = tuitest.Environ("HOME="+t.TempDir(), "TILL_SHOP=Tantely", "TILL_LANGUAGE=en", "TILL_THEME=dark", "COLORTERM=truecolor")
	return tuitest.Start(t, 120, 36, cmd)
}

type film struct {
	terminal *tuitest.Terminal
	frames   []frame
	caption  string // The sentence below the next frames.
	still    int    // Index of the frame that is shown without animation.
	scanned  struct{ from, to time.Duration }
}

type frame struct {
	screen  tuitest.Screen
	caption string
	lasts   time.Duration
}

func (f *film) says(caption string) { f.caption = caption }

// hold adds the current screen as a frame that is shown for the duration lasts.
func (f *film) hold(lasts time.Duration) {
	f.frames = append(f.frames, frame{stillOf(f.terminal), f.caption, lasts})
}

func (f *film) length() (whole time.Duration) {
	for _, frame := range f.frames {
		whole += frame.lasts
	}
	return whole
}

// stillOf waits until the screen has not changed for a while, and returns it. Without the wait, the
// screen could be only half drawn.
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

// types types a text and adds a frame after each key. The last of these frames is shown longer.
func (f *film) types(text string) {
	for n := range len(text) {
		lasts := stroke
		if n == len(text)-1 {
			lasts = glance
		}
		f.terminal.Type(text[n : n+1]).Sees("› " + strings.TrimRight(text[:n+1], " "))
		f.hold(lasts)
	}
}

// press presses Enter, and waits until the screen shows the text in sees. It adds the screen as a
// frame that is shown for the duration lasts.
func (f *film) press(sees string, lasts time.Duration) {
	f.terminal.Press("enter").Sees(sees)
	f.hold(lasts)
}

// draw returns the film as an SVG file with a CSS animation: the frames are placed below each other
// and moved past the window. A viewer that shows no animations, or reduced motion, shows one frame.
// Equal rows are drawn only once.
func (f *film) draw() string {
	const captionRows = 2
	cols, rows := f.frames[0].screen.Size()
	height := (rows + 1 + captionRows) * cellHeight
	whole := f.length()
	var now time.Duration
	var steps, defs, strip strings.Builder
	names := map[string]int{}
	use := func(row string, y int) {
		if row == "" {
			return
		}
		name, known := names[row]
		if !known {
			name = len(names)
			names[row] = name
			fmt.Fprintf(&defs, `<g id="r%d">`+"\n%s</g>\n", name, row)
		}
		fmt.Fprintf(&strip, `<use href="#r%d" y="%d"/>`, name, y)
	}
	for n, frame := range f.frames {
		fmt.Fprintf(&steps, "%.3f%%{transform:translateY(-%dpx)}\n", percent(now, whole), n*height)
		now += frame.lasts
		fmt.Fprintf(&strip, `<g transform="translate(0 %d)">`, n*height+cellHeight/2)
		for y := range rows {
			use(drawRow(frame.screen, y, 0), y*cellHeight)
		}
		use(fmt.Sprintf(`<text x="%d" y="5" text-anchor="middle" fill="%s">%s</text>`+"\n", (cols+2)*cellWidth/2, faintText, frame.caption),
			(rows+1)*cellHeight)
		strip.WriteString("</g>\n")
	}
	style := fmt.Sprintf("<style>\n.film{animation:film %[1]gs step-end infinite}\n@keyframes film{\n%[2]s}\n"+
		".phone{animation:phone %[1]gs step-end infinite}\n@keyframes phone{\n0%%{opacity:0}\n%.3[3]f%%{opacity:1}\n%.3[4]f%%{opacity:0}\n}\n"+
		".ray{animation:ray 1s ease-in-out infinite alternate}\n@keyframes ray{\nto{transform:translateY(72px)}\n}\n"+
		"@media (prefers-reduced-motion:reduce){.film,.phone,.ray{animation:none}}\n</style>\n",
		whole.Seconds(), steps.String(), percent(f.scanned.from, whole), percent(f.scanned.to, whole))
	return pictureHead(cols, rows+captionRows, style) + "<defs>\n" + defs.String() + "</defs>\n" +
		fmt.Sprintf(`<g class="film" transform="translate(0 -%d)">`+"\n", f.still*height) + strip.String() + "</g>\n" +
		fmt.Sprintf(phone, (cols-13)*cellWidth, (rows-2)*cellHeight-210) + "</svg>\n"
}

func percent(part, whole time.Duration) float64 { return 100 * part.Seconds() / whole.Seconds() }

// phone is the customer's phone while it scans a code. Its size is 112×210 pixels.
const phone = `<g class="phone" transform="translate(%d %d)">
<rect width="112" height="210" rx="14" fill="#2b2f38" stroke="#8b909b" stroke-width="2"/>
<rect x="8" y="20" width="96" height="162" rx="4" fill="#16181d"/>
<rect x="14" y="56" width="84" height="84" fill="#ffffff"/>
<path fill="#16181d" fill-rule="evenodd" d="M18 60h28v28h-28zm4 4h20v20h-20zm5 5h10v10h-10z"/>
<path fill="#16181d" fill-rule="evenodd" d="M66 60h28v28h-28zm4 4h20v20h-20zm5 5h10v10h-10z"/>
<path fill="#16181d" fill-rule="evenodd" d="M18 108h28v28h-28zm4 4h20v20h-20zm5 5h10v10h-10z"/>
<path fill="#16181d" d="M52 62h8v8h-8zm0 16h4v8h-4zM66 98h8v4h-8zm12 8h8v8h-8zm-12 16h4v8h-4zm16 4h10v8h-10zM22 94h8v4h-8zm20 4h12v4h-12zm8 14h6v6h-6z"/>
<rect class="ray" x="10" y="60" width="92" height="3" fill="#10b981"/>
</g>
`

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
