package sale

import (
	"fmt"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// The columns of the table besides the label, in cells.
const (
	numberWidth   = 5
	quantityWidth = 9
	priceWidth    = 13
	totalWidth    = 17
)

// View draws the screen in the room it was given: the table, the total, a
// notice or question, and the entry line.
func (m Model) View() string {
	total, err := payments.Total(m.sale.Items)
	if err != nil {
		return m.Theme.Danger.Render(m.Texts.Hints.TooLarge)
	}
	foot := []string{
		m.Theme.BigTotal.Render(theme.Spread("", m.Texts.Sale.Total+"  "+i18n.Money(total), m.size.width)),
	}
	foot = append(append(foot, m.remark(total)...), theme.Truncate(m.input.View(), m.size.width))
	room := max(0, m.size.height-len(foot))
	body := m.table(room)
	return strings.Join(append(body, foot...), "\n")
}

// table draws the heading and as many lines as fit, the chosen or the last one
// among them, and fills the room with blank lines.
func (m Model) table(room int) []string {
	rows := make([]string, 0, room)
	if room == 0 {
		return rows
	}
	if len(m.sale.Items) == 0 {
		rows = append(rows, m.empty(room)...)
	} else {
		words := m.Texts.Sale
		rows = append(rows, m.Theme.Subdued.Render(m.row("", words.Article, words.Quantity, words.Price, words.Total)))
		rows = append(rows, m.lines(room-1)...)
	}
	for len(rows) < room {
		rows = append(rows, "")
	}
	return rows
}

func (m Model) lines(room int) []string {
	last := len(m.sale.Items) - 1
	if m.mode == choosing || m.mode == editing {
		last = max(m.cursor, min(last, room-1))
	}
	first := max(0, last-room+1)
	var rows []string
	for i := first; i <= last && room > 0; i++ {
		rows = append(rows, m.item(i))
	}
	return rows
}

func (m Model) item(i int) string {
	item := m.sale.Items[i]
	row := m.row(fmt.Sprint(i+1), item.Label, i18n.Number(item.Quantity),
		i18n.Number(int64(item.UnitPrice)), i18n.Number(int64(item.Total())))
	if i == m.cursor && (m.mode == choosing || m.mode == editing) {
		return m.Theme.Selected.Render("›" + row[1:])
	}
	return row
}

// row lays out the columns; the label takes what is left, and the price goes
// first where the window is narrow.
func (m Model) row(number, label, quantity, price, total string) string {
	cells := theme.Right(quantity, quantityWidth)
	if m.size.width >= 60 {
		cells += theme.Right(price, priceWidth)
	}
	cells += theme.Right(total, min(totalWidth, max(8, m.size.width*3/10)))
	head := " " + theme.Right(number, numberWidth-2) + " "
	return theme.Spread(head+label, cells, m.size.width)
}

// maxRemark is how many rows a remark takes at most; the table has the rest.
const maxRemark = 3

// remark is the question, the notice, or what is being corrected; a blank row
// when there is nothing to say.
func (m Model) remark(total payments.Ariary) []string {
	words, limit := m.Texts.Sale, max(1, min(maxRemark, m.size.height-2))
	switch {
	case m.mode == asking || m.mode == charging:
		question := " " + words.Charge.With(i18n.Money(total)) + " "
		answer := "  " + words.ChargeYesNo
		if theme.Width(question)+theme.Width(answer) > m.size.width {
			return []string{m.Theme.Warning.Render(theme.Truncate(question, m.size.width))}
		}
		return []string{m.Theme.Warning.Render(question) + m.Theme.Subdued.Render(answer)}
	case m.notice.fault:
		return m.wrapped(m.Theme.Danger.Render, m.notice.text, limit)
	case m.notice.text != "":
		return m.wrapped(m.Theme.Accent.Render, m.notice.text, limit)
	case m.mode == editing:
		return m.wrapped(m.Theme.Accent.Render, words.Editing.With(m.cursor+1), limit)
	}
	return []string{""}
}

// wrapped breaks text into at most limit rows and dresses each.
func (m Model) wrapped(dress func(...string) string, text string, limit int) []string {
	rows := strings.Split(theme.Wrap(text, m.size.width), "\n")
	rows = rows[:min(limit, len(rows))]
	for i, row := range rows {
		rows[i] = dress(row)
	}
	return rows
}
