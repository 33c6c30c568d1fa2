package sale_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

// TestTheSaleFitsEveryWindow checks all forms of the sale: no row is too wide, a higher window
// shows all the lines that a lower window shows, and the answers to a question are never omitted.
func TestTheSaleFitsEveryWindow(t *testing.T) {
	reached := make(map[string]bool)
	for _, language := range tuitest.Languages() {
		texts := i18n.Load(language)
		answers := func(labels ...string) []string { return labels }
		for state, tt := range map[string]struct {
			show    func(d *tuitest.Driver)
			answers []string
		}{
			"lines":  {func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony 12500", "1500") }, nil},
			"empty":  {func(*tuitest.Driver) {}, nil},
			"asking": {func(d *tuitest.Driver) { enter(d, "Vary 3500 x2", "Savony 2000", "") }, answers(texts.TenderKeys["link"], texts.TenderKeys["cash"], texts.Sale.GoesBack)},
			"cash":   {func(d *tuitest.Driver) { enter(d, "Vary 12500", "").Press("tab") }, answers(texts.TenderTakes["cash"], texts.TenderKeys["link"])},
		} {
			d := drive(t, with(t, open(t).Store(), language, unhurried(), theme.Plain()))
			tt.show(d)
			for i, width := range []int{20, 40, 50, 60, 80, 102, 103, 120, 160, 200} {
				most := 0
				for _, height := range tuitest.Heights(i) {
					view := d.Resize(width, height).Fits().View()
					shown := 0
					for _, line := range []string{"Vary", "Savony"} {
						shown += strings.Count(view, "  "+line)
					}
					if shown < most && state == "lines" {
						t.Errorf("%s: %d×%d shows %d lines, a lower window %d\n%s", language, width, height, shown, most, view)
					}
					most = max(most, shown)
					for _, answer := range tt.answers {
						if width >= 40 && height >= 14 && !strings.Contains(view, answer) {
							t.Errorf("%s, %s: %d×%d lacks the answer %q\n%s", language, state, width, height, answer, view)
						}
					}
					large, small := strings.Contains(view, "▄████▄") || strings.Contains(view, "██  ██"), strings.Contains(view, "█▄▄█")
					tiles := strings.Count(view, "Alt 1 ") + strings.Count(view, "Alt 4 ")
					reached[fmt.Sprintf("%s, large %t, small %t, tiles %d", state, large, small, tiles)] = true
				}
			}
		}
	}
	for _, form := range []string{
		"lines, large true, small false, tiles 1", "lines, large false, small true, tiles 0", "lines, large false, small false, tiles 0",
		"empty, large false, small false, tiles 1",
		"asking, large true, small false, tiles 0", "asking, large false, small true, tiles 0", "asking, large false, small false, tiles 0",
		"cash, large true, small false, tiles 2", "cash, large false, small true, tiles 2", "cash, large false, small false, tiles 2",
	} {
		if !reached[form] {
			t.Errorf("no window has the form %q", form)
		}
	}
}

func TestAFontWithoutHalfBlocksHasATotalInFigures(t *testing.T) {
	styles := theme.Plain()
	styles.Charset = theme.Lines
	d := enter(drive(t, with(t, open(t).Store(), "en", unhurried(), styles)), "Vary 3500 x2", "Coca 2000")
	total := "████    ████    ████    ████ " // The upper edge of 9 000 in large digits.
	for name, view := range map[string]string{"the sale": d.View(), "the question": enter(d, "").View()} {
		if strings.Count(view, total[1:9]) < 1 || strings.Contains(view, " 9 000 Ar  ") {
			t.Errorf("%s has no figures\n%s", name, view)
		}
	}
}

func TestOnlyAVeryHighFirstScreenHasALarge0(t *testing.T) {
	d := drive(t, desk(t, open(t).Store()))
	d.Resize(120, 34).Lacks("▀████▀ Ar")
	d.Resize(200, 58).Sees("▀████▀ Ar")
}

func TestATotalDoesNotTouchTheTilesBelowIt(t *testing.T) {
	rows := strings.Split(ansi.Strip(enter(drive(t, desk(t, open(t).Store())), "Vary 3500").Resize(50, 28).View()), "\n")
	at := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "─ Alt 1 ─") })
	if at < 2 || strings.TrimSpace(rows[at-1]) != "" || !strings.Contains(rows[at-2], " Ar") {
		t.Errorf("no blank row is between the total and the tiles\n%s", strings.Join(rows, "\n"))
	}
}

func TestTheGreetingHasOneColumnOfTexts(t *testing.T) {
	screen := desk(t, open(t).Store())
	screen.Greeting.Steps = &demo.Steps{}
	d := drive(t, screen)
	seen := false
	for height := 20; height <= 58; height++ {
		view := ansi.Strip(d.Resize(80, height).View())
		before := func(text string) string {
			row, _, _ := strings.Cut(view, text)
			return row[strings.LastIndex(row, "\n")+1:]
		}
		if step, example := "a code to scan", "an article, by a part"; strings.Contains(view, step) && strings.Contains(view, example) {
			seen = true
			if theme.Width(before(step)) != theme.Width(before(example)) {
				t.Errorf("the steps and the examples begin in different columns\n%s", view)
			}
		}
	}
	if !seen {
		t.Error("no window shows the steps and the examples")
	}
}
