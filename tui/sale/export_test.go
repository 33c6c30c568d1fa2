package sale

import (
	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// Stocked is the screen with articles on the shelf, as after it has read them.
func Stocked(m Model, articles []payments.Article) Model {
	m.stock.shelf = entry.NewShelf(articles)
	return m
}
