package fit_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestWordsFlowIntoRows(t *testing.T) {
	keys := []string{"Enter sells", "Tab cash", "Esc back"}
	for name, tt := range map[string]struct {
		width int
		want  string
	}{
		"with the widest gap":                 {35, "Enter sells    Tab cash    Esc back"},
		"with a narrower gap in one row":      {34, "Enter sells  Tab cash  Esc back"},
		"in rows of about the same length":    {28, "Enter sells|Tab cash    Esc back"},
		"in a row for each word":              {11, "Enter sells|Tab cash|Esc back"},
		"with a cut word if it has no room":   {8, "Enter s…|Tab cash|Esc back"},
		"and not at all if there is no width": {0, "||"},
	} {
		tuitest.Equal(t, strings.Join(fit.Flow(keys, tt.width, "    ", "  "), "|"), tt.want, "%s", name)
	}
	tuitest.Equal(t, fit.Flow(nil, 20, " "), nil, "the rows of no words")
}

func TestFlowKeepsEveryWordWithinItsWidth(t *testing.T) {
	words := strings.Fields("a bb ccc dddd eeeee ffffff gg h iii jjjj")
	before := len(words) + 1
	for width := 6; width < 60; width++ {
		rows := fit.Flow(words, width, "   ", "  ", " ")
		if got := strings.Fields(strings.Join(rows, " ")); strings.Join(got, " ") != strings.Join(words, " ") {
			t.Errorf("%d columns: got %q", width, rows)
		}
		for _, row := range rows {
			if theme.Width(row) > width {
				t.Errorf("%d columns: %q is too wide", width, row)
			}
		}
		if len(rows) > before {
			t.Errorf("%d columns need %d rows, fewer columns %d", width, len(rows), before)
		}
		before = len(rows)
	}
}

func TestRoomIsShared(t *testing.T) {
	type need = fit.Need
	for name, tt := range map[string]struct {
		room  int
		needs []need
		want  string
		lacks bool
	}{
		"least comes first":                 {room: 9, needs: []need{{Least: 3, Good: 20}, {Least: 5}}, want: "[4 5]"},
		"then the first part gets its good": {room: 12, needs: []need{{Least: 3, Good: 5}, {Least: 5, Good: 9}}, want: "[5 7]"},
		"then the parts grow":               {room: 18, needs: []need{{Least: 3, Grow: 2}, {Least: 3, Good: 4, Grow: 1}, {Least: 2}}, want: "[9 7 2]"},
		"up to their most":                  {room: 20, needs: []need{{Least: 3, Most: 5, Grow: 1}, {Least: 3, Most: 9, Grow: 1}}, want: "[5 9]"},
		"a good below the least is ignored": {room: 9, needs: []need{{Least: 3, Good: 2}}, want: "[3]"},
		"too little room is reported":       {room: 7, needs: []need{{Least: 3, Good: 4}, {Least: 5, Grow: 1}}, want: "[3 5]", lacks: true},
	} {
		sizes, whole := fit.Share(tt.room, tt.needs...)
		if got := fmt.Sprint(sizes); got != tt.want || whole == tt.lacks {
			t.Errorf("%s: got %s and %t, want %s and %t", name, got, whole, tt.want, !tt.lacks)
		}
	}
}

func TestOneRowMoreMakesNoPartSmaller(t *testing.T) {
	needs := []fit.Need{{Least: 3, Good: 7, Most: 12, Grow: 3}, {Least: 5, Grow: 2}, {Least: 1, Good: 4}, {Least: 2, Most: 30, Grow: 1}}
	before, _ := fit.Share(0, needs...)
	for room := 1; room < 120; room++ {
		sizes, whole := fit.Share(room, needs...)
		sum := 0
		for i, size := range sizes {
			sum += size
			if size < before[i] {
				t.Errorf("in %d rows part %d has %d rows, in fewer it has %d", room, i, size, before[i])
			}
		}
		if whole != (room >= 11) || whole && sum != room {
			t.Errorf("in %d rows the parts have %d, whole is %t", room, sum, whole)
		}
		before = sizes
	}
}

