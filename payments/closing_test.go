package payments_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
)

func TestADayIsClosedOnceAndShowsWhatCameSince(t *testing.T) {
	s := newShop(t)
	s.receive(t, event(payments.PaymentSuccess, s.charge(t, "S1"), ""))
	late := s.charge(t, "S2")
	s.receive(t, event(payments.PaymentExpired, late, ""))
	closing, err := s.Close(t.Context(), s.now, "T1", "Soa", payments.Identity{})
	want := payments.Closing{
		Day: "2026-11-21", Till: "T1", By: "Soa", At: s.now, Orders: 2, Received: payments.Sum{Count: 1, Amount: 9000},
		Period: payments.Period{From: time.Date(2026, 11, 20, 21, 0, 0, 0, time.UTC), To: time.Date(2026, 11, 21, 21, 0, 0, 0, time.UTC)},
		Verdicts: map[payments.Verdict]payments.Sum{
			payments.VerdictPaid: {Count: 1, Amount: 9000}, payments.VerdictNotPaid: {Count: 1, Amount: 9000},
		},
	}
	if err != nil || !reflect.DeepEqual(closing, want) {
		t.Fatalf("\n got %+v\nwant %+v (%v)", closing, want, err)
	}
	s.now = s.now.Add(time.Hour)
	_, err = s.Close(t.Context(), s.now, "T2", "Rado", payments.Identity{})
	earlier, ok := errors.AsType[*payments.ClosedError](err)
	if !ok || !reflect.DeepEqual(earlier.Closing, want) || !strings.Contains(err.Error(), "closed by Soa at till T1 at 2026-11-21T") {
		t.Fatalf("the second till: %v", err)
	}
	all, err := s.Closings(t.Context(), "2026-11-21", "2026-11-30")
	if err != nil || !reflect.DeepEqual(all, []payments.Closing{want}) {
		t.Fatalf("%+v (%v)", all, err)
	}
	report, err := s.Report(t.Context(), want.Period)
	if since := closing.Since(report); err != nil || len(since) != 0 {
		t.Errorf("nothing came since: %+v (%v)", since, err)
	}
	s.receive(t, event(payments.PaymentSuccess, late, ""))
	report, err = s.Report(t.Context(), want.Period)
	must(t, err)
	if since := closing.Since(report); !reflect.DeepEqual(since, map[payments.Verdict]payments.Sum{
		payments.VerdictCheck: {Count: 1, Amount: 9000}, payments.VerdictNotPaid: {Count: -1, Amount: -9000},
	}) {
		t.Errorf("since then %+v", since)
	}
}

func TestClosingADayNeedsACashiersPIN(t *testing.T) {
	s := staffed(t)
	mustFail(t, failure(s.Close(t.Context(), s.now, "T1", "Soa", payments.Identity{})), payments.ErrIdentityNeeded)
	mustFail(t, failure(s.Close(t.Context(), s.now, "T1", "", identity("Soa", "0000"))), payments.ErrWrongPIN)
	mustFail(t, failure(s.Close(t.Context(), s.now.AddDate(0, 0, 1), "T1", "", identity("Soa", cashierPIN))), payments.ErrNotBegun)
	yesterday := s.now.AddDate(0, 0, -1)
	mustFail(t, failure(s.Close(t.Context(), yesterday, "T1", "", identity("Soa", cashierPIN))), payments.ErrNotOwner)
	if closing, err := s.Close(t.Context(), yesterday, "T1", "", identity("hasina", ownersPIN)); err != nil || closing.By != "Hasina" {
		t.Errorf("an owner closes yesterday: %+v (%v)", closing, err)
	}
	if closing, err := s.Close(t.Context(), s.now, "T1", "", identity("soa", cashierPIN)); err != nil || closing.By != "Soa" {
		t.Errorf("%+v (%v)", closing, err)
	}
}
