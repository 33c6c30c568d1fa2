package catalog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/component/bars"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/question"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/entry"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

const (
	maxRemark   = 3  // Maximum number of rows of a notice.
	widestField = 32 // Maximum width of a field in the form.
)

// View draws the articles, and the details of the chosen article or the open form.
func (m Model) View() string { return m.master.Draw(m.view()) }

func (m Model) view() master.View {
	words := m.Texts.Catalog
	width := m.master.Width
	price := max(10, theme.Width(m.Texts.Sale.Price)+1)
	first, end := m.master.List.Window()
	for _, article := range m.shown[first:end] {
		price = max(price, theme.Width(i18n.Number(int64(article.UnitPrice)))+1)
	}
	view := master.View{
		Title: words.Title, Right: words.Count.With(i18n.Number(int64(len(m.shown))), i18n.Number(int64(len(m.all)))),
		Head:    []string{m.filter.Focus(!m.form.open).SetWidth(width).View()},
		Columns: m.row(width-2, price, words.Place, m.Texts.Sale.Article, m.Texts.Sale.Price, words.Code, m.Texts.Today.Title, words.Used),
		Row: func(i int) string {
			article := m.shown[i]
			return m.row(width-2, price, m.Theme.Accent.Render(place(article)), article.Label,
				m.Theme.Strong.Render(i18n.Number(int64(article.UnitPrice))), article.Code, m.soldToday(article), i18n.Number(article.Uses))
		},
		Empty: words.Empty, Detail: m.detail(), Keys: keybar.Of(m.Texts.KeyNames, m.ShortHelp()...),
	}
	if !m.form.open {
		view.Foot = m.foot(width, m.master.Rows-1)
	}
	if len(m.all) > 0 {
		view.Empty = words.NoneFit.With(m.filter.Value())
	}
	if short := 2*len(m.shown) < m.master.Rows; short && view.Foot == nil && len(m.all) > 0 {
		view.Foot = theme.Paragraph(m.Theme.Muted, words.Table, width, 0)
	}
	view.Below = m.takings(width, m.master.Rows-len(m.shown)-len(view.Foot))
	return view
}

func (m Model) soldToday(article payments.Article) string {
	sales, found := m.sold[article.Label]
	if !found {
		return ""
	}
	return wording.SoldQuantity(m.Texts, sales)
}

func (m Model) foot(width, rows int) []string {
	limit := max(1, min(maxRemark, rows))
	switch {
	case m.ask.says != nil:
		card := question.Card{Prompt: m.ask.says.In(m.Texts), Answers: question.YesNo(m.Texts, m.ask.does.In(m.Texts), m.ask.keeps.In(m.Texts))}
		return card.Rows(m.Theme, width, rows)
	case m.notice.fault:
		return theme.Paragraph(m.Theme.Danger, m.notice.text.In(m.Texts), width, limit)
	case m.notice.text != nil:
		return theme.Paragraph(m.Theme.Strong, m.notice.text.In(m.Texts), width, limit)
	}
	return nil
}

// Columns of a row, in the order in which they are dropped.
const (
	uses = iota
	today
	code
)

// takings draws bars for the listed articles with the largest sales of today, if there is room.
func (m Model) takings(width, height int) []string {
	const above, fewest, most = 6, 3, 12 // Rows above the bars; minimum and maximum number of bars.
	var sold []drawer.Sold
	for _, article := range m.shown {
		if sales, found := m.sold[article.Label]; found {
			sold = append(sold, sales)
		}
	}
	slices.SortStableFunc(sold, func(a, b drawer.Sold) int { return cmp.Compare(b.Amount, a.Amount) })
	shown := min(len(sold), height-above, most)
	if shown < min(fewest, len(sold)) || shown == 0 {
		return nil
	}
	var all []bars.Share
	for _, sales := range sold[:shown] {
		all = append(all, bars.Share{
			Name: sales.Label, Count: wording.SoldQuantity(m.Texts, sales), Amount: sales.Amount, Most: sold[0].Amount, Style: m.Theme.Flow,
		})
	}
	return append([]string{"", pane.Rule(m.Texts.Catalog.Sold), ""}, bars.Shares(m.Theme, all, width, 0)...)
}

