package sale

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/entry"
	"checkout/till/tui/live"
)

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

// The digits of the favourites' places, and what the same keys type without
// shift on an AZERTY keyboard.
const (
	digits = "123456789"
	azerty = "&é\"'(-è_ç"
)

// favourite adds the favourite of a key. A quantity alone in the entry line is its
// quantity; any other text stays.
func (m Model) favourite(msg tea.KeyMsg) (Model, tea.Cmd) {
	place := 1 + slices.Index([]rune(digits+azerty), msg.Runes[0])%len(digits)
	article, found := m.stock.shelf.Favourite(place)
	if !found {
		return m.Warn(func(t i18n.Texts) string { return t.Hints.NoFavourite.With(place) }), nil
	}
	quantity, alone := entry.Quantity(m.line.Text())
	return m.become(entering).add(units(article, max(1, quantity)), alone)
}
