package tuitest

import (
	"slices"
	"strings"
	"testing"
)

// Windows draws a screen in windows of the given widths and of 6 to 61 rows. It fails the test if a window lacks a
// part that a lower one of the same width shows. shows returns the parts that a view has. For speed, each width has
// either the even or the odd heights.
func Windows(t testing.TB, widths []int, draw func(width, height int) string, shows func(view string) []string) {
	t.Helper()
	for i, width := range widths {
		var before []string
		for height := 6 + i%2; height <= 61; height += 2 {
			view := draw(width, height)
			shown := shows(view)
			for _, part := range before {
				if !slices.Contains(shown, part) {
					t.Errorf("%d×%d hides %q, which a lower window shows\n%s", width, height, part, view)
				}
			}
			before = shown
		}
	}
}

// Among returns the parts that a view contains.
func Among(view string, parts ...string) (shown []string) {
	for _, part := range parts {
		if strings.Contains(view, part) {
			shown = append(shown, part)
		}
	}
	return shown
}
