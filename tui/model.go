package tui

import (
	"context"
	"slices"
	"time"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/board"
	"checkout/till/tui/catalog"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/health"
	"checkout/till/tui/live"
	"checkout/till/tui/orders"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
)

// route names the screen that is open.
type route int

const (
	selling route = iota
	paying
	listing
	awaiting
	stocking
	ailing
)

// where is where the cashier is.
type where struct {
	route   route
	from    route // The screen that a payment was opened from: leaving it leads there.
	overlay overlay
	page    int // Of the help, from 0; the last one where there are fewer.
}

// overlay names what lies over the screen.
type overlay int

const (
	noOverlay overlay = iota
	helping
	quitting
)

// screens are the screens of the console.
type screens struct {
	board   board.Model
	sale    sale.Model
	pay     pay.Model
	orders  orders.Model
	catalog catalog.Model
	health  health.Model
}

// model is the console: the screens, and what stands around them.
type model struct {
	Config
	screens
	where
	keys   keyMap
	badge  badge.Badge
	run    live.Runner
	state  live.State
	reader reader
	heard  []string // The news for which the bell rang.
	size   size
	play   play
	scan   scanner
}

type size struct{ width, height int }

// reader sees to it that one reading is under way at a time.
type reader struct {
	busy    bool
	dirty   bool // Something changed since the reading began.
	failing bool // The last reading failed.
	void    bool // What is being read may be older than what the console knows.
}

// changed says that something in the store changed, mended that the store works
// again and what was done about it, picked what was read.
type (
	changed struct{}
	mended  struct{ gathered payments.Gathered }
	picked  struct {
		orders    []payments.Order
		doubtful  []payments.Order
		unmatched []payments.Record
		err       error
	}
	ticked time.Time
)

func newModel(ctx context.Context, config Config) model {
	config.Shop = payments.Clean(config.Shop, payments.MaxLabelWidth)
	config.Till = payments.Clean(config.Till, payments.MaxTillWidth)
	run := func(work func(context.Context) tea.Msg) tea.Cmd {
		return func() tea.Msg { return work(ctx) }
	}
	m := model{
		Config: config, keys: newKeyMap(config.Texts.Keys),
		badge: badge.New(config.Theme, config.Texts), run: run,
		screens: newScreens(config, run),
	}
	m.state = live.State{Now: config.Service.Now(), Conditions: m.conditions()}
	m.reader.busy = true
	m.play.on = config.Player != nil
	return m
}

func newScreens(config Config, run live.Runner) screens {
	copyLink := func(link string) error {
		_, err := osc52.New(link).WriteTo(config.Output)
		return err
	}
	return screens{
		board: board.New(board.Config{
			Now: config.Service.Now, Theme: config.Theme, Texts: config.Texts,
		}),
		sale: sale.New(sale.Config{
			Desk: config.Service, Run: run, Till: config.Till, Now: config.Service.Now, Zone: config.Zone,
			Welcome: payments.Clean(config.Welcome, payments.MaxShownWidth), Theme: config.Theme, Texts: config.Texts,
		}),
		pay: pay.New(pay.Config{
			Cashier: config.Service, Run: run, Customer: config.Customer, Test: config.Test, Copy: copyLink,
			Now: config.Service.Now, Zone: config.Zone, Theme: config.Theme, Texts: config.Texts,
		}),
		health: health.New(health.Config{
			Facts: config.Health, Run: run, Now: config.Service.Now, Ran: config.Ran, Zone: config.Zone,
			Reach: config.Reach, Theme: config.Theme, Texts: config.Texts,
		}),
		catalog: catalog.New(catalog.Config{
			Shelf: config.Service, Run: run, Theme: config.Theme, Texts: config.Texts,
		}),
		orders: orders.New(orders.Config{
			Ledger: config.Service, Run: run, By: config.Till, Shared: config.Shared, Zone: config.Zone,
			Theme: config.Theme, Texts: config.Texts,
		}),
	}
}

// Init reads what is open, and starts the clock.
func (m model) Init() tea.Cmd { return tea.Batch(m.sale.Init(), m.read(), tick()) }

func tick() tea.Cmd {
	return tea.Every(time.Second, func(at time.Time) tea.Msg { return ticked(at) })
}

func (m model) read() tea.Cmd {
	return m.run(func(ctx context.Context) tea.Msg {
		found, err := live.Read(ctx, m.Service, m.Till)
		if err != nil {
			return picked{err: err}
		}
		doubtful, err := live.ReadDoubtful(ctx, m.Service, m.Service.Now())
		if err != nil {
			return picked{err: err}
		}
		unmatched, err := live.ReadUnmatched(ctx, m.Service)
		return picked{orders: found, doubtful: doubtful, unmatched: unmatched, err: err}
	})
}

