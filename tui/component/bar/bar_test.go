package bar_test

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"checkout/till/tui/component/bar"
)

func ExampleDraw() {
	fmt.Println(bar.Draw(0.5, 10))
	// Output: █████░░░░░
}

func TestABarSaysHowMuchIsLeft(t *testing.T) {
	tests := []struct {
		name  string
		share float64
		width int
		want  string
	}{
		{"all", 1, 4, "████"},
		{"nearly all is not all", 0.999, 4, "███░"},
		{"half", 0.5, 4, "██░░"},
		{"nearly nothing is something", 0.001, 4, "█░░░"},
		{"nothing", 0, 4, "░░░░"},
		{"less than nothing", -1, 4, "░░░░"},
		{"more than all", 7, 4, "████"},
		{"something in one column", 0.5, 1, "█"},
		{"no room", 0.5, 0, ""},
		{"less than no room", 0.5, -3, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := bar.Draw(tt.share, tt.width); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestABarNeverGrowsWhileTimeGoesBy(t *testing.T) {
	last := 30
	for second := 600; second >= 0; second-- {
		drawn := bar.Draw(float64(second)/600, 30)
		full := 0
		for _, cell := range drawn {
			if cell == '█' {
				full++
			}
		}
		if full > last || utf8.RuneCountInString(drawn) != 30 {
			t.Fatalf("at %d s: %q after %d full", second, drawn, last)
		}
		last = full
	}
}
