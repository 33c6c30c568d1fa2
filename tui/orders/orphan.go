package orders

import (
	"slices"

	"checkout/till/payments"
)

// orphans are the payments that no order has and that wait for a person, the
// oldest first: they are the first rows of the list of what there is to check.
func (m Model) orphans() []payments.Record {
	if m.tab != checking {
		return nil
	}
	orphans := m.state.Orphans()
	slices.Reverse(orphans)
	return orphans
}

func (m Model) count() int { return len(m.orphans()) + len(m.history.orders) }

// at returns the order of a row, if it is one's.
func (m Model) at(row int) (payments.Order, bool) {
	row -= len(m.orphans())
	if row < 0 || row >= len(m.history.orders) {
		return payments.Order{}, false
	}
	return m.history.orders[row], true
}

// chosen returns the order under the cursor; none while the list is that of an
// earlier search.
func (m Model) chosen() (payments.Order, bool) {
	if m.pending() {
		return payments.Order{}, false
	}
	return m.at(m.master.List.Cursor())
}

func (m Model) chosenOrphan() (payments.Record, bool) {
	orphans, at := m.orphans(), m.master.List.Cursor()
	if at >= len(orphans) || m.inside() {
		return payments.Record{}, false
	}
	return orphans[at], true
}
