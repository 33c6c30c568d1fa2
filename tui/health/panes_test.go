package health_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/assets/i18n"
	"checkout/till/tui/tuitest"
)

// TestTheScreenFitsEveryWindow checks all forms of the screen: no row is too wide, and a higher
// window shows all the parts that a lower window shows.
func TestTheScreenFitsEveryWindow(t *testing.T) {
	reached := make(map[string]bool)
	for _, language := range tuitest.Languages() {
		texts := i18n.Load(language)
		d := open(t, language).enter().look("")
		trade(d)
		parts := []string{"─ " + texts.Path.Title + " ─", "─ " + texts.Path.Hour + " ─", "─ " + texts.Calls.Title, texts.Checks["clock"]}
		draw := func(width, height int) string { return d.Resize(width, height).Fits().View() }
		tuitest.Windows(t, []int{20, 40, 60, 72, 80, 100, 120, 200}, draw, func(view string) []string {
			boxes := strings.Contains(view, "▸ │")
			reached[fmt.Sprintf("boxes %t, hour %t, path %t", boxes, strings.Contains(view, texts.Calls.Title), strings.Contains(view, texts.Path.Title))] = true
			return tuitest.Among(view, parts...)
		})
	}
	for _, form := range []string{"boxes true, hour true, path true", "boxes false, hour true, path true", "boxes false, hour false, path true", "boxes false, hour false, path false"} {
		if !reached[form] {
			t.Errorf("no window has the form: %s", form)
		}
	}
}

func TestNoCaptionOfThePathIsCutAt80Columns(t *testing.T) {
	for _, language := range tuitest.Languages() {
		d := open(t, language).enter().look("")
		trade(d)
		for row := range strings.SplitSeq(d.View(), "\n") {
			if strings.Contains(row, "13:26") && strings.Contains(row, "…") && !strings.Contains(row, "✓") {
				t.Errorf("%s: a caption is cut: %q", language, row)
			}
		}
	}
}

func TestTheCountsAreBelowTheBars(t *testing.T) {
	d := open(t, "en").enter().look("")
	trade(d)
	d.Resize(120, 34).Sees("7 ✓ PAID   1 ✗ NOT PAID   1 ✗ REFUSED", "calls: 5", "accepted 12, repeated 1, refused 0")
	d.Resize(34, 40).Sees("Paid in the last hour").Sees("7 ✓ PAID   1 ✗ NOT PAID", "1 ✗ REFUSED")
}

func TestFewCallsAreNotDrawnAsBars(t *testing.T) {
	d := open(t, "en").enter().look("")
	trade(d)
	d.Resize(120, 34).Sees("median", "95 %")
	d.calls = d.calls[:4]
	d.look("").Sees("By outcome").Lacks("slowest")
}
