package qr_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/quick"

	"github.com/charmbracelet/x/ansi"
	qrcode "github.com/skip2/go-qrcode"

	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// linkOf returns a link of the given length in bytes. Its letters and digits are like those in the
// links of payment services.
func linkOf(bytes int) string {
	const begin, signs = "https://pay.example.test/c/", "a8Fk3qZ"
	tail := strings.Repeat(signs, bytes/len(signs)+1)
	return begin + tail[:bytes-len(begin)]
}

func newCode(t testing.TB, link string) qr.Model { return newCodeOn(t, theme.Unicode, link) }

func newCodeOn(t testing.TB, charset theme.Charset, link string) qr.Model {
	t.Helper()
	m, err := qr.New(link, theme.Theme{Charset: charset})
	tuitest.Must(t, err)
	return m
}

func encoded(t *testing.T, link string) [][]bool {
	t.Helper()
	code, err := qrcode.New(link, qrcode.Low)
	tuitest.Must(t, err)
	code.DisableBorder = true
	return code.Bitmap()
}

// onScreen draws view on a terminal, with other texts around it, and finds the QR code in the cells
// of the terminal.
func onScreen(t *testing.T, view string) tuitest.Code {
	t.Helper()
	lines := strings.Split(view, "\n")
	width := ansi.StringWidth(lines[0])
	for i, line := range lines {
		lines[i] = "#" + line + "#"
	}
	rule := strings.Repeat("#", width+2)
	code, err := tuitest.Render(rule+"\n"+strings.Join(lines, "\n")+"\n"+rule, width+10, len(lines)+4).Code()
	if err != nil {
		t.Fatalf("%v\n%s", err, view)
	}
	return code
}

// reads fails the test unless the modules in view are those of the link's code, and a QR reader
// reads the link from them.
func reads(t *testing.T, view, link string) tuitest.Code {
	t.Helper()
	code := onScreen(t, view)
	tuitest.Equal(t, code.Modules(), encoded(t, link), "the modules of\n%s", view)
	if text, err := code.Text(); err != nil || text != link {
		t.Errorf("got %q, %v, want %q", text, err, link)
	}
	return code
}

func TestACodeHasTheLargestFormThatFits(t *testing.T) {
	tests := []struct {
		name                string
		bytes, width, rows  int
		edged               bool
		scale, quiet        int
		wantWidth, wantRows int
		wantEdges           bool
	}{
		{"30 bytes with 3 rows of chrome", 30, 80, 21, false, 1, 2, 29, 15, false},
		{"78 bytes with 3 rows of chrome", 78, 80, 21, false, 1, 2, 37, 19, false},
		{"106 bytes with 3 rows of chrome", 106, 80, 21, false, 1, 2, 41, 21, false},
		{"134 bytes next to the text", 134, 52, 24, false, 1, 2, 45, 23, false},
		{"154 bytes next to the text", 154, 47, 24, false, 1, 1, 47, 24, false},
		{"154 bytes with one more row", 154, 80, 25, false, 1, 2, 49, 25, false},
		{"192 bytes on 100x30", 192, 100, 27, false, 1, 2, 53, 27, false},
		{"271 bytes on 100x30 next to the text", 271, 60, 30, false, 1, 1, 59, 30, false},
		{"425 bytes on 120x40", 425, 120, 37, false, 1, 2, 73, 37, false},
		{"few rows narrow the quiet zone", 30, 80, 14, false, 1, 1, 27, 14, false},
		{"few columns narrow the quiet zone", 30, 27, 24, false, 1, 1, 27, 14, false},
		{"twice the room", 30, 58, 29, false, 2, 2, 58, 29, false},
		{"twice the room with a narrow quiet zone", 30, 54, 27, false, 2, 1, 54, 27, false},
		{"one row less", 30, 54, 26, false, 1, 2, 29, 15, false},
		{"one column less", 30, 53, 27, false, 1, 2, 29, 15, false},
		{"three times the room", 30, 200, 44, false, 3, 2, 87, 44, false},
		{"a wall", 30, 400, 116, false, 8, 2, 232, 116, false},
		{"edges with a wide quiet zone", 45, 80, 20, true, 1, 2, 33, 18, true},
		{"edges with one module above and two below", 45, 80, 17, true, 1, 1, 33, 17, true},
		{"no room for edges", 45, 80, 16, true, 1, 1, 31, 16, false},
		{"edges with two modules and a half", 45, 80, 35, true, 2, 2, 66, 35, true},
		{"edges with a module and a half", 45, 80, 34, true, 2, 1, 64, 33, true},
		{"edges with one module", 45, 80, 32, true, 2, 1, 62, 32, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			link := linkOf(tt.bytes)
			m := newCode(t, link)
			if tt.edged {
				m = m.Edged()
			}
			m = m.SetSize(tt.width, tt.rows)
			if w, h := m.Size(); w != tt.wantWidth || h != tt.wantRows || m.Scale() != tt.scale || !m.Fits() {
				t.Errorf("got %dx%d and scale %d, want %dx%d and %d", w, h, m.Scale(), tt.wantWidth, tt.wantRows, tt.scale)
			}
			code := reads(t, m.View(), link)
			tuitest.Equal(t, code.Quiet(), tt.quiet, "the quiet zone")
			tuitest.Equal(t, code.Scale(), tt.scale, "the scale")
			lines := strings.Split(ansi.Strip(m.View()), "\n")
			edges := strings.Trim(lines[0], "▄") == "" && strings.Trim(lines[len(lines)-1], "▀") == ""
			tuitest.Equal(t, edges, tt.wantEdges, "edges\n%s", m.View())
		})
	}
}

