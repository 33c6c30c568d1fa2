// Package background keeps Bubble Tea from asking the terminal for its background colour at the
// start: it tells Lip Gloss that the background is dark. Import it in main only for this side
// effect. Otherwise the init function of Bubble Tea v1 would wait five seconds in a terminal that
// does not answer.
//
// This works only because Go initializes this package before Bubble Tea. Both import Lip Gloss;
// then the order of import paths counts, and "checkout/till/…" sorts first. The test of this
// package detects a change.
package background

import "github.com/charmbracelet/lipgloss"

// An init function is needed, because main runs after the init function of Bubble Tea.
func init() {
	lipgloss.SetHasDarkBackground(true)
}
