package tui

import (
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// status is a text that replaces the last row of the window for a while, or until the next key.
type status struct {
	now   payments.Clock
	text  string
	until time.Time
}

const statusTime = 5 * time.Second

func (s *status) say(text string) {
	s.text = text
	s.until = s.now().Add(statusTime)
}

func (s *status) clear() { s.text = "" }

func (s *status) expire() {
	if !s.now().Before(s.until) {
		s.clear()
	}
}

// over draws the text over the last row of a view.
func (s *status) over(view string, styles theme.Theme, width int) string {
	if s.text == "" || view == "" {
		return view
	}
	rows := strings.Split(view, "\n")
	rows[len(rows)-1] = styles.Strong.Render(theme.AlignLeft(" "+s.text, width))
	return strings.Join(rows, "\n")
}
