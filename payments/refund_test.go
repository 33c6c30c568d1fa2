package payments_test

import (
	"errors"
	"fmt"
	"slices"
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

// Each row begins with an order of 9000 Ar and its events. Then come the acts of people. The
// stories in stories_test.go show what later events do to a refunded order.
func TestARefundMovesItsMoneyOnce(t *testing.T) {
	const success, failed = payments.PaymentSuccess, payments.PaymentFailed
	event := func(kind payments.EventKind) func(*testing.T, *shop, payments.Order) {
		return func(t *testing.T, s *shop, order payments.Order) { s.receive(t, event(kind, order, s.now.String())) }
	}
	find := func(kind payments.FindingKind) func(*testing.T, *shop, payments.Order) {
		return func(t *testing.T, s *shop, order payments.Order) {
			must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: kind, Note: "looked"})))
		}
	}
	refund := func(from ledger.Account, amount money.Ariary) func(*testing.T, *shop, payments.Order) {
		return func(t *testing.T, s *shop, order payments.Order) { must(t, s.refund(t, order.Reference, from, amount)) }
	}
	back := func(t *testing.T, s *shop, order payments.Order) { must(t, s.takeBack(t, order.Reference)) }
	// A refund in the merchant area cannot be taken back if the order was found unpaid: the service has
	// no money for it.
	stays := func(t *testing.T, s *shop, order payments.Order) {
		mustFail(t, s.takeBack(t, order.Reference), money.ErrNotAmount)
	}
	for _, test := range []struct {
		name     string
		steps    []func(*testing.T, *shop, payments.Order)
		want     payments.Refunds
		net      money.Ariary
		verdict  payments.Verdict
		findings int
	}{
		{"all in the merchant area", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 9000)}, payments.Refunds{Area: 9000}, 0, payments.VerdictRefunded, 0},
		{"all in cash", []func(*testing.T, *shop, payments.Order){event(success), refund(drawer, 9000)}, payments.Refunds{Cash: 9000}, 0, payments.VerdictRefunded, 0},
		{"a part", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 4000)}, payments.Refunds{Area: 4000}, 5000, payments.VerdictPaid, 0},
		{"each refund is its own amount", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 1000), refund(area, 1500)}, payments.Refunds{Area: 2500}, 6500, payments.VerdictPaid, 0},
		{"both ways", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 2000), refund(drawer, 5000)}, payments.Refunds{Area: 2000, Cash: 5000}, 2000, payments.VerdictPaid, 0},
		{"taken back", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 2000), refund(drawer, 5000), back}, payments.Refunds{Area: 2000}, 7000, payments.VerdictPaid, 0},
		{"all taken back", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 2000), refund(drawer, 7000), back, back}, payments.Refunds{}, 9000, payments.VerdictPaid, 0},
		{"of an order without proof", []func(*testing.T, *shop, payments.Order){refund(area, 9000)}, payments.Refunds{Area: 9000}, 0, payments.VerdictRefunded, 1},
		{"a part of an order without proof", []func(*testing.T, *shop, payments.Order){refund(area, 4000)}, payments.Refunds{Area: 4000}, 5000, payments.VerdictMarkedPaid, 1},
		{"of an order that was found unpaid", []func(*testing.T, *shop, payments.Order){find(payments.FoundUnpaid), refund(area, 9000)}, payments.Refunds{Area: 9000}, 0, payments.VerdictRefunded, 2},
		{"a second part, after it was found unpaid", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 4000), find(payments.FoundUnpaid), refund(area, 1000)}, payments.Refunds{Area: 5000}, 4000, payments.VerdictMarkedPaid, 2},
		{"a part of an order to check", []func(*testing.T, *shop, payments.Order){event(success), event(failed), refund(drawer, 4000)}, payments.Refunds{Cash: 4000}, 5000, payments.VerdictMarkedPaid, 1},
		{"of an order that was found paid: no other finding", []func(*testing.T, *shop, payments.Order){find(payments.FoundPaid), refund(area, 9000)}, payments.Refunds{Area: 9000}, 0, payments.VerdictRefunded, 1},
		{"then found paid", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 9000), find(payments.FoundPaid)}, payments.Refunds{Area: 9000}, 0, payments.VerdictRefunded, 1},
		{"then found unpaid: the cash is gone", []func(*testing.T, *shop, payments.Order){event(success), refund(drawer, 4000), find(payments.FoundUnpaid)}, payments.Refunds{Cash: 4000}, -4000, payments.VerdictMarkedUnpaid, 1},
		{"found unpaid, and the cash was not given back", []func(*testing.T, *shop, payments.Order){event(success), refund(drawer, 4000), find(payments.FoundUnpaid), back}, payments.Refunds{}, 0, payments.VerdictMarkedUnpaid, 1},
		{"found unpaid, and the refund in the area was not made", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 4000), find(payments.FoundUnpaid), stays}, payments.Refunds{Area: 4000}, 0, payments.VerdictMarkedUnpaid, 1},
		{"found unpaid, then found paid", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 1000), refund(drawer, 4000), find(payments.FoundUnpaid), find(payments.FoundPaid)}, payments.Refunds{Area: 1000, Cash: 4000}, 4000, payments.VerdictMarkedPaid, 2},
		{"found unpaid, then another success", []func(*testing.T, *shop, payments.Order){event(success), refund(area, 1000), refund(drawer, 4000), find(payments.FoundUnpaid), event(success)}, payments.Refunds{Area: 1000, Cash: 4000}, 4000, payments.VerdictCheck, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			order := s.charge(t, "S1")
			for _, step := range test.steps {
				s.now = s.now.Add(1)
				step(t, s, order)
			}
			order, _ = s.look(t, order.Reference)
			if order.Refunds != test.want || order.Net() != test.net || len(order.Findings) != test.findings {
				t.Errorf("refunds %+v, %d left, %d findings", order.Refunds, order.Net(), len(order.Findings))
			}
			if got := verdict(order, s.now); got != test.verdict {
				t.Errorf("%s, want %s", got, test.verdict)
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
	t.Run("two tills that give the same money back", func(t *testing.T) {
		s := newShop(t)
		order := s.charge(t, "S1")
		s.receive(t, event(payments.PaymentSuccess, order, ""))
		must(t, s.refundSeen(t, order.Reference, drawer, 4000, 9000))
		mustFail(t, s.refundSeen(t, order.Reference, area, 4000, 9000), payments.ErrOutdated)
	})
	t.Run("of no order", func(t *testing.T) {
		s := newShop(t)
		mustFail(t, s.refundSeen(t, "A-1", area, 1000, 9000), payments.ErrNotFound)
		back := ledger.Transfer{Payment: ledger.Payment{Kind: ledger.ByOrder, Ref: "A-1"}}
		mustFail(t, s.store.Update(t.Context(), func(tx payments.Tx) error { return s.TakeBackIn(tx, back) }), payments.ErrNotFound)
	})
}

func TestTheLastRefundIsTheOneToTakeBack(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	s.receive(t, event(payments.PaymentSuccess, order, ""))
	last := func() money.Ariary {
		order, _ = s.look(t, order.Reference)
		refund, is := order.LastRefund()
		if is != (refund.Amount > 0) {
			t.Errorf("%+v is a refund: %t", refund, is)
		}
		return refund.Amount
	}
	for i, step := range []struct {
		refund money.Ariary // 0 takes the last refund back.
		want   money.Ariary
	}{{1000, 1000}, {2000, 2000}, {0, 1000}, {3000, 3000}, {0, 1000}, {0, 0}, {4000, 4000}} {
		if step.refund > 0 {
			must(t, s.refund(t, order.Reference, area, step.refund))
		} else {
			must(t, s.takeBack(t, order.Reference))
		}
		if got := last(); got != step.want {
			t.Errorf("after step %d: %d, want %d", i+1, got, step.want)
		}
	}
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

func TestAnOrderStaysGivenUpAfterARefund(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	s.receive(t, event(payments.PaymentFailed, order, "no money"))
	must(t, failure(s.Acknowledge(t.Context(), order.Reference, payments.VerdictNotPaid, payments.Conditions{})))
	must(t, s.refund(t, order.Reference, area, 4000))
	s.receive(t, event(payments.PaymentFailed, order, "canceled")) // This contradicts the finding that the refund recorded.
	s.receive(t, event(payments.PaymentSuccess, order, ""))
	order, _ = s.look(t, order.Reference)
	if got := order.Attention(s.now); !slices.Equal(got, []payments.Attention{payments.FindingContradicted, payments.PaidLate}) {
		t.Errorf("the order is paid after the cashier had given it up, and is %v", got)
	}
}

// If the customer paid a link of 90,000 instead of 9,000 Ar, a second payment of the sale must
// still be found.
func TestPaidTwiceGoesByTheMoneyOfTheSale(t *testing.T) {
	for _, test := range []struct {
		name        string
		nought      bool // Whether the customer also paid a link with one zero too many.
		second      bool // Whether the customer also paid a second link of the right amount.
		given, want money.Ariary
		twice       bool
	}{
		{"one is paid", false, false, 0, 9000, false},
		{"two are paid", false, true, 0, 18_000, true},
		{"two are paid, and a part is given back", false, true, 8999, 9001, true},
		{"two are paid, and one is given back", false, true, 9000, 9000, false},
		{"the wrong one is paid, too", true, false, 0, 99_000, true},
		{"the wrong one is paid, too, and so much of it is given back that its amount is left", true, false, 9000, 90_000, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShop(t)
			wrong := terms("S1")
			for i := range wrong.Items {
				wrong.Items[i].UnitPrice *= 10
			}
			dear, err := s.Checkout(t.Context(), again(wrong))
			must(t, err)
			orders := []payments.Order{s.charge(t, "S1")}
			last := s.charge(t, "S1")
			if test.second {
				orders = append(orders, last)
			}
			if test.nought {
				orders = append(orders, dear)
			}
			for _, order := range orders {
				s.receive(t, event(payments.PaymentSuccess, order, ""))
			}
			if test.given > 0 {
				must(t, s.refund(t, orders[len(orders)-1].Reference, area, test.given))
			}
			var net money.Ariary
			for _, order := range orders {
				stored, _ := s.look(t, order.Reference)
				net += stored.Net()
				want := payments.VerdictPaid
				switch {
				case stored.Net() == 0:
					want = payments.VerdictRefunded
				case test.twice:
					want = payments.VerdictCheck
				}
				if got := verdict(stored, s.now); got != want {
					t.Errorf("the order of %d is %s, want %s", stored.Amount, got, want)
				}
			}
			if net != test.want {
				t.Errorf("the shop has %d", net)
			}
		})
	}
}
