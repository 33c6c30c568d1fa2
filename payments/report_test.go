package payments_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
)

func TestReportCountsVerdictsHoursAndItems(t *testing.T) {
	s := newShop(t)
	all := payments.Period{From: opening(), To: opening().Add(24 * time.Hour), Sold: true}
	charge := func(kinds ...payments.EventKind) payments.Order {
		order := s.charge(t, "")
		for _, kind := range kinds {
			s.receive(t, event(kind, order, ""))
		}
		return order
	}
	charge(payments.PaymentSuccess)
	charge(payments.PaymentFailed)
	charge(payments.PaymentSuccess, payments.PaymentExpired)
	s.lose(t, "")
	must(t, failure(s.resolve(t, charge().Reference, payments.Finding{Kind: payments.FoundPaid, By: "Soa"})))
	charge()
	s.now = opening().Add(time.Hour)
	charge()
	charge(payments.PaymentSuccess)
	s.now = opening().Add(80 * time.Minute)
	charge(payments.PaymentSuccess)
	report, err := s.Report(t.Context(), all)
	must(t, err)
	for verdict, count := range map[payments.Verdict]int64{
		payments.VerdictUnknown: 1, payments.VerdictMarkedPaid: 1, payments.VerdictMarkedUnpaid: 0,
		payments.VerdictCheck: 1, payments.VerdictPaid: 3, payments.VerdictRejected: 0,
		payments.VerdictNotPaid: 1, payments.VerdictTimeOver: 2, payments.VerdictWaiting: 0,
	} {
		sum, there := report.Verdicts[verdict]
		if want := (payments.Sum{Count: count, Amount: payments.Ariary(count) * 9000}); !there || sum != want {
			t.Errorf("%s: %+v, want %+v", verdict, sum, want)
		}
	}
	if report.Orders != 9 {
		t.Errorf("%d orders", report.Orders)
	}
	want := []payments.Hour{
		{At: opening(), Sum: payments.Sum{Count: 1, Amount: 9000}},
		{At: opening().Add(time.Hour), Sum: payments.Sum{Count: 2, Amount: 18000}},
	}
	if len(report.Hours) != 2 || report.Hours[0] != want[0] || report.Hours[1] != want[1] {
		t.Errorf("hours %+v, want %+v", report.Hours, want)
	}
	sold := []payments.Sold{
		{Label: "Vary", Quantity: 6, Amount: 21000, Thousandths: 6000}, {Label: "Coca", Quantity: 3, Amount: 6000, Thousandths: 3000},
	}
	if !slices.Equal(report.Sold, sold) {
		t.Errorf("sold %+v, want %+v", report.Sold, sold)
	}
	s.store.fault = away
	mustFail(t, failure(s.Report(t.Context(), all)), errDisk)
	s.store.fault = well
	s.now = opening().Add(65 * time.Minute)
	if report, err = s.Report(t.Context(), all); err != nil || report.Verdicts[payments.VerdictWaiting].Count != 1 {
		t.Errorf("an order with a valid link counts as %+v, %v", report.Verdicts, err)
	}
}

func TestOrderNumberCountedAtAndMean(t *testing.T) {
	for reference, want := range map[string]string{"T1-20261121-0007": "0007", "A": "A", "": ""} {
		if got := (payments.Order{Reference: reference}).Number(); got != want {
			t.Errorf("%q: number %q, want %q", reference, got, want)
		}
	}
	paid := after(pending(), payments.PaymentSuccess)
	if at := pending().CountedAt(); !at.Equal(opening()) || !paid.CountedAt().Equal(paid.Facts.PaidAt) {
		t.Errorf("an unpaid order counts at %v, a paid one at %v", at, paid.CountedAt())
	}
	for sum, want := range map[payments.Sum]payments.Ariary{{}: 0, {Count: 1, Amount: 7}: 7, {Count: 3, Amount: 10}: 3} {
		if got := sum.Mean(); got != want {
			t.Errorf("the mean of %+v is %d, want %d", sum, got, want)
		}
	}
}

func TestHoursBeginInTheShopsTimeZone(t *testing.T) {
	store := openStore(t)
	now := time.Date(2026, 11, 21, 14, 50, 0, 0, time.FixedZone("IST", 5*60*60+30*60))
	service := payments.New(store, nil, func() time.Time { return now })
	order := pending()
	order.Status, order.Facts.SuccessSeen, order.Facts.PaidAt = payments.StatusSuccess, true, now.UTC()
	must(t, store.Update(t.Context(), func(tx payments.Tx) error { return tx.InsertOrder(order) }))
	report, err := service.Report(t.Context(), payments.Day(now))
	if err != nil || len(report.Hours) != 1 || !report.Hours[0].At.Equal(now.Add(-50*time.Minute)) {
		t.Errorf("hours %+v, %v", report.Hours, err)
	}
}

// An order that a person found paid counts on the day of the finding. A refund counts on
// its own day and does not change the day of the payment.
func TestPaymentsAndRefundsCountOnTheirOwnDays(t *testing.T) {
	s := newShop(t)
	find := func(order payments.Order, kind payments.FindingKind) {
		must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: kind, By: "Soa", Note: "looked"})))
	}
	received := func(day int) string {
		at := opening().AddDate(0, 0, day)
		report, err := s.Report(t.Context(), payments.Day(at))
		must(t, err)
		return fmt.Sprint(report.Orders, report.Received, report.Refunded)
	}
	proven, marked, corrected := s.charge(t, ""), s.charge(t, ""), s.charge(t, "")
	s.receive(t, event(payments.PaymentSuccess, proven, ""))
	find(marked, payments.FoundPaid)
	find(corrected, payments.FoundPaid)
	if got := received(0); got != "3 {3 27000} {0 0}" {
		t.Errorf("on the first day: %s", got)
	}
	s.now = opening().AddDate(0, 0, 1)
	find(proven, payments.FoundRefunded)
	find(marked, payments.FoundRefunded)
	find(corrected, payments.FoundUnpaid)
	if got := received(0) + ", " + received(1); got != "3 {2 18000} {0 0}, 0 {0 -18000} {2 18000}" {
		t.Errorf("after two refunds and a correction: %s", got)
	}
	s.now = opening().AddDate(0, 0, 2)
	find(corrected, payments.FoundPaid)
	if got := received(0) + ", " + received(2); got != "2 {2 18000} {0 0}, 1 {1 9000} {0 0}" {
		t.Errorf("after the second correction: %s", got)
	}
	part := func(amount payments.Ariary) {
		must(t, failure(s.resolve(t, proven.Reference, payments.Finding{Kind: payments.FoundRefunded, Amount: amount, By: "Soa", Note: "in part"})))
	}
	part(4000)
	part(5000)
	if got := received(0) + ", " + received(1) + ", " + received(2); got != "2 {2 18000} {0 0}, 0 {0 -18000} {2 18000}, 1 {1 13000} {1 -4000}" {
		t.Errorf("after less was refunded than first said: %s", got)
	}
}
