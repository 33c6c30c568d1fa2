package sale

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
)

// choice are the articles that fit what is being typed.
type choice struct {
	fit      Fit
	quantity int64 // Beside the letters.
	chosen   int   // From 1; 0 while none is.
}

// offered tells whether there is something to choose.
func (c choice) offered() bool { return len(c.fit.Best) > 0 }

// suggest looks up what fits the entry line. An article that was chosen stays
// so while it is there.
func (m Model) suggest() Model {
	before := m.choice
	m.choice = choice{}
	if m.mode != entering || m.input.Value() == "" {
		return m
	}
	m.choice.fit, m.choice.quantity = fitting(m.input.Value(), m.stock.shelf)
	if before.chosen == 0 {
		return m
	}
	for i, article := range m.choice.fit.Best {
		if article.ID == before.fit.Best[before.chosen-1].ID {
			m.choice.chosen = i + 1
		}
	}
	return m
}

// fitting returns what of the shelf fits an entry that has no price yet, and
// the quantity beside it.
func fitting(entry string, shelf Shelf) (Fit, int64) {
	wanted, err := takeApart(entry, shelf)
	if err != nil {
		return Fit{}, 0
	}
	if article, found := wanted.coded(shelf); found {
		return Fit{Best: []payments.Article{article}, Total: 1, Sure: true}, wanted.quantity
	}
	_, price := splitPrice(wanted.words)
	if _, err := payments.ParseAriary(price); err == nil {
		return Fit{}, 0
	}
	fit := shelf.Find(strings.Join(wanted.words, " "), maxFit)
	last := len(wanted.words) - 1
	if fit.Total == 0 && last > 0 && isTimes(wanted.words[last]) {
		// The quantity is on its way: "Coca x".
		fit = shelf.Find(strings.Join(wanted.words[:last], " "), maxFit)
	}
	return fit, wanted.quantity
}

// chosen moves the choice on by a step; beyond the last and before the first
// article none is chosen.
func (m Model) chosen(step int) Model {
	all := len(m.choice.fit.Best) + 1
	m.choice.chosen = (m.choice.chosen + step + all) % all
	m.notice = notice{}
	return m
}

// favourite adds the favourite of a key. A quantity alone in the entry line is
// its quantity; any other text stays.
func (m Model) favourite(msg tea.KeyMsg) (Model, tea.Cmd) {
	name := msg.String()
	place := int(name[len(name)-1] - '0')
	article, found := m.stock.shelf.Favourite(place)
	if !found {
		return m.Warn(m.Texts.Hints.NoFavourite.With(place)), nil
	}
	quantity := int64(1)
	if rest, alone, err := takeQuantity(strings.Fields(m.input.Value())); err == nil && alone > 0 && len(rest) == 0 {
		quantity = alone
		m.input.Reset()
	}
	item, err := payments.NewItem(article.Label, article.UnitPrice, quantity)
	if err != nil {
		return m.Warn(m.hint(err)), nil
	}
	m, cmd, err := m.add(item)
	if err != nil {
		return m.Warn(m.hint(err)), nil
	}
	return m.become(entering), cmd
}
