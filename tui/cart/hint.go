package cart

import (
	"errors"
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// Hint says what to do about an entry that was not understood or a change that
// was refused.
func Hint(hints i18n.Hints, err error) string {
	about, known := errors.AsType[*entry.Error](err)
	if !known {
		about = &entry.Error{}
	}
	const maxLabel = 20
	label := about.Text // In an example one that begins with a digit would be misread.
	if len(label) > maxLabel || strings.IndexAny(label, "0123456789") == 0 {
		label = "Vary"
	}
	for _, known := range []struct {
		err  error
		hint string
	}{
		{entry.ErrSeveral, hints.Several.With(about.Text)},
		{entry.ErrNoPrice, hints.NoPrice.With(label)},
		{entry.ErrPriceFirst, hints.PriceFirst.With(about.Text)},
		{entry.ErrUnknownCode, hints.UnknownCode.With(about.Text)},
		{entry.ErrPieces, hints.Pieces.With(about.Pieces, about.Text)},
		{entry.ErrDotted, hints.Dotted},
		{entry.ErrPercent, hints.Percent},
		{entry.ErrDecimal, hints.Decimal},
		{entry.ErrQuantity, hints.BadQuantity},
		{entry.ErrApart, hints.Apart},
		{entry.ErrTooLong, hints.TooLong},
		{entry.ErrTwoQuantities, hints.TwoQuantities},
		{entry.ErrDiscount, hints.BadDiscount},
		{payments.ErrTooLarge, hints.TooLarge},
		{payments.ErrNotAmount, hints.BadPrice},
	} {
		if errors.Is(err, known.err) {
			return known.hint
		}
	}
	return hints.NotUnderstood
}

// Again returns the question to ask when an order call of terms made no order because
// of a [payments.Objection], and the terms of the call to make after a yes. The
// question is nil for other errors.
func Again(err error, terms payments.Terms, zone *time.Location) (question i18n.Message, despite payments.Terms) {
	objection, is := errors.AsType[*payments.Objection](err)
	if !is {
		return nil, terms
	}
	order, amount := objection.Order, Worth(terms.Items)
	terms.Despite = append(slices.Clone(terms.Despite), objection.Kind)
	at := func(moment time.Time) string { return i18n.Clock(moment.In(zone)) }
	return func(t i18n.Texts) string {
		switch objection.Kind {
		case payments.SalePaid:
			return t.Asks.OnceMore.With(at(order.CountedAt()), amount)
		case payments.SaleDoubtful:
			return t.Asks.Doubtful.With(order.Reference, amount)
		}
		return t.Asks.Again.With(at(order.Link.ExpiresAt))
	}, terms
}

// Total is what items come to; zero for a sum that is too large, which no cart has.
func Total(items []payments.Item) payments.Ariary {
	total, _ := payments.Total(items)
	return total
}

// Worth is what items come to, in words.
func Worth(items []payments.Item) string { return i18n.Money(Total(items)) }
