package sale

import (
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// prompt stands before the entry line.
const prompt = "› "

// maxSaid is how many rows a message above the entry line takes at most.
const maxSaid = 3

// entry is the entry line. At its right end stands what is to be said, where it
// fits beside the text, or else what Enter and other keys do; what does not fit
// there stands above the text.
func (m Model) entry(grid layout.Layout) []string {
	inner, inside := grid.Frame.Inner(grid.Main, maxSaid)
	room := inner - theme.Width(prompt+m.line.Text()) - 3
	said, dress := m.says()
	lead, keys := m.does(inner)
	if said == "" {
		said, dress = lead, m.Theme.Text.Render
	}
	right := m.keysIn(room, dress, said, keys)
	var rows []string
	if bare := grid.Frame == pane.Bare; bare || said != "" && right == "" {
		// In a small window the row is always there, so that nothing moves.
		limit := max(1, min(maxSaid, m.size.Height-2))
		rows = m.wrapped(dress, said, inner, limit)
		right = m.keysIn(room, nil, "", keys)
	}
	line := m.line.SetWidth(inner - theme.Width(right) - 1)
	rows = append(rows, theme.Spread(line.View(), right, inner))
	return pane.Pane{Frame: grid.Frame, Rows: rows, Keys: true}.Lines(m.Theme, grid.Main, len(rows)+maxSaid-inside)
}

// keysIn says something and which keys do what, as many of them as fit; blank
// where the first, or what is said, does not.
func (m Model) keysIn(room int, dress func(...string) string, said string, keys []keybar.Entry) string {
	for count := len(keys); count >= 0; count-- {
		var parts []string
		if said != "" {
			parts = append(parts, dress(said))
		}
		for _, entry := range keys[:count] {
			parts = append(parts, m.Theme.Accent.Render(entry.Key)+" "+entry.Label)
		}
		if text := strings.Join(parts, "  "); theme.Width(text) <= room {
			return text
		}
	}
	return ""
}

// says is a notice, what the entry line takes, or a question that has no room of
// its own.
func (m Model) says() (text string, dress func(...string) string) {
	words, plain := m.Texts, m.Theme.Text.Render
	question := m.asked()
	switch {
	case question.title != "" && m.grid().Frame == pane.Bare:
		return question.title, m.Theme.WarningBlock.Render
	case question.title != "":
		return "", nil
	case m.notice.fault:
		return m.notice.message.In(m.Texts), m.Theme.Danger.Render
	case m.notice.message != nil:
		return m.notice.message.In(m.Texts), m.Theme.Accent.Render
	case m.mode == choosing && m.cart.Items()[m.cursor].ListPrice > 0:
		item := m.cart.Items()[m.cursor]
		return item.Label + "  " + i18n.Money(item.UnitPrice) + " " + words.Selling.Was.With(i18n.Number(int64(item.ListPrice))), plain
	case m.mode == editing:
		return words.Sale.Editing.With(m.cursor + 1), plain
	case m.mode == discounting:
		item := m.cart.Items()[m.cursor]
		return words.Selling.Discount.With(item.Label, i18n.Money(cart.ListPrice(item))), plain
	case m.mode == noting:
		return words.Selling.Noting, plain
	case m.mode == naming:
		return words.Held.Name.With(m.cart.FreeName()), plain
	}
	return "", nil
}

// does says what the entry stands for, and what the keys of the moment do.
func (m Model) does(width int) (lead string, keys []keybar.Entry) {
	words := m.Texts.SaleKeys
	keys = keybar.Of(m.Texts.KeyNames, m.ShortHelp()...)
	name := func(key, does string) keybar.Entry {
		return keybar.Entry{Key: m.Texts.KeyNames.Of(key), Label: does}
	}
	if question := m.asked(); question.title != "" {
		if m.grid().Frame == pane.Bare {
			return "", question.keys
		}
		return "", nil
	}
	if m.mode != entering {
		return "", slices.DeleteFunc(keys, func(keybar.Entry) bool {
			return m.mode == editing || m.mode == discounting || m.mode == noting || m.mode == naming
		})
	}
	adds := name("enter", words.Adds)
	article, named := m.next()
	switch {
	case named:
		lead = article.Label + "  " + i18n.Number(int64(article.UnitPrice))
		if m.choice.quantity > 1 {
			lead = i18n.Number(m.choice.quantity) + " × " + lead
		}
		if len(m.choice.fit.Best) == 1 {
			return lead, []keybar.Entry{adds}
		}
		return lead, []keybar.Entry{adds, name("tab", words.Others)}
	case m.choice.offered():
		return "", keys[1:]
	case m.choice.line.Label != "":
		return m.preview(width), []keybar.Entry{adds}
	case m.choice.fault != nil && m.stock.known():
		return cart.Hint(m.Texts.Hints, m.choice.fault), nil
	case m.line.Empty() && !m.cart.Empty():
		return "", []keybar.Entry{
			name("enter", words.Charges.With(i18n.Number(int64(m.amount())))), name("↑↓", words.ALine), name("ctrl+z", m.Texts.Keys.Undo),
		}
	}
	return "", keys
}

// preview is the line that the entry stands for, so that a quantity that was
// read as a part of the label is seen before it is sold.
func (m Model) preview(width int) string {
	const sign = "→ "
	line := m.choice.line
	facts := " · " + i18n.Number(line.Quantity) + " × " + i18n.Money(line.UnitPrice)
	if line.Quantity != 1 {
		facts += " = " + i18n.Money(line.Total())
	}
	if m.unusual(line) {
		facts += " " + m.Texts.Hints.Unusual
	}
	return theme.Truncate(sign+theme.Truncate(line.Label, max(0, width-theme.Width(sign+facts)))+facts, width)
}

// inquiry is a question: its title, the amount in figures, what it is about, and
// the keys that answer it.
type inquiry struct {
	title, amount, about, hint string
	keys                       []keybar.Entry
}

// asked returns the question that is open; one without a title for none.
func (m Model) asked() inquiry {
	words, total := m.Texts.Sale, i18n.Money(m.amount())
	lines, pieces := m.counts()
	about := lines + " · " + pieces
	if name := m.cart.Name(); name != "" {
		about += " · " + name
	}
	key := func(does string) []keybar.Entry {
		return []keybar.Entry{
			{Key: m.Texts.KeyNames.Of("enter"), Label: does}, {Key: m.Texts.KeyNames.Of("esc"), Label: words.GoesBack},
		}
	}
	switch m.mode {
	case asking, charging:
		return inquiry{words.Charge.With(total), total, about, words.Joins, key(words.ChargeNow)}
	case dropping:
		return inquiry{m.Texts.Selling.Drop.With(total), total, about, "", key(words.Drops)}
	case droppingHeld:
		sale := m.cart.Held()[m.list.Cursor()]
		worth := cart.Worth(sale.Items)
		return inquiry{m.Texts.Held.Drop.With(sale.Name, worth), worth, sale.Name, "", key(words.Drops)}
	}
	return inquiry{}
}

// inquire draws a question in the lower part of room rows, and leaves the lines
// above it.
func (m Model) inquire(asked inquiry, grid layout.Layout, room int) []string {
	inner, _ := grid.Frame.Inner(grid.Main, room)
	rows := figures.Fit(m.Theme, asked.amount, inner, grid.FiguresIn(grid.Main))
	for i, row := range rows {
		rows[i] = m.Theme.Strong.Render(row)
	}
	if rows == nil {
		rows = []string{m.Theme.Strong.Render(asked.amount)}
	}
	rows = append(rows, "", m.Theme.Muted.Render(asked.about))
	rows = append(rows, make([]string, grid.Part)...)
	rows = append(rows, m.keysIn(inner, nil, "", asked.keys))
	if asked.hint != "" {
		rows = append(append(rows, ""), m.wrapped(m.Theme.Text.Render, asked.hint, inner, maxSaid)...)
	}
	frame := room - fewestRow - 2*grid.Air - fewLines
	height := max(len(rows)+2, min(frame, len(rows)+3+2*grid.Part))
	lead := max(0, height-2-len(rows)+1) / 2
	content := make([]string, lead, height)
	for _, row := range rows {
		content = append(content, strings.Repeat(" ", max(0, inner-theme.Width(row))/2)+row)
	}
	return pane.Pane{Frame: grid.Frame, Title: asked.title, Rows: content, Keys: true}.Lines(m.Theme, grid.Main, min(height, room))
}
