// Package background keeps Bubble Tea from asking the terminal for its background colour at
// the start: it tells Lip Gloss that the background is dark. Import it in main only for this
// side effect:
//
//	import _ "checkout/till/tui/background"
//
// The init function of Bubble Tea v1 calls lipgloss.HasDarkBackground, which writes OSC 11
// to the terminal and waits for the answer. If the terminal does not answer, every run, even
// "till version", would start with a wait of five seconds. The program does not need the
// answer at the start: package tui asks later and does not wait.
//
// This works only because Go initializes this package before Bubble Tea. Both packages import Lip
// Gloss, so Go initializes Lip Gloss first. Then it follows the order of import paths, and
// "checkout/till/…" sorts before "github.com/charmbracelet/bubbletea". Another import here, or
// another module path, could bring the query back. The test of this package detects that.
package background

import "github.com/charmbracelet/lipgloss"

// An init function is needed, because main runs after the init function of Bubble Tea.
func init() {
	lipgloss.SetHasDarkBackground(true)
}
