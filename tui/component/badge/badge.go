// Package badge shows an order's verdict: always a word and a sign, never
// colour alone, and green for PAID alone.
package badge

import (
	"cmp"
	"strconv"
	"strings"
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

// Of returns how an order's verdict is shown.
func Of(texts i18n.Texts, order payments.Order, verdict payments.Verdict) Look {
	words, short := texts.Verdicts, texts.Orders
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
	case payments.VerdictMarkedUnpaid, payments.VerdictRefunded:
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

// Word returns the sign and the words that a row of a list has room for.
func (l Look) Word() string {
	if l.Kind == Over {
		return l.Tag()
	}
	return l.Sign + " " + l.Name
}

// Tag returns the sign and the one word that a column has room for: why nothing was
// paid stands beside it.
func (l Look) Tag() string { return l.Sign + " " + l.Short }

// Dressed returns Word in the verdict's style, as a block with a blank on each side.
func (l Look) Dressed(styles theme.Theme) string {
	_, block := l.Kind.Styles(styles)
	return block.Render(" " + l.Word() + " ")
}

// Text returns Word in the verdict's colour, without a ground.
func (l Look) Text(styles theme.Theme) string {
	text, _ := l.Kind.Styles(styles)
	return text.Render(l.Word())
}

// Finding returns the sign and the word of what a person found.
func Finding(texts i18n.Texts, kind payments.FindingKind) (sign, word string) {
	look := Of(texts, payments.Order{}, kind.Verdict())
	return look.Sign, look.Name
}

// paidTwice names the other orders of the sale that money came for, if they were read.
func paidTwice(texts i18n.Texts, order payments.Order) string {
	if len(order.PaidTwiceWith) == 0 {
		return texts.Attention.PaidTwice
	}
	var others []string
	for _, other := range order.PaidTwiceWith {
		verdict := other.Verdict(payments.Conditions{}, time.Time{}) // Of an order that money came for, no verdict depends on the time.
		others = append(others, other.Reference+" ("+i18n.Money(other.Amount)+", "+Of(texts, other, verdict).Word()+")")
	}
	return texts.Attention.PaidTwiceWith.With(strings.Join(others, ", "))
}

// contradicted says what a person found, by whom and when, before an event that says
// otherwise.
func contradicted(texts i18n.Texts, zone *time.Location, finding *payments.Finding) string {
	if finding == nil {
		return ""
	}
	_, word := Finding(texts, finding.Kind)
	return texts.Attention.FindingContradicted.With(word, finding.By, i18n.Moment(finding.At.In(zone)))
}

// Why says why a person must look at the order, one sentence a reason.
func Why(texts i18n.Texts, zone *time.Location, order payments.Order, reasons []payments.Attention) []string {
	words := texts.Attention
	says := map[payments.Attention]string{
		payments.Contradicted: words.Contradicted, payments.AmountMismatch: amount(words, order),
		payments.CurrencyMismatch: words.CurrencyMismatch.With(cmp.Or(order.Facts.ReportedUnit, words.Nothing)),
		payments.PaidLate:         words.PaidLate, payments.PaidTwice: paidTwice(texts, order),
		payments.FindingContradicted: contradicted(texts, zone, order.Finding),
		payments.UnknownOutcome:      words.UnknownOutcome, payments.Overdue: words.Overdue,
	}
	var sentences []string
	for _, reason := range reasons {
		sentences = append(sentences, says[reason])
	}
	return sentences
}

// Orphan says which payment came that no order has, and when.
func Orphan(texts i18n.Texts, orphan payments.Record, zone *time.Location) string {
	return texts.Alarms.Orphan.With(Reported(texts, orphan.Event, " Ar"), OrphanName(orphan), i18n.Moment(orphan.ReceivedAt.In(zone)))
}

// OrphanName is the order reference of a payment that no order has.
func OrphanName(orphan payments.Record) string {
	return payments.Clean(orphan.Event.OrderReference, payments.MaxShownWidth)
}

// Reported is what an event says was paid, followed by a unit; as it says it where
// that is no whole amount.
func Reported(texts i18n.Texts, event payments.Event, unit string) string {
	said := event.Amount.Shown()
	if amount, err := payments.ParseAriary(said); err == nil && event.Amount.Is(amount) {
		return i18n.Number(int64(amount)) + unit
	}
	return cmp.Or(said, texts.Attention.Nothing)
}

// amount says which amount a success reported, if it is another one than the
// order's; otherwise that it was no number.
func amount(words i18n.Attention, order payments.Order) string {
	said := order.Facts.ReportedAmount
	number, err := strconv.ParseInt(said, 10, 64)
	switch {
	case err != nil:
		return words.AmountMismatch.With(cmp.Or(said, words.Nothing), i18n.Money(order.Amount))
	case payments.Ariary(number) == order.Amount:
		return words.AmountForm.With(strconv.Quote(said))
	}
	return words.AmountMismatch.With(i18n.Money(payments.Ariary(number)), i18n.Money(order.Amount))
}
