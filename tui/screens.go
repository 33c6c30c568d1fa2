package tui

import (
	"github.com/aymanbagabas/go-osc52/v2"
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/tui/board"
	"checkout/till/tui/catalog"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/health"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/orders"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
	"checkout/till/tui/theme"
	"checkout/till/tui/today"
)

type route int

// The routes. screens.table returns the screen of each route.
const (
	routeSale route = iota
	routePay
	routeOrders
	routeBoard
	routeCatalog
	routeHealth
	routeToday
	routeCount
)

// screenModel is a screen of any type. Its methods change the screen in place.
type screenModel interface {
	// ShortHelp returns the keys to show now, FullHelp all keys.
	ShortHelp() []key.Binding
	FullHelp() []screen.Keys
	View() string
	Update(msg tea.Msg) tea.Cmd
	SetSize(width, height int)
	SetTexts(texts i18n.Texts)
	// Meaning returns what keys mean on the screen now.
	Meaning() keyboard.Meaning
}

// screens has the screens of the console. Code for one screen uses its field; code for
// all screens uses table.
type screens struct {
	sale    sale.Model
	pay     pay.Model
	orders  orders.Model
	board   board.Model
	catalog catalog.Model
	health  health.Model
	today   today.Model
}

func (s *screens) table() [routeCount]screenModel {
	return [...]screenModel{
		routeSale:    holder[sale.Model]{&s.sale},
		routePay:     holder[pay.Model]{&s.pay},
		routeOrders:  holder[orders.Model]{&s.orders},
		routeBoard:   holder[board.Model]{&s.board},
		routeCatalog: holder[catalog.Model]{&s.catalog},
		routeHealth:  holder[health.Model]{&s.health},
		routeToday:   holder[today.Model]{&s.today},
	}
}

func (s *screens) update(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, 0, routeCount)
	for _, screen := range s.table() {
		cmds = append(cmds, screen.Update(msg))
	}
	return tea.Batch(cmds...)
}

func newScreens(config Config, at *counter.Counter) screens {
	console := config.Console
	console.Demo = config.Customer != nil
	copyText := func(text string) error {
		_, err := osc52.New(text).WriteTo(config.Output)
		return err
	}
	return screens{
		sale: sale.New(console, at, clean.Text(config.Welcome, payments.MaxShownWidth)),
		pay: pay.New(pay.Config{
			Console: console, Counter: at, Customer: config.Customer, Test: config.Test, Shop: config.Shop, Copy: copyText, Browse: config.Browse,
		}),
		orders:  orders.New(console),
		board:   board.New(console, config.Customer),
		catalog: catalog.New(console),
		health: health.New(health.Config{
			Console: console, Facts: config.Health, Calls: config.Calls, Now: config.Service.Now, Checks: config.Checks, PublicURL: config.PublicURL, Copy: copyText,
		}),
		today: today.New(console),
	}
}

// value is the interface of a screen such as sale.Model. Update and the setters do not change the
// screen, but return a changed copy.
type value[M any] interface {
	ShortHelp() []key.Binding
	FullHelp() []screen.Keys
	View() string
	Update(msg tea.Msg) (M, tea.Cmd)
	SetSize(width, height int) M
	SetTexts(texts i18n.Texts) M
	Meaning() keyboard.Meaning
}

// holder makes a screenModel of a screen. Its methods replace the screen by the changed copy.
type holder[M value[M]] struct{ at *M }

func (s holder[M]) View() string              { return (*s.at).View() }
func (s holder[M]) Meaning() keyboard.Meaning { return (*s.at).Meaning() }
func (s holder[M]) ShortHelp() []key.Binding  { return (*s.at).ShortHelp() }
func (s holder[M]) FullHelp() []screen.Keys   { return (*s.at).FullHelp() }
func (s holder[M]) SetSize(width, height int) { *s.at = (*s.at).SetSize(width, height) }
func (s holder[M]) SetTexts(texts i18n.Texts) { *s.at = (*s.at).SetTexts(texts) }

func (s holder[M]) Update(msg tea.Msg) (cmd tea.Cmd) {
	*s.at, cmd = (*s.at).Update(msg)
	return cmd
}

// screen draws the open screen and its side panes. The waiting orders and the day's report
// are next to the sale. In a narrow window the waiting orders are a row above the entry
// line instead. The day's last outcomes are below the board.
func (m model) screen() string {
	width, height := m.room.Width, m.room.Height
	grid := layout.Of(width, height+layout.FrameRows)
	m.sale.Strip = m.board.Strip(width)
	view := m.table()[m.route].View()
	switch last := m.lastRows(); {
	case m.route == routeSale && grid.Side > 0:
		waiting := m.board.PaneHeight(height / 2)
		side := m.board.Pane(grid.Side, waiting) + "\n" + m.today.Pane(grid.Side, height-waiting)
		return theme.Beside(theme.AlignLeft("", grid.Left), view, theme.AlignLeft("", layout.Gap), side)
	case m.route == routeBoard && last > 0:
		return view + "\n" + m.today.Last(width, last)
	}
	return view
}

func (m model) lastRows() int {
	if grid := layout.Of(m.room.Width, m.room.Height+layout.FrameRows); grid.Side > 0 && grid.Air > 0 {
		return max(0, m.room.Height-board.RowsIn(m.room.Height))
	}
	return 0
}
