package payments_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/storage/sqlite"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/disk"
)

func TestANumberHasTillTagAndCount(t *testing.T) {
	day := time.Date(2026, 11, 21, 23, 59, 0, 0, time.UTC)
	for _, test := range []struct {
		name, till string
		kind       payments.NumberKind
		count      int64
		want       string
	}{
		{"an order has the day, too", "T1", payments.OrderNumber, 7, "T1-20261121-GT-0007"},
		{"more than four digits stay", "T1", payments.OrderNumber, 123_456, "T1-20261121-GT-123456"},
		{"a cash sale", "T1", payments.CashNumber, 123, "T1-GT-C-000123"},
		{"a receipt", "T1", payments.ReceiptNumber, 123, "T1-GT-000123"},
		{"a closing", "T1", payments.ClosingNumber, 123, "T1-GT-0123"},
		{"blanks and signs are left out", "Till 1 / bar", payments.OrderNumber, 1, "TILL1BAR-20261121-GT-0001"},
		{"a name without letters and digits is T", "→\x1b", payments.ClosingNumber, 1, "T-GT-0001"},
		{"an empty name is T", "", payments.ClosingNumber, 1, "T-GT-0001"},
		{"a long name is cut", strings.Repeat("x", 99), payments.ClosingNumber, 1, strings.Repeat("X", 20) + "-GT-0001"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.kind.Number(test.kind.Series(test.till, "GT", day), test.count); got != test.want {
				t.Errorf("number %q, want %q", got, test.want)
			}
		})
	}
}

func TestSaleNumber(t *testing.T) {
	for text, want := range map[string]string{
		"T1-20261121-GT-0007": "T1-20261121-GT-0007", "t1-20261121-gt-0007": "T1-20261121-GT-0007", " T1-20261121-GT-123456\n": "T1-20261121-GT-123456",
		"]Q1T1-20261121-GT-0007": "T1-20261121-GT-0007", "T1-GT-C-000123": "T1-GT-C-000123", "]q1t1-gt-c-000123": "T1-GT-C-000123",
		"T1-GT-000123": "", "T1-GT-0123": "", "T1-20261121-0007": "", "T1-20261121-GT-7": "", "T1-GT-C-123": "", "2*T1-20261121-GT-0007": "",
		"T1-20261121-GT-0007 500": "", "T1 20261121 GT 0007": "", "6111000000017": "", "WEB-1042": "", "-20261121-GT-0007": "", "": "",
	} {
		if got, is := payments.SaleNumber(text); got != want || is != (want != "") {
			t.Errorf("SaleNumber(%q) is %q and %v, want %q", text, got, is, want)
		}
	}
}

func TestReferencesAreUnique(t *testing.T) {
	t.Run("a number that a person took is skipped", func(t *testing.T) {
		s, given := newShop(t), terms("S1")
		given.Reference = "T1-20261121-GT-0001"
		s.checkout(t, given)
		if order := s.charge(t, "S2"); order.Reference != "T1-20261121-GT-0002" {
			t.Errorf("reference %q", order.Reference)
		}
	})
	t.Run("the day follows the shop's time zone", func(t *testing.T) {
		s := newShop(t)
		s.now = time.Date(2026, 11, 21, 21, 0, 0, 0, time.UTC)
		if order := s.charge(t, "S1"); order.Reference != "T1-20261122-GT-0001" {
			t.Errorf("reference %q", order.Reference)
		}
	})
	t.Run("no reference looks like the number of a cash sale", func(t *testing.T) {
		s, given := newShop(t), terms("S1")
		for reference, want := range map[string]error{
			"T1-GT-C-000002": payments.ErrCashReference, "CAISSE-AA-C-1234567": payments.ErrCashReference,
			"T1-C-000002": nil, "t1-GT-C-000002": nil, "T1-GT-C-000002-": nil,
		} {
			given.Reference, given.Sale = reference, reference
			mustFail(t, failure(s.Checkout(t.Context(), given)), want)
		}
	})
}

func (s *shop) at(t *testing.T, till string) string {
	t.Helper()
	given := terms("")
	given.Till = till
	return s.checkout(t, given).Reference
}

