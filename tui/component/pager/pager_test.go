package pager_test

import (
	"testing"

	"checkout/till/tui/component/pager"
	"checkout/till/tui/tuitest"
)

func TestTheKeysOfListsPageALongText(t *testing.T) {
	p := pager.Pager{}.Show([]string{"a", "b", "c", "d", "e"}, 10, 2)
	for _, step := range []struct{ key, first string }{
		{"down", "b"}, {"pgdown", "d"}, {"up", "c"}, {"home", "a"}, {"end", "d"}, {"pgup", "b"}, {"x", "b"},
	} {
		msg, err := tuitest.Key(step.key)
		tuitest.Must(t, err)
		var taken bool
		p, taken = p.Update(msg)
		if got := p.Rows(); len(got) != 2 || got[0][:1] != step.first || taken == (step.key == "x") {
			t.Errorf("after %s got %q, taken %v", step.key, got, taken)
		}
	}
	if mark := p.Scroll(); mark.First != 1 || mark.End != 3 || mark.Total != 5 {
		t.Errorf("got the scroll mark %+v", mark)
	}
}
