package sale

import (
	"slices"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// choice has the articles that are offered, and which of them is chosen.
type choice struct {
	fit      entry.Fit
	quantity entry.Amount // Quantity in the typed text; zero without one.
	chosen   int          // Chosen article, from 1; 0 if no article is chosen.
}

// fitting offers the articles that fit a text.
func fitting(shelf entry.Shelf, text string) (c choice) {
	c.fit, c.quantity = shelf.Fitting(text)
	return c
}

// favourites offers the favourites, for an empty entry line.
func favourites(shelf entry.Shelf) choice {
	all := shelf.Favourites()
	return choice{fit: entry.Fit{Best: all, Total: len(all)}}
}

func (c choice) offered() bool { return len(c.fit.Best) > 0 }

// moved moves the choice by step. Between the last article and the first one is a position where no article is
// chosen.
func (c choice) moved(step int) choice {
	all := len(c.fit.Best) + 1
	c.chosen = (c.chosen + step + all) % all
	return c
}

// choosing chooses the article that was chosen before, if it is still offered.
func (c choice) choosing(before choice) choice {
	if before.chosen > 0 {
		chosen := before.fit.Best[before.chosen-1].ID
		c.chosen = 1 + slices.IndexFunc(c.fit.Best, func(a payments.Article) bool { return a.ID == chosen })
	}
	return c
}

// next returns the article that Enter adds: the chosen one or, if none is chosen, the only article that fits the
// typed text best.
func (c choice) next() (payments.Article, bool) {
	if c.chosen > 0 || c.fit.Sure {
		return c.fit.Best[max(0, c.chosen-1)], true
	}
	return payments.Article{}, false
}
