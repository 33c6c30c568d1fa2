package tui_test

import "testing"

// The header and the bar keep what matters most in a small window, in every language.
func TestTheFirstAndTheLastRowKeepWhatMattersMost(t *testing.T) {
	for _, language := range []string{"en", "fr", "mg"} {
		t.Run(language, func(t *testing.T) {
			sample := func(c *console) { c.config.Sample = true }
			c := open(t, in(language), demo, sample)
			c.Sees("Épicerie Soa", "T1", "F7", "F8", "F10").Fits()
		})
	}
}
