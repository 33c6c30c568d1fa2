package outcome_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/outcome"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func outcomes() map[string]outcome.View {
	sample := func(kind badge.Kind, sign, word string) outcome.View {
		return outcome.View{
			Badge: badge.Badge{Kind: kind, Sign: sign, Short: word}, Amount: "25 600 Ar", Facts: sign + " " + word + " · T1-20261123-GT-0042",
			Says: "A sentence.", Advice: []string{"What to do about it."}, Keys: []keybar.Entry{{Key: "Enter", Label: "done"}}, News: "DEMO",
		}
	}
	return map[string]outcome.View{
		"paid": sample(badge.Paid, "✓", "PAYÉ"), "not paid": sample(badge.NotPaid, "✗", "NOT PAID"),
		"check": sample(badge.Check, "!", "À VÉRIFIER"), "unknown": sample(badge.Unknown, "?", "UNKNOWN"),
		"cash":   sample(badge.Counter, "¤", "ESPÈCES"),
		"marked": sample(badge.Neutral, "◆", "MARKED PAID"), "over": sample(badge.TimeOver, "…", "TIME OVER"),
	}
}

func TestASentenceBeginsARowIfThereIsRoom(t *testing.T) {
	shown := outcomes()["check"]
	shown.Says = "The service said paid, then not paid. Do not ask for money again: look in the merchant area."
	for height, want := range map[int]bool{30: true, 15: false} {
		begins := false
		for row := range strings.SplitSeq(shown.Draw(theme.Plain(), 50, height), "\n") {
			begins = begins || strings.HasPrefix(strings.TrimSpace(row), "Do not")
		}
		tuitest.Equal(t, begins, want, "in %d rows the sentence begins a row", height)
	}
}

func TestLargeLettersDoNotTouchTheAmount(t *testing.T) {
	for _, name := range []string{"not paid", "unknown", "marked"} {
		for height := 12; height <= 40; height++ {
			for _, width := range []int{60, 80, 120} {
				view := outcomes()[name].Draw(theme.Plain(), width, height)
				inked := 0 // Number of adjacent rows with parts of large letters.
				for i, row := range strings.Split(view, "\n") {
					cells := []rune(row)
					if middle := string(cells[6 : width-6]); !strings.ContainsAny(middle, "█▀▄") || i < 2 || i >= height-2 {
						inked = 0
						continue
					}
					if inked++; inked == 2*figures.Small {
						after := strings.Split(view, "\n")[i+1]
						if !strings.ContainsAny(string([]rune(after)[6:width-6]), "█▀▄") {
							t.Errorf("%s at %d×%d: the word touches the amount\n%s", name, width, height, view)
						}
					}
				}
			}
		}
	}
}

func TestTheFactsDoNotTouchALargeAmount(t *testing.T) {
	for _, name := range []string{"not paid", "unknown", "marked"} {
		shown := outcomes()[name]
		shown.Advice = append(shown.Advice, "More to do.", "And more.")
		for height := 20; height <= 36; height++ {
			rows := strings.Split(shown.Draw(theme.Plain(), 80, height), "\n")
			facts := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, shown.Facts) })
			if above := string([]rune(rows[facts-1])[6:74]); strings.Contains(above, "▀████▀") {
				t.Errorf("%s at 80×%d: the facts touch the digits\n%s", name, height, strings.Join(rows, "\n"))
			}
		}
	}
}

func TestTheSmallestWindowCutsNoAdvice(t *testing.T) {
	shown := outcomes()["not paid"]
	shown.Facts = "✗ NOT PAID: cancelled · T1-20261123-GT-0042"
	shown.Says = "The customer cancelled. Nothing was paid."
	shown.Advice = []string{
		"This link can still be paid until 11:50. Keep the goods. The lines are still here: n makes a new code.",
		"Reason: Cancelled by the customer",
	}
	shown.Keys = []keybar.Entry{{Key: "n", Label: "new code, same lines"}, {Key: "Tab", Label: "cash"}, {Key: "r", Label: "edit"}, {Key: "Enter", Label: "done"}}
	view := shown.Draw(theme.Plain(), 40, 15)
	words := strings.Fields(strings.ReplaceAll(view, "█", " "))
	tuitest.Contains(t, strings.Join(words, " "), shown.Amount, shown.Says, shown.Advice[0], shown.Advice[1], "Enter done", "r edit")
}