func TestEdgesNeedHalfBlocksAndLeaveUniformCells(t *testing.T) {
	link := linkOf(45)
	t.Run("the cells of an even scale are uniform", func(t *testing.T) {
		lines := strings.Split(ansi.Strip(newCode(t, link).Edged().SetSize(80, 35).View()), "\n")
		tuitest.Equal(t, strings.TrimSpace(strings.Join(lines[1:len(lines)-1], "")), "", "glyphs")
	})
	t.Run("without half blocks there are no edges", func(t *testing.T) {
		m := newCodeOn(t, theme.Lines, link).Edged().SetSize(80, 40)
		if text := ansi.Strip(m.View()); !m.Fits() || strings.Trim(text, " \n") != "" {
			t.Errorf("got %q", text)
		}
	})
}

func TestACodeIsCompleteOrEmptyAtAnySize(t *testing.T) {
	m := newCode(t, linkOf(78))
	blanks := newCodeOn(t, theme.ASCII, linkOf(78))
	whole := func(width, height uint8, ascii bool) bool {
		code := m
		if ascii {
			code = blanks
		}
		code = code.SetSize(int(width), int(height))
		w, h := code.Size()
		needW, needH := code.Needs()
		if code.Fits() != (int(width) >= needW && int(height) >= needH) {
			t.Errorf("Fits of %dx%d is %v, but Needs is %dx%d", width, height, code.Fits(), needW, needH)
		}
		if !code.Fits() {
			return code.View() == "" && w == 0 && h == 0
		}
		lines := strings.Split(code.View(), "\n")
		for _, line := range lines {
			tuitest.Equal(t, ansi.StringWidth(line), w, "the columns of a line")
		}
		return w <= int(width) && h <= int(height) && len(lines) == h
	}
	tuitest.Must(t, quick.Check(whole, nil))
}

