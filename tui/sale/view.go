package sale

import (
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/theme"
)

// maxRemark is how many rows a remark takes at most; the table has the rest.
const maxRemark = 3

// tableRows is how many rows the table keeps where articles are offered: its
// heading and the last lines.
const tableRows = 4

// View draws the screen in the room it was given: the table, the articles that
// fit, the note, the total, a remark or question, and the entry line. The total
// and the entry line are always there.
func (m Model) View() string {
	total, err := payments.Total(m.cart.Items())
	if err != nil {
		return m.Theme.Danger.Render(m.Texts.Hints.TooLarge)
	}
	foot := []string{
		m.Theme.Strong.Render(theme.Spread("", m.Texts.Sale.Total+"  "+i18n.Money(total), m.size.Width)),
	}
	foot = append(append(foot, m.remark(total)...), theme.Truncate(m.line.View(), m.size.Width))
	room := max(0, m.size.Height-len(foot))
	if note := m.cart.Sale().Description; note != "" && room > 1 {
		foot = append([]string{m.Theme.Accent.Render(theme.Truncate(m.Texts.Selling.Note.With(note), m.size.Width))}, foot...)
		room--
	}
	offered := m.offers(room - tableRows)
	room -= len(offered)
	var body []string
	switch {
	case m.mode == resuming, m.mode == droppingHeld:
		body = m.shelved(room)
	case m.cart.Empty():
		body = m.greeting(room)
	default:
		body = m.table(room)
	}
	for len(body) < room {
		body = append(body, "")
	}
	return strings.Join(append(append(body, offered...), foot...), "\n")
}

// remark is the question, the notice, what the entry line takes, or the line
// that it stands for; a blank row when there is nothing to say.
func (m Model) remark(total payments.Ariary) []string {
	words, limit := m.Texts, max(1, min(maxRemark, m.size.Height-2))
	accent := func(text string) []string { return m.wrapped(m.Theme.Accent.Render, text, limit) }
	switch {
	case m.mode == asking || m.mode == charging:
		return m.asked(words.Sale.Charge.With(i18n.Money(total)), words.Sale.ChargeYesNo)
	case m.mode == droppingHeld:
		sale := m.cart.Held()[m.list.Cursor()]
		return m.asked(words.Held.Drop.With(sale.Name, cart.Worth(sale.Items)), words.Held.DropYes)
	case m.mode == dropping:
		return m.asked(words.Selling.Drop.With(i18n.Money(total)), words.Selling.DropYes)
	case m.notice.fault:
		return m.wrapped(m.Theme.Danger.Render, m.notice.message.In(m.Texts), limit)
	case m.notice.message != nil:
		return accent(m.notice.message.In(m.Texts))
	case m.mode == choosing && m.cart.Items()[m.cursor].ListPrice > 0:
		item := m.cart.Items()[m.cursor]
		return accent(item.Label + "  " + i18n.Money(item.UnitPrice) + " " + m.was(item))
	case m.mode == editing:
		return accent(words.Sale.Editing.With(m.cursor + 1))
	case m.mode == discounting:
		item := m.cart.Items()[m.cursor]
		return accent(words.Selling.Discount.With(item.Label, i18n.Money(cart.ListPrice(item))))
	case m.mode == noting:
		return accent(words.Selling.Noting)
	case m.mode == naming:
		return accent(words.Held.Name.With(m.cart.FreeName()))
	case m.choice.offered():
		return m.wrapped(m.Theme.Muted.Render, m.offerHint(), 1)
	case m.choice.line.Label != "":
		return []string{m.Theme.Muted.Render(m.preview())}
	}
	return []string{""}
}

// offerHint says what Enter adds, or how an article is chosen.
func (m Model) offerHint() string {
	words, fit := m.Texts.Selling, m.choice.fit
	at := max(0, m.choice.chosen-1)
	if m.choice.chosen == 0 && !fit.Sure {
		return words.Fits.With(fit.Total)
	}
	return words.Sure.With(m.choice.quantity, fit.Best[at].Label, i18n.Money(fit.Best[at].UnitPrice))
}

// asked is a question with its answers behind it, or below it where the window
// is narrow and has the room.
func (m Model) asked(question, answers string) []string {
	question = m.Theme.WarningBlock.Render(theme.Truncate(" "+question+" ", m.size.Width))
	answers = m.Theme.Muted.Render(answers)
	switch {
	case theme.Width(question)+2+theme.Width(answers) <= m.size.Width:
		return []string{question + "  " + answers}
	case m.size.Height > 2*maxRemark:
		return []string{question, theme.Truncate(answers, m.size.Width)}
	}
	return []string{question}
}

// wrapped breaks text into at most limit rows and dresses each; where it is
// longer it ends in an ellipsis.
func (m Model) wrapped(dress func(...string) string, text string, limit int) []string {
	rows := strings.Split(theme.Wrap(text, m.size.Width), "\n")
	if len(rows) > limit {
		rows = rows[:limit]
		rows[limit-1] = theme.Truncate(rows[limit-1]+" …", m.size.Width)
	}
	for i, row := range rows {
		// Where a row is broken its blank may stand beyond the width.
		rows[i] = dress(strings.TrimRight(row, " "))
	}
	return rows
}

// empty is what a sale without lines says: what to type, or, to somebody who
// has never seen the program, what this is as well.
func (m Model) empty(room int) []string {
	if m.Welcome == "" {
		return m.wrapped(m.Theme.Muted.Render, m.Texts.Sale.Empty, room)
	}
	words := m.Texts.Welcome
	rows := m.wrapped(m.Theme.Strong.Render, words.What, m.size.Height)
	rows = append(rows, m.wrapped(m.Theme.Accent.Render, words.Try, m.size.Height)...)
	rows = append(rows, m.wrapped(m.Theme.Muted.Render, words.Live.With(m.Welcome), m.size.Height)...)
	return theme.Clip(rows, m.size.Width, room)
}
