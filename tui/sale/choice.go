package sale

import (
	"slices"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// choice contains the suggested articles.
type choice struct {
	fit      entry.Fit
	quantity entry.Amount // Quantity in the typed text.
	chosen   int          // Number of the chosen article, from 1; 0 for none.
}

func fitting(shelf entry.Shelf, text string) (c choice) {
	c.fit, c.quantity = shelf.Fitting(text)
	return c
}

func favourites(shelf entry.Shelf) choice {
	all := shelf.Favourites()
	return choice{fit: entry.Fit{Best: all, Total: len(all)}}
}

func (c choice) offered() bool { return len(c.fit.Best) > 0 }

// moved moves the choice by step articles. Between the last and the first one, no article is
// chosen.
func (c choice) moved(step int) choice {
	all := len(c.fit.Best) + 1
	c.chosen = (c.chosen + step + all) % all
	return c
}

// choosing returns the choice with the same article chosen as before, if it is still suggested.
func (c choice) choosing(before choice) choice {
	if before.chosen > 0 {
		chosen := before.fit.Best[before.chosen-1].ID
		c.chosen = 1 + slices.IndexFunc(c.fit.Best, func(a payments.Article) bool { return a.ID == chosen })
	}
	return c
}

// next returns the article that Enter adds: the chosen one or, without one, a clear best match.
func (c choice) next() (payments.Article, bool) {
	if c.chosen > 0 || c.fit.Sure {
		return c.fit.Best[max(0, c.chosen-1)], true
	}
	return payments.Article{}, false
}
