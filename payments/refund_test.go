package payments_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
)

// ledgerOf returns how much the transfers of an order added to an account.
func ledgerOf(order payments.Order, account ledger.Account) (sum money.Ariary) {
	for _, transfer := range order.Transfers {
		sum += transfer.Into(account)
	}
	return sum
}

// Each row begins with an order of 9000 Ar, and has the steps of a story. The stories show the
// verdicts, and what later events do to a refunded order.
func TestARefundMovesItsMoneyOnce(t *testing.T) {
	for _, test := range []struct {
		name, steps string
		want        payments.Refunds
		net         money.Ariary
		findings    int
	}{
		{"all in the merchant area", "success a, refund a 9000", payments.Refunds{Area: 9000}, 0, 0},
		{"all in cash", "success a, cash a 9000", payments.Refunds{Cash: 9000}, 0, 0},
		{"a part", "success a, refund a 4000", payments.Refunds{Area: 4000}, 5000, 0},
		{"each refund is its own amount", "success a, refund a 1000, refund a 1500", payments.Refunds{Area: 2500}, 6500, 0},
		{"both ways", "success a, refund a 2000, cash a 5000", payments.Refunds{Area: 2000, Cash: 5000}, 2000, 0},
		{"taken back", "success a, refund a 2000, cash a 5000, back a", payments.Refunds{Area: 2000}, 7000, 0},
		{"all taken back", "success a, refund a 2000, cash a 7000, back a, back a, back a", payments.Refunds{}, 9000, 0},
		{"taken back, and another after it", "success a, refund a 1000, refund a 2000, back a, refund a 3000, back a", payments.Refunds{Area: 1000}, 8000, 0},
		{"of an order without proof", "refund a 9000", payments.Refunds{Area: 9000}, 0, 1},
		{"a part of an order without proof", "refund a 4000", payments.Refunds{Area: 4000}, 5000, 1},
		{"of an order that was found unpaid", "found-unpaid a, refund a 9000", payments.Refunds{Area: 9000}, 0, 2},
		{"a second part, after it was found unpaid", "success a, refund a 4000, found-unpaid a, refund a 1000", payments.Refunds{Area: 5000}, 4000, 2},
		{"a part of an order to check", "success a, failed a, cash a 4000", payments.Refunds{Cash: 4000}, 5000, 1},
		{"of an order that was found paid: no other finding", "found-paid a, refund a 9000", payments.Refunds{Area: 9000}, 0, 1},
		{"then found paid", "success a, refund a 9000, found-paid a", payments.Refunds{Area: 9000}, 0, 1},
		{"then found unpaid: the cash is gone", "success a, cash a 4000, found-unpaid a", payments.Refunds{Cash: 4000}, -4000, 1},
		{"found unpaid, and the cash was not given back", "success a, cash a 4000, found-unpaid a, back a", payments.Refunds{}, 0, 1},
		{"found unpaid, so the refund in the area stays", "success a, refund a 4000, found-unpaid a, back a", payments.Refunds{Area: 4000}, 0, 1},
		{"found unpaid, then found paid", "success a, refund a 1000, cash a 4000, found-unpaid a, found-paid a", payments.Refunds{Area: 1000, Cash: 4000}, 4000, 2},
		{"found unpaid, then another success", "success a, refund a 1000, cash a 4000, found-unpaid a, success a again", payments.Refunds{Area: 1000, Cash: 4000}, 4000, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			s.play(t, "charge a, "+test.steps)
			order, _ := s.look(t, s.asked[0].Reference)
			if order.Refunds != test.want || order.Net() != test.net || len(order.Findings) != test.findings {
				t.Errorf("refunds %+v, %d left, %d findings", order.Refunds, order.Net(), len(order.Findings))
			}
			if ledgerOf(order, area) != order.Collected() || -ledgerOf(order, ledger.Sales) != test.net || -ledgerOf(order, drawer) != test.want.Cash {
				t.Errorf("transfers %+v", order.Transfers)
			}
			// While the shop has money for the order, cash is refused for its sale.
			objection, is := errors.AsType[*payments.Objection](payments.MayCharge([]payments.Order{order}, payments.Taken{}, payments.Terms{}, s.now))
			if paid := is && objection.Kind == payments.SalePaid; paid != (test.net > 0) {
				t.Errorf("the objection is %v", objection)
			}
		})
	}
}

