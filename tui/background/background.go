// Package background sets the terminal's background to dark in Lip Gloss, so that Bubble
// Tea does not query the terminal. Import it in main only for this side effect:
//
//	import _ "checkout/till/tui/background"
//
// The init of Bubble Tea v1 calls lipgloss.HasDarkBackground, which writes OSC 11 to the
// terminal and waits for the answer. If the terminal does not answer, every run, even
// "till version", would start with five blank seconds; a slow line would add its delay.
// This program does not need the answer at the start: the console asks later and does not
// wait (package tui).
//
// It works because this package is initialized before Bubble Tea. Go initializes packages
// with initialized imports in the order of their import paths. This package imports only
// Lip Gloss, which Bubble Tea imports too, and "checkout/till/…" sorts before
// "github.com/charmbracelet/bubbletea". Another import here, or another module path, could
// bring the query back. The test of this package runs a program in a silent pseudo-terminal
// to detect that.
package background

import "github.com/charmbracelet/lipgloss"

// init is the only init function of the program: any later time would be too late.
func init() {
	lipgloss.SetHasDarkBackground(true)
}