func TestOutcomesDifferEvenWithoutColourAndWords(t *testing.T) {
	drawn := make(map[string]string)
	for name, shown := range outcomes() {
		shown = outcome.View{Badge: badge.Badge{Kind: shown.Kind, Sign: "?", Short: "WORD"}}
		view := shown.Draw(theme.Plain(), 80, 24)
		for other, same := range drawn {
			marks := name == "marked" && other == "over" || name == "over" && other == "marked"
			if view == same && !marks {
				t.Errorf("%s looks like %s\n%s", name, other, view)
			}
		}
		drawn[name] = view
	}
}

func TestKeysLookAlikeOnTheTerminalsBackground(t *testing.T) {
	styles := theme.Full(theme.Auto)
	for kind := badge.Unknown; kind <= badge.Counter; kind++ {
		shown := outcome.View{
			Badge: badge.Badge{Kind: kind, Sign: "✓", Short: "WORD"}, Amount: "9 000 Ar",
			Keys: []keybar.Entry{{Key: "n", Label: "new code"}, {Key: "Tab", Label: "cash"}},
		}
		if drawn := shown.Draw(styles, 80, 24); strings.Contains(drawn, styles.BarKeyBlock.Render(" Tab ")) != (kind != badge.Paid) {
			t.Errorf("kind %d:\n%s", kind, drawn)
		}
	}
}

func TestOutcomesFitEveryWindow(t *testing.T) {
	for name, shown := range outcomes() {
		shown.Keys = append(shown.Keys, keybar.Entry{Key: "p", Label: "receipt"})
		draw := func(width, height int) string {
			view := shown.Draw(theme.Plain(), width, height)
			if theme.Width(view) != width || lipgloss.Height(view) != height {
				t.Errorf("%s in %d×%d is %d×%d", name, width, height, theme.Width(view), lipgloss.Height(view))
			}
			if framed := strings.HasPrefix(view, "▒▒▒▒"); framed != (name == "unknown" && width >= 40 && height >= 12) {
				t.Errorf("%s in %d×%d has a frame of shade: %t", name, width, height, framed)
			}
			for _, text := range append(strings.Split(shown.Facts, " · "), shown.Says, shown.Advice[0], "done", "DEMO") {
				if width >= 40 && height >= 15 && !strings.Contains(view, text) {
					t.Errorf("%s in %d×%d lacks %q\n%s", name, width, height, text, view)
				}
			}
			return view
		}
		tuitest.Windows(t, []int{20, 30, 40, 59, 60, 80, 100, 120, 160, 200}, draw, func(view string) []string {
			return tuitest.Among(view, "T1-20261123-GT-0042", "A sentence.", "about it", "Enter", "p  receipt", "DEMO")
		})
	}
}

func TestASmallWordHasNoStripes(t *testing.T) {
	shown := outcomes()["check"]
	shown.Short = "CHECK"
	tuitest.Lacks(t, shown.Draw(theme.Plain(), 60, 16), "▟███▛")
}

func TestAFontWithoutHalfBlocksHasFiguresToo(t *testing.T) {
	styles := theme.Plain()
	styles.Charset = theme.Lines
	for name, shown := range outcomes() {
		shown.Short = "PAID"
		if name == "paid" {
			shown.Says, shown.Advice = "", nil
		}
		view := shown.Draw(styles, 80, 24)
		tuitest.Lacks(t, view, shown.Amount)
		tuitest.Contains(t, view, "██████")
	}
}

