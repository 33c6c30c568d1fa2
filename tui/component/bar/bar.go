// Package bar draws how much of something is left as a bar. It guarantees that
// a bar has the width it was given, that it is empty only when nothing is left,
// and full only when nothing is gone.
package bar

import "strings"

// Draw returns a bar of width columns of which share, 0 to 1, is full.
func Draw(share float64, width int) string {
	if width <= 0 {
		return ""
	}
	full := int(share * float64(width))
	switch {
	case share > 0 && full < 1:
		full = 1
	case share < 1 && full >= width && width > 1:
		full = width - 1
	}
	full = max(0, min(full, width))
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}
