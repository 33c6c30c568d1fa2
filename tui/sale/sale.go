// Package sale is the screen on which a sale is entered: an entry line that
// always has the focus, the lines of the sale, and the question before it is
// charged. Every change is queued at once and written to disk in the background, one
// write at a time, and nothing is charged before all is on disk. What was typed is
// never thrown away because it was not understood, and typing is never the answer
// to a question.
package sale

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/list"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/entry"
	"checkout/till/tui/live"
)

// ChargeRequested says that the cashier confirmed the charge question, and the sale is on
// disk. No order exists yet. The screen takes no key until the message has come back
// through Update, so that keys in flight charge nothing twice.
type ChargeRequested struct{ Terms payments.Terms }

// Model is the screen.
type Model struct {
	live.Console
	// Welcome is the settings file, to name in a welcome before the first line;
	// blank for none.
	Welcome string
	// Strip is a row between the sale and the entry line, in a window that has no
	// room for a pane beside them.
	Strip string

	keys    keyMap
	line    field.Field
	draft   string // What stood in the entry line before it took something else.
	cart    cart.Cart
	mode    mode
	cursor  int       // The chosen line.
	list    list.List // Of the held sales.
	notice  notice
	scanned i18n.Message // What was scanned while an order was shown. The sale says it when it is opened.
	stock   stock
	choice  choice
	writer  live.Loader[*payments.Sale] // One sale at a time is written to disk.
	failing bool                        // The last write failed.
	reach   payments.Reach
	size    screen.Size
}

// notice is what the line above the entry says.
type notice struct {
	message i18n.Message
	fault   bool
	line    int    // The number of the line that it is about, from 1; 0 if it is about no line.
	code    string // The unknown code that it names, or blank.
}

// New returns the screen with an empty sale and without articles. Init reads
// them, and brings back the sale that a power cut interrupted.
func New(console live.Console, welcome string) Model {
	return Model{
		Console: console, Welcome: welcome, keys: newKeyMap(console.Texts), list: list.New(console.Texts),
		// What is too long for an entry shall be seen to be, rather than cut.
		line: field.New(console.Theme, prompt, 2*entry.MaxWidth).Focus(true),
		cart: cart.New(func() payments.Sale { return console.Service.NewSale(console.Till) }),
	}
}

// Init reads the articles, and brings back the sale that was being entered and
// those that were held.
func (m Model) Init() tea.Cmd {
	restore := m.Run(func(ctx context.Context) tea.Msg {
		sales, err := m.Service.Sales(ctx, m.Till)
		return restored{sales, err}
	})
	return tea.Batch(restore, func() tea.Msg { return live.ArticlesChanged{} })
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

// Typing tells whether text is being typed or a key answers something, so that "?"
// is no key.
func (m Model) Typing() bool { return !m.line.Empty() || m.mode != entering }

// Cart returns the cart as it stands, with the sales that are held and those that
// are not on disk yet.
func (m Model) Cart() cart.Cart { return m.cart }

// Accepted tells the screen that an order was made of a sale. When that is the
// one being entered a new one begins; a held one is held no more. One that was
// changed meanwhile stays.
func (m Model) Accepted(terms payments.Terms) (Model, tea.Cmd) {
	before := m.cart.Sale.ID
	if m.cart = m.cart.Charged(cart.SaleOf(terms)); m.cart.Sale.ID == before {
		return m.become(m.mode).flush()
	}
	m.draft, m.notice, m.line = "", notice{}, m.line.With("")
	return m.become(entering), nil
}

// Charged lets sales go that turned out to be charged. What stands in the entry
// line stays there.
func (m Model) Charged(sales []payments.Sale) (Model, tea.Cmd) {
	for _, sale := range sales {
		current := m.cart.Sale.ID
		if m.mode == charging && current == sale.ID {
			m.cart = m.cart.Save()
			continue
		}
		if m.cart = m.cart.Charged(sale); m.cart.Sale.ID != current {
			m.notice = notice{}
			m = m.leave()
		}
	}
	return m.become(m.mode).flush()
}

// GiveBack brings back the lines of an order that was not taken, or that somebody
// wants to correct: on the screen, or as a held sale beside the one that is there.
func (m Model) GiveBack(terms payments.Terms, correct bool) (Model, tea.Cmd) {
	c, name, ok := m.cart.GiveBack(terms, m.Service.Now())
	if !ok {
		return m, nil
	}
	m.cart = c
	if name == "" && m.mode.listsHeld() {
		m = m.leave()
	}
	says := m.Warn
	if correct { // The cashier asked for it.
		says = m.Say
	}
	return says(func(t i18n.Texts) string {
		switch {
		case name != "" && correct:
			return t.Held.Aside.With(name)
		case name != "":
			return t.Held.Kept.With(name)
		case correct:
			return t.Held.Corrected
		}
		return t.Held.Returned
	}).flush()
}

// Join brings back the lines of an order, and adds those of the sale to them. A sum that
// is too large keeps the two apart, as [Model.GiveBack] does.
func (m Model) Join(terms payments.Terms) (Model, tea.Cmd) {
	joined := m
	joined.cart = m.cart.Drop()
	joined, cmd := joined.GiveBack(terms, true)
	for _, item := range m.cart.Items() {
		var err error
		if joined.cart, _, err = joined.cart.Add(item); err != nil {
			return m.GiveBack(terms, true)
		}
	}
	joined, saved := joined.flush()
	return joined, tea.Batch(cmd, saved)
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
	case live.Entered: // What was said of an order may be otherwise by now.
		m.notice = notice{message: m.scanned}
		m.scanned = nil
	case live.ArticlesChanged:
		return m.restock()
	case live.Loaded[entry.Shelf]:
		return m.stocked(msg)
	case restored:
		return m.restored(msg)
	case live.Loaded[*payments.Sale]:
		return m.saved(msg)
	case ChargeRequested:
		return m.become(entering), nil
	}
	return m, nil
}

