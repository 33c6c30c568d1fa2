package cart

import (
	"errors"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/entry"
)

// maxLabel is how long a label is at most that an example repeats.
const maxLabel = 20

// Hint says what to do about an entry that was not understood or a change that
// was refused.
func Hint(hints i18n.Hints, err error) string {
	about, known := errors.AsType[*entry.Error](err)
	if !known {
		about = &entry.Error{}
	}
	label := about.Text
	if len(label) > maxLabel {
		label = "Vary"
	}
	for _, known := range []struct {
		err  error
		hint string
	}{
		{entry.ErrSeveral, hints.Several.With(about.Text)},
		{entry.ErrNoPrice, hints.NoPrice.With(label)},
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

// Worth is what the lines of a sale come to.
func Worth(items []payments.Item) string {
	total, err := payments.Total(items)
	if err != nil {
		return "…"
	}
	return i18n.Money(total)
}
