package pane_test

import (
	"strings"
	"testing"

	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestAPaneIsDrawnWithItsTitleAndRows(t *testing.T) {
	plain := theme.Plain()
	rows := []string{"Vary", pane.Rule("Total"), "7 000"}
	tests := []struct {
		name          string
		styles        theme.Theme
		pane          pane.Pane
		width, height int
		want          string
	}{
		{
			"words in the border", plain,
			pane.Pane{Title: "Sale", Right: "Table 4", Foot: "1 of 3", Rows: rows},
			24, 5,
			"╭─ Sale ───── Table 4 ─╮\n│ Vary                 │\n├─ Total ──────────────┤\n│ 7 000                │\n╰───────────── 1 of 3 ─╯",
		},
		{
			"the right words give way, and long rows are cut", plain,
			pane.Pane{Title: "Sale", Right: "Table 4", Rows: []string{"Vary sy laoka"}},
			14, 3,
			"╭─ Sale ─────╮\n│ Vary sy l… │\n╰────────────╯",
		},
		{
			"the visible part of a list is marked", plain,
			pane.Pane{Rows: []string{"a"}, Scroll: pane.Scroll{First: 2, End: 4, Total: 4}},
			6, 4,
			"╭────╮\n│ a  │\n│    ┃\n╰────╯",
		},
		{"heavy", plain, pane.Pane{Title: "8", Heavy: true}, 8, 3, "┏━ 8 ━━┓\n┃      ┃\n┗━━━━━━┛"},
		{"without sides", plain, pane.Pane{Frame: pane.TopRule, Title: "Sale", Rows: rows}, 12, 4, "── Sale ────\nVary        \n── Total ───\n7 000       "},
		{
			"without sides in a wide window", plain,
			pane.Pane{Frame: pane.TopRule, Title: "Sale", Rows: rows},
			40, 4,
			"── Sale ────────────────────────────────\n Vary                                   \n── Total ───────────────────────────────\n 7 000                                  ",
		},
		{
			"without sides, the keys replace a blank title", plain,
			pane.Pane{Frame: pane.TopRule, Offers: []fit.Part{fit.Fixed("Enter adds")}, Rows: rows[:1]},
			20, 2,
			"── Enter adds ──────\nVary                ",
		},
		{"without a border", plain, pane.Pane{Frame: pane.Bare, Title: "Sale", Rows: rows[:1]}, 6, 2, "Vary  \n      "},
		{"too small for a border", plain, pane.Pane{Title: "Sale", Rows: rows[:1]}, 4, 1, "Vary"},
		{"without room", plain, pane.Pane{Title: "Sale", Rows: rows[:1]}, 0, 0, ""},
	}
	for _, tt := range tests {
		tuitest.Equal(t, tt.pane.Draw(tt.styles, tt.width, tt.height), tt.want, "%s", tt.name)
	}
	for name, row := range map[string]string{"Vary sy laoka": "│ Vary sy l… │", "Vary mena b": "│ Vary mena b│"} {
		tile := strings.Join(pane.Tile(plain, "1", name, "3 500", false, 14, 4), "\n")
		if want := "╭─ 1 ────────╮\n" + row + "\n│      3 500 │\n╰────────────╯"; tile != want {
			t.Errorf("got the tile\n%s", tile)
		}
	}
}

func TestATitleWithoutABorderSaysHowManyRowsAreHidden(t *testing.T) {
	for want, scroll := range map[string]pane.Scroll{
		"── Keys ──────────── F1 closes ──": {End: 4, Total: 4},
		"── Keys ─────── F1 closes  ↓ 8 ──": {End: 4, Total: 12},
		"── Keys ─── F1 closes  ↑ 3 ↓ 5 ──": {First: 3, End: 7, Total: 12},
		"── Keys ─────── F1 closes  ↑ 8 ──": {First: 8, End: 12, Total: 12},
		"── Keys ── F1 closes  PgDn ↓ 8 ──": {End: 4, Total: 12, Key: "PgDn"},
	} {
		shown := pane.Pane{Frame: pane.TopRule, Title: "Keys", Right: "F1 closes", Scroll: scroll}
		tuitest.Equal(t, shown.Lines(theme.Plain(), 33, 5)[0], want, "%+v", scroll)
	}
	bordered := pane.Pane{Title: "Keys", Scroll: pane.Scroll{First: 3, End: 7, Total: 12}}
	tuitest.Equal(t, bordered.Lines(theme.Plain(), 33, 6)[0], "╭─ Keys ────────────────────────╮", "a mark on the right border")
	bordered.Scroll.Key = "PgDn"
	tuitest.Equal(t, bordered.Lines(theme.Plain(), 33, 6)[0], "╭─ Keys ───────── ↑ 3 PgDn ↓ 5 ─╮", "a mark that names its key")
}
