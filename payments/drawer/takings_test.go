package drawer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
)

// eventOf returns an event with the amount of an order.
func eventOf(order payments.Order, kind payments.EventKind) payments.Event {
	return payments.Event{
		Kind: kind, OrderReference: order.OrderReference,
		Amount: payments.AmountValue(order.Amount), Currency: payments.TextValue(payments.Currency),
	}
}

// receive delivers an event that came at a time.
func (s *till) receive(t *testing.T, event payments.Event, came time.Time) {
	t.Helper()
	must(t, failure(s.ReceiveLate(t.Context(), event, nil, came)))
}

// charge makes an order of a new sale, and delivers events for it.
func (s *till) charge(t *testing.T, kinds ...payments.EventKind) payments.Order {
	t.Helper()
	given := terms("")
	given.Items = append(given.Items, payments.Item{Label: "Coca", UnitPrice: 2000, Quantity: 1})
	order := s.checkout(t, given)
	for _, kind := range kinds {
		s.receive(t, eventOf(order, kind), s.now)
	}
	return order
}

// resolve records the finding of a person who has seen the current verdict of the order.
func (s *till) resolve(t *testing.T, order payments.Order, kind payments.FindingKind) {
	t.Helper()
	order = s.find(t, order.Reference)
	finding := payments.Finding{Kind: kind, Note: "why", Seen: order.Verdict(payments.Conditions{}, s.now), Net: order.Net()}
	must(t, failure(s.Resolve(t.Context(), order.Reference, finding, staff.Identity{})))
}

func TestTakingsCountVerdictsHoursAndArticles(t *testing.T) {
	s := open(t)
	begun := s.now
	period := money.Period{From: begun, To: begun.Add(24 * time.Hour), Sold: true}
	s.charge(t, payments.PaymentSuccess)
	s.charge(t, payments.PaymentFailed)
	s.charge(t, payments.PaymentSuccess, payments.PaymentExpired)
	s.resolve(t, s.charge(t), payments.FoundPaid)
	s.charge(t)
	s.now = begun.Add(time.Hour)
	s.charge(t)
	s.charge(t, payments.PaymentSuccess)
	s.now = begun.Add(65 * time.Minute)
	if waiting := s.day(t, period).Verdicts[payments.VerdictWaiting]; waiting.Count != 1 {
		t.Errorf("waiting is %+v, and a link is valid", waiting)
	}
	s.now = begun.Add(80 * time.Minute)
	s.charge(t, payments.PaymentSuccess)
	s.cash(t, "S1")
	s.void(t, "T1", s.cash(t, "S2").Number)
	day := s.day(t, period)
	for _, verdict := range payments.Verdicts() {
		count := map[payments.Verdict]int64{
			payments.VerdictMarkedPaid: 1, payments.VerdictCheck: 1, payments.VerdictPaid: 3,
			payments.VerdictNotPaid: 1, payments.VerdictTimeOver: 2,
		}[verdict]
		sum, there := day.Verdicts[verdict]
		if want := (money.Sum{Count: count, Amount: money.Ariary(count) * 9000}); !there || sum != want {
			t.Errorf("%s: %+v, want %+v", verdict, sum, want)
		}
	}
	hours := []drawer.Hour{
		{At: begun.UTC(), Sum: money.Sum{Count: 3, Amount: 27000}}, {At: begun.UTC().Add(time.Hour), Sum: money.Sum{Count: 3, Amount: 25000}},
	}
	sold := []drawer.Sold{
		{Label: "Vary", Quantity: 12, Amount: 42000, Thousandths: 12000}, {Label: "Coca", Quantity: 5, Amount: 10000, Thousandths: 5000},
	}
	if day.Orders != 8 || !slices.Equal(day.Hours, hours) || !slices.Equal(day.Sold, sold) {
		t.Errorf("%d orders, hours %+v, sold %+v", day.Orders, day.Hours, day.Sold)
	}
}

