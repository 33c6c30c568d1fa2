package list_test

import (
	"testing"

	"checkout/till/tui/component/list"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/counter"
)

func TestTheCursorStaysOnARowAndInView(t *testing.T) {
	l := list.New(counter.Texts(t, "en"), true).SetRows(17).SetRoom(5)
	for _, step := range []struct {
		key                string
		cursor, first, end int
		position           string
	}{
		{"up", 0, 0, 5, "1 of 17"},
		{"down", 1, 0, 5, "2 of 17"},
		{"j", 2, 0, 5, "3 of 17"},
		{"pgdown", 6, 2, 7, "7 of 17"},
		{"k", 5, 2, 7, "6 of 17"},
		{"end", 16, 12, 17, "17 of 17"},
		{"down", 16, 12, 17, "17 of 17"},
		{"pgup", 12, 12, 17, "13 of 17"},
		{"pgup", 8, 8, 13, "9 of 17"},
		{"home", 0, 0, 5, "1 of 17"},
		{"x", 0, 0, 5, "1 of 17"},
	} {
		msg, err := tuitest.Key(step.key)
		if err != nil {
			t.Fatal(err)
		}
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
	l = l.Select(16).SetRows(3)
	if first, end := l.Window(); l.Cursor() != 2 || first != 0 || end != 3 || l.Position("") != "" {
		t.Errorf("of three rows it shows %d to %d, and %q", first, end, l.Position(""))
	}
	if l = l.SetRows(0); l.Cursor() != 0 || l.Move().Enabled() || l.Page().Enabled() {
		t.Error("an empty list has a cursor")
	}
}
