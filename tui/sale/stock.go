package sale

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/entry"
	"checkout/till/tui/live"
)

// Restock says that the catalogue has changed: it is read at once.
type Restock struct{}

// restocking is how long after a reading the catalogue is read again because
// something changed in the store, whatever it was: an import from another
// process shows, and a busy day costs nothing.
const restocking = 5 * time.Second

// stock is what the shop sells, as it was read last.
type stock struct {
	shelf entry.Shelf
	busy  bool // A reading is under way.
	stale bool // Something may have changed since it began.
	again bool // The catalogue has changed since it began.
	at    time.Time
	// entered is what Enter was pressed behind while the first reading was under
	// way, where that may know it.
	entered string
}

// stocked is the catalogue as it was read.
type stocked struct {
	shelf entry.Shelf
	err   error
}

// readStock reads the catalogue and builds the shelf, away from the screen.
func (m Model) readStock() tea.Cmd {
	desk, before := m.Desk, m.stock.shelf
	return m.Run(func(ctx context.Context) tea.Msg {
		articles, err := desk.Articles(ctx)
		if err != nil || before.Holds(articles) {
			return stocked{shelf: before, err: err}
		}
		return stocked{shelf: entry.NewShelf(articles)}
	})
}

// restock reads the catalogue, after the reading that is under way.
func (m Model) restock() (Model, tea.Cmd) {
	if m.stock.busy {
		m.stock.again = true
		return m, nil
	}
	m.stock.busy, m.stock.stale, m.stock.again = true, false, false
	return m, m.readStock()
}

// stockTaken reads the catalogue again a while after something changed in the
// store.
func (m Model) stockTaken(picture live.State) (Model, tea.Cmd) {
	m.stock.stale = m.stock.stale || picture.Changed
	if !m.stock.stale || m.stock.busy || m.Now().Sub(m.stock.at) < restocking {
		return m, nil
	}
	return m.restock()
}

// stocked puts what was read on the shelf. A store that cannot be read leaves
// the shelf as it is, and is asked again.
func (m Model) stocked(msg stocked) (Model, tea.Cmd) {
	m.stock.busy, m.stock.at = false, m.Now()
	m.stock.stale = m.stock.stale || msg.err != nil
	m.stock.shelf = msg.shelf
	m = m.suggest()
	m, added := m.enterLate()
	if !m.stock.again {
		return m, added
	}
	m, reading := m.restock()
	return m, tea.Batch(added, reading)
}

// known tells whether the catalogue was read, or could not be.
func (s stock) known() bool { return !s.at.IsZero() }

// enterLate enters what waited for the catalogue, unless it is another text now.
func (m Model) enterLate() (Model, tea.Cmd) {
	entered := m.stock.entered
	m.stock.entered = ""
	if entered == "" || m.mode != entering || m.line.Value() != entered {
		return m, nil
	}
	return m.enter()
}
