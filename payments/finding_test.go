package payments_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
)

func TestResolveSetsTheFindingAndTheVerdict(t *testing.T) {
	for _, test := range []struct {
		name string
		kind payments.FindingKind
		want payments.Verdict
	}{
		{"found paid", payments.FoundPaid, payments.VerdictMarkedPaid},
		{"found unpaid", payments.FoundUnpaid, payments.VerdictMarkedUnpaid},
	} {
		t.Run(test.name+" changes neither status nor proof", func(t *testing.T) {
			s := newShop(t)
			order := s.charge(t, "S1")
			s.receive(t, event(payments.PaymentSuccess, order, ""))
			s.receive(t, event(payments.PaymentExpired, order, ""))
			before, _ := s.look(t, order.Reference)
			s.now = s.now.Add(time.Hour)
			finding := payments.Finding{Kind: test.kind, By: "Soa", Note: "looked"}
			resolved, err := s.resolve(t, order.OrderReference, finding)
			must(t, err)
			if resolved.Status != before.Status || resolved.Facts.PaidAt != before.Facts.PaidAt || resolved.Reason != before.Reason {
				t.Errorf("%+v became %+v", before, resolved)
			}
			want := payments.Finding{Kind: test.kind, By: "Soa", Note: "looked", At: s.now, Seen: payments.VerdictCheck}
			if *resolved.Finding != want || verdict(resolved, s.now) != test.want || resolved.Open() {
				t.Errorf("finding %+v, %s, open %v", *resolved.Finding, verdict(resolved, s.now), resolved.Open())
			}
			mustAsk(t, resolved, s.now)
			if len(resolved.Items) != 2 {
				t.Errorf("items %v", resolved.Items)
			}
		})
	}
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
	t.Run("a later finding replaces an earlier one", func(t *testing.T) {
		order := pending().Resolve(payments.Finding{Kind: payments.FoundUnpaid, By: "Soa"}).Resolve(payments.Finding{Kind: payments.FoundPaid, By: "Hery"})
		if order.Finding.By != "Hery" || verdict(order, opening()) != payments.VerdictMarkedPaid {
			t.Errorf("%+v, %s", order.Finding, verdict(order, opening()))
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
	const found, unpaid = payments.FoundPaid, payments.FoundUnpaid
	day := func(n int) time.Time { return opening().AddDate(0, 0, n) }
	for _, test := range []struct {
		name     string
		paid     int  // Day on which the proof comes; 0 without proof.
		disputed bool // An event contradicts the last finding.
		findings []payments.Finding
		counted  int
	}{
		{name: "nothing", counted: 0},
		{name: "proof", paid: 1, counted: 1},
		{name: "found paid", findings: []payments.Finding{{Kind: found, At: day(2)}}, counted: 2},
		{name: "found unpaid", findings: []payments.Finding{{Kind: unpaid, At: day(2)}}, counted: 0},
		{
			name: "proof, then found unpaid", paid: 1, counted: 1,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}},
		},
		{
			name: "found unpaid, then proof", paid: 3, disputed: true, counted: 3,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}},
		},
		{
			name: "found unpaid, then proof, then found paid", paid: 3, counted: 3,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}, {Kind: found, At: day(4), Seen: payments.VerdictCheck}},
		},
		{
			name: "proof with a clock that was ahead, then found unpaid", paid: 5, counted: 5,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}},
		},
		{
			name: "found unpaid, then another success, then found paid", paid: 1, counted: 1,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}, {Kind: found, At: day(4), Seen: payments.VerdictCheck}},
		},
		{
			name: "found paid, then proof", paid: 3, counted: 3,
			findings: []payments.Finding{{Kind: found, At: day(2)}},
		},
		{
			name: "found unpaid, then another success", paid: 1, disputed: true, counted: 1,
			findings: []payments.Finding{{Kind: unpaid, At: day(2)}},
		},
		{
			name: "found paid twice", findings: []payments.Finding{{Kind: found, At: day(2)}, {Kind: found, At: day(3)}}, counted: 2,
		},
		{
			name:     "corrected twice",
			findings: []payments.Finding{{Kind: found, At: day(2)}, {Kind: unpaid, At: day(3)}, {Kind: found, At: day(4)}}, counted: 4,
		},
	} {
		order := pending()
		if test.paid > 0 {
			order.Facts.PaidAt = day(test.paid)
		}
		if test.disputed {
			order.Facts.Attention = []payments.Attention{payments.FindingContradicted}
		}
		order.Findings = test.findings
		if n := len(test.findings); n > 0 {
			order.Finding = &test.findings[n-1]
		}
		if !order.CountedAt().Equal(day(test.counted)) {
			t.Errorf("%s: counted at %v", test.name, order.CountedAt())
		}
	}
}
