package cart

import (
	"errors"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// Hint says what to do about an entry that was not understood or a change that
// was refused.
func Hint(hints i18n.Hints, err error) string {
	if several, is := errors.AsType[*entry.SeveralError](err); is {
		return hints.Several.With(strings.Join(several.Labels, ", "))
	}
	if missing, is := errors.AsType[*entry.NoPriceError](err); is {
		const short = 20
		label := missing.Label
		if len(label) > short {
			label = "Vary"
		}
		return hints.NoPrice.With(label)
	}
	if unknown, is := errors.AsType[*entry.UnknownCodeError](err); is {
		return hints.UnknownCode.With(unknown.Code)
	}
	if pieces, is := errors.AsType[*entry.PiecesError](err); is {
		return hints.Pieces.With(pieces.Pieces, pieces.Form)
	}
	for _, known := range []struct {
		err  error
		hint string
	}{
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

// Worth is what the lines of a sale come to.
func Worth(items []payments.Item) string {
	total, err := payments.Total(items)
	if err != nil {
		return "…"
	}
	return i18n.Money(total)
}
