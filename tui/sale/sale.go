// Package sale is the screen on which a sale is entered: an entry line that
// always has the focus, the lines of the sale, and the question before it is
// charged. Every line is on disk before the next one is typed, what was typed
// is never thrown away because it was not understood, and typing is never the
// answer to a question.
package sale

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/entry"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Desk keeps the sales that are being entered or held, and the catalogue.
type Desk interface {
	// Sales returns the till's unfinished sales, newest first.
	Sales(ctx context.Context, till string) ([]payments.Sale, error)
	// SaveSale stores a sale; one without items and description is dropped.
	SaveSale(ctx context.Context, sale payments.Sale) error
	// NewSale returns an empty sale.
	NewSale(till string) payments.Sale
	// Articles returns the catalogue.
	Articles(ctx context.Context) ([]payments.Article, error)
}

// Charged is sent when the cashier confirmed the charge question and the sale
// is on disk. The screen takes no key until it has come back through Update, so
// that keys which were on their way charge nothing twice.
type Charged struct{ Terms payments.Terms }

// mode says what the keys mean.
type mode int

const (
	entering     mode = iota // The entry line takes a new line.
	choosing                 // A line is chosen.
	editing                  // The entry line corrects the chosen line.
	discounting              // The entry line takes a price for the chosen line.
	noting                   // The entry line takes the note to the customer.
	naming                   // The entry line takes the name to hold the sale by.
	resuming                 // The held sales are listed.
	droppingHeld             // The question is open whether to drop a held sale.
	dropping                 // The question is open whether to drop the sale.
	asking                   // The charge question is open.
	charging                 // Confirmed; until Charged has come by.
)

// Model is the screen.
type Model struct {
	Config
	keys     keyMap
	line     field.Field
	draft    string // What stood in the entry line before it took something else.
	cart     cart.Cart
	mode     mode
	cursor   int       // The chosen line.
	list     list.List // Of the held sales.
	notice   notice
	stock    stock
	choice   choice
	question question
	disk     disk
	size     screen.Size
	strip    string // Between the sale and the entry line.
}

// Config is what the screen needs.
type Config struct {
	Desk Desk
	Run  live.Runner
	Till string
	Now  payments.Clock
	Zone *time.Location
	// Welcome is the settings file, to name in a welcome before the first line;
	// blank for none.
	Welcome string
	Theme   theme.Theme
	Texts   i18n.Texts
}

// notice is what the line above the entry says.
type notice struct {
	message i18n.Message
	fault   bool
	line    int // The line of which it speaks, from 1; 0 for none.
}

// New returns the screen with an empty sale and without articles. Init reads
// them, and brings back the sale that a power cut interrupted.
func New(config Config) Model {
	// What is too long for an entry shall be seen to be, rather than cut.
	line := field.New(config.Theme, prompt, 2*entry.MaxWidth).Focus(true)
	return Model{
		Config: config, keys: newKeyMap(config.Texts), line: line,
		list: list.New(config.Texts, false),
		cart: cart.New(func() payments.Sale { return config.Desk.NewSale(config.Till) }),
	}
}

// Init reads the articles, and brings back the sale that was being entered and
// those that were held.
func (m Model) Init() tea.Cmd {
	return tea.Batch(restore(m.Run, m.Desk, m.Till), func() tea.Msg { return Restock{} })
}

// SetSize gives the screen its room in cells: the window but for the header and
// the bar of keys. It takes the columns of the sale and of the favourites in the
// window's layout, and all of the rows.
func (m Model) SetSize(width, height int) Model {
	m.size = screen.Size{Width: width, Height: height}
	m.list = m.list.SetRoom(max(1, height-2*tileRows))
	return m
}

// SetTexts changes the language. The sale, what was typed, a question that is
// open and what can be undone stay as they are.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.keys = texts, newKeyMap(texts)
	m.list = m.list.SetTexts(texts)
	return m.become(m.mode)
}

// Blank tells whether the entry line is empty and takes a new line, so that
// "?" may mean help.
func (m Model) Blank() bool { return m.line.Empty() && m.mode == entering }

// Sale returns the sale as it stands.
func (m Model) Sale() payments.Sale { return m.cart.Sale() }

// Held is how many sales are held.
func (m Model) Held() int { return len(m.cart.Held()) }

// Accepted tells the screen that an order of a sale was made. When that is the
// one being entered a new one begins; a held one is held no more.
func (m Model) Accepted(sale string) Model {
	current := m.cart.Sale().ID == sale
	if m.cart = m.cart.Charged(sale); !current {
		return m.relist()
	}
	m.draft, m.notice, m.line = "", notice{}, m.line.With("")
	return m.become(entering)
}

// Warn says in the line above the entry what is wrong, until the next key.
func (m Model) Warn(message i18n.Message) Model {
	m.notice = notice{message: message, fault: true}
	return m
}

// Say says something in the line above the entry, until the next key.
func (m Model) Say(message i18n.Message) Model {
	m.notice = notice{message: message}
	return m
}

// Update handles a message.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case live.State:
		return m.look(msg)
	case Restock:
		return m.restock()
	case live.Loaded[entry.Shelf]:
		return m.stocked(msg)
	case restored:
		return m.restored(msg)
	case saved:
		return m.saved(msg)
	case settled:
		return m.settle()
	case Charged:
		return m.become(entering), nil
	}
	return m, nil
}

// look takes in the picture of the moment, and does what was waiting for it.
func (m Model) look(state live.State) (Model, tea.Cmd) {
	var cmds [3]tea.Cmd
	m, cmds[0] = m.stockTaken(state)
	if m.disk.failing {
		m, cmds[1] = m.flush()
	}
	m, cmds[2] = m.settle()
	return m, tea.Batch(cmds[:]...)
}

// press hands a key to whatever is open.
func (m Model) press(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch m.mode {
	case charging:
		return m, nil
	case resuming, droppingHeld:
		return m.pick(msg)
	case noting, naming, discounting:
		return m.fill(msg)
	}
	if key.Matches(msg, m.keys.Undo) {
		return m.undo()
	}
	switch m.mode {
	case asking, dropping:
		return m.answer(msg)
	case editing:
		return m.fill(msg)
	}
	switch {
	case key.Matches(msg, m.keys.Note):
		return m.ask(noting, m.cart.Sale().Description), nil
	case key.Matches(msg, m.keys.Favourite):
		return m.favourite(place(msg))
	case m.mode == choosing:
		return m.choose(msg)
	}
	return m.typed(msg)
}
