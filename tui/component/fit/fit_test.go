package fit_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/theme"
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
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(fit.Flow(keys, tt.width, "    ", "  "), "|"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := fit.Flow(nil, 20, " "); got != nil {
		t.Errorf("no words have the rows %q", got)
	}
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
		t.Run(name, func(t *testing.T) {
			sizes, whole := fit.Share(tt.room, tt.needs...)
			if got := fmt.Sprint(sizes); got != tt.want || whole == tt.lacks {
				t.Errorf("got %s and %t, want %s and %t", got, whole, tt.want, !tt.lacks)
			}
		})
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
	if got := strings.Join(fit.Columns(keys, 2, 22, blanks), "|"); got != "n new code  Tab cash  |r edit      Enter back|Esc leaves" {
		t.Errorf("got %q", got)
	}
	if got := fit.Columns(keys, 2, 21, blanks); got != nil {
		t.Errorf("in too narrow a room got %q", got)
	}
}