// look takes in the picture of the moment, and does what was waiting for it.
func (m Model) look(picture live.State) (Model, tea.Cmd) {
	var reading tea.Cmd
	m.reach = picture.Reach
	m.stock.due = m.stock.due || picture.Changed
	if m.stock.due && m.Service.Now().Sub(m.stock.at) >= restocking {
		m, reading = m.restock()
	}
	m, writing := m.flush()
	return m, tea.Batch(reading, writing)
}

// restored says which sales were on disk when the program began, newest first.
type restored struct {
	sales []payments.Sale
	err   error
}

// flush writes the next sale of the cart's queue, unless a write is under way.
func (m Model) flush() (Model, tea.Cmd) {
	unsaved := m.cart.Unsaved
	if m.writer.Busy() || len(unsaved) == 0 {
		return m, nil
	}
	service, sale := m.Service, unsaved[0]
	cmd := m.writer.Load(m.Run, func(ctx context.Context) (*payments.Sale, error) { return sale, service.SaveSale(ctx, *sale) })
	return m, cmd
}

// saved goes on after a write. One that failed is tried again later.
func (m Model) saved(msg live.Loaded[*payments.Sale]) (Model, tea.Cmd) {
	m.writer.Done(msg)
	if msg.Err != nil {
		if !m.failing || m.mode == charging {
			m = m.Warn(func(t i18n.Texts) string { return t.Hints.StoreFailed })
		}
		m.failing = true
		if m.mode == charging {
			m = m.become(entering)
		}
		return m, nil
	}
	m.cart, m.failing = m.cart.Written(msg.Value), false
	m, cmd := m.flush()
	if m.mode != charging || m.writer.Busy() {
		return m, cmd
	}
	terms := m.cart.Terms()
	return m, func() tea.Msg { return ChargeRequested{terms} }
}

// restored brings back the sale that was being entered, and those that were
// held.
func (m Model) restored(msg restored) (Model, tea.Cmd) {
	if msg.err != nil {
		return m.Warn(func(t i18n.Texts) string { return t.Hints.StoreFailed }), nil
	}
	var resumed bool
	if m.cart, resumed = m.cart.Restore(msg.sales, m.Service.Now()); resumed {
		m.Welcome = ""
		m = m.Say(func(t i18n.Texts) string { return t.Sale.Restored })
	}
	return m.flush()
}

// restocking is how long after a reading the catalogue is read again because
// something changed in the store, whatever it was: an import from another
// process shows, and a busy day costs nothing.
const restocking = 5 * time.Second

// stock is what the shop sells, as it was read last.
type stock struct {
	shelf  entry.Shelf
	loader live.Loader[entry.Shelf]
	due    bool // Something may have changed since the last reading began.
	at     time.Time
	// entered is what Enter was pressed behind while the first reading was under
	// way, where that may know it.
	entered string
}

func (s stock) known() bool { return !s.at.IsZero() }

// restock reads the catalogue and builds the shelf, away from the screen.
func (m Model) restock() (Model, tea.Cmd) {
	service, before := m.Service, m.stock.shelf
	m.stock.due = false
	cmd := m.stock.loader.Load(m.Run, func(ctx context.Context) (entry.Shelf, error) {
		articles, err := service.Articles(ctx)
		if err != nil {
			return before, err
		}
		return entry.NewShelf(articles), nil
	})
	return m, cmd
}

// stocked puts what was read on the shelf, and enters what waited for it, unless
// that is another text now. A store that cannot be read leaves the shelf as it
// is, and is asked again.
func (m Model) stocked(msg live.Loaded[entry.Shelf]) (Model, tea.Cmd) {
	_, next := m.stock.loader.Done(msg)
	entered := m.stock.entered
	m.stock.at, m.stock.shelf, m.stock.entered = m.Service.Now(), msg.Value, ""
	m.stock.due = m.stock.due || msg.Err != nil
	if m = m.suggest(); entered == "" || m.mode != entering || m.line.Value() != entered {
		return m, next
	}
	m, added := m.enter()
	return m, tea.Batch(added, next)
}
