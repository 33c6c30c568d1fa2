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
	shelf  entry.Shelf
	loader live.Loader[entry.Shelf]
	due    bool // Something may have changed since the last reading began.
	at     time.Time
	// entered is what Enter was pressed behind while the first reading was under
	// way, where that may know it.
	entered string
}

// known tells whether the catalogue was read, or could not be.
func (s stock) known() bool { return !s.at.IsZero() }

// restock reads the catalogue and builds the shelf, away from the screen.
func (m Model) restock() (Model, tea.Cmd) {
	desk, before := m.Desk, m.stock.shelf
	m.stock.due = false
	cmd := m.stock.loader.Load(m.Run, func(ctx context.Context) (entry.Shelf, error) {
		articles, err := desk.Articles(ctx)
		if err != nil || before.Holds(articles) {
			return before, err
		}
		return entry.NewShelf(articles), nil
	})
	return m, cmd
}

// stockTaken reads the catalogue again a while after something changed in the
// store.
func (m Model) stockTaken(picture live.State) (Model, tea.Cmd) {
	m.stock.due = m.stock.due || picture.Changed
	if !m.stock.due || m.stock.loader.Busy() || m.Now().Sub(m.stock.at) < restocking {
		return m, nil
	}
	return m.restock()
}

// stocked puts what was read on the shelf. A store that cannot be read leaves
// the shelf as it is, and is asked again.
func (m Model) stocked(msg live.Loaded[entry.Shelf]) (Model, tea.Cmd) {
	wanted, again := m.stock.loader.Done(msg)
	if !wanted {
		return m, nil
	}
	m.stock.at, m.stock.shelf = m.Now(), msg.Value
	m.stock.due = m.stock.due || msg.Err != nil
	m = m.suggest()
	m, added := m.enterLate()
	if !again {
		return m, added
	}
	m, reading := m.restock()
	return m, tea.Batch(added, reading)
}

// enterLate enters what waited for the catalogue, unless it is another text now.
func (m Model) enterLate() (Model, tea.Cmd) {
	entered := m.stock.entered
	m.stock.entered = ""
	if entered == "" || m.mode != entering || m.line.Value() != entered {
		return m, nil
	}
	return m.enter()
}
