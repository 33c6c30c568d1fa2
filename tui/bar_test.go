package tui_test

import "testing"

// At 80×24, the header and the key bar show the shop, the till and the last keys in every language.
// At 120×36, the key bar shows all function keys.
func TestTheFirstAndTheLastRowKeepWhatMattersMost(t *testing.T) {
	for _, language := range []string{"en", "fr", "mg"} {
		t.Run(language, func(t *testing.T) {
			sample := func(c *console) { c.config.Sample = true }
			c := open(t, in(language), demo, sample)
			c.Sees("Épicerie Soa", "T1", "F7", "F8", "F10").Fits()
			c.Resize(120, 36).Sees("F1 ", "F2 ", "F3 ", "F4 ", "F5 ", "F6 ", "F7 ", "F8 ", "F9 ", "F10 ").Fits()
		})
	}
}