func TestHoursBeginInTheShopsTimeZone(t *testing.T) {
	s := open(t)
	s.now = time.Date(2026, 11, 21, 14, 50, 0, 0, time.FixedZone("IST", 5*60*60+30*60))
	s.charge(t, payments.PaymentSuccess)
	day := s.day(t, money.Day(s.now, 0))
	if len(day.Hours) != 1 || !day.Hours[0].At.Equal(s.now.Add(-50*time.Minute)) || day.Sold != nil {
		t.Errorf("takings %+v", day)
	}
}

func TestTakingsAddMeasures(t *testing.T) {
	s := open(t)
	sell := func(items ...payments.Item) {
		given := terms("")
		given.Items = items
		s.take(t, given, inCash())
	}
	measured := func(article string, thousandths int64, unit string, price money.Ariary) payments.Item {
		measure := payments.Measure{Article: article, Thousandths: thousandths, Unit: unit, Price: price}
		item, err := payments.NewMeasured(measure, fmt.Sprint(article, " ", thousandths))
		must(t, err)
		return item
	}
	sell(measured("Vary", 1200, "kg", 2500), measured("Vary", 750, "kg", 2500))
	sell(payments.Item{Label: "Vary", UnitPrice: 2500, Quantity: 2}, measured("Mofomamy", 333, "", 9000))
	want := []drawer.Sold{
		{Label: "Vary", Quantity: 4, Amount: 9875, Thousandths: 3950, Unit: "kg"},
		{Label: "Mofomamy", Quantity: 1, Amount: 2997, Thousandths: 333},
	}
	if sold := s.day(t, s.today()).Sold; !slices.Equal(sold, want) {
		t.Errorf("sold %+v, want %+v", sold, want)
	}
}

// A refund and a correction count on their own days and do not change the day of the payment.
func TestPaymentsAndRefundsCountOnTheirOwnDays(t *testing.T) {
	s := open(t)
	begun := s.now
	received := func(days ...int) (all string) {
		for _, day := range days {
			takings := s.day(t, money.Day(begun.AddDate(0, 0, day), 0))
			all += fmt.Sprint(takings.Orders, takings.Received, takings.Refunded, "; ")
		}
		return all
	}
	proven, marked, corrected := s.charge(t, payments.PaymentSuccess), s.charge(t), s.charge(t)
	s.resolve(t, marked, payments.FoundPaid)
	s.resolve(t, corrected, payments.FoundPaid)
	if got := received(0); got != "3 {3 27000} {0 0}; " {
		t.Errorf("on the first day: %s", got)
	}
	s.now = begun.AddDate(0, 0, 1)
	s.refund(t, "T1", proven.Reference, false, 4000)
	s.refund(t, "T1", proven.Reference, false, 5000)
	s.refund(t, "T1", marked.Reference, false, 9000)
	s.resolve(t, corrected, payments.FoundUnpaid)
	if got := received(0, 1); got != "3 {3 27000} {0 0}; 0 {-1 -27000} {3 18000}; " {
		t.Errorf("after three refunds and a correction: %s", got)
	}
	s.now = begun.AddDate(0, 0, 2)
	s.resolve(t, corrected, payments.FoundPaid)
	s.takeBack(t, "T1", proven.Reference)
	if got := received(0, 1, 2); got != "3 {3 27000} {0 0}; 0 {-1 -27000} {3 18000}; 0 {1 14000} {-1 -5000}; " {
		t.Errorf("after another correction and a refund that was taken back: %s", got)
	}
}

// broken is a store that cannot be read.
type broken struct {
	drawer.Store
	fault error
}

func (b broken) View(context.Context, func(drawer.Tx) error) error { return b.fault }

