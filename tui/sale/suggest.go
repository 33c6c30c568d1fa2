package sale

import (
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// choice are the articles that fit what is being typed.
type choice struct {
	fit      entry.Fit
	quantity int64         // Beside the letters.
	chosen   int           // From 1; 0 while none is.
	line     payments.Item // What is typed, where nothing is offered; without a label for none,
	fault    error         // and why there is none.
}

// offered tells whether there is something to choose.
func (c choice) offered() bool { return len(c.fit.Best) > 0 }

// suggest looks up what fits the entry line. An article that was chosen stays
// so while it is there.
func (m Model) suggest() Model {
	before := m.choice
	m.choice = choice{}
	if m.mode != entering || m.line.Text() == "" {
		return m
	}
	m.choice.fit, m.choice.quantity = m.stock.shelf.Fitting(m.line.Text())
	if !m.choice.offered() {
		m.choice.line, m.choice.fault = m.read(m.line.Text())
	}
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

// chosen moves the choice on by a step; beyond the last and before the first
// article none is chosen.
func (m Model) chosen(step int) Model {
	all := len(m.choice.fit.Best) + 1
	m.choice.chosen = (m.choice.chosen + step + all) % all
	m.notice = notice{}
	return m
}

// The digits of the favourites' places, and what the same keys type without
// shift on an AZERTY keyboard.
const (
	digits = "123456789"
	azerty = "&é\"'(-è_ç"
)

// favouriteKeys are the keys of the favourites, each with alt.
func favouriteKeys() []string {
	var keys []string
	for _, char := range digits + azerty {
		keys = append(keys, "alt+"+string(char))
	}
	return keys
}

// place is the favourite's place that a key of favouriteKeys stands for.
func place(msg tea.KeyMsg) int {
	char := string(msg.Runes)
	if place := strings.Index(digits, char); place >= 0 {
		return place + 1
	}
	before, _, _ := strings.Cut(azerty, char)
	return 1 + utf8.RuneCountInString(before)
}

// singleDigit reads a text that is the place of a favourite and nothing else.
func singleDigit(text string) (place int, ok bool) {
	place = strings.Index(digits, text) + 1
	return place, len(text) == 1 && place > 0
}

// favourites are the shop's, by their places.
func (m Model) favourites() []payments.Article {
	var all []payments.Article
	for place := 1; place <= payments.MaxFavourite; place++ {
		if article, found := m.stock.shelf.Favourite(place); found {
			all = append(all, article)
		}
	}
	return all
}

// offerFavourites offers the favourites to choose from, and chooses the first.
func (m Model) offerFavourites() Model {
	all := m.favourites()
	if len(all) == 0 {
		return m
	}
	m.choice = choice{fit: entry.Fit{Best: all, Total: len(all)}, quantity: 1}
	return m.chosen(+1)
}

// favourite adds the favourite at a place. A quantity alone in the entry line is
// its quantity; any other text stays.
func (m Model) favourite(place int) (Model, tea.Cmd) {
	article, found := m.stock.shelf.Favourite(place)
	if !found {
		return m.Warn(func(t i18n.Texts) string { return t.Hints.NoFavourite.With(place) }), nil
	}
	quantity, rest := int64(1), m.line.Text()
	if alone, ok := entry.Quantity(rest); ok && alone > 0 {
		quantity, rest = alone, ""
	}
	item, err := payments.NewItem(article.Label, article.UnitPrice, quantity)
	return m.become(entering).add(item, err, rest)
}
