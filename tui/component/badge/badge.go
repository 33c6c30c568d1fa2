// Package badge shows an order's verdict: always a word and a sign, never
// colour alone, and green for PAID alone.
package badge

import (
	"cmp"
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// Badge words and dresses verdicts.
type Badge struct {
	theme theme.Theme
	texts i18n.Texts
}

// New returns a badge for a theme and a language.
func New(theme theme.Theme, texts i18n.Texts) Badge { return Badge{theme: theme, texts: texts} }

// Plain returns a badge that gives words alone and dresses nothing.
func Plain(texts i18n.Texts) Badge { return Badge{texts: texts} }

// Word returns the sign and the word of an order's verdict.
func (b Badge) Word(order payments.Order, verdict payments.Verdict) string {
	return sign(order, verdict) + " " + b.Name(order, verdict)
}

// Brief returns the sign and the verdict in the few words that a row of a list
// has room for.
func (b Badge) Brief(order payments.Order, verdict payments.Verdict) string {
	if verdict == payments.VerdictTimeOver {
		return sign(order, verdict) + " " + b.texts.Orders.TimeOver
	}
	return b.Word(order, verdict)
}

// Short returns the sign and the one word that a column has room for: why
// nothing was paid stands beside it.
func (b Badge) Short(order payments.Order, verdict payments.Verdict) string {
	word := b.Name(order, verdict)
	switch verdict {
	case payments.VerdictTimeOver:
		word = b.texts.Orders.TimeOver
	case payments.VerdictNotPaid:
		word = b.texts.Verdicts.NotPaid
	case payments.VerdictRejected:
		word = b.texts.Orders.Refused
	}
	return sign(order, verdict) + " " + word
}

// Name returns the word of an order's verdict without its sign, for those who
// hear it.
func (b Badge) Name(order payments.Order, verdict payments.Verdict) string {
	words := b.texts.Verdicts
	switch verdict {
	case payments.VerdictMarkedPaid:
		return words.MarkedPaid
	case payments.VerdictMarkedUnpaid:
		return words.MarkedUnpaid
	case payments.VerdictCheck:
		return words.Check
	case payments.VerdictPaid:
		return words.Paid
	case payments.VerdictRejected:
		return words.Rejected
	case payments.VerdictNotPaid:
		return b.unpaid(order.Status)
	case payments.VerdictTimeOver:
		return words.TimeOver
	case payments.VerdictWaiting:
		return b.waiting(order)
	}
	return words.Unknown
}

func sign(order payments.Order, verdict payments.Verdict) string {
	switch verdict {
	case payments.VerdictMarkedPaid:
		return "◆"
	case payments.VerdictMarkedUnpaid:
		return "◇"
	case payments.VerdictCheck:
		return "!"
	case payments.VerdictPaid:
		return "✓"
	case payments.VerdictRejected, payments.VerdictNotPaid:
		return "✗"
	case payments.VerdictTimeOver:
		return "…"
	case payments.VerdictWaiting:
		if order.Facts.NotSent {
			return "✗"
		}
		return "…"
	}
	return "?"
}

// Dressed returns Word in the verdict's style, as a block with a blank on each
// side.
func (b Badge) Dressed(order payments.Order, verdict payments.Verdict) string {
	return b.dress(order, verdict, " "+b.Word(order, verdict)+" ")
}

// Tagged returns Brief in the verdict's style, as Dressed does.
func (b Badge) Tagged(order payments.Order, verdict payments.Verdict) string {
	return b.dress(order, verdict, " "+b.Brief(order, verdict)+" ")
}

func (b Badge) dress(order payments.Order, verdict payments.Verdict, word string) string {
	_, ground := b.Styles(order, verdict)
	return ground.Render(word)
}

// Text returns Brief in the verdict's colour, without a ground.
func (b Badge) Text(order payments.Order, verdict payments.Verdict) string {
	text, _ := b.Styles(order, verdict)
	return text.Render(b.Brief(order, verdict))
}

// Styles returns how a verdict looks as text, and as a block.
func (b Badge) Styles(order payments.Order, verdict payments.Verdict) (text, ground theme.Style) {
	switch verdict {
	case payments.VerdictPaid:
		return b.theme.Paid, b.theme.PaidBlock
	case payments.VerdictCheck, payments.VerdictTimeOver:
		return b.theme.Warning, b.theme.WarningBlock
	case payments.VerdictNotPaid, payments.VerdictRejected:
		return b.theme.Danger, b.theme.DangerBlock
	case payments.VerdictWaiting:
		if order.Facts.NotSent {
			return b.theme.Danger, b.theme.DangerBlock
		}
		return b.theme.Accent, b.theme.Selected
	case payments.VerdictMarkedPaid, payments.VerdictMarkedUnpaid:
		return b.theme.Accent, b.theme.Selected
	}
	return b.theme.Unknown, b.theme.UnknownBlock
}

// Why says why a person must look at the order, one sentence a reason.
func (b Badge) Why(order payments.Order, reasons []payments.Attention) []string {
	var sentences []string
	for _, reason := range reasons {
		sentences = append(sentences, b.reason(order, reason))
	}
	return sentences
}

func (b Badge) reason(order payments.Order, reason payments.Attention) string {
	words := b.texts.Attention
	switch reason {
	case payments.Contradicted:
		return words.Contradicted
	case payments.AmountMismatch:
		return b.amount(order)
	case payments.CurrencyMismatch:
		return words.CurrencyMismatch.With(b.reported(order.Facts.ReportedUnit))
	case payments.PaidLate:
		return words.PaidLate
	case payments.PaidTwice:
		return words.PaidTwice
	case payments.UnknownOutcome:
		return words.UnknownOutcome
	}
	return words.Overdue
}

// amount says which amount a success reported, if it is another one than the
// order's; otherwise that it was no number.
func (b Badge) amount(order payments.Order) string {
	words, said := b.texts.Attention, order.Facts.ReportedAmount
	number, err := strconv.ParseInt(said, 10, 64)
	switch {
	case err != nil:
		return words.AmountMismatch.With(b.reported(said), i18n.Money(order.Amount))
	case payments.Ariary(number) == order.Amount:
		return words.AmountForm.With(strconv.Quote(said))
	}
	return words.AmountMismatch.With(i18n.Money(payments.Ariary(number)), i18n.Money(order.Amount))
}

// reported is what a success said, when it said anything.
func (b Badge) reported(text string) string { return cmp.Or(text, b.texts.Attention.Nothing) }

func (b Badge) unpaid(status payments.Status) string {
	switch status {
	case payments.StatusFailed:
		return b.texts.Verdicts.Failed
	case payments.StatusCanceled:
		return b.texts.Verdicts.Canceled
	case payments.StatusExpired:
		return b.texts.Verdicts.Expired
	}
	return b.texts.Verdicts.NotPaid
}

func (b Badge) waiting(order payments.Order) string {
	switch {
	case order.Facts.NotSent:
		return b.texts.Verdicts.NotSent
	case order.Status == payments.StatusCreating:
		return b.texts.Verdicts.Sending
	}
	return b.texts.Verdicts.Waiting
}