func TestTakingsAreNeverIncompleteWithoutAnError(t *testing.T) {
	store := openStore(t)
	fault := errors.New("the disk is gone")
	service := drawer.New(broken{store, fault}, payments.New(store, storagetest.Taker{}, time.Now))
	if day, err := service.Day(t.Context(), money.Day(time.Now(), 0)); !errors.Is(err, fault) || day.Verdicts != nil {
		t.Errorf("got %+v, %v", day, err)
	}
}

// Only a proof that a relay or an outbox has kept changes an earlier day. The report says how much
// money came later.
func TestAProofThatComesLateCountsOnItsDayAndIsNamed(t *testing.T) {
	s := open(t)
	s.charge(t, payments.PaymentSuccess)
	late, today := s.charge(t), money.Day(s.now, 0)
	came := s.now.Add(time.Minute)
	s.now = today.To // The first moment of the next day.
	s.receive(t, eventOf(late, payments.PaymentSuccess), came)
	for _, test := range []struct {
		period          money.Period
		received, later money.Sum
	}{
		{today, money.Sum{Count: 2, Amount: 18_000}, money.Sum{Count: 1, Amount: 9000}},
		{money.Day(s.now, 0), money.Sum{}, money.Sum{}},
	} {
		day := s.day(t, test.period)
		if day.Received != test.received || day.Later != test.later {
			t.Errorf("%v: received %v, later %v", test.period.From, day.Received, day.Later)
		}
	}
}

func TestTheTransfersOfAPeriodHaveTheirArticles(t *testing.T) {
	s := open(t)
	order := s.order(t, "S1")
	s.pay(t, order)
	sale := s.cash(t, "S2")
	s.void(t, "T1", sale.Number)
	s.move(t, drawer.Float, 5000)
	s.close(t)
	today := money.Day(s.now, 0)
	s.now = s.now.AddDate(0, 0, 1)
	s.move(t, drawer.Float, 1)

	transfers, articles, err := s.Transfers(t.Context(), today)
	must(t, err)
	var kinds []ledger.Kind
	for i, transfer := range transfers {
		kinds = append(kinds, transfer.Kind)
		if transfer.ID != int64(i+1) {
			t.Errorf("place %d has the transfer %d", i, transfer.ID)
		}
	}
	if want := []ledger.Kind{ledger.Sale, ledger.Sale, ledger.Void, ledger.Float, ledger.Closing}; !slices.Equal(kinds, want) {
		t.Errorf("got %s, want %s", kinds, want)
	}
	want := map[ledger.Payment]string{
		{Kind: ledger.ByOrder, Ref: order.Reference}: "2 × Vary",
		{Kind: ledger.AtCounter, Ref: sale.Number}:   "2 × Vary",
	}
	if !maps.Equal(articles, want) {
		t.Errorf("got %v, want %v", articles, want)
	}
}

func TestWhatACustomerProbablyGives(t *testing.T) {
	for sum, want := range map[money.Ariary][]money.Ariary{
		12_500: {12_500, 13_000, 14_000, 15_000, 20_000},
		20_000: {20_000},
		1:      {1, 1_000, 2_000, 5_000, 10_000, 20_000},
		41_000: {41_000, 42_000, 45_000, 50_000, 60_000},
	} {
		if got := drawer.LikelySums(sum); !slices.Equal(got, want) {
			t.Errorf("for %d got %v, want %v", sum, got, want)
		}
	}
}

func TestTheChangeIsMadeOfBanknotes(t *testing.T) {
	for sum, want := range map[money.Ariary][]drawer.Notes{
		7_500: {{5_000, 1}, {2_000, 1}, {500, 1}}, 0: nil, 150: {{100, 1}, {50, 1}}, 44_000: {{20_000, 2}, {2_000, 2}},
		301_762_042_200: {{20_000, 15_088_102}, {2_000, 1}, {200, 1}},
	} {
		if got := drawer.Change(sum); !slices.Equal(got, want) {
			t.Errorf("for %d got %v, want %v", sum, got, want)
		}
	}
}
