// Package sale is the screen on which a sale is entered: an entry line that
// always has the focus, the lines of the sale, and the question before it is
// charged. Every line is on disk before the next one is typed, and what was
// typed is never thrown away because it was not understood.
package sale

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// maxEntry bounds the entry line, in characters.
const maxEntry = 160

// Desk keeps the sales that are being entered.
type Desk interface {
	// Sales returns the till's unfinished sales, newest first.
	Sales(ctx context.Context, till string) ([]payments.Sale, error)
	// SaveSale stores a sale; one without items is dropped.
	SaveSale(ctx context.Context, sale payments.Sale) error
	// NewSale returns an empty sale.
	NewSale(till string) payments.Sale
}

// Charged is sent when the cashier confirmed the charge question and the sale
// is on disk. The screen takes no key until it has come back through Update, so
// that keys which were on their way charge nothing twice.
type Charged struct{ Terms payments.Terms }

// mode says what the keys mean.
type mode int

const (
	entering mode = iota // The entry line takes a new line.
	choosing             // A line is chosen.
	editing              // The entry line corrects the chosen line.
	asking               // The charge question is open.
	charging             // Confirmed; until Charged has come by.
)

// Model is the screen.
type Model struct {
	Config
	keys    keyMap
	input   textinput.Model
	sale    payments.Sale
	history [][]payments.Item // Undo, newest last.
	mode    mode
	cursor  int // The chosen line.
	notice  notice
	disk    disk
	size    size
}

// Config is what the screen needs.
type Config struct {
	Desk     Desk
	Run      live.Runner
	Till     string
	Articles []Article // May be empty.
	Welcome  string    // The settings file, to name in a welcome before the first line; blank for none.
	Theme    theme.Theme
	Texts    i18n.Texts
}

type size struct{ width, height int }

// notice is what the line above the entry says.
type notice struct {
	text  string
	fault bool
}

// New returns the screen with an empty sale. Init brings back the one that a
// power cut interrupted.
func New(config Config) Model {
	styles, texts := config.Theme, config.Texts
	input := textinput.New()
	input.Prompt, input.Placeholder, input.CharLimit = texts.Sale.Prompt, texts.Sale.Example, maxEntry
	input.PromptStyle, input.TextStyle = styles.Input.Prompt, styles.Input.Text
	input.PlaceholderStyle, input.Cursor.Style = styles.Input.Placeholder, styles.Input.Cursor
	// It would start a program that reads the clipboard; terminals paste by
	// themselves.
	input.KeyMap.Paste.SetEnabled(false)
	input.Focus()
	model := Model{
		Config: config, keys: newKeyMap(texts.Keys),
		input: input, sale: config.Desk.NewSale(config.Till),
	}
	model.keys.choose(false)
	return model
}

// Init brings back the sale that was being entered.
func (m Model) Init() tea.Cmd { return restore(m.Run, m.Desk, m.Till) }

// SetSize gives the screen its room, in cells.
func (m Model) SetSize(width, height int) Model {
	m.size = size{width, height}
	m.input.Width = max(1, width-theme.Width(m.input.Prompt)-1)
	// The part that is in view is chosen anew only when the cursor leaves it.
	position := m.input.Position()
	m.input.CursorEnd()
	m.input.SetCursor(position)
	return m
}

// Blank tells whether the entry line is empty and takes a new line, so that
// "?" may mean help.
func (m Model) Blank() bool { return m.input.Value() == "" && m.mode == entering }

// Sale returns the sale as it stands.
func (m Model) Sale() payments.Sale { return m.sale }

// Reset begins a new sale: the one before was charged.
func (m Model) Reset() Model {
	m.sale, m.history, m.notice = m.Desk.NewSale(m.Till), nil, notice{}
	m.input.Reset()
	return m.become(entering)
}

// Warn says in the line above the entry what is wrong, until the next key.
func (m Model) Warn(text string) Model {
	m.notice = notice{text: text, fault: true}
	return m
}

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case restored:
		return m.restored(msg)
	case saved:
		return m.saved(msg)
	case Charged:
		return m.become(entering), nil
	}
	return m, nil
}

func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case m.mode == charging:
		return m, nil
	case key.Matches(msg, m.keys.Undo):
		return m.undo()
	case m.mode == asking:
		return m.answer(msg)
	case m.mode == choosing:
		return m.choose(msg)
	case key.Matches(msg, m.keys.Enter):
		return m.enter()
	case key.Matches(msg, m.keys.Back):
		return m.back(), nil
	case m.mode == entering && key.Matches(msg, m.keys.Up) && len(m.sale.Items) > 0:
		m.cursor = len(m.sale.Items) - 1
		return m.become(choosing), nil
	}
	return m.write(msg)
}

// write hands a key to the entry line. What is typed or pasted is drawn at
// once, so it is cleaned at once.
func (m Model) write(msg tea.KeyMsg) (Model, tea.Cmd) {
	var cmd tea.Cmd
	m.input, cmd = m.input.Update(msg)
	if value := m.input.Value(); tidy(value) != value {
		before := tidy(string([]rune(value)[:m.input.Position()]))
		m.input.SetValue(tidy(value))
		m.input.SetCursor(utf8.RuneCountInString(before))
	}
	m.notice = notice{}
	return m, cmd
}

// tidy cleans a text that is being typed; the blank at its end stays.
func tidy(text string) string {
	clean := payments.Clean(text, 2*maxEntry)
	if clean != "" && strings.TrimRightFunc(text, unicode.IsSpace) != text {
		clean += " "
	}
	return clean
}

// become changes what the keys mean.
func (m Model) become(next mode) Model {
	m.mode = next
	m.keys.choose(next == choosing)
	return m
}

// back gives up a correction, or else the text of the entry line.
func (m Model) back() Model {
	m.notice = notice{}
	m.input.Reset()
	return m.become(entering)
}

// answer takes the answer to the charge question.
func (m Model) answer(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Charge):
		m = m.become(charging)
		return m.store()
	case key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	}
	return m, nil
}

// choose takes a key for the chosen line. A printable key goes back to the
// entry line, so that nothing that is typed is lost.
func (m Model) choose(msg tea.KeyMsg) (Model, tea.Cmd) {
	item := m.sale.Items[m.cursor]
	m.notice = notice{}
	switch {
	case key.Matches(msg, m.keys.Up):
		m.cursor = max(0, m.cursor-1)
	case key.Matches(msg, m.keys.Down) && m.cursor == len(m.sale.Items)-1, key.Matches(msg, m.keys.Back):
		return m.become(entering), nil
	case key.Matches(msg, m.keys.Down):
		m.cursor++
	case key.Matches(msg, m.keys.More):
		return m.replace(item.Label, item.UnitPrice, item.Quantity+1)
	case key.Matches(msg, m.keys.Less) && item.Quantity == 1:
		return m, nil
	case key.Matches(msg, m.keys.Less):
		return m.replace(item.Label, item.UnitPrice, item.Quantity-1)
	case key.Matches(msg, m.keys.Remove):
		return m.remove()
	case key.Matches(msg, m.keys.Edit):
		m.input.SetValue(Format(item))
		m.input.CursorEnd()
		return m.become(editing), nil
	case msg.Type == tea.KeyRunes:
		return m.become(entering).write(msg)
	}
	return m, nil
}
