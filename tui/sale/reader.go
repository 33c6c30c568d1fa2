package sale

import (
	"strings"

	"checkout/till/payments"
	"checkout/till/tui/entry"
	"checkout/till/tui/wording"
)

const digits = "0123456789"

type reader struct {
	shelf  entry.Shelf
	words  entry.Words
	choice choice
}

func (m Model) reader() reader {
	return reader{m.Counter.Shelf(), wording.EntryWords(m.Texts), m.choice}
}

// item returns the item for a text. If the cashier has chosen a suggested article, item returns an
// item of that article instead.
func (r reader) item(text string) (payments.Item, error) {
	if chosen := r.choice.chosen; chosen > 0 {
		return r.units(r.choice.fit.Best[chosen-1], r.choice.quantity)
	}
	return entry.Parse(text, r.shelf, r.words)
}

// items returns the items for a text with one or several entries.
func (r reader) items(text string) ([]payments.Item, error) {
	if r.choice.chosen == 0 {
		return entry.ParseAll(text, r.shelf, r.words)
	}
	item, err := r.item("")
	return []payments.Item{item}, err
}

// units returns the item for an amount of an article, such as 3 or 1.2 kg. For a zero amount, it
// returns one piece, or an [entry.WeightError] if the article is not sold by the piece.
func (r reader) units(article payments.Article, amount entry.Amount) (payments.Item, error) {
	quantity, err := amount.In(article.Unit)
	if err != nil {
		return payments.Item{}, &entry.Error{Err: err, Text: article.Label}
	}
	return entry.Parsed{Label: article.Label, Price: article.UnitPrice, Thousandths: quantity}.Item(r.shelf, r.words)
}

func (r reader) weighed(article *entry.WeightError, text string) (payments.Item, error) {
	sold, err := article.Weigh(text)
	if err != nil {
		return payments.Item{}, err
	}
	return sold.Item(r.shelf, r.words)
}

// scanned returns the item for a code that was scanned after a text was typed. whole reports
// whether the text is part of the entry, so that the caller must clear it.
func (r reader) scanned(text, code string) (item payments.Item, whole bool, err error) {
	quantity, alone := entry.Quantity(text)
	if article, known := r.shelf.Coded(code); known {
		item, err = r.units(article, quantity)
		return item, alone, err
	}
	item, err = r.item(text + code)
	isNumber := strings.Trim(code, digits) == ""
	if isNumber || err != nil && !strings.Contains(code, " ") && strings.ContainsAny(code, digits) {
		err = &entry.Error{Err: entry.ErrUnknownCode, Text: code}
	}
	return item, true, err
}

// saleNumber returns the number of a sale that the cashier has typed. A text that is also an entry
// is no such number.
func (r reader) saleNumber(text string) (string, bool) {
	number, is := payments.SaleNumber(text)
	if _, err := r.item(text); err == nil {
		return "", false
	}
	return number, is
}

// unusual reports whether an item is probably a typing error: a very large quantity or measure, or
// a very low or high price that is not the price of its article.
func (r reader) unusual(item payments.Item) bool {
	const from, to, pieces, measure = 50, 10_000_000, 1_000, 100_000
	article, known := r.shelf.Labelled(item.Article())
	price := unitPrice(item)
	odd := (price < from || price > to) && (!known || article.UnitPrice != price)
	return odd || item.Quantity > pieces || item.Measure.Thousandths >= measure
}
