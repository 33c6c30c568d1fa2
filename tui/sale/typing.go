package sale

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// typed takes a key while the entry line takes a new line.
func (m Model) typed(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case m.choice.offered() && key.Matches(msg, m.keys.Pick.Next):
		return m.chosen(+1), nil
	case m.choice.offered() && key.Matches(msg, m.keys.Pick.Previous):
		return m.chosen(-1), nil
	case key.Matches(msg, m.keys.Enter):
		return m.enter()
	case key.Matches(msg, m.keys.Back):
		return m.back(), nil
	case key.Matches(msg, m.keys.Line.Up) && len(m.sale.Items) > 0:
		m.cursor = len(m.sale.Items) - 1
		return m.become(choosing), nil
	}
	return m.write(msg)
}

// back gives up the choice of an article, or else the text of the entry line.
func (m Model) back() Model {
	m.notice = notice{}
	if m.choice.chosen > 0 {
		m.choice.chosen = 0
		return m
	}
	m.input.Reset()
	return m.become(entering)
}

// write hands a key to the entry line. What is typed or pasted is drawn at
// once, so it is cleaned at once.
func (m Model) write(msg tea.KeyMsg) (Model, tea.Cmd) {
	var cmd tea.Cmd
	before := m.input.Value()
	m.input.Model, cmd = m.input.Update(msg)
	if value := m.input.Value(); tidy(value) != value {
		head := tidy(string([]rune(value)[:m.input.Position()]))
		m.input.SetValue(tidy(value))
		m.input.SetCursor(utf8.RuneCountInString(head))
	}
	m.notice = notice{}
	if m.input.Value() != before {
		m = m.suggest()
	}
	return m, cmd
}

// tidy cleans a text that is being typed; the blank at its end stays.
func tidy(text string) string {
	clean := payments.Clean(text, 2*entry.MaxWidth)
	if clean != "" && strings.TrimRightFunc(text, unicode.IsSpace) != text {
		clean += " "
	}
	return clean
}

// become changes what the keys mean.
func (m Model) become(next mode) Model {
	m.mode, m.input.Placeholder = next, m.Texts.Sale.Example
	switch next {
	case editing, discounting, noting:
		m.input.Placeholder = ""
	case naming:
		m.input.Placeholder = m.held.name()
	}
	return m.suggest()
}

// ask lets the entry line take something else than a new line: value stands in
// it. What was typed comes back afterwards.
func (m Model) ask(next mode, value string) Model {
	m.input.draft, m.notice = m.input.Value(), notice{}
	m.input.SetValue(value)
	m.input.CursorEnd()
	return m.become(next)
}

// told gives the entry line back to new lines.
func (m Model) told() Model {
	m.input.SetValue(m.input.draft)
	m.input.draft = ""
	m.input.CursorEnd()
	return m.become(entering)
}

// fill takes a key while the entry line takes something else than a new line.
func (m Model) fill(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Back):
		m.notice = notice{}
		return m.told(), nil
	case !key.Matches(msg, m.keys.Enter):
		return m.write(msg)
	}
	switch text := strings.TrimSpace(m.input.Value()); m.mode {
	case noting:
		return m.keepNote(text)
	case naming:
		return m.hold(text)
	case discounting:
		return m.reduce(text)
	default:
		return m.correct(text)
	}
}
