package theme_test

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// scheme contains the colours of a terminal: background, text, and the ANSI colours 0 to 15.
type scheme struct {
	name, ground, text string
	ansi               string
}

// schemes returns common colour schemes. gruvbox-light swaps black and white, and solarized-dark
// uses the same colour for the background and for bright black.
func schemes() []scheme {
	const (
		vga       = "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
		solarized = "073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5 002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3"
		common    = "000000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5 666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db e5e5e5"
		gruvbox   = "fbf1c7 cc241d 98971a d79921 458588 b16286 689d6a 7c6f64 928374 9d0006 79740e b57614 076678 8f3f71 427b58 3c3836"
	)
	return []scheme{
		{"dark", "1e1e1e", "cccccc", common},
		{"black", "000000", "e5e5e5", vga},
		{"solarized-dark", "002b36", "839496", solarized},
		{"green", "001100", "33ff66", vga},
		{"light", "ffffff", "333333", common},
		{"solarized-light", "fdf6e3", "657b83", solarized},
		{"gruvbox-light", "fbf1c7", "3c3836", gruvbox},
	}
}

func (s scheme) dark() bool { return luminance(s.ground) < 0.5 }

// hex returns the colour that a terminal with the scheme shows for c in a profile. If c has no
// colour, it returns byDefault.
func (s scheme) hex(t *testing.T, profile termenv.Profile, c lipgloss.TerminalColor, byDefault string) string {
	t.Helper()
	if uncoloured(c) {
		return byDefault
	}
	name := string(c.(lipgloss.Color))
	if number, is := profile.Color(name).(termenv.ANSI256Color); is {
		name = strconv.Itoa(int(number))
	}
	if hex, is := strings.CutPrefix(name, "#"); is {
		return hex
	}
	n, err := strconv.Atoi(name)
	switch {
	case err != nil:
		t.Fatalf("colour %v is not one of the palette: %v", c, err)
	case n < 16 && profile == termenv.ANSI:
		return strings.Fields(s.ansi)[n]
	case n < 16:
		t.Fatalf("colour %d follows the scheme", n)
	case n >= 232:
		return strings.Repeat(fmt.Sprintf("%02x", 8+10*(n-232)), 3)
	}
	steps := []string{"00", "5f", "87", "af", "d7", "ff"}
	return steps[(n-16)/36] + steps[(n-16)/6%6] + steps[(n-16)%6]
}