func (m Model) row(width, price int, place, label, amount, barcode, sold, used string) string {
	const codes, fewest = 14, 18
	sales, counts := theme.Width(m.Texts.Today.Title)+2, theme.Width(m.Texts.Catalog.Used)+2
	places := theme.Width(m.Texts.Catalog.Place) + 2
	return fit.Row(width,
		fit.Fixed(theme.AlignLeft(place, places)), fit.Rest(fit.Must, fewest, label), fit.Fixed(theme.AlignRight(amount, price)),
		fit.Drop(code, "  "+theme.AlignLeft(barcode, codes)), fit.Drop(today, theme.AlignRight(sold, sales)),
		fit.Drop(uses, theme.AlignRight(used, counts)))
}

func place(article payments.Article) string {
	if article.Favourite == 0 {
		return ""
	}
	return strconv.Itoa(article.Favourite)
}

func (m Model) detail() master.Detail {
	width := m.master.DetailWidth
	words := m.Texts.Catalog
	var shown master.Detail
	if m.form.open {
		return m.formDetail(width)
	}
	article, found := m.chosen()
	if !found {
		return shown
	}
	shown.Title = article.Label
	facts := []string{
		master.Fact(m.Theme, words.Code, article.Code),
		master.Fact(m.Theme, words.Unit, article.Unit),
		master.Fact(m.Theme, words.Favourite, place(article)),
		master.Fact(m.Theme, words.Used, i18n.Number(article.Uses)),
	}
	if sales, found := m.sold[article.Label]; found {
		facts = append(facts, master.Fact(m.Theme, words.Sold, wording.SoldQuantity(m.Texts, sales)+" · "+i18n.Money(sales.Amount)))
	}
	sells := slices.Concat([]string{"", pane.Rule(words.Sells), ""}, m.ways(article, width))
	for _, form := range []struct {
		figures, air, gap int
		sells             []string
	}{{figures.Large, 1, 2, sells}, {figures.Large, 1, 2, nil}, {figures.Small, 1, 1, nil}, {figures.Small, 0, 1, nil}, {1, 0, 0, nil}} {
		price := figures.Amount(m.Theme, i18n.Money(article.UnitPrice), width, form.figures)
		shown.Rows = slices.Concat(make([]string, form.air), price, make([]string, form.gap), facts, form.sells)
		if len(shown.Rows) <= m.master.Rows {
			break
		}
	}
	return shown
}

// ways says what to type on the sale screen to add the article.
func (m Model) ways(article payments.Article, width int) (rows []string) {
	const most = 15 // Width of the column with what to type.
	words, forms := m.Texts.Catalog, m.Texts.Guide.Forms
	name, _, _ := strings.Cut(entry.Fold(article.Label), " ")
	ways := [][2]string{{name, words.ByName}, {"2*" + name, forms[entry.FormSeveral]}}
	if article.Unit != "" {
		ways[1] = [2]string{"0" + m.Texts.Sale.DecimalMark + "75*" + name, forms[entry.FormMeasure]}
	}
	if article.Favourite > 0 {
		ways = slices.Insert(ways, 0, [2]string{"Alt " + place(article), words.One})
	}
	if article.Code != "" {
		ways = append(ways, [2]string{article.Code, words.ByCode})
	}
	for _, way := range ways {
		typed := theme.AlignLeft(m.Theme.Accent.Render(theme.Truncate(way[0], most)), most+2)
		rows = append(rows, theme.Hang(typed, way[1], width)...)
	}
	return rows
}

