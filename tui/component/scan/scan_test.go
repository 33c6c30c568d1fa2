package scan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

const link = "https://pay.example.test/c7f3kq2aa9c7f3kq2aa9c7f3kq2aa9c7f3kq2aa9"

func TestTheCodesPlaceDoesNotDependOnTheWords(t *testing.T) {
	styles := theme.Plain()
	long := strings.Repeat("Many words. ", 40)
	bare := []scan.Block{{Label: "To pay", Figures: "9 000 Ar", High: 10}}
	for _, size := range [][2]int{{40, 30}, {80, 22}, {80, 19}, {120, 34}, {200, 58}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			width, height := size[0], size[1]
			code, err := qr.New(link, theme.Theme{})
			tuitest.Must(t, err)
			place := scan.Put(code, width, height)
			if !place.Fits() {
				t.Fatal("the code has no place")
			}
			first := [2]int{-1, -1}
			for name, words := range map[string]scan.Words{
				"few":        {Blocks: bare},
				"all":        {Title: "Scan", Head: "WAITING", Right: "T1", News: "News", Blocks: bare, Below: []string{"below"}, Foot: []string{"foot"}},
				"an alert":   {Blocks: bare, Alert: scan.Alert{Style: styles.Danger, Sign: "✗", Texts: []string{"Refused", long}}},
				"long words": {Blocks: append(bare, scan.Block{Label: "Then", Rows: theme.Paragraph(styles.Text, long, place.Words, 0)})},
			} {
				view := place.Draw(styles, layout.Of(width, height), words)
				if theme.Width(view) != width || lipgloss.Height(view) != height {
					t.Errorf("with %s got %d×%d", name, theme.Width(view), lipgloss.Height(view))
				}
				code, err := tuitest.Render(view, width, height).Code()
				if err != nil {
					t.Fatalf("with %s: %v\n%s", name, err, view)
				}
				if text, err := code.Text(); err != nil || text != link {
					t.Errorf("with %s the code contains %q, %v", name, text, err)
				}
				at := [2]int{code.Col, code.Row}
				if first[0] >= 0 && at != first {
					t.Errorf("with %s the code is at %v, want %v", name, at, first)
				}
				first = at
			}
		})
	}
}

func TestACodeWithoutRoomHasNoPlace(t *testing.T) {
	for name, link := range map[string]string{"a small window": link, "no link": "", "a link that no code holds": strings.Repeat("a", 3000)} {
		code, _ := qr.New(link, theme.Theme{})
		if scan.Put(code, 40, 15).Fits() {
			t.Errorf("%s has a place", name)
		}
	}
}

func TestAnAlertHasItsSignOnce(t *testing.T) {
	alert := scan.Alert{Style: theme.Plain().Danger, Sign: "✗", Texts: []string{"Payment refused.", "Try again with this code."}}
	want := "  ✗ Payment        \n    refused.       \n    Try again with \n    this code.     "
	if got := strings.Join(alert.Rows(19), "\n"); got != want {
		t.Errorf("got\n%s", got)
	}
}