func TestANoteMovesNothing(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {82, 36}, {120, 36}} {
		shown := outcomes()["paid"]
		before := strings.Split(shown.Draw(theme.Plain(), size[0], size[1]), "\n")
		shown.Note = "Printed."
		after := strings.Split(shown.Draw(theme.Plain(), size[0], size[1]), "\n")
		moved := 0
		for i := range before {
			if before[i] != after[i] {
				moved++
			}
		}
		if moved != 1 || !strings.Contains(strings.Join(after, "\n"), shown.Note) {
			t.Errorf("%v: %d rows changed\n%s", size, moved, strings.Join(after, "\n"))
		}
	}
}

func TestTheTakingsAreNotCut(t *testing.T) {
	const day = "azo androany 263 300 ──▸ 272 300 Ar · varotra 35"
	for width := 30; width < 60; width++ {
		shown := outcomes()["paid"]
		shown.Day = day
		view := shown.Draw(theme.Plain(), width, 24)
		taken, sales, _ := strings.Cut(day, " · ")
		if whole := strings.Contains(view, " "+day+" "); whole != (width >= theme.Width(day)+2) || whole != strings.Contains(view, sales) {
			t.Errorf("%d columns: the takings are not in a row\n%s", width, view)
		}
		if fits := width >= theme.Width(taken)+2; strings.Contains(view, taken) != fits || strings.Contains(view, "azo") != fits {
			t.Errorf("%d columns: the takings are cut or missing\n%s", width, view)
		}
	}
}

func TestALargePaidKeepsTheTakingsAndTheAirBelowTheFigures(t *testing.T) {
	for _, word := range []string{"PAID", "PAYÉ"} {
		shown := outcomes()["paid"]
		shown.Short, shown.Amount, shown.Says, shown.Advice = word, "9 000 Ar", "", nil
		shown.About, shown.Facts, shown.Day = "Romazava, Coca", "in 5 s · T1-20261129-KC-0035 · 11:40", "today 263 300 ──▸ 272 300 Ar · 35 sales"
		view := shown.Draw(theme.Plain(), 80, 24)
		rows := strings.Split(view, "\n")
		tuitest.Contains(t, view, "██████████", "    ▀█████    ██  ██", "Romazava, Coca", shown.Facts, shown.Day)
		facts := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, shown.About) })
		day := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, shown.Day) })
		if strings.TrimSpace(rows[facts-1]) != "" || day != facts+1 {
			t.Errorf("the facts touch the figures, or are apart from the takings\n%s", view)
		}
		if accent := word == "PAYÉ"; (strings.TrimSpace(rows[0]) != "") != accent {
			t.Errorf("the word touches the edge, or its accent does not\n%s", view)
		}
		middle := func(row string) int {
			return len(row) - len(strings.TrimLeft(row, " ")) + len(strings.TrimRight(row, " "))
		}
		keys := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "Enter  done") })
		if strings.TrimSpace(rows[keys-1]) != "" || strings.TrimSpace(rows[23]) != "DEMO" {
			t.Errorf("the keys have no blank row above, or the mark is not alone in the last row\n%s", view)
		}
		if off := middle(rows[keys]) - middle(rows[23]); off < -2 || off > 2 {
			t.Errorf("the keys and the mark are not on one axis\n%s", view)
		}
	}
}

