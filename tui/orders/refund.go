package orders

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/question"
	"checkout/till/tui/entry"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/errortext"
)

// voiding returns the question before a cash sale is voided, and the message after it.
func (s subject) voiding() (question.Question, func(t i18n.Texts, typed string) string) {
	void := &void{subject: s}
	return question.New("void "+s.sale.Number, void.asks, void.record).ForReason(s.Theme), void.done
}

type void struct {
	subject
	voided drawer.CounterSale // The voided sale. Another till may have refunded it meanwhile.
}

func (v *void) asks(t i18n.Texts) string {
	asked := t.Cash.Void
	if v.sale.Tender() == drawer.TenderAccount {
		asked = t.Cash.VoidDebt
	}
	says := asked.With(v.sale.Number, i18n.Money(v.sale.Left()))
	if v.isPart() {
		says += "\n" + t.Cash.VoidPart
	}
	return says
}

func (v *void) record(ctx context.Context, reason string, identity staff.Identity) (err error) {
	v.voided, err = v.Service.VoidSale(ctx, v.Till, v.sale.Number, reason, identity)
	return err
}

func (v *void) done(t i18n.Texts, _ string) string {
	return wording.Voided(t, v.voided)
}

// refunds is what can be refunded of an order or a cash sale, and the refund to record.
type refunds struct {
	drawer.Given
	way   drawer.Tender // How the money is given back.
	total money.Ariary  // Amount of the order or the cash sale.
	can   drawer.Refundable
	finds bool  // Whether a refund also records the finding that the order was paid.
	last  int64 // ID of the last refund in this way that can be taken back; 0 for none.
}

// possible reports whether there is money to give back, or a refund to take back.
func (r refunds) possible() bool { return r.can.Left > 0 || r.last > 0 }

// refundable returns what can be refunded. Without inCash, the money goes back the way it was paid.
func (s subject) refundable(inCash bool) refunds {
	order, sale := s.order, s.sale
	found := refunds{can: drawer.RefundableOf(order, sale, inCash)}
	found.Given = drawer.Given{Ref: cmp.Or(sale.Number, order.Reference), InCash: inCash, Net: found.can.Net}
	transfers := order.Transfers
	if s.isCash {
		found.total, found.way = sale.Amount, sale.Tender()
		transfers = sale.Refunds
	} else {
		found.total, found.way = order.Amount, drawer.TenderLink
		found.finds = !order.PlainlyPaid(s.state.Now)
		found.Verdict = order.Verdict(payments.Conditions{}, s.state.Now)
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

// refunding returns the question about a refund. The answer is a reason. An amount may precede it,
// or the number of a refund to take back.
func (s subject) refunding(r refunds) question.Question {
	says := func(t i18n.Texts) string {
		rows := []string{t.TenderRefunds[string(r.way)].With(r.Ref, i18n.Money(r.total))}
		if r.can.Left > 0 {
			if r.finds {
				rows = append(rows, t.Asks.RefundFinds)
			}
			rows = append(rows, t.Asks.RefundNote.With(i18n.Money(r.can.Left), example(max(1, r.can.Left/2))))
		}
		if r.can.Refunded > 0 {
			rows = append(rows, t.Asks.SoFar.With(i18n.Money(r.can.Refunded)))
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
				err = &question.InvalidError{Says: errortext.NotDone(err)} // Keep the question open for another number.
			}
			return err
		}
		if err != nil || typed.Amount > r.can.Left || r.can.Left == 0 || typed.Note == "" {
			return &question.InvalidError{Says: func(t i18n.Texts) string { return r.how(t, text) }}
		}
		given := r.Given
		given.Amount, given.Note = cmp.Or(typed.Amount, r.can.Left), typed.Note
		return s.Service.Refund(ctx, s.Till, given, who)
	}).ForReason(s.Theme)
}

// example returns an amount that [entry.ParseRefund] accepts: a small one needs its unit, Ar.
func example(amount money.Ariary) string {
	if _, err := entry.ParseRefund(amount.String() + " x"); err != nil {
		return i18n.Money(amount)
	}
	return i18n.Number(int64(amount))
}

// how says what to type instead of an invalid text.
func (r refunds) how(t i18n.Texts, typed string) string {
	switch {
	case strings.HasPrefix(typed, "#") && r.last > 0:
		return t.Asks.TakeBackNote.With(r.last)
	case r.can.Left == 0:
		return t.Account.AllGivenBack
	case r.onlyAmount(typed):
		return t.Account.ReasonNeeded
	}
	if read, err := entry.ParseRefund(typed); err != nil && read.Amount > 0 && read.Amount <= r.can.Left {
		return t.Asks.SmallRefund.With(i18n.Money(read.Amount))
	}
	return t.Cash.RefundHow.With(i18n.Money(r.can.Left), example(r.can.Left))
}

func (r refunds) onlyAmount(typed string) bool {
	amount, err := entry.ParseRefund(typed)
	return err == nil && amount.Amount > 0 && amount.Amount <= r.can.Left && amount.Note == ""
}

// done names the refunded amount, or the refund that was taken back. It is called only after the
// refund, so text is valid.
func (r refunds) done(t i18n.Texts, text string) string {
	typed, _ := entry.ParseRefund(text)
	if typed.TakeBack > 0 {
		return t.Frame.Labelled.With(t.Account.Reversal, "#"+i18n.Number(typed.TakeBack))
	}
	amount := cmp.Or(typed.Amount, r.can.Left)
	return t.Cash.GivenBack.With(r.Ref, i18n.Money(amount), i18n.Money(r.can.Refunded+amount))
}
