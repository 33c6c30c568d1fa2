package catalog

import (
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
)

// maxRemark is how many rows a remark takes at most; the list has the rest.
const maxRemark = 3

func (m Model) grid() layout.Layout { return layout.Of(m.size.Width, m.size.Height+2) }

// room is the room for the content of the list, and for that of an article.
func (m Model) room() (list, detail, rows int) { return m.grid().Rooms(m.size.Height) }

// fit gives the list and the fields their room.
func (m Model) fit() Model {
	list, detail, rows := m.room()
	m.filter = m.filter.SetWidth(list)
	m.form = m.form.setWidth(detail - m.formIndent())
	m.stock.list = m.stock.list.SetRoom(max(1, rows-m.listHead()-len(m.foot(list))))
	return m
}

// View draws the screen in the room it was given: the articles, and beside them
// the one under the cursor or its form; in a narrow window one of them.
func (m Model) View() string {
	grid, height := m.grid(), m.size.Height
	switch {
	case grid.Detail > 0:
		return theme.Beside(m.listPane().Draw(m.Theme, grid.List, height), " ", m.articlePane().Draw(m.Theme, grid.Detail, height))
	case m.form.open:
		return m.articlePane().Draw(m.Theme, m.size.Width, height)
	}
	return m.listPane().Draw(m.Theme, grid.List, height)
}

// listHead is how many rows stand above the articles.
func (m Model) listHead() int {
	_, _, rows := m.room()
	return max(0, min(m.grid().Air+2, rows-2))
}

// listPane is the list with its filter, and below it a question or a notice.
func (m Model) listPane() pane.Pane {
	words, stock := m.Texts.Catalog, m.stock
	width, _, rows := m.room()
	first, end := stock.list.Window()
	price := m.priceWidth(stock.shown[first:end])
	head := append(make([]string, m.grid().Air), m.filter.View(),
		m.Theme.Muted.Render(theme.Truncate("  "+m.row(width-2, price, words.Place, m.Texts.Sale.Article, m.Texts.Sale.Price, words.Code, words.Used), width)))
	shown := pane.Pane{
		Frame: m.grid().Frame, Title: words.Title, Foot: stock.list.Position(""), Keys: !m.form.open, Scroll: stock.list.Scroll(len(head)),
		Right: words.Count.With(i18n.Number(int64(len(stock.shown))), i18n.Number(int64(len(stock.rows)))),
	}
	empty := ""
	switch {
	case len(stock.rows) == 0:
		empty = words.Empty
	case len(stock.shown) == 0:
		empty = words.NoneFit.With(m.filter.Value())
	}
	foot := m.foot(width)
	if empty != "" {
		shown.Rows = slices.Concat(head[:len(head)-1], strings.Split(theme.Wrap(empty, width), "\n"))
	} else {
		shown.Rows = slices.Concat(head[len(head)-m.listHead():], stock.list.Rows(m.Theme, width, func(i int) string {
			return m.article(width-2, price, stock.rows[stock.shown[i]].article)
		}, nil))
	}
	return ended(shown, foot, rows)
}

// ended puts rows at the end of a pane's content.
func ended(shown pane.Pane, last []string, rows int) pane.Pane {
	for len(shown.Rows) < rows {
		shown.Rows = append(shown.Rows, "")
	}
	shown.Rows = append(shown.Rows[:max(0, rows-len(last))], last...)
	return shown
}

// foot is the question, the notice, or, where the list has no room for it, what
// else is known of the chosen article.
func (m Model) foot(width int) []string {
	words, limit := m.Texts.Catalog, max(0, min(maxRemark, m.size.Height-1))
	switch {
	case m.question == askDelete:
		return m.asks(words.Delete.With(m.doomed.Label), width, limit)
	case m.question == askDiscard:
		return m.asks(words.Discard, width, limit)
	case m.notice.fault:
		return m.wrapped(m.Theme.Danger.Render, m.notice.text.In(m.Texts), width, limit)
	case m.notice.text != nil:
		return m.wrapped(m.Theme.Accent.Render, m.notice.text.In(m.Texts), width, limit)
	}
	chosen, found := m.stock.chosen()
	if m.form.open || !found || m.grid().Detail > 0 || m.coded(width) || m.size.Height < 6 {
		return nil
	}
	code := chosen.Code
	if code == "" {
		code = "—"
	}
	return []string{theme.Truncate(words.Facts.With(code, i18n.Number(chosen.Uses)), width)}
}

