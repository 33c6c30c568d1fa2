package catalog

import (
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// The columns of the list besides the label, in cells.
const (
	placeWidth = 7
	minPrice   = 10
	codeWidth  = 16
	usesWidth  = 9
)

// wide is the width from which all columns stand beside each other.
const wide = 80

// maxRemark is how many rows a remark takes at most; the list has the rest.
const maxRemark = 3

// View draws the screen in the room it was given.
func (m Model) View() string {
	body := m.list
	if m.form.open {
		body = m.formRows
	}
	foot := m.foot()
	room := max(0, m.size.Height-len(foot))
	rows := body(room)
	for len(rows) < room {
		rows = append(rows, "")
	}
	rows = append(rows[:room], foot...)
	for i, row := range rows {
		rows[i] = theme.Truncate(row, m.size.Width)
	}
	return strings.Join(rows, "\n")
}

// foot is the question, the notice, or, where the list has no room for it, what
// else is known of the chosen article.
func (m Model) foot() []string {
	words, limit := m.Texts.Catalog, max(0, min(maxRemark, m.size.Height-1))
	switch {
	case m.question == askDelete:
		return m.asks(words.Delete.With(m.doomed.Label), limit)
	case m.question == askDiscard:
		return m.asks(words.Discard, limit)
	case m.notice.fault:
		return m.wrapped(m.Theme.Danger.Render, m.notice.text.In(m.Texts), limit)
	case m.notice.text != nil:
		return m.wrapped(m.Theme.Accent.Render, m.notice.text.In(m.Texts), limit)
	}
	chosen, found := m.stock.chosen()
	if m.form.open || !found || m.size.Width >= wide || m.size.Height < 6 {
		return nil
	}
	code := chosen.Code
	if code == "" {
		code = "—"
	}
	return []string{m.Theme.Muted.Render(words.Facts.With(code, i18n.Number(chosen.Uses)))}
}

// asks draws a question with its answers, which stay in view.
func (m Model) asks(question string, limit int) []string {
	rows := m.wrapped(m.Theme.WarningBlock.Render, question, max(0, limit-1))
	return append(rows, m.Texts.Asks.YesNo)
}

// wrapped breaks text into at most limit rows and dresses each. What is left
// out is marked.
func (m Model) wrapped(dress func(...string) string, text string, limit int) []string {
	rows := strings.Split(theme.Wrap(text, m.size.Width), "\n")
	if len(rows) > limit {
		rows = rows[:limit]
		if limit > 0 {
			rows[limit-1] = theme.Truncate(rows[limit-1]+" "+strings.Repeat("…", m.size.Width), m.size.Width)
		}
	}
	for i, row := range rows {
		rows[i] = dress(row)
	}
	return rows
}

// listHead is how many rows stand above the list.
func listHead(room int) int { return max(0, min(3, room-2)) }

// listRoom is how many articles there is room for.
func (m Model) listRoom() int {
	room := m.size.Height - len(m.foot())
	return max(1, room-listHead(room))
}

// list draws the heading, the filter, and the articles around the cursor: no
// more of them than there is room for. Where rows are few the filter matters
// most.
func (m Model) list(room int) []string {
	words, stock := m.Texts.Catalog, m.stock
	fit := max(0, room-listHead(room))
	first, end := stock.list.Window()
	visible := stock.shown[first:min(end, first+fit)]
	width := m.priceWidth(visible)
	count := words.Count.With(i18n.Number(int64(len(stock.shown))), i18n.Number(int64(len(stock.rows))))
	head := []string{
		m.filter.View(),
		theme.Spread(m.Theme.Strong.Render(words.Title), m.Theme.Muted.Render(count), m.size.Width),
		m.Theme.Muted.Render(m.row(width, words.Place, m.Texts.Sale.Article, m.Texts.Sale.Price, words.Code, words.Used)),
	}
	rows := head[:listHead(room)]
	if len(rows) > 1 {
		rows[0], rows[1] = rows[1], rows[0]
	}
	switch {
	case len(stock.rows) == 0:
		return append(rows[:min(2, len(rows))], m.wrapped(m.Theme.Muted.Render, words.Empty, max(0, room-len(rows)))...)
	case len(stock.shown) == 0:
		return append(rows[:min(2, len(rows))], m.wrapped(m.Theme.Muted.Render, words.NoneFit.With(m.filter.Value()), max(0, room-len(rows)))...)
	}
	for i, at := range visible {
		rows = append(rows, m.article(width, stock.rows[at].article, first+i == stock.list.Cursor()))
	}
	return rows
}

// article is one row of the list; a mark stands before the chosen one.
func (m Model) article(width int, article payments.Article, chosen bool) string {
	row := m.row(width, digit(article.Favourite), article.Label, i18n.Number(int64(article.UnitPrice)),
		article.Code, i18n.Number(article.Uses))
	if chosen {
		return m.Theme.Selected.Render("›" + row[1:])
	}
	return row
}

// priceWidth returns the width of the prices: that of the widest that is in view,
// so that none is cut and the labels have the rest.
func (m Model) priceWidth(visible []int) int {
	widest := max(minPrice, theme.Width(m.Texts.Sale.Price)+1)
	for _, at := range visible {
		widest = max(widest, theme.Width(i18n.Number(int64(m.stock.rows[at].article.UnitPrice)))+1)
	}
	return widest
}

// row lays out the columns; the label takes what is left.
func (m Model) row(width int, place, label, price, code, uses string) string {
	cells := theme.Right(price, width)
	if m.size.Width >= wide {
		cells += "  " + theme.Left(code, codeWidth) + theme.Right(uses, usesWidth)
	}
	return theme.Spread(" "+theme.Left(place, placeWidth)+label, cells, m.size.Width)
}

// formNames are the names of the fields.
func (m Model) formNames() [fieldCount]string {
	words := m.Texts.Catalog
	return [fieldCount]string{words.Label, m.Texts.Sale.Price, words.Code, words.Favourite}
}

// formIndent is how many columns the names of the fields take.
func (m Model) formIndent() int {
	widest := 0
	for _, name := range m.formNames() {
		widest = max(widest, theme.Width(name))
	}
	return min(widest+4, m.size.Width/2)
}

// formRows draws the form: as many of its fields as there is room for, the one
// with the cursor among them.
func (m Model) formRows(room int) []string {
	title := m.Texts.Catalog.New
	if m.form.was.ID != "" {
		title = m.Texts.Catalog.Editing.With(m.form.was.Label)
	}
	rows := []string{m.Theme.Strong.Render(theme.Truncate(title, m.size.Width)), ""}
	switch {
	case room < fieldCount+1:
		rows = nil
	case room < fieldCount+2:
		rows = rows[:1]
	}
	fit := max(0, min(fieldCount, room))
	first := max(0, min(m.form.focus-fit+1, fieldCount-fit))
	for i := first; i < first+fit; i++ {
		rows = append(rows, m.formRow(i))
	}
	return rows
}

func (m Model) formRow(i int) string {
	name := theme.Left(m.formNames()[i], m.formIndent()-3)
	if i == m.form.focus {
		return m.Theme.Accent.Render("› "+name) + " " + m.form.fields[i].View()
	}
	return m.Theme.Muted.Render("  "+name) + " " + m.form.fields[i].View()
}