// conditions says what can be trusted now.
func (m model) conditions() payments.Conditions {
	health := m.Health()
	return payments.Conditions{
		StoreDown:    m.reader.failing || health.StoreFailing,
		ListenerDown: !health.Listening,
	}
}

// fetch reads the open orders anew, after the reading that is under way.
func (m model) fetch() (model, tea.Cmd) {
	if m.reader.busy {
		m.reader.dirty = true
		return m, nil
	}
	m.reader.busy, m.reader.dirty = true, false
	return m, m.read()
}

// picked takes in what was read, and reads again when it is old already.
func (m model) picked(msg picked) (model, tea.Cmd) {
	void := m.reader.void
	m.reader.busy, m.reader.void, m.reader.failing = false, false, msg.err != nil
	if void {
		return m.fetch()
	}
	if msg.err == nil {
		m.state.Open, m.state.Doubtful, m.state.Unmatched = msg.orders, msg.doubtful, msg.unmatched
	}
	m, shown := m.show(msg.err == nil)
	m, rung := m.ring()
	var again tea.Cmd
	if m.reader.dirty {
		m, again = m.fetch()
	}
	return m, tea.Batch(shown, rung, again)
}

// ticked moves the time on; a store that failed is tried again.
func (m model) ticked() (model, tea.Cmd) {
	m, shown := m.show(false)
	m, rung := m.ring() // An event becomes a stray one by the clock.
	var again tea.Cmd
	if m.reader.failing {
		m, again = m.fetch()
	}
	return m, tea.Batch(tick(), shown, rung, again)
}

// show hands the picture of the moment to every screen.
func (m model) show(read bool) (model, tea.Cmd) {
	failed := m.state.Conditions.StoreDown
	m.state.Now, m.state.Conditions, m.state.Changed = m.Service.Now(), m.conditions(), read
	var shown [5]tea.Cmd
	m.board, _ = m.board.Update(m.state)
	m.pay, shown[0] = m.pay.Update(m.state)
	m.orders, shown[1] = m.orders.Update(m.state)
	m.sale, shown[4] = m.sale.Update(m.state)
	m.catalog, shown[3] = m.catalog.Update(m.state)
	m.health, _ = m.health.Update(m.state) // It only looks.
	if failed && !m.state.Conditions.StoreDown {
		shown[2] = m.mend()
	}
	m.scan = m.scan.tick(m.state.Now)
	return m, tea.Batch(shown[:]...)
}

// mend settles what was under way when the store failed, and makes the till's
// own sales and the store agree. Should it fail again, the next reading will say
// so.
func (m model) mend() tea.Cmd {
	return m.run(func(ctx context.Context) tea.Msg {
		_, _ = m.Service.Recover(ctx, m.Till)
		gathered, _ := m.Service.Gather(ctx, m.Till)
		return mended{gathered}
	})
}

// mended shows what came of the mending.
func (m model) mended(msg mended) (model, tea.Cmd) {
	var gathered, fetched tea.Cmd
	m.sale, gathered = m.sale.Gathered(msg.gathered)
	m, fetched = m.fetch()
	return m, tea.Batch(gathered, fetched)
}

// ring sounds once for each outcome that the cashier has not seen, and once for
// each payment that no order has.
func (m model) ring() (model, tea.Cmd) {
	var heard []string
	var cues []Cue
	for _, order := range m.state.News() {
		name := order.Reference + string(order.Status)
		heard = append(heard, name)
		switch {
		case slices.Contains(m.heard, name):
		case m.state.Verdict(order) == payments.VerdictPaid:
			cues = append(cues, Paid)
		default:
			cues = append(cues, Unpaid)
		}
	}
	for _, stray := range m.state.Strays() {
		name := string(stray.ID[:])
		heard = append(heard, name)
		if !slices.Contains(m.heard, name) {
			cues = append(cues, Stray)
		}
	}
	m.heard = heard
	if len(cues) == 0 || m.Sound == nil {
		return m, nil
	}
	return m, m.run(func(ctx context.Context) tea.Msg {
		// One sound at a time: the alarm before all, and a payment before none.
		switch {
		case slices.Contains(cues, Stray):
			m.Sound(ctx, Stray)
		default:
			m.Sound(ctx, slices.Min(cues))
		}
		return nil
	})
}
