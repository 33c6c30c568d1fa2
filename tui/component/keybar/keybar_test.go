package keybar_test

import (
	"strings"
	"testing"

	"checkout/till/tui/component/keybar"
	"checkout/till/tui/theme"
)

func TestKeysAreNamedCompletelyOrLeftOut(t *testing.T) {
	entries := []keybar.Entry{
		{Key: "F3", Label: "Résultats", Short: "Ventes", Rank: keybar.Own},
		{Key: "F4", Label: "En attente", Short: "Attente", Count: 2, Rank: keybar.Own},
		{Key: "F6", Label: "Articles", Rank: keybar.Own},
		{Key: "F1", Label: "Touches", Short: "Aide"},
	}
	for _, tt := range []struct {
		name  string
		width int
		want  string
	}{
		{"all", 80, " F3  Résultats    F4  En attente  2     F6  Articles    F1  Touches"},
		{"closer", 65, " F3  Résultats   F4  En attente  2    F6  Articles   F1  Touches"},
		{"with short labels", 60, " F3  Ventes   F4  Attente  2    F6  Articles   F1  Aide"},
		{"plain", 52, " F3 Ventes  F4 Attente  2   F6 Articles  F1 Aide"},
		{"fewer keys, but all essential ones", 36, " F3 Ventes  F4 Attente  2   F1 Aide"},
		{"only the essential key", 9, " F1  Aide"},
		{"no key", 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := keybar.Draw(theme.Plain(), entries, tt.width)
			if theme.Width(got) != tt.width || strings.TrimRight(got, " ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestTheConsolesKeysDropBeforeTheScreensKeysMoveCloser(t *testing.T) {
	entries := []keybar.Entry{
		{Key: "n", Label: "new", Rank: keybar.Own},
		{Key: "F3", Label: "Orders", Rank: keybar.Uncounted},
		{Key: "F4", Label: "Waiting", Count: 2, Rank: keybar.Elsewhere},
		{Key: "F6", Label: "Articles", Rank: keybar.Uncounted},
		{Key: "F1", Label: "Keys"},
	}
	for width, want := range map[int]string{
		56: " n new  F3 Orders  F4 Waiting  2   F6 Articles  F1 Keys",
		53: " n  new    F3  Orders    F4  Waiting  2     F1  Keys",
		31: " n new  F4 Waiting  2   F1 Keys",
		20: " n  new    F1  Keys",
		14: " n new F1 Keys",
	} {
		if got := strings.TrimRight(keybar.Draw(theme.Plain(), entries, width), " "); got != want {
			t.Errorf("%d columns: got %q, want %q", width, got, want)
		}
	}
}