func TestBlanksNeedNoHalfBlocks(t *testing.T) {
	for bytes, charset := range map[int]theme.Charset{30: theme.ASCII, 53: theme.Lines, 78: theme.ASCII, 106: theme.Lines} {
		t.Run(fmt.Sprintf("no half blocks, %d bytes", bytes), func(t *testing.T) {
			link := linkOf(bytes)
			m := newCodeOn(t, charset, link)
			width, rows := m.Needs()
			view := m.SetSize(width, rows).View()
			tuitest.Equal(t, strings.Trim(ansi.Strip(view), " \n"), "", "characters other than blanks")
			code := reads(t, view, link)
			if modules := len(code.Modules()); width != 2*(modules+2) || rows != modules+2 {
				t.Errorf("%d modules take %dx%d", modules, width, rows)
			}
			if got := reads(t, m.SetSize(2*width, 2*rows+3).View(), link).Scale(); got%2 != 0 {
				t.Errorf("got modules of %d columns, want an even number", got)
			}
		})
	}
}

func TestATerminalWithFewColoursGetsReverseVideo(t *testing.T) {
	for colours, want := range map[int64]string{0: "\x1b[37;40m\x1b[7m ", 16: "\x1b[37;40m\x1b[7m ", 256: "\x1b[38;5;16;48;5;231m "} {
		m, err := qr.New(linkOf(30), theme.Theme{Charset: theme.ASCII, Colours: colours})
		tuitest.Must(t, err)
		view := m.SetSize(m.Needs()).View()
		if !strings.HasPrefix(view, want) {
			t.Errorf("with %d colours the view begins with %q", colours, view[:24])
		}
		reads(t, view, linkOf(30))
	}
}

func TestEachLineSetsItsColoursOnce(t *testing.T) {
	view := newCode(t, linkOf(30)).SetSize(80, 21).View()
	for n, line := range strings.Split(view, "\n") {
		if !strings.HasPrefix(line, "\x1b[38;5;16;48;5;231m") || !strings.HasSuffix(line, "\x1b[0m") {
			t.Errorf("line %d does not set and reset the colours: %q", n, line)
		}
		rest := strings.TrimSuffix(strings.TrimPrefix(line, "\x1b[38;5;16;48;5;231m"), "\x1b[0m")
		for _, part := range strings.Split(rest, "\x1b[")[1:] {
			if !strings.HasPrefix(part, "7m") && !strings.HasPrefix(part, "27m") {
				t.Errorf("line %d has a sequence %q", n, part[:4])
			}
		}
		if strings.Contains(rest, "█") {
			t.Errorf("line %d draws a uniform cell with a glyph", n)
		}
	}
}

const quiet = 2 // Width of the quiet zone, in modules.

// isDark reports whether a pixel is dark. The coordinates include the quiet zone.
func isDark(modules [][]bool, x, y int) bool {
	x -= quiet
	y -= quiet
	return x >= 0 && y >= 0 && x < len(modules) && y < len(modules) && modules[y][x]
}

// If a glyph does not fill its half block, the background's colour is visible as a seam at the edge
// of the cell. The seam is invisible if the pixel on the other side of the edge has the same
// colour.
func TestSeamsAreHiddenIfPossible(t *testing.T) {
	m := newCode(t, linkOf(78)).SetSize(37, 19)
	screen := tuitest.Render(m.View(), 37, 19)
	modules := m.Modules()
	dark := func(x, y int) bool { return isDark(modules, x, y) }
	mixed, ties := 0, 0
	for y := range 19 {
		for x := range 37 {
			cell := screen.Cell(x, y)
			ground := cell.Ground == 16
			var hidden, couldBe bool
			switch cell.Rune {
			case '▀':
				hidden, couldBe = dark(x, 2*y-1) == ground, dark(x, 2*y+2) != ground
			case '▄':
				hidden, couldBe = dark(x, 2*y+2) == ground, dark(x, 2*y-1) != ground
			default:
				continue
			}
			mixed++
			if !hidden && couldBe {
				t.Errorf("the cell %d,%d shows a seam that the other half block would hide", x, y)
			}
			if hidden == couldBe {
				ties++
				if cell.Text != 231 {
					t.Errorf("the cell %d,%d draws its dark half, want the light one in a tie", x, y)
				}
			}
		}
	}
	if mixed < 100 || ties == 0 || ties == mixed {
		t.Errorf("got %d mixed cells and %d ties, which test too little", mixed, ties)
	}
}

