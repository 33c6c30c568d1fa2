// Package badge shows an order's verdict: always a word and a sign, never
// colour alone, and green for PAID alone.
package badge

import (
	"cmp"
	"strconv"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// Kind is a class of verdicts that share their colours, and their geometry
// where one fills the window.
type Kind int

// The kinds. Open is what has no outcome yet, or one that a person found; Over
// is a time that ended without an answer.
const (
	Unknown Kind = iota
	Paid
	NotPaid
	Check
	Over
	Open
)

// Styles returns how a kind looks as text, and as a block.
func (k Kind) Styles(t theme.Theme) (text, block theme.Style) {
	switch k {
	case Paid:
		return t.Paid, t.PaidBlock
	case NotPaid:
		return t.Danger, t.DangerBlock
	case Check, Over:
		return t.Warning, t.WarningBlock
	case Open:
		return t.Accent, t.Selected
	}
	return t.Unknown, t.UnknownBlock
}

// Look is how a verdict is shown.
type Look struct {
	Kind Kind
	Sign string
	// Name is the verdict in words, Short the one word of it that stands in a
	// column or in large letters.
	Name, Short string
}

// Badge words and dresses verdicts.
type Badge struct {
	theme theme.Theme
	texts i18n.Texts
}

// New returns a badge for a theme and a language.
func New(theme theme.Theme, texts i18n.Texts) Badge { return Badge{theme: theme, texts: texts} }

// Plain returns a badge that gives words alone and dresses nothing.
func Plain(texts i18n.Texts) Badge { return Badge{texts: texts} }

// Look returns how an order's verdict is shown.
func (b Badge) Look(order payments.Order, verdict payments.Verdict) Look {
	words, short := b.texts.Verdicts, b.texts.Orders
	whole := words[verdict]
	switch verdict {
	case payments.VerdictPaid:
		return Look{Paid, "✓", whole, whole}
	case payments.VerdictNotPaid:
		return Look{NotPaid, "✗", cmp.Or(words[payments.Verdict(order.Status)], whole), whole}
	case payments.VerdictRejected:
		return Look{NotPaid, "✗", whole, short.Refused}
	case payments.VerdictCheck:
		return Look{Check, "!", whole, whole}
	case payments.VerdictTimeOver:
		return Look{Over, "…", whole, short.TimeOver}
	case payments.VerdictMarkedPaid:
		return Look{Open, "◆", whole, whole}
	case payments.VerdictMarkedUnpaid:
		return Look{Open, "◇", whole, whole}
	case payments.VerdictWaiting:
		switch {
		case order.Facts.NotSent:
			return Look{NotPaid, "✗", words[i18n.NotSent], words[i18n.NotSent]}
		case order.Status == payments.StatusCreating:
			whole = words[i18n.Sending]
		}
		return Look{Open, "…", whole, whole}
	}
	return Look{Unknown, "?", words[payments.VerdictUnknown], words[payments.VerdictUnknown]}
}

// Word returns the sign and the words of an order's verdict that a row of a list
// has room for.
func (b Badge) Word(order payments.Order, verdict payments.Verdict) string {
	look := b.Look(order, verdict)
	if look.Kind == Over {
		return look.Sign + " " + look.Short
	}
	return look.Sign + " " + look.Name
}

// Short returns the sign and the one word that a column has room for: why
// nothing was paid stands beside it.
func (b Badge) Short(order payments.Order, verdict payments.Verdict) string {
	look := b.Look(order, verdict)
	return look.Sign + " " + look.Short
}

// Dressed returns Word in the verdict's style, as a block with a blank on each
// side.
func (b Badge) Dressed(order payments.Order, verdict payments.Verdict) string {
	_, block := b.Styles(order, verdict)
	return block.Render(" " + b.Word(order, verdict) + " ")
}

// Text returns Word in the verdict's colour, without a ground.
func (b Badge) Text(order payments.Order, verdict payments.Verdict) string {
	text, _ := b.Styles(order, verdict)
	return text.Render(b.Word(order, verdict))
}

// Styles returns how a verdict looks as text, and as a block.
func (b Badge) Styles(order payments.Order, verdict payments.Verdict) (text, ground theme.Style) {
	return b.Look(order, verdict).Kind.Styles(b.theme)
}

// Why says why a person must look at the order, one sentence a reason.
func (b Badge) Why(order payments.Order, reasons []payments.Attention) []string {
	words := b.texts.Attention
	says := map[payments.Attention]string{
		payments.Contradicted: words.Contradicted, payments.AmountMismatch: b.amount(order),
		payments.CurrencyMismatch: words.CurrencyMismatch.With(b.reported(order.Facts.ReportedUnit)),
		payments.PaidLate:         words.PaidLate, payments.PaidTwice: words.PaidTwice,
		payments.UnknownOutcome: words.UnknownOutcome, payments.Overdue: words.Overdue,
	}
	var sentences []string
	for _, reason := range reasons {
		sentences = append(sentences, says[reason])
	}
	return sentences
}

// Orphan says which payment came that no order has, and when.
func (b Badge) Orphan(orphan payments.Record, zone *time.Location) string {
	return b.texts.Alarms.Orphan.With(b.OrphanAmount(orphan), OrphanName(orphan), i18n.Moment(orphan.ReceivedAt.In(zone)))
}

// OrphanName is the order reference of a payment that no order has.
func OrphanName(orphan payments.Record) string {
	return payments.Clean(orphan.Event.OrderReference, payments.MaxShownWidth)
}

// OrphanAmount is what an event says was paid, as it says it where that is no whole
// amount of ariary.
func (b Badge) OrphanAmount(orphan payments.Record) string {
	said := orphan.Event.Amount.Shown()
	if amount, err := payments.ParseAriary(said); err == nil && orphan.Event.Amount.Is(amount) {
		return i18n.Money(amount)
	}
	return b.reported(said)
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
