package tuitest

import (
	"slices"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
)

// Languages returns all languages. With -short, it returns only English.
func Languages() []string {
	if testing.Short() {
		return []string{"en"}
	}
	return i18n.Languages()
}

// Windows draws a screen in windows of the given widths and of the [Heights]. With -short, it draws
// only every second width. shows returns the parts that a view shows. Windows fails the test if a
// window lacks a part that a lower window of the same width shows.
func Windows(t testing.TB, widths []int, draw func(width, height int) string, shows func(view string) []string) {
	t.Helper()
	for i, width := range Some(2, widths) {
		var before []string
		for _, height := range Heights(i) {
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

// Heights returns the heights of the windows that tests draw for a width, from 6 to 61 rows: all if
// [Long] returns true, else some. number is the position of the width in a list, so that widths
// have different heights.
func Heights(number int) (heights []int) {
	step := 5
	switch {
	case Long():
		step = 1
	case testing.Short():
		step = 11
	}
	for height := 6 + number%step; height <= 61; height += step {
		heights = append(heights, height)
	}
	return heights
}

// Forms are the forms of a screen that windows were drawn in.
type Forms map[string]bool

// Want fails the test unless each of the forms was drawn.
func (f Forms) Want(t testing.TB, forms ...string) {
	t.Helper()
	for _, form := range forms {
		if !f[form] {
			t.Errorf("no window has the form: %s", form)
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
