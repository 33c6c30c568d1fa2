package catalog

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/payments/money"
	"checkout/till/tui/component/field"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/wording/errortext"
)

const (
	labelField = iota
	priceField
	codeField
	unitField // The last field: Enter in it saves the article.
	fieldCount
)

type form struct {
	open   bool
	was    payments.Article   // The article before the change; a new one has no ID.
	began  [fieldCount]string // Texts of the fields when the form was opened.
	fields [fieldCount]field.Field
	focus  int
}

func (m Model) edit(article payments.Article) Model {
	f := form{open: true, was: article}
	if article.ID != "" {
		f.began = [fieldCount]string{article.Label, article.UnitPrice.String(), article.Code, article.Unit}
	}
	for i, limit := range []int{payments.MaxLabelWidth, 20, payments.MaxCodeLength, 10} {
		f.fields[i] = field.New(m.Theme, "", limit).SetText(f.began[i])
	}
	m.form = f.to(labelField)
	return m.fit()
}

// add opens the form for a new article, unless a form is open. A text of six or more digits becomes
// the code, any other text the label.
func (m Model) add(text string) Model {
	if m.form.open {
		return m
	}
	if len(text) >= 6 && strings.Trim(text, "0123456789") == "" {
		return m.addCode(text)
	}
	m = m.edit(payments.Article{})
	m.form.fields[labelField] = m.form.fields[labelField].SetText(text)
	if text != "" {
		m.form = m.form.to(priceField)
	}
	return m.fit()
}

func (m Model) addCode(code string) Model {
	if m.form.open {
		return m
	}
	m = m.edit(payments.Article{})
	m.form.fields[codeField] = m.form.fields[codeField].SetText(code)
	return m.fit()
}

// scan writes a scanned code into the open form. If no form is open, it finds the article, or opens
// the form for a new article.
func (m Model) scan(scan keyboard.Scan) Model {
	if m.ask, m.notice = (ask{}), (notice{}); !m.form.open {
		m = m.find(m.filter.SetText(scan.Code))
		if len(m.shown) > 0 {
			return m
		}
		return m.addCode(scan.Code)
	}
	typed := m.form.fields[m.form.focus]
	m.form.fields[m.form.focus] = typed.Untype(scan.Typed)
	m.form.fields[codeField] = m.form.fields[codeField].SetText(scan.Code)
	return m
}

// to moves the cursor to a field; the first one follows the last.
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

// fill handles a key while the form is open.
func (m Model) fill(msg tea.KeyMsg) (Model, tea.Cmd) {
	next := key.Matches(msg, m.keys.Next)
	switch {
	case key.Matches(msg, m.keys.Back):
		for i, field := range m.form.fields {
			if field.Value() != m.form.began[i] {
				m.ask = ask{says: discard, does: discards, keeps: goesOn, yes: Model.closed}
				return m, nil
			}
		}
		return m.closed()
	case key.Matches(msg, m.keys.Save), next && m.form.focus == unitField:
		article, wrong, hint := m.read()
		switch {
		case hint != nil:
			return m.refuse(wrong, hint), nil
		case article == m.form.was:
			return m.closed()
		}
		return written{say: messages(article).saved, was: m.form.was, article: article}.start(m)
	case next:
		if _, wrong, hint := m.read(); hint != nil && wrong <= m.form.focus {
			return m.refuse(wrong, hint), nil
		}
		m.form = m.form.to(m.form.focus + 1)
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

func (m Model) refuse(at int, hint i18n.Message) Model {
	if m.form.open {
		m.form = m.form.to(at)
	}
	return m.fault(hint)
}

func discard(t i18n.Texts) string { return t.Catalog.Discard }
func noLabel(t i18n.Texts) string { return t.Catalog.NoLabel }
func badUnit(t i18n.Texts) string { return t.Catalog.BadUnit }
func badCode(t i18n.Texts) string { return t.Catalog.BadCode.With(payments.MaxCodeLength) }

// read returns the article in the form. For an invalid field, it returns the field's index and a
// hint.
func (m Model) read() (article payments.Article, wrong int, hint i18n.Message) {
	f := m.form
	label, code := f.fields[labelField].Value(), f.fields[codeField].Value()
	if label == "" {
		return article, labelField, noLabel
	}
	price, err := money.ParseAriary(f.fields[priceField].Value())
	if err != nil {
		return article, priceField, errortext.NotDone(err)
	}
	article, err = payments.NewArticle(label, price, code)
	if err != nil {
		return article, codeField, badCode
	}
	unit, known := catalog.ParseUnit(f.fields[unitField].Value())
	if !known && f.fields[unitField].Value() != "" {
		return article, unitField, badUnit
	}
	article.Unit = unit
	article.ID = f.was.ID
	article.Uses = f.was.Uses
	article.Favourite = f.was.Favourite
	return article, 0, nil
}