// formDetail draws the open form, with a hint for each field if there is space.
func (m Model) formDetail(width int) (shown master.Detail) {
	words := m.Texts.Catalog
	shown.Title, shown.Asks = words.New, true
	if m.form.was.ID != "" {
		shown.Title = words.Editing.With(m.form.was.Label)
	}
	names := []string{words.Label, m.Texts.Sale.Price, words.Code, words.Unit}
	indent := min(theme.Width(strings.Join(names, "\n"))+4, width/2)
	wide := min(width-indent, widestField)
	hints := []string{words.HintLabel, words.HintPrice, words.HintCode, words.HintUnit}
	var hinted []string
	for i, name := range names {
		row := "  " + theme.AlignLeft(name, indent-2)
		if i == m.form.focus {
			row = m.Theme.Accent.Render("› " + theme.AlignLeft(name, indent-2))
		}
		row += m.form.fields[i].Box(wide)
		shown.Rows = append(shown.Rows, row)
		hinted = append(append(hinted, row), theme.Indent(theme.Paragraph(m.Theme.Muted, hints[i], width-2, 0), 2)...)
		hinted = append(hinted, "")
	}
	foot := m.foot(width, m.master.Rows-len(shown.Rows))
	switch {
	case len(hinted)+len(foot)+1 <= m.master.Rows:
		shown.Rows = append([]string{""}, hinted...)
	case len(shown.Rows)+len(foot)+2 <= m.master.Rows:
		shown.Rows = slices.Concat([]string{""}, shown.Rows, []string{""})
	}
	shown.Rows = append(shown.Rows, foot...)
	if article, _, hint := m.read(); hint == nil && foot == nil {
		sells := slices.Concat([]string{pane.Rule(words.Sells), ""}, m.ways(article, width))
		if len(shown.Rows)+len(sells) <= m.master.Rows {
			shown.Rows = append(shown.Rows, sells...)
		}
	}
	return shown
}

type keyMap struct {
	New, Edit, Place, Remove, Back key.Binding // Keys for the list of articles.
	Next, FieldDown, FieldUp, Save key.Binding // Keys for the form.
	screen.Answers
}

func newKeyMap(texts i18n.Texts) keyMap {
	words, bind := texts.Keys, screen.Bind
	return keyMap{
		New:       bind("ctrl+n", words.New, "ctrl+n", "insert"),
		Edit:      bind("enter", words.Edit, "enter"),
		Place:     bind("alt+0…9", words.Place, "alt+0", "alt+1", "alt+2", "alt+3", "alt+4", "alt+5", "alt+6", "alt+7", "alt+8", "alt+9"),
		Remove:    bind("del", words.Remove, "delete", "ctrl+d"),
		Back:      bind("esc", words.Back, "esc"),
		Next:      bind("enter", words.Next, "enter"),
		FieldDown: bind("tab", words.Field, "tab", "down"),
		FieldUp:   bind("tab", words.Field, "shift+tab", "up"),
		Save:      bind("ctrl+s", words.Save, "ctrl+s"),
		Answers:   screen.NewAnswers(),
	}
}

// ShortHelp returns the keys for the border of a pane.
func (m Model) ShortHelp() []key.Binding {
	switch {
	case m.ask.says != nil:
		return nil // The open question shows its own keys.
	case m.form.open:
		return []key.Binding{m.keys.Next, m.keys.Save, m.keys.Back, m.keys.FieldDown}
	}
	return []key.Binding{m.keys.New, m.keys.Edit, m.keys.Back, m.keys.Place, m.keys.Remove, m.master.List.Keys.Move}
}

// FullHelp returns the keys of the screen for the help (F1), in groups.
func (m Model) FullHelp() []screen.Keys {
	all, words := m.keys, m.Texts.Guide
	return []screen.Keys{
		{Title: words.Lists, Keys: append(m.master.List.FullHelp(), all.Back)},
		{Title: m.Texts.Bar.Articles, Keys: []key.Binding{all.New, all.Edit, all.Place, all.Remove}},
		{Title: words.Form, Keys: []key.Binding{all.Next, all.FieldDown, all.Save}},
	}
}
