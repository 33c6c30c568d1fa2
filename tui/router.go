package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

type router struct {
	screens
	counter *counter.Counter
	route   route
	from    route                   // Screen under the payment screen.
	given   [routeCount]screen.Size // Size that each screen was last given.
}

func (r *router) open() screenModel { return r.all[r.route].screen }

// update passes a message to every screen, open or not.
func (r *router) update(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, 0, routeCount)
	for _, each := range r.all {
		cmds = append(cmds, each.screen.Update(msg))
	}
	return tea.Batch(cmds...)
}

// enter opens a screen. It sends [live.Exited] to the screens that it leaves, and [live.Entered] to
// the new one.
func (r *router) enter(to route) tea.Cmd {
	before := r.route
	r.route = to
	left := []tea.Cmd{r.all[before].screen.Update(live.Exited{})}
	if before == routePay && r.from != routeSale { // The covered screen has not received Exited yet.
		left = append(left, r.all[r.from].screen.Update(live.Exited{}))
		r.from = routeSale
	}
	return tea.Batch(append(left, r.open().Update(live.Entered{Code: r.sale.UnknownCode()}))...)
}

// closed closes the open screen. It opens the payment screen if that has something to show, else
// the sale.
func (r *router) closed() tea.Cmd {
	if r.counter.Stage() != counter.Selling {
		r.counter.Reappear() // Start the grace period again: another screen may have covered a new outcome.
		return r.enter(routePay)
	}
	return r.enter(routeSale)
}

// toggle opens or closes the screen of a function key. taken reports whether msg is such a key.
func (r *router) toggle(msg tea.KeyMsg, opens [routeCount]key.Binding) (cmd tea.Cmd, taken bool) {
	for at, binding := range opens {
		to := route(at)
		switch {
		case !key.Matches(msg, binding):
			continue
		case r.route == to:
			return r.closed(), true
		}
		return r.enter(to), true
	}
	return nil, false
}

// hear opens the screen that a fact of the counter belongs to. A late result does not close a
// screen that the cashier has opened meanwhile.
func (r *router) hear(fact counter.Fact) tea.Cmd {
	switch fact := fact.(type) {
	case counter.Asked:
		// A question about another payment of the sale is asked on the payment screen.
		if fact.Question.Unbidden && r.route == routeSale {
			r.cover()
		}
	case counter.TookCash, counter.Sent:
		if r.route == routeSale {
			r.cover()
		}
	case counter.CashNotTaken, counter.SaveFailed:
		if r.route == routePay && r.counter.Stage() == counter.Selling { // The sale screen shows the error and the lines.
			return r.enter(routeSale)
		}
	case counter.Opened:
		if !fact.Back || r.route == r.from {
			r.cover()
		}
	case counter.OrderLeft:
		r.uncover(fact.Paid)
	case counter.BackToSale:
		return r.enter(routeSale)
	}
	return nil
}

// cover opens the payment screen over the open screen, which gets no [live.Exited].
func (r *router) cover() {
	if r.route != routePay {
		r.from = r.route
	}
	r.route = routePay
}

// uncover closes the payment screen and returns to the screen under it, unless the cashier has
// opened another one. If paid is true, the sale takes the place of the board.
func (r *router) uncover(paid bool) {
	if r.from == routeBoard && paid {
		r.from = routeSale
	}
	if r.route != routePay {
		return
	}
	r.route = r.from
	if r.route == routeSale {
		r.sale.Uncovered()
	}
}

// serve closes the payment screen, and gives the sale screen the key that begins the next sale.
func (r *router) serve(msg tea.KeyMsg) tea.Cmd {
	left := r.all[r.from].screen.Update(live.Exited{})
	r.route = routeSale
	r.sale.Uncovered()
	return tea.Batch(left, r.open().Update(msg))
}

func (r *router) setTexts(texts i18n.Texts) {
	for _, listed := range r.all {
		listed.screen.SetTexts(texts)
	}
}

// arrange sets the sizes of the screens, and what they show about other screens.
func (r *router) arrange(window, room screen.Size) {
	r.board.Last = r.today.Report().Last
	r.pay.Day = r.today.Report().RaisedBy
	r.setSizes(window, room)
	r.sale.Strip = r.board.Strip(room.Width)
	r.sale.Taken = ""
	if r.sale.Columns().Side == 0 { // Without a side column, the sale shows the day's takings.
		r.sale.Taken = r.today.Report().Brief()
	}
	r.sale.LastSale = r.today.Report().LastSale(r.sale.Columns().Main - pane.Borders - 1)
}

func (r *router) setSizes(window, room screen.Size) {
	for at, listed := range r.all {
		given := room
		if route(at) == routePay {
			given = window
		}
		if r.given[at] != given {
			r.given[at] = given
			listed.screen.SetSize(given.Width, given.Height)
		}
	}
}

// drawScreen draws the open screen. Next to the sale, it draws the waiting orders and the day's
// report if there is room.
func (r *router) drawScreen(room screen.Size) string {
	columns := r.sale.Columns()
	view := r.open().View()
	if r.route != routeSale || columns.Side == 0 {
		return view
	}
	waiting := r.board.PaneHeight(room.Height / 2)
	side := r.board.Pane(columns.Side, waiting) + "\n" + r.today.Report().Pane(columns.Side, room.Height-waiting)
	return theme.Beside(view, theme.AlignLeft("", layout.Gap), side)
}
