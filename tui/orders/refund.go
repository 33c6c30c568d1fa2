package orders

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/question"
	"checkout/till/tui/entry"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/errortext"
)

// voiding returns the question that voids a cash sale, and what is said after it: the money to give back.
// The answer is the reason.
func (s subject) voiding() (question.Question, func(string) i18n.Message) {
	sale := s.sale
	left := sale.Left()
	says := func(t i18n.Texts) string { return t.Cash.Void.With(sale.Number, i18n.Money(sale.Left())) }
	asks := question.New("void "+sale.Number, says, func(ctx context.Context, reason string, identity staff.Identity) error {
		voided, err := s.Service.VoidSale(ctx, s.Till, sale.Number, reason, identity)
		left = voided.Amount - voided.Refunded // Another till may have given back a part meanwhile.
		return err
	}).ForReason(s.Theme)
	return asks, func(string) i18n.Message {
		return func(t i18n.Texts) string { return wording.Voided(t, sale, left) }
	}
}

// refunds is what the question about a refund needs: see [drawer.Given].
type refunds struct {
	drawer.Given
	way    drawer.Tender // How the money is given back.
	total  money.Ariary  // Amount of the order or the cash sale.
	left   money.Ariary  // What can still be given back.
	before money.Ariary  // What was given back so far, in cash and in the merchant area.
	finds  bool          // Whether a refund also records that the order was paid.
	last   int64         // Number of the last refund from this source that was not taken back; 0 without one.
}

// possible reports whether the question has an answer.
func (r refunds) possible() bool { return r.left > 0 || r.last > 0 }

// refundable returns the refunds of the chosen cash sale or of the shown order. The parameter inCash is
// false for money that was given back the way it came, such as in the merchant area.
func (s subject) refundable(inCash bool) refunds {
	order := s.order
	found := refunds{total: order.Amount, left: order.Left(inCash), before: order.Refunds.Sum(), finds: !order.PlainlyPaid(s.state.Now)}
	found.Given = drawer.Given{Ref: order.Reference, InCash: inCash, Net: order.Net()}
	found.way = drawer.TenderLink
	transfers := order.Transfers
	if sale := s.sale; s.isCash {
		found.total, found.left, found.before, found.finds = sale.Amount, sale.Left(), sale.Refunded, false
		found.Given = drawer.Given{Ref: sale.Number, InCash: inCash, Net: sale.Left()}
		found.way = sale.Tender()
		transfers = sale.Refunds
	}
	if inCash {
		found.way = drawer.TenderCash
	}
	for _, refund := range ledger.Standing(transfers) {
		if refund.From.IsDrawer() == inCash {
			found.last = refund.ID
		}
	}
	return found
}

// refunding returns the question about money that is given back. Its answer is why, with an amount
// unless it is all that is left, or the number of a refund to take back.
func (s subject) refunding(r refunds) question.Question {
	says := func(t i18n.Texts) string {
		rows := []string{t.TenderRefunds[string(r.way)].With(r.Ref, i18n.Money(r.total))}
		if r.left > 0 {
			if r.finds {
				rows = append(rows, t.Asks.RefundFinds)
			}
			rows = append(rows, t.Asks.RefundNote.With(i18n.Money(r.left), example(max(1, r.left/2))))
		}
		if r.before > 0 {
			rows = append(rows, t.Asks.SoFar.With(i18n.Money(r.before)))
		}
		if r.last > 0 {
			rows = append(rows, t.Asks.TakeBackNote.With(r.last))
		}
		return strings.Join(append(rows, t.Asks.OnlyHere), "\n")
	}
	return question.New(r.Ref, says, func(ctx context.Context, text string, who staff.Identity) error {
		typed, err := entry.ParseRefund(text)
		if err == nil && typed.TakeBack > 0 {
			err = s.Service.TakeBack(ctx, s.Till, r.Ref, typed.TakeBack, typed.Note, who)
			if errors.Is(err, drawer.ErrNoRefund) {
				err = &question.InvalidError{Says: errortext.NotDone(err)} // Another number may be typed.
			}
			return err
		}
		if err != nil || typed.Amount > r.left || r.left == 0 || typed.Note == "" {
			return &question.InvalidError{Says: func(t i18n.Texts) string { return r.how(t, text) }}
		}
		given := r.Given
		given.Amount, given.Note = cmp.Or(typed.Amount, r.left), typed.Note
		return s.Service.Refund(ctx, s.Till, given, who)
	}).ForReason(s.Theme)
}

// example returns an amount as the question accepts it: a small one needs its unit.
func example(amount money.Ariary) string {
	if _, err := entry.ParseRefund(amount.String() + " x"); err != nil {
		return i18n.Money(amount)
	}
	return i18n.Number(int64(amount))
}

// how returns what to type instead of a text.
func (r refunds) how(t i18n.Texts, typed string) string {
	switch {
	case strings.HasPrefix(typed, "#") && r.last > 0:
		return t.Asks.TakeBackNote.With(r.last)
	case r.left == 0:
		return t.Account.AllGivenBack
	case r.onlyAmount(typed):
		return t.Account.ReasonNeeded
	}
	return t.Cash.RefundHow.With(i18n.Money(r.left), example(r.left))
}

// onlyAmount reports whether a text is an amount that can be given back, without a reason.
func (r refunds) onlyAmount(typed string) bool {
	amount, err := entry.ParseRefund(typed)
	return err == nil && amount.Amount > 0 && amount.Amount <= r.left && amount.Note == ""
}

// refunded returns what is said after the answer to the question about a refund.
func refunded(r refunds) func(string) i18n.Message {
	return func(text string) i18n.Message {
		typed, err := entry.ParseRefund(text)
		if err != nil {
			return nil
		}
		if typed.TakeBack > 0 {
			return func(t i18n.Texts) string {
				return t.Frame.Labelled.With(t.Account.Reversal, "#"+i18n.Number(typed.TakeBack))
			}
		}
		amount := cmp.Or(typed.Amount, r.left)
		return func(t i18n.Texts) string {
			return t.Cash.GivenBack.With(r.Ref, i18n.Money(amount), i18n.Money(r.before+amount))
		}
	}
}