func TestASaleAtTheCounterBeginsAtTheLeftEdgeBetweenTwoBands(t *testing.T) {
	shown := outcome.View{
		Badge: badge.Badge{Kind: badge.Counter, Sign: "¤"}, Amount: "9 000 Ar", Facts: "given 20 000 Ar · T1-GT-C-000011  11:40",
		Day: "today 263 300 ──▸ 272 300 Ar · 35 sales", Says: "Change", Advice: []string{"10 000 + 1 000"}, Change: "11 000 Ar",
		Keys: []keybar.Entry{{Key: "Enter", Label: "next sale"}}, News: "DEMO",
	}
	for _, size := range [][2]int{{50, 30}, {80, 24}, {120, 36}, {200, 60}} {
		var before []int // Rows of the texts with the other word.
		for _, word := range []string{"CASH", "ESPÈCES"} {
			shown.Short = word
			rows := strings.Split(shown.Draw(theme.Plain(), size[0], size[1]), "\n")
			margin := strings.Repeat(" ", size[0]/20)
			var at []int
			for _, text := range []string{"Change    10 000 + 1 000", "today 263 300 ──▸ 272 300 Ar", " Enter  next sale"} {
				at = append(at, slices.IndexFunc(rows, func(row string) bool { return strings.HasPrefix(row, margin+text) }))
			}
			facts := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "9 000 Ar") })
			beside := strings.HasSuffix(rows[facts], "9 000 Ar"+margin) && strings.HasSuffix(rows[facts+2], "T1-GT-C-000011  11:40"+margin)
			switch last := rows[size[1]-1]; {
			case slices.Contains(at, -1), before != nil && !slices.Equal(at, before):
				t.Errorf("%s in %v: the parts are in the rows %d, with another word in %d", word, size, at, before)
			case size[0] >= 80 && !beside:
				t.Errorf("%s in %v: the facts are not at the right edge", word, size)
			case !strings.HasPrefix(rows[0], "▚▞▚▞") || !strings.HasPrefix(last, "▚▞▚▞") || !strings.Contains(last, " DEMO "):
				t.Errorf("%s in %v: a band is missing", word, size)
			}
			if before = at; t.Failed() {
				t.Fatal("\n" + strings.Join(rows, "\n"))
			}
		}
	}
}

func TestTheMarkIsInTheFrame(t *testing.T) {
	for _, name := range []string{"not paid", "unknown"} {
		shown, found := outcomes()[name]
		if !found {
			t.Fatalf("no outcome %q", name)
		}
		shown.News = "DEMO"
		rows := strings.Split(shown.Draw(theme.Plain(), 80, 24), "\n")
		if last := rows[23]; !strings.Contains(last, "  DEMO  ") && !strings.Contains(last, " DEMO ") || strings.TrimSpace(strings.Trim(rows[22], "█▒")) != "" {
			t.Errorf("%s: the mark is not in the frame below a blank row\n%s", name, strings.Join(rows, "\n"))
		}
	}
}

func TestASmallerFigureKeepsTheTakings(t *testing.T) {
	shown := outcomes()["cash"]
	shown.Short, shown.Amount, shown.Change, shown.Says, shown.Advice = "ESPÈCES", "7 000 Ar", "3 000 Ar", "À rendre", []string{"2 000 + 1 000"}
	shown.Day = "today 263 300 ──▸ 270 300 Ar · 35 sales"
	view := shown.Draw(theme.Plain(), 80, 24)
	if !strings.Contains(view, shown.Day) || !strings.Contains(view, "▄███████▄") {
		t.Errorf("the takings are missing, or the figures are small\n%s", view)
	}
}

// figureRows returns the number of rows from the text above the figures to the text below them.
func figureRows(view string, shown outcome.View) int {
	_, below, _ := strings.Cut(view, shown.Says)
	figures, _, _ := strings.Cut(below, shown.Day)
	return strings.Count(figures, "\n")
}

// Without change, a sale in cash must not look like one with change of the same amount.
func TestThatThereIsNoChangeIsDrawnInItsPlace(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 36}, {80, 24}, {50, 30}} {
		shown := outcomes()["cash"]
		shown.Amount, shown.Facts, shown.Advice = "7 000 Ar", "T1-GT-C-000011  11:40", nil
		shown.Says, shown.Change, shown.Day = "Rien à rendre", "0 Ar", "today 263 300 ──▸ 270 300 Ar"
		view := shown.Draw(theme.Plain(), size[0], size[1])
		for _, part := range []string{shown.Says, shown.Amount, shown.Day} {
			tuitest.Contains(t, view, part)
		}
		shown.Change = "13 000 Ar"
		if zero, other := figureRows(view, shown), figureRows(shown.Draw(theme.Plain(), size[0], size[1]), shown); zero != other {
			t.Errorf("in %v, the figure of no change has %d rows, another one %d", size, zero, other)
		}
		if strings.Contains(view, " 0 Ar") {
			t.Errorf("in %v, the change is not drawn in figures\n%s", size, view)
		}
	}
}