func luminance(hex string) float64 {
	channel := func(i int) float64 {
		n, _ := strconv.ParseUint(hex[i:i+2], 16, 8)
		v := float64(n) / 255
		if v <= 0.03928 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(0) + 0.7152*channel(2) + 0.0722*channel(4)
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func styles(th theme.Theme) map[string]lipgloss.Style {
	found := map[string]lipgloss.Style{}
	all := reflect.ValueOf(*th.Styles)
	for i := range all.NumField() {
		found[all.Type().Field(i).Name] = all.Field(i).Interface().(lipgloss.Style)
	}
	return found
}

func modes() []theme.Mode { return []theme.Mode{theme.Auto, theme.Dark, theme.Light, theme.Contrast} }

func coloured() *lipgloss.Renderer { return withProfile(termenv.ANSI256) }

func withProfile(profile termenv.Profile) *lipgloss.Renderer {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(profile)
	return renderer
}

func uncoloured(c lipgloss.TerminalColor) bool {
	_, none := c.(lipgloss.NoColor)
	return none || c == nil
}

// minContrast returns the lowest contrast that a style may have in a mode.
func minContrast(name string, mode theme.Mode) float64 {
	switch name {
	case "Rule", "FlowMiddle", "HeaderFlow", "HeaderAbsent": // Lines, bars, a sign, and a key that has no use at the moment.
		return 2.9
	case "FlowLow": // In a short bar, the height shows the amount, not the colour.
		return 2.5
	}
	if mode == theme.Dark || mode == theme.Light {
		return 4.5
	}
	return 3 // The minimum for bold text; all coloured words are bold.
}

func TestEveryStyleIsReadableOnEveryScheme(t *testing.T) {
	for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI} {
		for _, mode := range modes() {
			for name, style := range styles(theme.New(withProfile(profile), mode)) {
				least := minContrast(name, mode)
				if profile == termenv.ANSI {
					least = 3
				}
				for _, s := range schemes() {
					if mode == theme.Dark && !s.dark() || mode == theme.Light && s.dark() {
						continue
					}
					if uncoloured(style.GetBackground()) && uncoloured(style.GetForeground()) {
						continue // Such text has the text and background colours of the scheme.
					}
					ground := s.hex(t, profile, style.GetBackground(), s.ground)
					text := s.hex(t, profile, style.GetForeground(), s.text)
					if got := contrast(text, ground); got < least {
						t.Errorf("%s in %s of %v on %s: the contrast of %s on %s is %.1f, want at least %.1f", name, mode, profile, s.name, text, ground, got, least)
					}
				}
			}
		}
	}
}

func TestTextOfTheTerminalIsReadableOnEveryScheme(t *testing.T) {
	for _, s := range schemes() {
		own := contrast(s.text, s.ground) >= 7
		for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256} {
			th := theme.New(withProfile(profile), theme.Auto)
			th.Colours = 256
			th.Adapt(luminance(s.ground), new(luminance(s.text)))
			if got := contrast(s.hex(t, profile, th.Text.GetForeground(), s.text), s.ground); got < 7 {
				t.Errorf("on %s the contrast of text is %.1f, want at least 7", s.name, got)
			}
			view := "a" + th.Strong.Render("b") + "c\n" + th.PaidBlock.Render("d") + "e"
			if got := th.ColourText(view); (got == view) != own {
				t.Errorf("on %s the view %q becomes %q", s.name, view, got)
			}
		}
	}
	th := theme.Full(theme.Auto)
	th.Colours = 256
	th.Adapt(1, new(0.5))
	const grey, reset = "\x1b[38;5;236m", "\x1b[0m"
	if got, want := th.ColourText("a"+th.Strong.Render("b")+"c\n"), grey+"a\x1b[1mb"+reset+grey+"c"+reset+"\n"+grey+reset; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	th.Adapt(1, nil)
	tuitest.Equal(t, th.ColourText("a"), "a", "text without a reply about it")
}

// There is no grey with enough contrast in both solarized-dark and gruvbox-light.
func TestMutedTextOfAnUnknownBackgroundHasTheTerminalsColour(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Auto, "unknown"} {
		if c := theme.Full(mode).Muted.GetForeground(); !uncoloured(c) {
			t.Errorf("Muted in %s has the colour %v", mode, c)
		}
	}
}

// The Linux text console makes bold text brighter, so bold black text on grey would become grey on
// grey.
func TestReversedTextIsNotBold(t *testing.T) {
	for _, mode := range modes() {
		for name, style := range styles(theme.New(withProfile(termenv.ANSI), mode)) {
			if style.GetReverse() && style.GetBold() {
				t.Errorf("%s in %s is bold in reverse video", name, mode)
			}
		}
	}
}

func TestPaidIsTheOnlyGreen(t *testing.T) {
	green := func(hex string) bool {
		return luminance("00"+hex[2:4]+"00") > 2*luminance(hex[:2]+"0000") && hex[2:4] > max(hex[:2], hex[4:])
	}
	for _, mode := range modes() {
		for name, style := range styles(theme.New(withProfile(termenv.TrueColor), mode)) {
			ground := style.GetBackground()
			if _, none := ground.(lipgloss.NoColor); none {
				ground = style.GetForeground()
			}
			if got, want := green(schemes()[0].hex(t, termenv.TrueColor, ground, "cccccc")), strings.HasPrefix(name, "Paid") && mode != theme.Contrast; got != want {
				t.Errorf("%s in %s is green: %v", name, mode, got)
			}
		}
	}
}

func TestContrastHasNoColours(t *testing.T) {
	for name, style := range styles(theme.New(coloured(), theme.Contrast)) {
		for _, c := range []lipgloss.TerminalColor{style.GetForeground(), style.GetBackground()} {
			if _, none := c.(lipgloss.NoColor); !none {
				t.Errorf("%s has the colour %v", name, c)
			}
		}
	}
}

func ExampleNew() {
	// A renderer without colours, like that of a pipe.
	th := theme.New(lipgloss.NewRenderer(io.Discard), theme.Auto)
	fmt.Println(th.PaidBlock.Render("PAID"), th.Muted.Render("09:12"))
	// Output: PAID 09:12
}
