package fit_test

import (
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