func TestInvalidLinksHaveNoCode(t *testing.T) {
	if _, err := qr.New("", theme.Theme{}); err == nil {
		t.Error("an empty link was encoded")
	}
	if _, err := qr.New(strings.Repeat("a", 2954), theme.Theme{}); err == nil {
		t.Error("a link of 2954 bytes was encoded")
	}
	var none qr.Model
	if none = none.SetSize(1000, 1000); none.Fits() || none.View() != "" {
		t.Error("the zero Model draws something")
	}
	w, h := none.Needs()
	tuitest.Equal(t, [2]int{w, h}, [2]int{}, "the needs of the zero Model")
	if m := newCode(t, linkOf(30)); m.Fits() || m.View() != "" || m.Link() != linkOf(30) {
		t.Error("a code without a size draws something, or forgets its link")
	}
}

func TestAnyLinkIsReadBack(t *testing.T) {
	for _, link := range []string{
		"HTTPS://PAY.EXAMPLE.TEST/C/8F3KQ2",
		"https://pay.example.test/c/00000000000000000000123456789",
		"https://pay.example.test/?a=b&c=%C3%A9#x",
		"http://127.0.0.1:8789/pay/3f9c1a7be0d84c6f",
		linkOf(350),
		// The QR reader of the tests can read the codes of these links only if the picture is rotated.
		"http://127.0.0.1:53338/c/KQDN7BUIZHYFFA6X7CQK", "http://127.0.0.1:43877/c/OLP42C64RSAA3IMAINB5",
		"http://127.0.0.1:43608/c/J7DERHO66REYA5E64KJV", "http://127.0.0.1:57461/c/HGOEZIFDHJAF2VROOZ4F",
	} {
		t.Run(link, func(t *testing.T) {
			m := newCode(t, link)
			reads(t, m.SetSize(m.Needs()).View(), link)
		})
	}
}

func Example() {
	m, err := qr.New("https://pay.example.test/c/8f3kq2aa", theme.Theme{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if m = m.SetSize(30, 10); !m.Fits() {
		width, height := m.Needs()
		fmt.Printf("%s (the code needs %dx%d)\n", m.Link(), width, height)
	}
	m = m.SetSize(80, 21)
	fmt.Println(m.Size())
	// Output:
	// https://pay.example.test/c/8f3kq2aa (the code needs 31x16)
	// 33 17
}

func TestTextDrawsTheCodeWithoutColours(t *testing.T) {
	code, err := qr.New("https://pay.example.mg/c/1", theme.Theme{})
	tuitest.Must(t, err)
	modules := code.Modules()
	for name, c := range map[string]struct {
		charset theme.Charset
		full    string // The two characters of a dark module; empty if the code is drawn with half blocks.
		light   bool
	}{
		"half blocks, light on dark": {theme.Unicode, "", false}, "half blocks, dark on light": {theme.Console, "", true},
		"full blocks, light on dark": {theme.Lines, "██", false}, "full blocks, dark on light": {theme.Lines, "██", true},
		"ASCII, light on dark": {theme.ASCII, "##", false}, "ASCII, dark on light": {theme.ASCII, "##", true},
	} {
		t.Run(name, func(t *testing.T) {
			rows := strings.Split(code.Text(theme.Theme{Charset: c.charset}, c.light), "\n")
			// inked reports whether the text draws the pixel at x and y.
			inked := func(x, y int) bool {
				if c.full != "" {
					return string([]rune(rows[y])[2*x:2*x+2]) == c.full
				}
				sign := []rune(rows[y/2])[x]
				return sign == '█' || sign == '▀' && y%2 == 0 || sign == '▄' && y%2 == 1
			}
			for y := range len(modules) + 2*quiet {
				for x := range len(modules) + 2*quiet {
					if inked(x, y) != (isDark(modules, x, y) == c.light) {
						t.Fatalf("the pixel at %d, %d is wrong in\n%s", x, y, strings.Join(rows, "\n"))
					}
				}
			}
		})
	}
}
