package today

import (
	"context"
	"fmt"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/question"
	"checkout/till/tui/theme"
)

// nameOf is what a day is called where it is closed.
func nameOf(day payments.Period) string { return day.From.Format(time.DateOnly) }

// Typing tells whether a PIN is typed.
func (m Model) Typing() bool { return m.ask.Typing() }

// closing asks whether to close the day, and says what was taken and of how many
// orders nobody knows yet how they end.
func (m Model) closing() question.Question {
	service, till, day, paid := m.Service, m.Till, m.wanted(), m.paid()
	var open []string
	for _, verdict := range payments.Verdicts() {
		if count := m.account.report.Verdicts[verdict].Count; count > 0 && verdict.Undecided() {
			open = append(open, fmt.Sprintf("%d %s", count, m.badge.Short(payments.Order{}, verdict)))
		}
	}
	says := func(t i18n.Texts) string {
		asks := t.Printed.AskClose.With(t.Today.DateOf(day.From.In(m.Zone))) + "\n" + t.Today.Count(paid.Count) + " · " + i18n.Money(paid.Amount)
		if len(open) > 0 {
			asks += "\n" + t.Printed.Open.With(strings.Join(open, ", "))
		}
		return asks
	}
	return question.New("day "+nameOf(day), says, func(ctx context.Context, _ string, who payments.Identity) error {
		_, err := service.Close(ctx, day.From, till, till, who)
		return err
	})
}

// foot is what stands below the day: a question, or by whom it was closed.
func (m Model) foot() []string {
	width := m.size.Width - 2
	var rows []string
	switch {
	case m.ask.Open():
		rows = m.ask.Rows(m.Console, width)
	case m.notice != nil:
		rows = theme.Paragraph(m.Theme.Danger, m.notice.In(m.Texts), width, 0)
	case len(m.account.closed) > 0 && m.shown():
		rows = append(theme.Paragraph(m.Theme.Strong, m.closed(m.Texts), width, 0),
			theme.Paragraph(m.Theme.Text, m.Texts.Today.Export.With(m.account.closed[0].Day), width, 0)...)
	}
	return theme.Indent(rows, 1)
}

// closed says by whom the day was closed, and when.
func (m Model) closed(t i18n.Texts) string {
	closing := m.account.closed[0]
	return t.Printed.Closed.With(closing.Day, closing.By, closing.Till, i18n.Moment(closing.At.In(m.Zone)))
}