// A database keeps its two letters, so that another database with the same till name never makes
// the same references.
func TestEveryReferenceHasTheTagOfItsDatabase(t *testing.T) {
	seen := map[string]bool{}
	// Two databases may draw the same letters by chance, but four databases hardly ever draw the same
	// ones.
	for range 4 {
		s := newShop(t)
		created, err := sqlite.Open(t.Context(), filepath.Join(disk.Memory(t), "till.db"))
		must(t, err)
		t.Cleanup(func() { _ = created.Close() })
		s.Service = payments.New(created, s, s.clock)
		tag := strings.TrimSuffix(strings.TrimPrefix(s.at(t, "T1"), "T1-20261121-"), "-0001")
		if !regexp.MustCompile(`^[A-Z]{2}$`).MatchString(tag) {
			t.Errorf("tag %q", tag)
		}
		seen[tag] = true
		s.Service = payments.New(created, s, s.clock) // The program starts again.
		for _, want := range []string{"T1-20261121-%s-0002", "T2-20261121-%s-0001"} {
			if got := s.at(t, want[:2]); got != fmt.Sprintf(want, tag) {
				t.Errorf("reference %q, want %s with tag %s", got, want, tag)
			}
		}
		s.now = s.now.AddDate(0, 0, 1)
		for _, want := range []string{"T1-20261122-%s-0001", "T3-20261122-%s-0001", "T1-20261122-%s-0002"} {
			if got := s.at(t, want[:2]); got != fmt.Sprintf(want, tag) {
				t.Errorf("the next day: reference %q, want %s with tag %s", got, want, tag)
			}
		}
		s.now = s.now.AddDate(0, 0, -1) // The clock is set back.
		if got := s.at(t, "T1"); got != "T1-20261121-"+tag+"-0003" {
			t.Errorf("reference %q after the clock was set back", got)
		}
	}
	if len(seen) == 1 {
		t.Error("all databases have the same tag")
	}
}

func TestNoNumberWithoutATag(t *testing.T) {
	s := newShop(t)
	s.Service = payments.New(s.store, s, s.clock)
	s.store.Fault = storagetest.Only("tag")
	mustFail(t, s.store.Store.Update(t.Context(), func(tx payments.Tx) error {
		return failure(s.NextNumber(s.store.Tx(tx), payments.CashNumber, "T1"))
	}), storagetest.ErrDisk)
}

// Two tills with the same code would share their numbers and their account.
func TestATillWithAnotherTillsCodeIsRefused(t *testing.T) {
	s := newShop(t)
	for _, name := range []string{"Caisse", "Caisse", "Caisse 2"} {
		must(t, s.HoldTill(t.Context(), name))
	}
	for _, name := range []string{"CAISSE", "Caisse é", "caisse!"} {
		given := terms("")
		given.Till = name
		given.Reference = "given"
		_, order := s.Checkout(t.Context(), given)
		given.Reference = ""
		_, numbered := s.Checkout(t.Context(), given)
		for what, err := range map[string]error{"at the start": s.HoldTill(t.Context(), name), "an order": order, "an order without a reference": numbered} {
			refused, is := errors.AsType[*payments.TillError](err)
			if !is || *refused != (payments.TillError{Name: name, Other: "Caisse", Code: "CAISSE"}) || !strings.Contains(err.Error(), `"Caisse"`) {
				t.Errorf("%s as %q: error %v", what, name, err)
			}
		}
	}
	if reference := s.at(t, "Caisse"); reference != "CAISSE-20261121-GT-0001" {
		t.Errorf("reference %q", reference)
	}
	s.Service = payments.New(s.store, s, s.clock) // The program starts again.
	if err := s.HoldTill(t.Context(), "CAISSE"); err == nil {
		t.Error("the name was taken after a new start")
	}
}

func FuzzNumber(f *testing.F) {
	for _, text := range storagetest.HostileTexts() {
		f.Add(text.Raw, int64(7))
	}
	f.Add("T1", int64(1<<62))
	f.Fuzz(func(t *testing.T, till string, count int64) {
		count = max(count/2, -(count / 2)) // Counts are not negative, and count+1 must not overflow.
		for _, kind := range payments.NumberKinds() {
			series := kind.Series(till, "GT", opening())
			number := kind.Number(series, count)
			if next := kind.Number(series, count+1); next == number {
				t.Fatalf("%q is the number of %d and of %d", number, count, count+1)
			}
			if strings.Trim(number, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
				t.Fatalf("the number of %q is %q", till, number)
			}
			given := terms("S1")
			given.Reference, given.Till = number, till
			if _, err := payments.NewOrder(given, opening()); err != nil {
				t.Fatalf("an order cannot have %q: %v", number, err)
			}
		}
		given := terms("S1")
		given.Reference, given.Till = till, till
		order, err := payments.NewOrder(given, opening())
		if errors.Is(err, payments.ErrInvalidReference) {
			return
		}
		if err != nil || order.Reference != till || clean.Text(till, 128) != till {
			t.Fatalf("reference %q was stored as %q, %v", till, order.Reference, err)
		}
	})
}
