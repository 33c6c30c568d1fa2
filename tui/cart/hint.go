package cart

import (
	"errors"
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

// Again is what to ask when an order call of terms made no order because another
// order of the sale is paid, or can still be paid, with the terms of a call that goes
// ahead all the same. Upon another error the question is nil.
func Again(err error, terms payments.Terms, zone *time.Location) (question i18n.Message, despite payments.Terms) {
	if paid, is := errors.AsType[*payments.AlreadyPaidError](err); is {
		terms.DespitePaid = true
		at := paid.Order.Facts.PaidAt
		if finding := paid.Order.Finding; finding != nil && at.IsZero() {
			at = finding.At
		}
		paidAt, amount := i18n.Clock(at.In(zone)), Worth(terms.Items)
		return func(t i18n.Texts) string { return t.Asks.OnceMore.With(paidAt, amount) }, terms
	}
	if payable, is := errors.AsType[*payments.StillPayableError](err); is {
		terms.DespitePayable = true
		until := i18n.Clock(payable.Order.Link.ExpiresAt.In(zone))
		return func(t i18n.Texts) string { return t.Asks.Again.With(until) }, terms
	}
	return nil, terms
}

// Total is what items come to; zero for a sum that is too large, which no cart has.
func Total(items []payments.Item) payments.Ariary {
	total, _ := payments.Total(items)
	return total
}

// Worth is what items come to, in words.
func Worth(items []payments.Item) string { return i18n.Money(Total(items)) }
