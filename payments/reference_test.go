package payments_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
)

func TestReferenceHasTillDayAndNumber(t *testing.T) {
	day := time.Date(2026, 11, 21, 23, 59, 0, 0, time.UTC)
	for _, test := range []struct {
		name, till string
		number     int64
		want       string
	}{
		{"till, day and number", "T1", 7, "T1-20261121-0007"},
		{"more than four digits stay", "T1", 123_456, "T1-20261121-123456"},
		{"blanks and signs are left out", "Till 1 / bar", 1, "TILL1BAR-20261121-0001"},
		{"a name without letters and digits is T", "→\x1b", 1, "T-20261121-0001"},
		{"an empty name is T", "", 1, "T-20261121-0001"},
		{"a long name is cut", strings.Repeat("x", 99), 1, strings.Repeat("X", 20) + "-20261121-0001"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := payments.Reference(payments.Series(test.till, day), test.number); got != test.want {
				t.Errorf("Reference(%q, %d) = %q, want %q", test.till, test.number, got, test.want)
			}
		})
	}
}

func TestReferencesAreUnique(t *testing.T) {
	t.Run("a number that a person took is skipped", func(t *testing.T) {
		s, given := newShop(t), terms("S1")
		given.Reference = "T1-20261121-0001"
		must(t, failure(s.Checkout(t.Context(), given)))
		if order := s.charge(t, "S2"); order.Reference != "T1-20261121-0002" {
			t.Errorf("reference %q", order.Reference)
		}
	})
	t.Run("a new series repeats no reference of the day", func(t *testing.T) {
		s := newShop(t)
		s.charge(t, "S1")
		must(t, s.StartSeries(t.Context(), "T1"))
		if order := s.charge(t, "S2"); order.Reference != "T1-20261121-r0900-0002" {
			t.Errorf("reference %q", order.Reference)
		}
		s.now = s.now.AddDate(0, 0, 1)
		if order := s.charge(t, "S3"); order.Reference != "T1-20261122-0001" {
			t.Errorf("the next day: reference %q", order.Reference)
		}
	})
	t.Run("two tills whose names look alike share their numbers", func(t *testing.T) {
		s := newShop(t)
		for i, till := range []string{"till 1", "TILL-1", "Till1"} {
			given := terms("")
			given.Till = till
			order, err := s.Checkout(t.Context(), given)
			if want := fmt.Sprintf("TILL1-20261121-%04d", i+1); err != nil || order.Reference != want {
				t.Errorf("reference %q, %v, want %q", order.Reference, err, want)
			}
		}
	})
	t.Run("the day follows the shop's time zone", func(t *testing.T) {
		s := newShop(t)
		s.now = time.Date(2026, 11, 21, 21, 0, 0, 0, time.UTC)
		if order := s.charge(t, "S1"); order.Reference != "T1-20261122-0001" {
			t.Errorf("reference %q", order.Reference)
		}
	})
}

func (s *shop) at(t *testing.T, till string) string {
	t.Helper()
	given := terms("")
	given.Till = till
	order, err := s.Checkout(t.Context(), given)
	must(t, err)
	return order.Reference
}

func TestDatabasesUseDifferentReferences(t *testing.T) {
	seen := map[string]bool{}
	// Two databases may draw the same characters by chance, but all four hardly ever do.
	for range 4 {
		s := newShop(t)
		s.Service = payments.New(s.store, s, s.clock)
		first := s.at(t, "T1")
		series, number, _ := strings.Cut(first, "-0001")
		if !regexp.MustCompile(`^T1-20261121-[A-Z2-7]{2}$`).MatchString(series) || number != "" {
			t.Errorf("reference %q", first)
		}
		seen[series] = true
		s.Service = payments.New(s.store, s, s.clock) // The program starts again.
		if second := s.at(t, "T1"); second != series+"-0002" {
			t.Errorf("reference %q after %q", second, first)
		}
		if other := s.at(t, "T2"); len(other) != len(first) || !strings.HasPrefix(other, "T2-20261121-") {
			t.Errorf("reference %q of a second till", other)
		}
		if third := s.at(t, "T1"); third != series+"-0003" {
			t.Errorf("reference %q after %q", third, first)
		}
		s.now = s.now.AddDate(0, 0, 1)
		for number, want := range []string{"T1-20261122-0001", "T1-20261122-0002"} {
			if got := s.at(t, "T1"); got != want {
				t.Errorf("reference %d of the next day is %q, want %q", number+1, got, want)
			}
		}
		if late := s.at(t, "T3"); len(late) != len(first) {
			t.Errorf("reference %q of a till that came the next day", late)
		}
		s.now = s.now.AddDate(0, 0, -1) // The clock is set back.
		if fourth := s.at(t, "T1"); fourth != series+"-0004" {
			t.Errorf("reference %q after %q", fourth, first)
		}
	}
	if len(seen) == 1 {
		t.Error("all databases have the same series")
	}
}

func FuzzReference(f *testing.F) {
	for _, text := range storagetest.HostileTexts() {
		f.Add(text.Raw, int64(7))
	}
	f.Add("T1", int64(1<<62))
	f.Fuzz(func(t *testing.T, till string, number int64) {
		number = max(number/2, -(number / 2)) // Numbers are not negative, and number+1 must not overflow.
		reference := payments.Reference(payments.Series(till, opening()), number)
		if next := payments.Reference(payments.Series(till, opening()), number+1); next == reference {
			t.Fatalf("%q is the reference of %d and of %d", reference, number, number+1)
		}
		if strings.Trim(reference, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" {
			t.Fatalf("Reference(%q) = %q", till, reference)
		}
		given := terms("S1")
		given.Reference, given.Till = reference, till
		if _, err := payments.NewOrder(given, opening()); err != nil {
			t.Fatalf("an order cannot have %q: %v", reference, err)
		}
		given.Reference = till
		order, err := payments.NewOrder(given, opening())
		if errors.Is(err, payments.ErrInvalidReference) {
			return
		}
		if err != nil || order.Reference != till || payments.Clean(till, 128) != till {
			t.Fatalf("reference %q was stored as %q, %v", till, order.Reference, err)
		}
	})
}
