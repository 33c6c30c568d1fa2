package catalog

import (
	"errors"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/field"
	"checkout/till/tui/theme"
)

// The fields of the form, in their order.
const (
	labelField = iota
	priceField
	codeField
	fieldCount
)

type form struct {
	open   bool
	was    payments.Article // Without an ID for a new one.
	fields [fieldCount]field.Field
	focus  int
}

func (m Model) edit(article payments.Article) Model {
	f := form{open: true, was: article}
	for i, limit := range []int{payments.MaxLabelWidth, 20, payments.MaxCodeLength} {
		f.fields[i] = field.New(m.Theme, "", limit).With(f.began()[i])
	}
	m.form = f.to(labelField)
	return m.fit()
}

// Add opens the form for a new article of which a label or a code is known, unless
// one is open already.
func (m Model) Add(text string) Model {
	if m.form.open {
		return m
	}
	m = m.edit(payments.Article{})
	at := labelField
	if len(text) >= 6 && strings.Trim(text, "0123456789") == "" {
		at = codeField // A scanner typed it.
	}
	m.form.fields[at] = m.form.fields[at].With(text)
	if at == labelField && text != "" {
		m.form = m.form.to(priceField)
	}
	return m.fit()
}

// began are the fields as they were before anything was typed.
func (f form) began() (began [fieldCount]string) {
	if f.was.ID != "" {
		began = [fieldCount]string{f.was.Label, f.was.UnitPrice.String(), f.was.Code}
	}
	return began
}

// digit writes a place; none is blank.
func digit(favourite int) string {
	if favourite == 0 {
		return ""
	}
	return strconv.Itoa(favourite)
}

func (f form) setWidth(width int) form {
	for i := range f.fields {
		f.fields[i] = f.fields[i].SetWidth(width)
	}
	return f
}

// to puts the cursor into a field; after the last one comes the first.
func (f form) to(at int) form {
	f.focus = (at + fieldCount) % fieldCount
	for i := range f.fields {
		f.fields[i] = f.fields[i].Focus(i == f.focus)
	}
	return f
}

func (m Model) closed() (Model, tea.Cmd) {
	m.form = form{}
	return m, nil
}

// touched tells whether something was typed that would be lost.
func (f form) touched() bool {
	var typed [fieldCount]string
	for i := range f.fields {
		typed[i] = f.fields[i].Value()
	}
	return typed != f.began()
}

func (m Model) fill(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Back):
		if !m.form.touched() {
			return m.closed()
		}
		m.ask = ask{says: func(t i18n.Texts) string { return t.Catalog.Discard }, yes: Model.closed}
	case key.Matches(msg, m.keys.Save):
		return m.submit()
	case key.Matches(msg, m.keys.Next):
		return m.next()
	case key.Matches(msg, m.keys.FieldDown):
		m.form = m.form.to(m.form.focus + 1)
	case key.Matches(msg, m.keys.FieldUp):
		m.form = m.form.to(m.form.focus - 1)
	default:
		var cmd tea.Cmd
		m.form.fields[m.form.focus], cmd = m.form.fields[m.form.focus].Type(msg)
		return m, cmd
	}
	return m, nil
}

// enterSaves tells whether Enter saves, rather than to go on to the next field.
func (f form) enterSaves() bool { return f.focus == codeField }

// next goes on from a field that is sound, and saves after the code: a scanner
// ends it with Enter.
func (m Model) next() (Model, tea.Cmd) {
	if m.form.enterSaves() {
		return m.submit()
	}
	if _, wrong, hint := m.read(); hint != nil && wrong <= m.form.focus {
		return m.refuse(wrong, hint), nil
	}
	m.form = m.form.to(m.form.focus + 1)
	return m, nil
}

func (m Model) refuse(at int, hint i18n.Message) Model {
	if m.form.open {
		m.form = m.form.to(at)
	}
	return m.fault(hint)
}

// submit saves the article, or says what is wrong with it.
func (m Model) submit() (Model, tea.Cmd) {
	article, wrong, hint := m.read()
	switch {
	case hint != nil:
		return m.refuse(wrong, hint), nil
	case article == m.form.was:
		return m.closed()
	}
	return m.save(article, func(t i18n.Texts) string { return t.CatalogNews.Saved.With(article.Label) })
}

// read returns the article that was typed, or else the first field that is
// wrong and what to do about it.
func (m Model) read() (article payments.Article, wrong int, hint i18n.Message) {
	f := m.form
	label, code := f.fields[labelField].Value(), f.fields[codeField].Value()
	if label == "" {
		return article, labelField, func(t i18n.Texts) string { return t.CatalogNews.NoLabel }
	}
	price, err := payments.ParseAriary(f.fields[priceField].Value())
	switch {
	case errors.Is(err, payments.ErrTooLarge):
		return article, priceField, func(t i18n.Texts) string { return t.Hints.TooLarge }
	case err != nil:
		return article, priceField, func(t i18n.Texts) string { return t.Hints.BadPrice }
	}
	article, err = payments.NewArticle(label, price, code)
	if err != nil {
		return article, codeField, func(t i18n.Texts) string { return t.CatalogNews.BadCode.With(payments.MaxCodeLength) }
	}
	article.ID, article.Uses, article.Favourite = f.was.ID, f.was.Uses, f.was.Favourite
	return article, 0, nil
}

func (m Model) formNames() [fieldCount]string {
	words := m.Texts.Catalog
	return [fieldCount]string{words.Label, m.Texts.Sale.Price, words.Code}
}

// formIndent is how many columns the names of the fields take.
func (m Model) formIndent() int {
	widest := 0
	for _, name := range m.formNames() {
		widest = max(widest, theme.Width(name))
	}
	_, width, _ := m.master.Rooms()
	return min(widest+4, width/2)
}

func (m Model) formRows() []string {
	var rows []string
	for i, name := range m.formNames() {
		row := "  " + theme.Left(name, m.formIndent()-3)
		if i == m.form.focus {
			row = m.Theme.Accent.Render("› " + theme.Left(name, m.formIndent()-3))
		}
		rows = append(rows, row+" "+m.form.fields[i].View())
	}
	return rows
}
