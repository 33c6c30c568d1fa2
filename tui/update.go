package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/board"
	"checkout/till/tui/catalog"
	"checkout/till/tui/health"
	"checkout/till/tui/orders"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
)

// Update handles a message: keys go to the open screen, all else to everybody.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := m.handle(msg)
	m.enable()
	m, typed := m.playOn()
	m.pay = m.pay.Beside(m.besides())
	return m, tea.Batch(cmd, typed)
}

func (m model) handle(msg tea.Msg) (model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.takeOver().press(msg)
	case typed:
		m.play.next = &msg
		return m, nil
	case played:
		m.play = play{}
		return m, nil
	case tea.WindowSizeMsg:
		return m.resize(msg.Width, msg.Height), nil
	case changed:
		return m.fetch()
	case mended:
		return m.mended(msg)
	case picked:
		return m.picked(msg)
	case ticked:
		return m.ticked()
	case sale.Charged:
		return m.charge(msg)
	case pay.Accepted:
		m.sale = m.sale.Accepted(msg.Order.Sale)
		return m, nil
	case pay.Declined:
		return m.declined(msg.Terms)
	case pay.Corrected:
		var cmd tea.Cmd
		m.route = selling
		m.sale, cmd = m.sale.Correct(msg.Terms)
		return m, cmd
	case catalog.Changed:
		var cmd tea.Cmd
		m.sale, cmd = m.sale.Update(sale.Restock{})
		return m, cmd
	case pay.Left:
		return m.left(msg)
	case board.Closed, orders.Closed, catalog.Closed, health.Closed:
		m.route = selling
		return m, nil
	case board.Chosen:
		return m.open(msg.Order)
	case orders.CodeWanted:
		m, opened := m.open(msg.Order)
		m.pay = m.pay.Again()
		return m, opened
	}
	return m.spread(msg)
}

// spread hands a message to every screen.
func (m model) spread(msg tea.Msg) (model, tea.Cmd) {
	var cmds [5]tea.Cmd
	m.sale, cmds[0] = m.sale.Update(msg)
	m.pay, cmds[1] = m.pay.Update(msg)
	m.orders, cmds[2] = m.orders.Update(msg)
	m.catalog, cmds[3] = m.catalog.Update(msg)
	m.health, cmds[4] = m.health.Update(msg)
	return m, tea.Batch(cmds[:]...)
}

// resize gives every screen its room: the payment's takes the whole window.
func (m model) resize(width, height int) model {
	m.size = size{width, height}
	m.sale = m.sale.SetSize(width, max(0, height-chrome))
	m.orders = m.orders.SetSize(width, max(0, height-chrome))
	m.board = m.board.SetSize(width, max(0, height-chrome))
	m.catalog = m.catalog.SetSize(width, max(0, height-chrome))
	m.health = m.health.SetSize(width, max(0, height-chrome))
	m.pay = m.pay.SetSize(width, height)
	return m
}

// press takes a key: for what lies over the screen, for the console, or for
// the open screen. Characters that came at once are text, be they the name of
// a key: a scanner or a slow machine types "up" so.
func (m model) press(msg tea.KeyMsg) (model, tea.Cmd) {
	var code string
	m.scan, code = m.scan.take(msg, m.Service.Now())
	if code != "" && m.scans(code) {
		return m.scanned(code)
	}
	msg.Paste = msg.Paste || len(msg.Runes) > 1
	switch {
	case key.Matches(msg, m.keys.Language):
		return m.speak(), nil
	case m.overlay == quitting:
		return m.answerQuit(msg)
	case key.Matches(msg, m.keys.Quit):
		return m.quit()
	case m.overlay == helping:
		return m.turn(msg), nil
	case key.Matches(msg, m.keys.Help), key.Matches(msg, m.keys.Question) && !msg.Paste:
		m.overlay, m.page = helping, 0
		return m, nil
	case key.Matches(msg, m.keys.News):
		return m.open(m.state.News()[0])
	case key.Matches(msg, m.keys.Orders):
		var cmd tea.Cmd
		m.route = listing
		m.orders, cmd = m.orders.Enter()
		return m, cmd
	case key.Matches(msg, m.keys.Board):
		m.route, m.board, m.orders = awaiting, m.board.Enter(), m.orders.Leave()
		return m, nil
	case key.Matches(msg, m.keys.Hold):
		m.route, m.sale = selling, m.sale.Hold()
		return m, nil
	case key.Matches(msg, m.keys.Catalog):
		var cmd tea.Cmd
		m.route = stocking
		m.catalog, cmd = m.catalog.Enter()
		return m, cmd
	case key.Matches(msg, m.keys.Health):
		var cmd tea.Cmd
		m.route = ailing
		m.health, cmd = m.health.Enter()
		return m, cmd
	}
	return m.hand(msg)
}

