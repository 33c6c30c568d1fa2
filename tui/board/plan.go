package board

import (
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/pane"
)

// form is a way to draw the screen.
type form struct {
	card int  // Minimum height of a card, in rows; 0 for a list.
	last bool // The day's last outcomes are below the orders.
}

func forms() []form {
	return []form{{card: largeCard, last: true}, {card: smallCard, last: true}, {last: true}, {}}
}

const (
	lastRows = 9 // Minimum height of the last outcomes.
	usual    = 2 // Number of orders that the board leaves room for, even while it has fewer.
)

// plan is the chosen form with the height of a card, and the heights of the orders and of the last
// outcomes.
type plan struct {
	form
	orders, outcomes int
}

// fit chooses the first form that fits, and enables the keys that have an effect now.
func (m Model) fit() Model {
	m.keys.Open.SetEnabled(len(m.orders) > 0)
	m.keys.Jump.SetEnabled(len(m.orders) > 0)
	order, _ := m.chosen()
	_, waits := m.left(order)
	m.keys.Cash.SetEnabled(waits && len(m.Tenders) > 0)
	m.keys.Again.SetEnabled(waits)
	m.master = m.master.SetSize(m.size.Width, m.size.Height)
	m.plan = plan{orders: m.size.Height}
	for _, form := range forms() {
		orders, whole := m.needs(form)
		var last fit.Need
		if form.last && m.Last != nil {
			last = fit.Need{Least: lastRows, Grow: 1}
		} else {
			orders.Grow = 1
		}
		if sizes, fits := fit.Share(m.size.Height, orders, last); whole && fits {
			m.plan = plan{form: form, orders: sizes[0], outcomes: sizes[1]}
			if form.card > 0 {
				m.plan.card = min(airedCard, sizes[0]/max(usual, m.most))
			}
			break
		}
	}
	m.master = m.master.SetHeight(m.plan.orders)
	m.master = m.master.Fit(m.view())
	if m.plan.card > 0 {
		m.master.List = m.master.List.SetRoom(len(m.orders))
	}
	return m
}

// needs returns how many rows the orders need in a form. For cards, fits is false if the window is
// too small, or if there are no orders or too many.
func (m Model) needs(form form) (need fit.Need, fits bool) {
	if form.card == 0 {
		foot := len(m.foot())
		least := foot + pane.Edges + max(usual, len(m.orders))
		return fit.Need{Least: least, Good: least + max(1, foot)}, true // Good has a blank row above each row of the foot.
	}
	_, _, fits = m.columns()
	fits = fits && m.master.Frame == pane.FullBorder && len(m.orders) > 0 && len(m.orders) <= maxCards
	acts := 0
	if m.Customer != nil {
		acts = actRows
	}
	least := max(max(usual, m.most)*form.card, detailRows+acts)
	return fit.Need{Least: least, Good: max(least, moreLines+acts, usual*airedCard)}, fits
}
