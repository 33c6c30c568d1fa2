// Package badge shows an order's verdict as a sign, words and a colour. The sign and the words
// suffice without the colour. Only PAID is green.
package badge

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/theme"
)

// Kind is a class of verdicts that are drawn alike.
type Kind int

// The kinds of badges. Unknown is also the kind of a verdict that this package does not know.
const (
	Unknown Kind = iota
	Paid
	NotPaid
	Check
	TimeOver // The order ran out of time without an outcome.
	Neutral  // No outcome yet, or one that a person recorded, or the sale was paid in another way.
	Counter  // The sale was paid at the counter.
)

// Styles returns the style of a kind for words, and the style for words on a coloured background.
func (k Kind) Styles(t theme.Theme) (text, block theme.Style) {
	switch k {
	case Paid:
		return t.Paid, t.PaidBlock
	case NotPaid:
		return t.Danger, t.DangerBlock
	case Check, TimeOver:
		return t.Warning, t.WarningBlock
	case Counter:
		return t.Strong, t.Selected
	case Neutral:
		return t.Flow.Bold(true), t.FlowBlock
	}
	return t.Unknown, t.UnknownBlock
}

// Badge is how a verdict is shown. Sign is one character, such as ✓. Short is a form of Name for a
// column or large letters.
type Badge struct {
	Kind              Kind
	Sign, Name, Short string
}

// Verdicts returns all verdicts, the most usual ones first.
func Verdicts() []payments.Verdict {
	return []payments.Verdict{
		payments.VerdictPaid, payments.VerdictNotPaid, payments.VerdictCheck, payments.VerdictUnknown, payments.VerdictWaiting,
		payments.VerdictMarkedPaid, payments.VerdictMarkedUnpaid, payments.VerdictRefunded, payments.VerdictRejected,
		payments.VerdictPaidOtherwise, payments.VerdictNotSent, payments.VerdictTimeOver,
	}
}

// Of returns the badge of a verdict. The order makes the words more exact; it may be zero.
func Of(texts i18n.Texts, order payments.Order, verdict payments.Verdict) Badge {
	words, short := texts.Verdicts, texts.Orders
	whole := words[verdict]
	switch verdict {
	case payments.VerdictPaid:
		return Badge{Paid, "✓", whole, whole}
	case payments.VerdictNotPaid:
		return Badge{NotPaid, "✗", cmp.Or(words[payments.Verdict(order.Status)], whole), whole}
	case payments.VerdictRejected:
		return Badge{NotPaid, "✗", whole, short.Refused}
	case payments.VerdictNotSent:
		return Badge{NotPaid, "✗", whole, whole}
	case payments.VerdictCheck:
		return Badge{Check, "!", whole, whole}
	case payments.VerdictTimeOver:
		return Badge{TimeOver, "…", whole, short.TimeOver}
	case payments.VerdictMarkedPaid:
		return Badge{Neutral, "◆", whole, whole}
	case payments.VerdictMarkedUnpaid, payments.VerdictRefunded, payments.VerdictPaidOtherwise:
		return Badge{Neutral, "◇", whole, whole}
	case payments.VerdictWaiting:
		if order.Status == payments.StatusCreating {
			whole = words[i18n.Sending]
		}
		return Badge{Neutral, "…", whole, whole}
	}
	return Badge{Unknown, "?", words[payments.VerdictUnknown], words[payments.VerdictUnknown]}
}

// OfTender returns the badge of a sale that was paid at the counter.
func OfTender(texts i18n.Texts, tender drawer.Tender) Badge {
	word := texts.TenderWords[string(tender)]
	return Badge{Counter, "¤", word, word}
}

// Word returns the sign and the name, for a row of a list. For TimeOver it is the shorter
// [Badge.Tag].
func (l Badge) Word() string {
	if l.Kind == TimeOver {
		return l.Tag()
	}
	return l.Sign + " " + l.Name
}

// Tag returns the badge for a narrow column, such as "✓ PAID".
func (l Badge) Tag() string { return l.Sign + " " + l.Short }

// Dressed returns Word as a block in the verdict's style.
func (l Badge) Dressed(styles theme.Theme) string {
	_, block := l.Kind.Styles(styles)
	return block.Render(" " + l.Word() + " ")
}

// Text returns Word in the verdict's colour, without a background.
func (l Badge) Text(styles theme.Theme) string {
	text, _ := l.Kind.Styles(styles)
	return text.Render(l.Word())
}

