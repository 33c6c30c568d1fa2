package keybar_test

import (
	"strings"
	"testing"

	"checkout/till/tui/component/keybar"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func bar() []keybar.Slot {
	return []keybar.Slot{
		{Key: "F1", Label: "Keys"},
		{Key: "F2", Label: "Show", Absent: true, Rank: 3},
		{Key: "F3", Label: "Orders", Counts: true, Count: 12, Check: true, Rank: 1},
		{Key: "F4", Label: "Waiting", Short: "Wait", Counts: true, Count: 2, Rank: 2},
	}
}

func TestKeysAreNamedCompletelyOrLeftOut(t *testing.T) {
	for width, want := range map[int]string{
		48: "F1 Keys  F2 Show   F3 Orders 9+   F4 Waiting 2", // The last label is not at the edge.
		42: "F1 Keys F2 Show F3 Orders 9+ F4 Waiting 2",
		38: "F1Keys  F2Show   F3Orders9+   F4Wait2",
		33: "F1Keys F2Show F3Orders9+ F4Wait2",
		31: "F1 Keys F3 Orders 9+ F4 Wait 2",
		20: "F1 Keys F3 Orders 9+",
		18: "F1Keys  F3Orders9+",
		9:  "F1 Keys",
		3:  "",
	} {
		got := keybar.Draw(theme.Plain(), bar(), width)
		if theme.Width(got) != width || strings.TrimRight(got, " ") != want {
			t.Errorf("%d columns: got %q, want %q", width, got, want)
		}
	}
}

func TestEachKeyKeepsItsPlace(t *testing.T) {
	for width := range 120 {
		usual, other := bar(), bar()
		for i := range other {
			other[i].Absent = !other[i].Absent
			other[i].Count = 0
		}
		one := keybar.Draw(theme.Plain(), usual, width)
		two := keybar.Draw(theme.Plain(), other, width)
		for _, slot := range usual {
			if strings.Index(one, slot.Key) != strings.Index(two, slot.Key) {
				t.Errorf("%d columns: %s moves\n%s\n%s", width, slot.Key, one, two)
			}
		}
	}
}

func TestARowHasOnlyWholeEntries(t *testing.T) {
	entries := []keybar.Entry{{Key: "n", Label: "new"}, {Key: "r", Label: "edit"}, {Key: "Esc", Label: "back", Leaves: true}}
	for width, want := range map[int]string{23: "n new  r edit  Esc back", 22: "n new  Esc back", 14: "Esc back", 4: ""} {
		tuitest.Equal(t, keybar.Row(theme.Plain(), entries, width), want, "%d columns", width)
	}
}
