package tui

import (
	"strings"
	"time"

	"checkout/till/tui/theme"
)

// status is what the last row says for a while, or until the next key.
type status struct {
	text  string
	until time.Time
}

// statusTime is how long a status stands.
const statusTime = 5 * time.Second

// say puts a text into the last row.
func (m *model) say(text string) {
	m.status = status{text: text, until: m.Service.Now().Add(statusTime)}
}

// tick forgets a status whose time is over.
func (s status) tick(now time.Time) status {
	if !now.Before(s.until) {
		return status{}
	}
	return s
}

// withStatus puts the status into the last row of a view.
func (m model) withStatus(view string) string {
	if m.status.text == "" || view == "" {
		return view
	}
	rows := strings.Split(view, "\n")
	rows[len(rows)-1] = m.Theme.Accent.Render(theme.Left(" "+m.status.text, m.size.width))
	return strings.Join(rows, "\n")
}