// Finding returns the sign and the word for a person's finding about a payment.
func Finding(texts i18n.Texts, kind payments.FindingKind) (sign, word string) {
	verdicts := map[payments.FindingKind]payments.Verdict{
		payments.FoundPaid: payments.VerdictMarkedPaid, payments.FoundUnpaid: payments.VerdictMarkedUnpaid,
	}
	shown := Of(texts, payments.Order{}, verdicts[kind])
	return shown.Sign, shown.Name
}

func paidTwice(texts i18n.Texts, order payments.Order) string {
	var others []string
	if order.TakenInCash != "" {
		others = append(others, texts.Cash.Twice.With(order.TakenInCash))
	}
	for _, other := range order.PaidWith {
		verdict := other.Verdict(payments.Conditions{}, time.Time{}) // A paid order's verdict does not depend on the time.
		others = append(others, other.Reference+" ("+i18n.Money(other.Amount)+", "+Of(texts, other, verdict).Word()+")")
	}
	if len(others) == 0 {
		return texts.Attention.PaidTwice
	}
	return texts.Attention.PaidTwiceWith.With(strings.Join(others, ", "))
}

// contradicted returns the sentence for a finding, or a refund of all money, that a later event
// contradicts.
func contradicted(texts i18n.Texts, zone *time.Location, order payments.Order) string {
	if order.Finding == nil || order.GivenBack() {
		return texts.Attention.RefundContradicted
	}
	_, word := Finding(texts, order.Finding.Kind)
	return texts.Attention.FindingContradicted.With(word, order.Finding.By, i18n.Moment(order.Finding.At.In(zone)))
}

// Why returns a sentence for each of the reasons why a person must check the order.
func Why(texts i18n.Texts, zone *time.Location, order payments.Order, reasons []payments.Attention) []string {
	words := texts.Attention
	says := map[payments.Attention]string{
		payments.Contradicted: words.Contradicted, payments.AmountMismatch: amount(words, order),
		payments.CurrencyMismatch: words.CurrencyMismatch.With(cmp.Or(order.Facts.ReportedUnit, words.Nothing)),
		payments.OtherReference:   words.OtherReference, payments.TooEarly: words.TooEarly,
		payments.PaidLate: words.PaidLate, payments.PaidTwice: paidTwice(texts, order),
		payments.DebtOverpaid:        words.DebtOverpaid,
		payments.PartGivenBack:       words.PartGivenBack.With(i18n.Money(order.SaleTotal())),
		payments.FindingContradicted: contradicted(texts, zone, order),
		payments.UnknownOutcome:      words.UnknownOutcome, payments.Overdue: words.Overdue,
	}
	var sentences []string
	for _, reason := range reasons {
		sentences = append(sentences, says[reason])
	}
	return sentences
}

// Orphan returns a sentence about a payment without an order.
func Orphan(texts i18n.Texts, orphan payments.Record, zone *time.Location) string {
	return texts.Alarms.Orphan.With(Reported(texts, orphan.Event, " Ar"), OrphanName(orphan), i18n.Moment(orphan.ReceivedAt.In(zone)))
}

// OrphanName returns the order reference of a payment without an order, cleaned.
func OrphanName(orphan payments.Record) string {
	return clean.Text(orphan.Event.OrderReference, payments.MaxShownWidth)
}

// Reported returns the amount of an event, followed by unit, such as " Ar". An amount that is not
// a whole number is returned as in the event, without unit.
func Reported(texts i18n.Texts, event payments.Event, unit string) string {
	said := event.Amount.Display()
	if amount, err := money.ParseAriary(said); err == nil && event.Amount.Is(amount) {
		return i18n.Number(int64(amount)) + unit
	}
	return cmp.Or(said, texts.Attention.Nothing)
}

// amount returns the sentence for a success event with a wrong amount. A JSON string with the
// right number ("1500") is wrong only in its form.
func amount(words i18n.Attention, order payments.Order) string {
	said := cmp.Or(order.Facts.ReportedAmount, words.Nothing)
	if number, err := strconv.ParseInt(said, 10, 64); err == nil {
		if money.Ariary(number) == order.Amount {
			return words.AmountForm.With(strconv.Quote(said))
		}
		said = i18n.Money(number)
	}
	return words.AmountMismatch.With(said, i18n.Money(order.Amount))
}