// asks draws a question with its answers, which stay in view.
func (m Model) asks(question string, width, limit int) []string {
	rows := m.wrapped(m.Theme.Strong.Render, question, width, max(0, limit-1))
	return append(rows, m.Texts.Asks.YesNo)
}

// wrapped breaks text into at most limit rows and dresses each. What is left
// out is marked.
func (m Model) wrapped(dress func(...string) string, text string, width, limit int) []string {
	rows := strings.Split(theme.Wrap(text, width), "\n")
	if len(rows) > limit {
		rows = rows[:limit]
		if limit > 0 {
			rows[limit-1] = theme.Truncate(rows[limit-1]+" "+strings.Repeat("…", width), width)
		}
	}
	for i, row := range rows {
		rows[i] = dress(row)
	}
	return rows
}

// coded tells whether code and use have columns.
func (m Model) coded(width int) bool { return width >= 68 }

// article is one row of the list.
func (m Model) article(width, price int, article payments.Article) string {
	return m.row(width, price, m.Theme.Accent.Render(digit(article.Favourite)), article.Label,
		m.Theme.Strong.Render(i18n.Number(int64(article.UnitPrice))), article.Code, i18n.Number(article.Uses))
}

// priceWidth returns the width of the prices: that of the widest that is in view,
// so that none is cut and the labels have the rest.
func (m Model) priceWidth(visible []int) int {
	widest := max(10, theme.Width(m.Texts.Sale.Price)+1)
	for _, at := range visible {
		widest = max(widest, theme.Width(i18n.Number(int64(m.stock.rows[at].article.UnitPrice)))+1)
	}
	return widest
}

// row lays out the columns; the label takes what is left.
func (m Model) row(width, price int, place, label, amount, code, uses string) string {
	const codes, counts = 14, 7
	places := theme.Width(m.Texts.Catalog.Place) + 2
	cells := theme.Right(amount, price)
	if m.coded(width + 2) {
		cells += "  " + theme.Left(code, codes) + theme.Right(uses, counts)
	}
	return theme.Spread(theme.Left(place, places)+label, cells, width)
}

// articlePane is the form, or the article under the cursor.
func (m Model) articlePane() pane.Pane {
	words := m.Texts.Catalog
	_, width, rows := m.room()
	shown := pane.Pane{Frame: m.grid().Frame, Keys: m.form.open, Rows: make([]string, m.grid().Air)}
	if m.form.open {
		shown.Title = words.New
		if m.form.was.ID != "" {
			shown.Title = words.Editing.With(m.form.was.Label)
		}
		var last []string
		if m.grid().Detail == 0 {
			last = m.foot(width)
		}
		fit := max(1, min(fieldCount, rows-len(last)))
		first := max(0, min(m.form.focus-fit+1, fieldCount-fit))
		if rows-len(last) < fieldCount+len(shown.Rows) {
			shown.Rows = nil
		}
		for i := first; i < first+fit; i++ {
			shown.Rows = append(shown.Rows, m.formRow(i))
		}
		return ended(shown, last, rows)
	}
	article, found := m.stock.chosen()
	if !found {
		return shown
	}
	shown.Title = article.Label
	price := figures.Fit(m.Theme, i18n.Money(article.UnitPrice), width, m.grid().FiguresIn(width))
	if price == nil {
		price = []string{i18n.Money(article.UnitPrice)}
	}
	for _, row := range price {
		shown.Rows = append(shown.Rows, m.Theme.Strong.Render(row))
	}
	shown.Rows = append(shown.Rows, make([]string, m.grid().Part)...)
	fact := func(name, value string) {
		if value == "" {
			value = "—"
		}
		shown.Rows = append(shown.Rows, m.Theme.Muted.Render(theme.Left(name, 18))+value)
	}
	fact(words.Code, article.Code)
	fact(words.Favourite, digit(article.Favourite))
	fact(words.Used, i18n.Number(article.Uses))
	return shown
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
	_, width, _ := m.room()
	return min(widest+4, width/2)
}

func (m Model) formRow(i int) string {
	name := theme.Left(m.formNames()[i], m.formIndent()-3)
	if i == m.form.focus {
		return m.Theme.Accent.Render("› "+name) + " " + m.form.fields[i].View()
	}
	return "  " + name + " " + m.form.fields[i].View()
}