func TestWordsStandInColumns(t *testing.T) {
	blanks := func(columns int) string { return strings.Repeat(" ", columns) }
	keys := []string{"n new code", "Tab cash", "r edit", "Enter back", "Esc leaves"}
	tuitest.Equal(t, strings.Join(fit.Columns(keys, 2, 22, blanks), "|"), "n new code  Tab cash  |r edit      Enter back|Esc leaves", "the columns")
	tuitest.Equal(t, fit.Columns(keys, 2, 21, blanks), nil, "in too narrow a room")
}

func TestTheLightestWayOfARowIsGivenUpFirst(t *testing.T) {
	const mark, place, state, shop = 1, 2, 3, 4
	row := []fit.Part{
		fit.Fixed("till "), fit.Drop(shop, "Épicerie ").Or(shop+1, "Épic… "), fit.Drop(place, "T1 "),
		fit.Drop(mark, "DEMO: no money ").Or(fit.Must, "DEMO "), fit.Drop(state, "receives payments").Or(fit.Must, "receives"),
	}
	for width, want := range map[int]string{
		60: "till Épicerie T1 DEMO: no money receives payments",
		49: "till Épicerie T1 DEMO: no money receives payments",
		48: "till Épicerie T1 DEMO receives payments",
		38: "till Épicerie DEMO receives payments",
		35: "till Épicerie DEMO receives",
		26: "till Épic… DEMO receives",
		23: "till DEMO receives",
	} {
		line, whole := fit.Line(width, row...)
		if got := strings.Join(line, ""); got != want || !whole {
			t.Errorf("%d columns: got %q, want %q", width, got, want)
		}
	}
	if line, whole := fit.Line(10, row...); whole || strings.Join(line, "|") != "till |||DEMO |receives" {
		t.Errorf("too few columns: got %q, whole is %t", line, whole)
	}
}

func TestOfEqualWaysTheLastIsGivenUp(t *testing.T) {
	parts := []fit.Part{fit.Drop(1, "aaa"), fit.Drop(1, "bbb"), fit.Drop(1, "c")}
	line, _ := fit.Line(6, parts...)
	tuitest.Equal(t, strings.Join(line, "|"), "aaa|bbb|", "the row")
}

func TestTheRestOfARowIsATextsRoom(t *testing.T) {
	const uses, code = 0, 1
	row := func(width int) string {
		return fit.Row(width, fit.Fixed("1 "), fit.Rest(fit.Must, 8, "Menaka ampalaza"), fit.Fixed(" 4 500"), fit.Drop(code, " 611"), fit.Drop(uses, " 17"))
	}
	for width, want := range map[int]string{
		30: "1 Menaka ampalaza 4 500 611 17",
		32: "1 Menaka ampalaza   4 500 611 17",
		23: "1 Menaka … 4 500 611 17",
		22: "1 Menaka am… 4 500 611",
		20: "1 Menaka … 4 500 611",
		19: "1 Menaka amp… 4 500",
		11: "1 Me… 4 500",
		6:  "1  4 …",
	} {
		tuitest.Equal(t, row(width), want, "%d columns", width)
	}
}

func TestAListOfArticlesCountsWhatItOmits(t *testing.T) {
	row := func(width int) string {
		return fit.Row(width, fit.Fixed("900 "), fit.List(fit.Must, 6, "Coca, Kafe, Koba"), fit.Drop(0, " 0007"))
	}
	for width, want := range map[int]string{27: "900 Coca, Kafe, Koba   0007", 22: "900 Coca, Kafe +1 0007", 16: "900 Coca +2 0007", 14: "900 Coca +2   "} {
		tuitest.Equal(t, row(width), want, "%d columns", width)
	}
}
