package theme_test

import (
	"strings"
	"testing"

	"checkout/till/tui/theme"
)

func TestABarShowsItsShare(t *testing.T) {
	plain := theme.Plain()
	tests := []struct {
		name   string
		styles theme.Theme
		share  float64
		width  int
		want   string
	}{
		{"all", plain, 1, 4, "━━━━"},
		{"nearly all is not all", plain, 0.999, 4, "━━━─"},
		{"half", plain, 0.5, 4, "━━──"},
		{"nearly nothing is something", plain, 0.001, 4, "━───"},
		{"nothing", plain, 0, 4, "────"},
		{"less than nothing", plain, -1, 4, "────"},
		{"more than all", plain, 7, 4, "━━━━"},
		{"no room", plain, 0.5, 0, ""},
		{"less than no room", plain, 0.5, -3, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.styles.Bar(tt.styles.Line, tt.share, tt.width); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	coloured := theme.Full(theme.Auto)
	if drawn := coloured.Bar(coloured.Line, 0.5, 80); strings.Count(drawn, "\x1b") > 4 {
		t.Errorf("a bar of two parts is coloured cell by cell: %q", drawn)
	}
}