// hand gives a key to the open screen.
func (m model) hand(msg tea.KeyMsg) (model, tea.Cmd) {
	var cmd tea.Cmd
	switch m.route {
	case selling:
		m.sale, cmd = m.sale.Update(msg)
	case paying:
		m.pay, cmd = m.pay.Update(msg)
	case listing:
		m.orders, cmd = m.orders.Update(msg)
	case awaiting:
		m.board, cmd = m.board.Update(msg)
	case stocking:
		m.catalog, cmd = m.catalog.Update(msg)
	case ailing:
		m.health, cmd = m.health.Update(msg)
	}
	return m, cmd
}

// quit leaves at once, or asks while payments are awaited.
func (m model) quit() (model, tea.Cmd) {
	if m.awaited() == 0 {
		return m, tea.Quit
	}
	m.overlay = quitting
	return m, nil
}

// awaited is how many payments may still come. One that is being made, or was a
// moment ago, is on its own screen before it waits in the picture.
func (m model) awaited() int {
	waiting, order := m.state.Waiting(), m.pay.Order()
	asked := m.route == paying && (m.pay.Sending() || order.Live(m.state.Now))
	listed := slices.ContainsFunc(waiting, func(o payments.Order) bool { return o.Reference == order.Reference })
	if asked && !listed {
		return len(waiting) + 1
	}
	return len(waiting)
}

func (m model) answerQuit(msg tea.KeyMsg) (model, tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.Yes), key.Matches(msg, m.keys.Quit):
		return m, tea.Quit
	case key.Matches(msg, m.keys.No):
		m.overlay = noOverlay
	}
	return m, nil
}

// charge makes an order of the sale, and shows it. While no payment would be
// seen none is asked for.
func (m model) charge(msg sale.Charged) (model, tea.Cmd) {
	var told, cmd tea.Cmd
	m.sale, told = m.sale.Update(msg)
	switch conditions := m.conditions(); {
	case conditions.StoreDown && m.Health().Shared:
		m.sale = m.sale.Warn(func(t i18n.Texts) string { return t.Hints.CutOff })
		return m, told
	case conditions != payments.Conditions{}:
		m.sale = m.sale.Warn(func(t i18n.Texts) string { return t.Hints.Blind })
		return m, told
	}
	m.route, m.from = paying, selling
	m.pay, cmd = m.pay.Charge(msg.Terms)
	return m, tea.Batch(told, cmd)
}

// declined brings back the lines of an order that was not taken, when the sale
// that they come from is on the screen no more.
func (m model) declined(terms payments.Terms) (model, tea.Cmd) {
	var cmd tea.Cmd
	m.sale, cmd = m.sale.Return(terms)
	return m, cmd
}

// left goes back to where a payment was opened from. An outcome that was
// acknowledged is no news any more, at once; what may have happened since is
// read.
func (m model) left(msg pay.Left) (model, tea.Cmd) {
	m.route = m.from
	if msg.Seen.Reference == "" {
		return m, nil
	}
	m.state, m.reader.void = m.state.Put(msg.Seen), m.reader.busy
	return m.fetch()
}

// open shows an order's payment. One payment opened from another leads back to
// where the first was opened from.
func (m model) open(order payments.Order) (model, tea.Cmd) {
	var cmd tea.Cmd
	if m.route != paying {
		m.from = m.route
	}
	m.route = paying
	m.pay, cmd = m.pay.Open(order)
	return m, cmd
}
