// Package motion animates a part of the screen for a moment; see [Length].
package motion

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Length is the duration of a motion. pause is the time between two frames.
const (
	Length = 240 * time.Millisecond
	pause  = 40 * time.Millisecond
)

// Ticked is sent when the next frame of a motion is due.
type Ticked struct{}

// Tick returns a command that waits and then sends Ticked.
func Tick() tea.Cmd {
	return tea.Tick(pause, func(time.Time) tea.Msg { return Ticked{} })
}

// Motion is the time at which a motion began. The zero value does not run.
type Motion struct{ began time.Time }

// Begin returns a motion that starts at now.
func Begin(now time.Time) Motion { return Motion{began: now} }

// Runs reports whether the motion has not ended yet.
func (m Motion) Runs(now time.Time) bool { return m.share(now) < 1 }

// share returns how much of the motion is over, from 0 to 1. It is 1 if now is before the
// beginning.
func (m Motion) share(now time.Time) float64 {
	over := now.Sub(m.began)
	if over < 0 || over > Length {
		return 1
	}
	return float64(over) / float64(Length)
}

// Box is a part of a view, in cells.
type Box struct{ Left, Top, Width, Height int }

// Middle returns the line in the middle of a view: a box of its whole width and of height 0.
func Middle(width, height int) Box { return Box{Top: height / 2, Width: width} }

// Open returns the view as the motion shows it at now: the visible part grows from the box to all
// sides.
func (m Motion) Open(view string, from Box, now time.Time) string {
	share := m.share(now)
	if share == 1 {
		return view
	}
	rows := strings.Split(view, "\n")
	width := ansi.StringWidth(rows[0])
	grown := func(from, to int) int { return from + int(share*float64(to-from)) }
	left, right := grown(from.Left, 0), grown(from.Left+from.Width, width)
	top, bottom := grown(from.Top, 0), grown(from.Top+from.Height, len(rows))
	for y, row := range rows {
		if y < top || y >= bottom {
			rows[y] = ""
			continue
		}
		rows[y] = strings.Repeat(" ", left) + ansi.Cut(row, left, right)
	}
	return strings.Join(rows, "\n")
}

// Count is a number on the screen that rises to its value step by step. A smaller value is shown
// immediately.
type Count struct {
	Motion
	from, to int64
}

// To returns a count that rises to value from the number that it shows now.
func (c Count) To(value int64, now time.Time) Count {
	switch {
	case value < c.to:
		return Count{to: value}
	case value > c.to:
		return Count{Begin(now), c.At(now), value}
	}
	return c
}

// At returns the number that the count shows at the time now.
func (c Count) At(now time.Time) int64 {
	return c.from + int64(c.share(now)*float64(c.to-c.from))
}
