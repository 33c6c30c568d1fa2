// Package doctor describes the state of a till, and what to do about a problem. Screens and
// commands use its [Findings], so that they describe a fact in the same words.
package doctor

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/theme"
)

// State is the severity of a finding.
type State string

// The states of a finding. Scripts read their values.
const (
	OK      State = "ok"
	Warn    State = "warn" // Payments may work, but a person should look at this.
	Fail    State = "fail"
	Skipped State = "skipped" // Not checked, because the check needs something that is missing.
)

// Mark returns the sign and the style of a state. The state "" means unknown.
func (s State) Mark(styles theme.Theme) (string, theme.Style) {
	signs := map[State]string{OK: "✓", Warn: "!", Fail: "✗", Skipped: "?", "": "?"}
	dress := map[State]theme.Style{OK: styles.Text, Warn: styles.Warning, Fail: styles.Danger, Skipped: styles.Muted, "": styles.Text}
	return signs[s], dress[s]
}

// Kind is the subject of a finding, such as the database.
type Kind string

// The kinds, in the order in which [Join] returns them.
const (
	Settings Kind = "settings"
	Token    Kind = "token"
	Secret   Kind = "secret"
	Listener Kind = "listener"
	Events   Kind = "events"
	Public   Kind = "public"
	Database Kind = "database"
	Stored   Kind = "stored" // Which database the till uses.
	Clock    Kind = "clock"
	Service  Kind = "service"
	Terminal Kind = "terminal"
	Voice    Kind = "voice"
	Printer  Kind = "printer"
	Backup   Kind = "backup"
)

// Code identifies the problem of a finding. Scripts rely on codes, so do not change them. Some are
// values of [payments.Reach] and [payments.CauseKind].
type Code string

// Finding is one fact about a till, in one language.
type Finding struct {
	Check   Kind          `json:"check"`
	State   State         `json:"state"`
	Text    string        `json:"text"`
	Advice  string        `json:"advice"` // What to do, or a note.
	Code    Code          `json:"code"`
	Short   string        `json:"-"` // Text for the header and the line mode; may be blank.
	silence time.Duration // How long the relay or the listeners have been silent; else 0.
}

// New returns a finding without a Short text: the header does not show it.
func New(check Kind, state State, code Code, text, advice string) Finding {
	return Finding{Check: check, State: state, Code: code, Text: text, Advice: advice}
}

// Brief returns Short for the header and, if the relay or the listeners are silent, for how long.
func (f Finding) Brief() string {
	if f.silence > 0 {
		return f.Short + ", " + i18n.Span(f.silence)
	}
	return f.Short
}

// Bad reports whether a person should do something about the finding.
func (f Finding) Bad() bool { return f.State == Warn || f.State == Fail }

// Report returns the findings of a check in the language of t.
type Report func(t i18n.Texts) []Finding

// Check examines a part of the till, and returns a report with the findings. It returns early if
// ctx ends.
type Check func(ctx context.Context) Report

// Run runs the checks concurrently for at most five seconds, and returns their reports in the order
// of checks.
func Run(ctx context.Context, checks ...Check) []Report {
	const limit = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	reports := make([]Report, len(checks))
	var running sync.WaitGroup
	for i, check := range checks {
		running.Go(func() { reports[i] = check(ctx) })
	}
	running.Wait()
	return reports
}

// Join joins found with the findings of reports, and orders them by kind. Of each kind, it returns
// the findings that are not OK, without repetitions, or else the first finding.
func Join(t i18n.Texts, found []Finding, reports ...Report) []Finding {
	for _, report := range reports {
		found = append(found, report(t)...)
	}
	var all []Finding
	for _, kind := range []Kind{Settings, Token, Secret, Listener, Events, Public, Database, Stored, Clock, Service, Terminal, Voice, Printer, Backup} {
		own := slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.Check != kind })
		wrong := slices.DeleteFunc(slices.Clone(own), func(f Finding) bool { return f.State == OK })
		if len(wrong) == 0 {
			wrong = own[:min(1, len(own))]
		}
		same := func(a, b Finding) bool { return a.Code == b.Code && a.Text == b.Text && a.Advice == b.Advice }
		all = append(all, slices.CompactFunc(wrong, same)...)
	}
	return all
}

// WorstFirst is a comparison function that sorts the worst finding first.
func WorstFirst(a, b Finding) int {
	badness := []State{Warn, Fail}
	return slices.Index(badness, b.State) - slices.Index(badness, a.State)
}

// Rows draws findings one below the other, in rows of at most width columns, each with its advice.
func Rows(t i18n.Texts, findings []Finding, styles theme.Theme, width int) []string {
	const abreast = 56 // Minimum width for names in a column next to texts that wrap.
	column, longest := 0, 0
	for _, finding := range findings {
		column, longest = max(column, theme.Width(t.Checks[string(finding.Check)])), max(longest, theme.Width(finding.Text))
	}
	inColumns := width >= abreast || column+4+longest <= width
	var rows []string
	for _, finding := range findings {
		sign, style := finding.State.Mark(styles)
		name, lines := t.Checks[string(finding.Check)], []string{finding.Text}
		if inColumns {
			name = theme.AlignLeft(name, column)
			lines = theme.Rows(finding.Text, width-column-4)
		}
		rows = append(rows, theme.Truncate(style.Render(sign)+" "+styles.Strong.Render(name)+"  "+lines[0], width))
		for _, line := range lines[1:] {
			rows = append(rows, strings.Repeat(" ", column+4)+line)
		}
		if finding.Advice != "" {
			for _, line := range theme.Rows(finding.Advice, max(1, width-2)) {
				rows = append(rows, "  "+style.Render(line))
			}
		}
	}
	return rows
}
