package list_test

import (
	"strconv"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestTheCursorStaysOnARowAndVisible(t *testing.T) {
	l := list.New(i18n.Load("en")).SetRows(make([]string, 17)).SetRoom(5)
	for _, step := range []struct {
		key                string
		cursor, first, end int
		position           string
	}{
		{"up", 0, 0, 5, "1 of 17"},
		{"down", 1, 0, 5, "2 of 17"},
		{"down", 2, 0, 5, "3 of 17"},
		{"pgdown", 6, 2, 7, "7 of 17"},
		{"up", 5, 2, 7, "6 of 17"},
		{"end", 16, 12, 17, "17 of 17"},
		{"down", 16, 12, 17, "17 of 17"},
		{"pgup", 12, 12, 17, "13 of 17"},
		{"pgup", 8, 8, 13, "9 of 17"},
		{"home", 0, 0, 5, "1 of 17"},
		{"x", 0, 0, 5, "1 of 17"},
	} {
		msg, err := tuitest.Key(step.key)
		tuitest.Must(t, err)
		var taken bool
		l, taken = l.Update(msg)
		first, end := l.Window()
		if l.Cursor() != step.cursor || first != step.first || end != step.end || l.Position("") != step.position {
			t.Errorf("after %s the cursor is on %d of %d to %d, %q", step.key, l.Cursor(), first, end, l.Position(""))
		}
		if taken != (step.key != "x") {
			t.Errorf("%s taken: %v", step.key, taken)
		}
	}
	l = l.Select(16).SetRows(make([]string, 3))
	if first, end := l.Window(); l.Cursor() != 2 || first != 0 || end != 3 || l.Position("") != "" {
		t.Errorf("of three rows got %d to %d and the position %q", first, end, l.Position(""))
	}
	if l = l.SetRows(nil); l.Cursor() != 0 || l.Keys.Move.Enabled() || l.Keys.Page.Enabled() {
		t.Error("an empty list has a cursor")
	}
}

func TestTheCursorStaysOnItsRow(t *testing.T) {
	l := list.New(i18n.Load("en")).SetRoom(5).SetRows([]string{"a", "b", "c"}).Select(1)
	for _, tt := range []struct {
		rows string
		want int
	}{
		{"x a b c", 2},
		{"b c", 0},
		{"a c d", 0}, // "b" is gone: its place stays.
		{"x a", 1},
		{"", 0},
		{"x y a", 0},
	} {
		l = l.SetRows(strings.Fields(tt.rows))
		tuitest.Equal(t, l.Cursor(), tt.want, "in %q the cursor", tt.rows)
	}
	l = l.SelectID("a").SelectID("z").SelectID("")
	tuitest.Equal(t, l.Cursor(), 2, "the cursor")
}

// drawn draws a list of letters, with the cursor and with headings for days.
func drawn(l list.List) string {
	rows := l.Rows(theme.Plain(), 6, func(i int) string { return string(rune('a' + i)) }, func(i int) string { return "day" + strconv.Itoa(i) })
	for i, row := range rows {
		rows[i] = strings.TrimRight(row, " ")
	}
	return strings.Join(rows, "|")
}

func TestRowsAreDrawnUnderTheirDays(t *testing.T) {
	l := list.New(i18n.Load("en"))
	l.Heads = map[int]bool{0: true, 3: true}
	l = l.SetRows(make([]string, 6)).SetRoom(4)
	for _, tt := range []struct {
		cursor int
		want   string
		scroll pane.Scroll
	}{
		{0, "  day0|› a|  b|  c", pane.Scroll{First: 0, End: 3, Total: 6, Top: 2}},
		{2, "  day0|  a|  b|› c", pane.Scroll{First: 0, End: 3, Total: 6, Top: 2}},
		{3, "  b|  c|  day3|› d", pane.Scroll{First: 1, End: 4, Total: 6, Top: 2}},
		{5, "  day3|  d|  e|› f", pane.Scroll{First: 3, End: 6, Total: 6, Top: 2}},
	} {
		l = l.Select(tt.cursor)
		tuitest.Equal(t, drawn(l), tt.want, "with the cursor on %d", tt.cursor)
		tuitest.Equal(t, l.Scroll(2), tt.scroll, "with the cursor on %d the mark", tt.cursor)
	}
	l.Heads = nil
	tuitest.Equal(t, drawn(l.SetRows(make([]string, 6))), "  c|  d|  e|› f", "the list without days")
}
