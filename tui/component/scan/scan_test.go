package scan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

const link = "https://pay.example.test/c7f3kq2aa9c7f3kq2aa9c7f3kq2aa9c7f3kq2aa9"

func newCode(t *testing.T, link string) qr.Model {
	t.Helper()
	code, err := qr.New(link, theme.Theme{})
	tuitest.Must(t, err)
	return code
}

func TestTheCodesPlaceDoesNotDependOnTheWords(t *testing.T) {
	styles := theme.Plain()
	long := strings.Repeat("Many words. ", 40)
	bare := []scan.Block{{Label: "To pay", Figures: "9 000 Ar"}, {Label: "Time left", Right: "WAITING", Figures: "9:59"}}
	for _, size := range [][2]int{{40, 30}, {80, 22}, {80, 19}, {120, 34}, {200, 58}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			width, height := size[0], size[1]
			code := newCode(t, link)
			place := scan.Put(code, width, height, 0)
			if !place.Fits() {
				t.Fatal("the code has no place")
			}
			first := [2]int{-1, -1}
			for name, words := range map[string]scan.Words{
				"few": {Blocks: bare},
				"all": {News: "News", Blocks: bare, Last: []string{"last"}},
				"an alert": {Blocks: append([]scan.Block{{
					Label: "To pay", Figures: "9 000 Ar", Alert: scan.Alert{Style: styles.Danger, Sign: "✗", Texts: []string{"Refused", long}}.Rows(place.Words),
				}}, bare[1:]...)},
				"long words": {Blocks: append(bare, scan.Block{Label: "Then", Rows: theme.Paragraph(styles.Text, long, place.Words, 0)})},
			} {
				view := place.Draw(styles, words)
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

// scaleWithoutAir returns the scale of the largest code that fits if there are no blank rows above
// and below it.
func scaleWithoutAir(code qr.Model, width, height int) int {
	const words = 31
	if scale := code.SetSize(width-words, height).Scale(); scale > 0 {
		return scale
	}
	return code.SetSize(width, height-3).Scale()
}

func TestASmallWindowHasWordsWithoutPanes(t *testing.T) {
	code := newCode(t, link[:45])
	always := []string{"WAITING", "9 000 Ar", "9:59", "TEST: no real money", "Esc next"}
	for _, tt := range []struct {
		width, height int
		want          []string
	}{
		{62, 16, []string{"T1-0042", "What to do"}},
		{50, 28, []string{"T1-0042", "What to do", "scan", "confirm", "SMS"}},
		{50, 27, []string{"T1-0042", "scan", "confirm", "SMS"}},
		{60, 22, []string{"scan", "confirm"}},
		{60, 20, nil},
		{40, 20, nil},
	} {
		t.Run(fmt.Sprint(tt.width, "×", tt.height), func(t *testing.T) {
			place := scan.Put(code, tt.width, tt.height, 3)
			if !place.Fits() {
				t.Fatal("the code has no place")
			}
			view := ansi.Strip(place.Draw(theme.Plain(), scan.Words{
				Foot: "TEST: no real money",
				Blocks: []scan.Block{
					{Label: "To pay", Right: "T1-0042", Figures: "9 000 Ar"},
					{Label: "Time left", Right: "WAITING", Figures: "9:59", Bar: func(width int) string { return strings.Repeat("━", width) }},
					{Label: "What to do", Rows: []string{"1 scan", "2 confirm", "", "no SMS"}, Keys: []keybar.Entry{{Key: "Esc", Label: "next"}}},
				},
			}))
			tuitest.Contains(t, strings.ReplaceAll(view, "█▀▀█  █▀▀█ █▀▀█ █▀▀█", "9 000 Ar"), append(tt.want, always...)...)
			tuitest.Lacks(t, view, "━…")
		})
	}
}

func TestAirNeverMakesTheModulesSmaller(t *testing.T) {
	for _, length := range tuitest.Some(2, []int{30, 45, 60}) {
		code := newCode(t, link[:length])
		blocks := []scan.Block{{Label: "To pay", Figures: "9 000 Ar"}, {Label: "Time left", Figures: "9:59"}}
		for width := 40; width <= 200; width += 20 {
			for height := 13; height <= 58; height += 3 {
				place := scan.Put(code, width, height, 3)
				want := scaleWithoutAir(code, width, height)
				if place.Fits() != (want > 0) {
					t.Fatalf("in %d×%d the code fits: %v", width, height, place.Fits())
				}
				if want == 0 {
					continue
				}
				drawn, err := tuitest.Render(place.Draw(theme.Plain(), scan.Words{Blocks: blocks}), width, height).Code()
				if err != nil || drawn.Scale() != want {
					t.Errorf("in %d×%d got the scale %d, %v, want %d", width, height, drawn.Scale(), err, want)
				}
			}
		}
	}
}

func TestAnAlertEndsInABlankUnlessThatTakesARow(t *testing.T) {
	alert := scan.Alert{Style: theme.Plain().Danger, Sign: "✗", Texts: []string{"Payment refused: Balance too low", "Nothing is paid. Try again"}}
	for width, want := range map[int]string{
		36: " ✗ Payment refused: Balance too low \n   Nothing is paid. Try again       ",
		35: " ✗ Payment refused: Balance too low\n   Nothing is paid. Try again      ",
		34: " ✗ Payment refused:               \n   Balance too low                \n   Nothing is paid. Try again     ",
	} {
		tuitest.Equal(t, strings.Join(alert.Rows(width), "\n"), want, "%d columns", width)
	}
}

func TestNoStepEndsInALonelyWord(t *testing.T) {
	for width := 24; width < 60; width++ {
		rows := scan.Steps(theme.Plain(), width, "Payments may not be seen here: check each one in the merchant area.")
		if last := strings.Fields(rows[len(rows)-1]); len(rows) > 1 && len(last) == 1 {
			t.Errorf("%d columns: %q", width, rows)
		}
	}
}

func TestNewsIsABarInTheLastRow(t *testing.T) {
	code := newCode(t, link[:45])
	for _, size := range [][3]int{{80, 22, 3}, {80, 22, 0}, {120, 34, 3}, {160, 43, 3}} {
		place := scan.Put(code, size[0], size[1], size[2])
		words := scan.Words{News: " Another order: ✓ PAID 4 500 Ar · F2 ", Blocks: blocks()}
		for range size[2] {
			words.Last = append(words.Last, "DEMO")
		}
		rows := strings.Split(ansi.Strip(place.Draw(theme.Plain(), words)), "\n")
		if last := rows[len(rows)-1]; !strings.HasPrefix(last, words.News) || strings.Count(strings.Join(rows, "\n"), "DEMO") != size[2] {
			t.Errorf("%v: the news are not in the last row, or hide another one\n%s", size, strings.Join(rows, "\n"))
		}
		if strings.TrimSpace(rows[place.Box().Top-1]) != "" {
			t.Errorf("%v: a text is above the code\n%s", size, strings.Join(rows, "\n"))
		}
	}
	small := scan.Put(code, 60, 20, 0).Draw(theme.Plain(), scan.Words{News: " Another order: ✓ PAID 4 500 Ar · F2 ", Blocks: blocks()})
	if !strings.Contains(small, "F2 ") || strings.Contains(small, "…") {
		t.Errorf("the news are cut\n%s", small)
	}
}

func blocks() []scan.Block {
	return []scan.Block{
		{Label: "To pay", Right: "T1-0042", Figures: "9 000 Ar"},
		{Label: "Time left", Right: "WAITING", Figures: "9:59"},
		{Label: "What to do", Focus: true, Rows: []string{"1 scan", "2 confirm", "", "no SMS"}, Keys: []keybar.Entry{{Key: "Esc", Label: "next"}}},
	}
}

func TestIdleRowsAreLeftOutBeforeAQuestion(t *testing.T) {
	code := newCode(t, link[:45])
	place := scan.Put(code, 80, 22, 3)
	for lines, want := range map[int]bool{4: true, 9: false} {
		words := scan.Words{Blocks: blocks(), Last: []string{"DEMO", "DEMO", "DEMO"}, Idle: true}
		words.Blocks[2].Rows = nil
		for i := range lines {
			words.Blocks[2].Rows = append(words.Blocks[2].Rows, fmt.Sprintf("row %d", i))
		}
		view := ansi.Strip(place.Draw(theme.Plain(), words))
		if strings.Contains(view, "DEMO") != want || !strings.Contains(view, fmt.Sprintf("row %d", lines-1)) {
			t.Errorf("a question of %d rows\n%s", lines, view)
		}
	}
}

func TestTheTimeAndItsBarShareARowInASCII(t *testing.T) {
	styles := theme.Plain()
	styles.Charset = theme.ASCII
	clock := scan.Block{Label: "Time left", Figures: "9:59", Bar: func(width int) string { return strings.Repeat("━", width) }}
	view := strings.Join(scan.Rows(styles, []scan.Block{{Label: "To pay", Figures: "9 000 Ar"}, clock}, 60, 12), "\n")
	if !strings.Contains(view, "9:59  ━━━") || strings.Contains(view, "9 000 Ar") {
		t.Errorf("the bar is not next to the time, or the amount is not large\n%s", view)
	}
}

func TestAnAlertIsShorterBeforeAStepIsCut(t *testing.T) {
	place := scan.Put(newCode(t, link[:45]), 64, 17, 0)
	alert := scan.Alert{Style: theme.Plain().Danger, Sign: "✗", Texts: []string{"Refused", "Nothing is paid. The customer can try again with this code."}, Brief: []string{"Too low", "Try again."}}
	all := blocks()
	all[0].Alert = alert.Rows(place.Words)
	all[0].Shorter = alert.Shorter(place.Words)
	view := ansi.Strip(place.Draw(theme.Plain(), scan.Words{Blocks: all}))
	tuitest.Contains(t, view, "Nothing is paid. ", "9:59", "1 scan", "2 confirm", "no SMS")
}

func TestAShortAlertMovesNoPane(t *testing.T) {
	styles := theme.Plain()
	code := newCode(t, link[:45])
	place := scan.Put(code, 80, 22, 3)
	draw := func(due scan.Block) []string {
		return strings.Split(place.Draw(styles, scan.Words{
			Blocks: []scan.Block{due, {Label: "Time left", Figures: "9:59"}, {Label: "What to do", Focus: true, Rows: []string{"1", "2", "3", "", "!"}}},
			Last:   []string{"one", "two", "three"},
		}), "\n")
	}
	before := draw(scan.Block{Label: "To pay", Figures: "9 000 Ar", Rows: []string{"", "Romazava, Coca"}})
	alert := scan.Alert{Style: styles.Danger, Sign: "✗", Texts: []string{"Payment refused: balance too low", "Nothing is paid. The customer can try again."}, Brief: []string{"Balance too low", "Try again: same code."}}
	after := draw(scan.Block{Label: "To pay", Figures: "9 000 Ar", Alert: alert.Rows(place.Words), Shorter: alert.Shorter(place.Words)})
	for i, row := range before {
		if row != after[i] && !strings.Contains(row, "Romazava") || strings.Contains(row, "Romazava") && !strings.Contains(after[i], "✗ Balance too low") {
			t.Fatalf("row %d differs\n%s\n%s", i, strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
	}
}
