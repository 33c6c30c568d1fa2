package health_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
)

// TestTheScreenFitsEveryWindow checks all forms: no row is too wide, and a higher window shows all parts of a
// lower one.
func TestTheScreenFitsEveryWindow(t *testing.T) {
	reached := make(map[string]bool)
	for _, language := range i18n.Languages() {
		texts := i18n.Load(language)
		d := open(t, language).enter().look("")
		trade(d)
		parts := []string{"─ " + texts.Path.Title + " ─", "─ " + texts.Path.Hour + " ─", "─ " + texts.Calls.Title, texts.Checks["listener"], texts.Checks["clock"]}
		for i, width := range []int{20, 40, 60, 72, 80, 100, 120, 200} {
			before := ""
			for height := 6 + i%2; height <= 60; height += 2 {
				view := d.Resize(width, height).Fits().View()
				shown := ""
				for _, part := range parts {
					if strings.Contains(view, part) {
						shown += part + "\n"
					}
				}
				for part := range strings.Lines(before) {
					if !strings.Contains(shown, part) {
						t.Errorf("%s: %d×%d hides %q, which a lower window shows\n%s", language, width, height, part, view)
					}
				}
				before = shown
				boxes := strings.Contains(view, "▸ │")
				reached[fmt.Sprintf("boxes %t, hour %t, path %t", boxes, strings.Contains(view, texts.Calls.Title), strings.Contains(view, texts.Path.Title))] = true
			}
		}
	}
	for _, form := range []string{"boxes true, hour true, path true", "boxes false, hour true, path true", "boxes false, hour false, path true", "boxes false, hour false, path false"} {
		if !reached[form] {
			t.Errorf("no window has the form: %s", form)
		}
	}
}

func TestNoCaptionOfThePathIsCutAt80Columns(t *testing.T) {
	for _, language := range i18n.Languages() {
		d := open(t, language).enter().look("")
		trade(d)
		for row := range strings.SplitSeq(d.View(), "\n") {
			if strings.Contains(row, "13:26") && strings.Contains(row, "…") && !strings.Contains(row, "✓") {
				t.Errorf("%s: a caption is cut: %q", language, row)
			}
		}
	}
}
