package payments_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/oracle"
	"checkout/till/storage/storagetest"
)

// play turns each byte of script into an event, an action or a pause. After each step it compares
// the orders with the oracle.
func play(t *testing.T, script []byte) {
	s := newShop(t)
	orders := []payments.Order{s.charge(t, "S1"), s.charge(t, "S1")}
	history := []oracle.Fact{
		{Order: 0, What: "made", Amount: orders[0].Amount, At: s.now}, {Order: 1, What: "made", Amount: orders[1].Amount, At: s.now},
	}
	known := make(map[oracle.Fact]bool)
	paidAt := make([]time.Time, 2)
	whats := []string{
		"success", "success", "success", "failed", "failed", "canceled", "expired", "refunded",
		"ack", "back", "found-paid", "found-unpaid", "refund", "wait", "success", "refund",
	}
	for i, b := range script[:min(len(script), 200)] {
		f := oracle.Fact{Order: int(b >> 4 & 1), What: whats[b&15], Text: b >> 5 & 1, Sound: b>>6 != 3, Other: b>>6 == 2}
		switch f.What {
		case "wait":
			s.now = s.now.Add(time.Duration(b>>4) * 20 * time.Second)
			continue
		case "ack", "found-paid", "found-unpaid":
			human(t, s, orders[f.Order].Reference, f.What)
		case "refund", "back":
			f.InCash, f.Amount = b>>5&1 == 1, money.Ariary(b>>6)*3000
			if f = moneyMoves(t, s, orders[f.Order].Reference, f); f.Amount == 0 {
				continue
			}
		default:
			e := eventOf(f, orders[f.Order])
			if f.Other {
				e.Reference = payments.TextValue(orders[1-f.Order].Reference)
			}
			if again := s.receive(t, e).Effect == payments.Duplicate; again != known[f] {
				t.Fatalf("step %d: %+v is a duplicate: %v", i, f, again)
			}
			if known[f] {
				continue
			}
			known[f] = true
		}
		f.At = s.now
		history = append(history, f)
		for n := range orders {
			order, _ := s.look(t, orders[n].Reference)
			want := oracle.Judge(history, n, order.Link.ExpiresAt, s.now)
			if got := oracle.Read(order, s.now); got != want {
				t.Fatalf("step %d, order %d: %+v; the oracle says %+v, after %+v", i, n, got, want, history)
			}
			if !paidAt[n].IsZero() && !order.Facts.PaidAt.Equal(paidAt[n]) {
				t.Fatalf("step %d, order %d: the time of the payment changed", i, n)
			}
			paidAt[n] = order.Facts.PaidAt
		}
	}
}

// human acts on an order: the action "ack" acknowledges its verdict, "found-paid" and
// "found-unpaid" record a finding.
func human(t *testing.T, s *shop, ref, what string) {
	t.Helper()
	var err error
	if what == "ack" {
		order, _ := s.look(t, ref)
		_, err = s.Acknowledge(t.Context(), ref, verdict(order, s.now), payments.Conditions{})
	} else {
		_, err = s.resolve(t, ref, payments.Finding{
			Kind: payments.FindingKind(strings.TrimPrefix(what, "found-")), By: "Soa", Note: "looked",
		})
	}
	must(t, err)
}

// moneyMoves makes a refund, or takes the last one back, and returns the fact for it. A refund of
// zero, or of more than is left, becomes a refund of all that is left.
func moneyMoves(t *testing.T, s *shop, ref string, f oracle.Fact) oracle.Fact {
	t.Helper()
	before, _ := s.look(t, ref)
	if f.What == "back" {
		if last, _ := before.LastRefund(); last.AtService() && before.Gross() == 0 {
			mustFail(t, s.takeBack(t, ref), money.ErrNotAmount) // The service has no money for the order.
			f.Amount = 0
			return f
		}
		must(t, s.takeBack(t, ref))
		after, _ := s.look(t, ref)
		f.InCash = after.Refunds.Cash != before.Refunds.Cash
		f.Amount = before.Refunds.Sum() - after.Refunds.Sum()
		return f
	}
	left := before.Left(f.InCash)
	if f.Amount == 0 || f.Amount > left {
		f.Amount = left
	}
	if left > 0 {
		must(t, s.refund(t, ref, map[bool]ledger.Account{true: drawer, false: area}[f.InCash], f.Amount))
	}
	return f
}

func eventOf(f oracle.Fact, order payments.Order) payments.Event {
	e := event(payments.EventKind("payment."+f.What), order, fmt.Sprint(f.Text))
	if !f.Sound {
		e.Amount = payments.AmountValue(order.Amount + 1)
	}
	return e
}

func TestRandomSequencesAgreeWithTheOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range storagetest.Size(20, 60) {
		script := make([]byte, 1+random.IntN(40))
		for i := range script {
			script[i] = byte(random.Uint32())
		}
		play(t, script)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte{0, 3, 6})
	f.Add([]byte{3, 8, 0, 0x10})
	f.Add([]byte{0xfc, 0xfc, 0xfc, 0, 0x16, 0x1a, 0x10})
	f.Fuzz(play)
}