func TestARefundDoesNotOverrideAFindingThatThePersonDidNotSee(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	s.receive(t, event(payments.PaymentSuccess, order, ""))
	must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundUnpaid, Note: "not there"})))
	mustFail(t, s.refundSeen(t, order.Reference, area, 1000, 9000), payments.ErrOutdated)
	must(t, s.refundSeen(t, order.Reference, area, 1000, 0))
	must(t, s.store.Update(t.Context(), func(tx payments.Tx) error {
		all := ledger.Transfer{
			At: s.now, Booked: s.now, Kind: ledger.Refund, From: area, To: ledger.Sales, Till: "T1", By: "Soa", Note: "the rest",
			Payment: ledger.Payment{Kind: ledger.ByOrder, Ref: order.Reference},
		}
		return s.RefundIn(tx, all, true, 8000)
	}))
	if order, _ = s.look(t, order.Reference); order.Refunds.Area != 9000 {
		t.Errorf("given back: %+v", order.Refunds)
	}
}

func TestARefundThatCannotBeMadeIsRefused(t *testing.T) {
	for _, test := range []struct {
		name        string
		events      []payments.EventKind
		from        ledger.Account
		amount, net money.Ariary
		want        error
	}{
		{"less was left than the person saw", []payments.EventKind{payments.PaymentSuccess}, area, 1000, 10_000, payments.ErrOutdated},
		{"more was left than the person saw", []payments.EventKind{payments.PaymentSuccess}, drawer, 1000, 0, payments.ErrOutdated},
		{"zero", []payments.EventKind{payments.PaymentSuccess}, area, 0, 9000, money.ErrNotAmount},
		{"below zero", []payments.EventKind{payments.PaymentSuccess}, drawer, -1, 9000, money.ErrNotAmount},
		{"more than is left", []payments.EventKind{payments.PaymentSuccess}, drawer, 9001, 9000, money.ErrNotAmount},
		{"in cash while no money is there", nil, drawer, 1000, 0, money.ErrNotAmount},
		{"in cash after a success without proof", []payments.EventKind{"short"}, drawer, 1000, 0, money.ErrNotAmount},
		{"all", []payments.EventKind{payments.PaymentSuccess}, drawer, 9000, 9000, nil},
		{"in the merchant area while no money is there", nil, area, 9000, 0, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			order := s.charge(t, "S1")
			for _, kind := range test.events {
				e := event(kind, order, "")
				if kind == "short" {
					e = event(payments.PaymentSuccess, order, "")
					e.Amount = payments.AmountValue(1)
				}
				s.receive(t, e)
			}
			before := s.store.dump(t)
			err := s.refundSeen(t, order.Reference, test.from, test.amount, test.net)
			mustFail(t, err, test.want)
			if changed := s.store.dump(t) != before; changed != (test.want == nil) {
				t.Errorf("something was stored: %t", changed)
			}
		})
	}
	t.Run("more than is left says how much is", func(t *testing.T) {
		s := newShop(t)
		order := s.charge(t, "S1")
		s.receive(t, event(payments.PaymentSuccess, order, ""))
		err := s.refundSeen(t, order.Reference, drawer, 9001, 9000)
		if err == nil || !strings.Contains(err.Error(), "at most 9000 Ar can be given back") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("of no order", func(t *testing.T) {
		s := newShop(t)
		mustFail(t, s.refundSeen(t, "A-1", area, 1000, 9000), payments.ErrNotFound)
		back := ledger.Transfer{Payment: ledger.Payment{Kind: ledger.ByOrder, Ref: "A-1"}}
		mustFail(t, s.store.Update(t.Context(), func(tx payments.Tx) error { return s.TakeBackIn(tx, back) }), payments.ErrNotFound)
	})
}

func TestARefundRecordsWhatThePersonSaw(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	s.receive(t, event(payments.PaymentFailed, order, ""))
	must(t, s.refund(t, order.Reference, area, 9000))
	order, _ = s.look(t, order.Reference)
	want := payments.Finding{Kind: payments.FoundPaid, By: "Soa", Note: "broken", At: s.now, Seen: payments.VerdictNotPaid}
	if len(order.Findings) != 1 || order.Findings[0] != want || order.Open() || !order.Facts.GivenUp {
		t.Errorf("findings %+v, facts %+v", order.Findings, order.Facts)
	}
	var kinds []string
	for _, transfer := range order.Transfers {
		kinds = append(kinds, fmt.Sprint(transfer.Kind, " ", transfer.From, " ", transfer.Amount, " ", transfer.By))
	}
	if got := fmt.Sprint(kinds); got != "[sale sales 9000 Soa refund service 9000 Soa]" {
		t.Errorf("transfers %s", got)
	}
}
