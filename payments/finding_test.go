package payments_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
)

// The stories show the verdicts after findings.
func TestResolveKeepsTheFindingAndWhatThePersonSaw(t *testing.T) {
	t.Run("it is stored with its time", func(t *testing.T) {
		s := newShop(t)
		order := s.charge(t, "S1")
		s.now = s.now.Add(time.Hour)
		resolved, err := s.resolve(t, order.OrderReference, payments.Finding{Kind: payments.FoundPaid, By: "Soa", Note: "looked"})
		must(t, err)
		want := payments.Finding{Kind: payments.FoundPaid, By: "Soa", Note: "looked", At: s.now, Seen: payments.VerdictTimeOver}
		if *resolved.Finding != want || resolved.Status != order.Status || resolved.Paid() || len(resolved.Items) != 2 {
			t.Errorf("%+v became %+v with %+v", order, resolved, *resolved.Finding)
		}
	})
	t.Run("a finding is outdated after a refund, although the verdict is the same", func(t *testing.T) {
		s := newShop(t)
		order := s.charge(t, "S1")
		s.receive(t, event(payments.PaymentSuccess, order, ""))
		must(t, s.refund(t, order.Reference, area, 1000))
		seen := payments.Finding{Kind: payments.FoundUnpaid, Note: "looked", Seen: payments.VerdictPaid, Net: 9000}
		mustFail(t, failure(s.Resolve(t.Context(), order.Reference, seen, staff.Identity{})), payments.ErrOutdated)
		seen.Net = 8000
		must(t, failure(s.Resolve(t.Context(), order.Reference, seen, staff.Identity{})))
	})
	t.Run("a change of the same transaction that fails undoes the finding", func(t *testing.T) {
		s := newShop(t)
		order := s.charge(t, "S1")
		finding := payments.Finding{Kind: payments.FoundPaid, Seen: payments.VerdictWaiting}
		err := s.Guarded(t.Context(), staff.Identity{}, func(tx payments.Tx, by staff.Cashier) error {
			must(t, s.ResolveIn(tx, order.Reference, finding, by))
			return storagetest.ErrDisk
		})
		mustFail(t, err, storagetest.ErrDisk)
		if order, _ = s.look(t, order.Reference); order.Finding != nil {
			t.Errorf("finding %+v", order.Finding)
		}
	})
}

func TestAcknowledgeIsIgnoredWhilePaymentsAreUnseen(t *testing.T) {
	for _, conditions := range []payments.Conditions{{StoreDown: true}, {Deaf: true}} {
		order := after(pending(), payments.PaymentFailed).Acknowledge(conditions, opening())
		if order.Facts.Acknowledged || order.Facts.GivenUp {
			t.Errorf("under %+v: %+v", conditions, order.Facts)
		}
	}
}

func TestAcknowledgeNeedsTheCurrentVerdict(t *testing.T) {
	for seen, want := range map[payments.Verdict]bool{payments.VerdictPaid: true, payments.VerdictNotPaid: false} {
		s := newShop(t)
		order := s.charge(t, "S1")
		s.receive(t, event(payments.PaymentFailed, order, ""))
		s.receive(t, event(payments.PaymentSuccess, order, ""))
		got, err := s.Acknowledge(t.Context(), order.Reference, seen, payments.Conditions{})
		if err != nil || got.Facts.Acknowledged != want || got.Facts.GivenUp || verdict(got, s.now) != payments.VerdictPaid {
			t.Errorf("%s was shown, then a payment came: %+v, %v", seen, got.Facts, err)
		}
	}
	s := newShop(t)
	order := s.charge(t, "S1")
	s.receive(t, event(payments.PaymentFailed, order, ""))
	got, err := s.Acknowledge(t.Context(), order.OrderReference, payments.VerdictNotPaid, payments.Conditions{})
	if err != nil || !got.Facts.Acknowledged || !got.Facts.GivenUp || len(got.Items) != 2 {
		t.Errorf("the shown verdict is current: %+v, %v", got, err)
	}
}

// An order that a person found paid counts on the day of the finding. Day n is n days after the order
// was created.
func TestWhenAnOrderCounts(t *testing.T) {
	day := func(n int) time.Time { return opening().AddDate(0, 0, n) }
	for _, test := range []struct {
		name     string
		paid     int    // Day on which the proof comes; 0 without proof.
		disputed bool   // An event contradicts the last finding.
		found    string // The findings, each with its day.
		counted  int
	}{
		{"nothing", 0, false, "", 0},
		{"proof", 1, false, "", 1},
		{"found paid", 0, false, "paid 2", 2},
		{"found unpaid", 0, false, "unpaid 2", 0},
		{"proof, then found unpaid", 1, false, "unpaid 2", 1},
		{"found unpaid, then proof", 3, true, "unpaid 2", 3},
		{"found unpaid, then proof, then found paid", 3, false, "unpaid 2 paid 4", 3},
		{"proof with a clock that was ahead, then found unpaid", 5, false, "unpaid 2", 5},
		{"found unpaid, then another success, then found paid", 1, false, "unpaid 2 paid 4", 1},
		{"found paid, then proof", 3, false, "paid 2", 3},
		{"found unpaid, then another success", 1, true, "unpaid 2", 1},
		{"found paid twice", 0, false, "paid 2 paid 3", 2},
		{"corrected twice", 0, false, "paid 2 unpaid 3 paid 4", 4},
	} {
		order := pending()
		if test.paid > 0 {
			order.Facts.PaidAt = day(test.paid)
		}
		if test.disputed {
			order.Facts.Attention = []payments.Attention{payments.FindingContradicted}
		}
		for words := range slices.Chunk(strings.Fields(test.found), 2) {
			n, err := strconv.Atoi(words[1])
			must(t, err)
			order.Finding = &payments.Finding{Kind: payments.FindingKind(words[0]), At: day(n)}
			order.Findings = append(order.Findings, *order.Finding)
		}
		if !order.CountedAt().Equal(day(test.counted)) {
			t.Errorf("%s: counted at %v", test.name, order.CountedAt())
		}
	}
}
