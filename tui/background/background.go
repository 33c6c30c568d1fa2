// Package background states that the terminal's background is dark, so that
// nobody asks the terminal. Import it for that effect alone, in main:
//
//	import _ "checkout/till/tui/background"
//
// Bubble Tea v1 asks while it is being imported: its own init calls
// lipgloss.HasDarkBackground, which writes OSC 11 to the terminal and waits for
// the answer. A terminal that does not answer costs every run, "till version"
// included, five blank seconds; one behind a slow line costs the line's delay.
// Nothing in this program uses the answer, because every style is readable on
// both backgrounds (package theme).
//
// It works because it comes first. Go initialises the packages whose imports
// are ready in the order of their import paths. This one imports Lip Gloss and
// nothing else, as Bubble Tea also waits for, and "checkout/till/…" sorts
// before "github.com/charmbracelet/bubbletea". Another import here, or another
// name of the module, may bring the question back; the test in this package
// runs a program in a silent pseudo-terminal and notices.
package background

import "github.com/charmbracelet/lipgloss"

// This is the only init of the program: there is no later moment that would
// still be early enough.
func init() {
	lipgloss.SetHasDarkBackground(true)
}
