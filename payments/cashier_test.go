package payments_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
)

const (
	ownersPIN  = "4711"
	cashierPIN = "1357"
)

func identity(name, pin string) staff.Identity {
	return staff.Identity{Name: name, PIN: secret.New(pin)}
}

// staffed returns a shop with the owner Hasina and the cashier Soa. Hashing a PIN takes only two
// iterations, so that the tests are fast.
func staffed(t *testing.T) *shop {
	t.Helper()
	s := newShop(t)
	s.Service = payments.New(s.store, s, s.clock, payments.WithPINIterations(2))
	must(t, failure(s.AddCashier(t.Context(), "Hasina", "", secret.New(ownersPIN), staff.Identity{})))
	must(t, failure(s.AddCashier(t.Context(), "Soa", "", secret.New(cashierPIN), identity("hasina", ownersPIN))))
	return s
}

func TestAFindingHasTheIdentifiedCashiersName(t *testing.T) {
	s := newShop(t)
	order := s.charge(t, "S1")
	if found, err := s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundUnpaid, By: "anybody"}); err != nil || found.Finding.By != "anybody" {
		t.Fatalf("without cashiers: %+v (%v)", found.Finding, err)
	}
	s = staffed(t)
	order = s.charge(t, "S1")
	mustFail(t, failure(s.Resolve(t.Context(), order.Reference, payments.Finding{Kind: payments.FoundUnpaid, By: "Soa"}, staff.Identity{})), staff.ErrIdentityNeeded)
	finding := payments.Finding{Kind: payments.FoundPaid, By: "Hasina", Note: "seen", Seen: payments.VerdictWaiting}
	mustFail(t, failure(s.Resolve(t.Context(), order.Reference, finding, identity("Soa", "0000"))), staff.ErrWrongPIN)
	if stored, _, err := s.Order(t.Context(), order.Reference); err != nil || stored.Finding != nil {
		t.Fatalf("%+v (%v)", stored.Finding, err)
	}
	found, err := s.Resolve(t.Context(), order.Reference, finding, identity(" sOA", cashierPIN))
	if err != nil || found.Finding.By != "Soa" || found.Finding.Note != "seen" || found.Finding.Kind != payments.FoundPaid {
		t.Errorf("%+v (%v)", found.Finding, err)
	}
	s.store.Fault = storagetest.Only("read cashiers")
	mustFail(t, failure(s.Resolve(t.Context(), order.Reference, finding, staff.Identity{})), storagetest.ErrDisk)
}

func TestMatchAndNoticeNeedACashiersPIN(t *testing.T) {
	s := staffed(t)
	order := s.lose(t, "S1")
	stray := event(payments.PaymentSuccess, payments.Order{OrderReference: "REF_9"}, "")
	s.receive(t, stray)
	notice := func(who staff.Identity) error {
		return s.Review(t.Context(), payments.Record{Event: stray, ID: stray.ID()}, who)
	}
	match := func(who staff.Identity) error { return s.Match(t.Context(), order.Reference, "REF_9", who) }
	for _, act := range []func(who staff.Identity) error{notice, match} {
		mustFail(t, act(staff.Identity{}), staff.ErrIdentityNeeded)
		mustFail(t, act(identity("Soa", "0000")), staff.ErrWrongPIN)
	}
	if left, err := s.Unmatched(t.Context(), 9); err != nil || len(left) != 1 || left[0].Effect != payments.Unmatched {
		t.Fatalf("without an identity: %+v (%v)", left, err)
	}
	must(t, notice(identity("Soa", cashierPIN)))
	must(t, match(identity("Soa", cashierPIN)))
}

func TestWrongPINsAreCountedAtTheTillOfTheService(t *testing.T) {
	s := staffed(t)
	s.Service = payments.New(s.store, s, s.clock, payments.WithTill("T2"))
	mustFail(t, s.Review(t.Context(), payments.Record{}, identity("Soa", "0000")), staff.ErrWrongPIN)
	all, err := s.Cashiers(t.Context())
	must(t, err)
	if soa, _ := staff.FindCashier(all, "Soa"); len(soa.Tries) != 1 || soa.Tries["T2"].Failed != 1 {
		t.Errorf("tries %v", soa.Tries)
	}
}
