package payments_test

import (
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
)

// sample returns an event with a value in every field.
func sample() payments.Event {
	e := event(payments.PaymentFailed, pending(), "Solde insuffisant")
	e.Description = payments.TextValue("Vary")
	return e
}

func TestEventIdentityCoversEveryField(t *testing.T) {
	same := func(*payments.Event) {}
	for _, test := range []struct {
		name   string
		change func(*payments.Event)
		equal  bool
	}{
		{"nothing differs", same, true},
		{"the kind differs", func(e *payments.Event) { e.Kind = payments.PaymentExpired }, false},
		{"the reference differs", func(e *payments.Event) { e.Reference.Text += "0" }, false},
		{"the amount has another notation", func(e *payments.Event) { e.Amount.Text = "9000.0" }, false},
		{"the amount is a string", func(e *payments.Event) { e.Amount.Kind = payments.Text }, false},
		{"the currency differs", func(e *payments.Event) { e.Currency.Text = "MGA" }, false},
		{"the error differs", func(e *payments.Event) { e.Error.Text = "Solde insuffisant." }, false},
		{"the error is missing", func(e *payments.Event) { e.Error = payments.Value{} }, false},
		{"a text moves into the next field", func(e *payments.Event) {
			e.Description.Text, e.Error.Text = "VaryS", "olde insuffisant"
		}, false},
		{"two fields change places", func(e *payments.Event) {
			e.Description, e.Error = e.Error, e.Description
		}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			changed := sample()
			test.change(&changed)
			if equal := changed.ID() == sample().ID(); equal != test.equal {
				t.Errorf("identities are equal: %v, want %v", equal, test.equal)
			}
		})
	}
	t.Run("a missing, a null and an empty field differ", func(t *testing.T) {
		ids := make(map[payments.EventID]bool)
		for _, kind := range []payments.ValueKind{payments.Missing, payments.Null, payments.Text, payments.Number, payments.Other} {
			e := sample()
			e.Error = payments.Value{Kind: kind}
			ids[e.ID()] = true
		}
		if len(ids) != 5 {
			t.Errorf("%d identities of 5 events", len(ids))
		}
	})
	t.Run("a null is shown as null", func(t *testing.T) {
		if shown := (payments.Value{Kind: payments.Null}).Display(); shown != "null" {
			t.Errorf("shown as %q, want null", shown)
		}
	})
	t.Run("the identity in existing databases does not change", func(t *testing.T) {
		const want = "ad7b8b" // First digits of the ID, computed by another program.
		if id := sample().ID(); !strings.HasPrefix(hex.EncodeToString(id[:]), want) {
			t.Errorf("identity %x…, want %s…", id[:3], want)
		}
	})
}

// FuzzEventIdentity cuts two texts into the fields of two events. The events must have equal IDs
// exactly if all their fields are equal.
func FuzzEventIdentity(f *testing.F) {
	f.Add("payment.failedREF_700001", "payment.failedREF_700001", uint64(1), uint64(2))
	f.Add("", "s\x00", uint64(3), uint64(3))
	f.Fuzz(func(t *testing.T, one, other string, seed, otherSeed uint64) {
		a, b := cutIntoEvent(one, seed), cutIntoEvent(other, otherSeed)
		if equal := reflect.DeepEqual(a, b); equal != (a.ID() == b.ID()) {
			t.Fatalf("%+v and %+v: equal %v, identities equal %v", a, b, equal, !equal)
		}
		if a.ID() != cutIntoEvent(one, seed).ID() {
			t.Fatalf("%+v has two identities", a)
		}
	})
}

func cutIntoEvent(text string, seed uint64) payments.Event {
	random := rand.New(rand.NewPCG(seed, seed))
	kinds := []payments.ValueKind{payments.Missing, payments.Null, payments.Text, payments.Number, payments.Other}
	next := func() string {
		end := random.IntN(len(text) + 1)
		part := text[:end]
		text = text[end:]
		return part
	}
	value := func() payments.Value {
		return payments.Value{Kind: kinds[random.IntN(len(kinds))], Text: next()}
	}
	return payments.Event{
		Kind: payments.EventKind(next()), OrderReference: next(), Reference: value(),
		Amount: value(), Currency: value(), Description: value(), Error: value(),
	}
}

func TestEachEventKindHasAStatus(t *testing.T) {
	want := map[payments.EventKind]payments.Status{
		"payment.success": "success", "payment.failed": "failed",
		"payment.canceled": "canceled", "payment.expired": "expired",
	}
	for _, kind := range payments.EventKinds() {
		status, known := kind.Status()
		if !known || status != want[kind] || !status.Reported() || status.Unpaid() != (status != payments.StatusSuccess) {
			t.Errorf("%s sets %q, %v", kind, status, known)
		}
		delete(want, kind)
	}
	if len(want) > 0 {
		t.Errorf("missing kinds: %v", want)
	}
	for _, kind := range []payments.EventKind{"", "payment.refunded", "PAYMENT.SUCCESS", "payment.success "} {
		if status, known := kind.Status(); known || status != "" {
			t.Errorf("%q sets %q", kind, status)
		}
	}
}

// The tests of package gateway show which value an amount or a currency in JSON becomes.
func TestOnlyTheOrdersAmountAndCurrencyProveAPayment(t *testing.T) {
	type value = payments.Value
	const number = payments.Number
	of := func(amount value) payments.Event {
		success := event(payments.PaymentSuccess, pending(), "")
		success.Amount = amount
		return success
	}
	in := func(currency value) payments.Event {
		success := event(payments.PaymentSuccess, pending(), "")
		success.Currency = currency
		return success
	}
	for _, test := range []struct {
		name     string
		success  payments.Event
		check    payments.Attention // Empty if the order is paid.
		reported string             // The event's amount or currency, if it is not the order's.
	}{
		{"amount and currency", of(value{Kind: number, Text: "9000"}), "", ""},
		{"an amount one higher", of(value{Kind: number, Text: "9001"}), payments.AmountMismatch, "9001"},
		{"an amount one lower", of(value{Kind: number, Text: "8999"}), payments.AmountMismatch, "8999"},
		{"a negative amount", of(value{Kind: number, Text: "-9000"}), payments.AmountMismatch, "-9000"},
		{"no amount", of(value{}), payments.AmountMismatch, ""},
		{"an amount in a text", of(payments.TextValue("9000")), payments.AmountMismatch, "9000"},
		{"an amount with a fraction", of(value{Kind: number, Text: "9000.0"}), payments.AmountMismatch, "9000.0"},
		{"an amount with an exponent", of(value{Kind: number, Text: "9e3"}), payments.AmountMismatch, "9e3"},
		{"an amount 2^64 higher", of(value{Kind: number, Text: "18446744073709560616"}), payments.AmountMismatch, "18446744073709560616"},
		{"an amount of null", of(value{Kind: payments.Null}), payments.AmountMismatch, "null"},
		{"two amounts", of(value{Kind: payments.Other, Text: "9000,1"}), payments.AmountMismatch, "9000,1"},
		{"another currency", in(payments.TextValue("MGA")), payments.CurrencyMismatch, "MGA"},
		{"the currency in small letters", in(payments.TextValue("ar")), payments.CurrencyMismatch, "ar"},
		{"no currency", in(value{}), payments.CurrencyMismatch, ""},
	} {
		order, _ := pending().Apply(test.success, payments.Order{}, opening())
		reasons, want := []payments.Attention{test.check}, payments.VerdictCheck
		if test.check == "" {
			reasons, want = nil, payments.VerdictPaid
		}
		reported := order.Facts.ReportedAmount + order.Facts.ReportedUnit
		if !slices.Equal(order.Attention(opening()), reasons) || verdict(order, opening()) != want || order.Paid() != (test.check == "") ||
			order.Status != payments.StatusSuccess || reported != test.reported {
			t.Errorf("%s: reported is %q, the order is %+v", test.name, reported, order)
		}
	}
}

func TestApplyDoesNotChangeTheGivenOrder(t *testing.T) {
	given := after(pending(), payments.PaymentExpired, payments.PaymentSuccess)
	given.Facts.Attention = slices.Grow(given.Facts.Attention, 4)
	moved := after(given, payments.PaymentFailed)
	mustAsk(t, given, opening(), payments.PaidLate)
	mustAsk(t, moved, opening(), payments.Contradicted, payments.PaidLate)
}

// mustAsk checks that the order has exactly these reasons for attention at the time now.
func mustAsk(t *testing.T, order payments.Order, now time.Time, reasons ...payments.Attention) {
	t.Helper()
	if got := order.Attention(now); !slices.Equal(got, reasons) {
		t.Errorf("%s: attention %v, want %v", order.Reference, got, reasons)
	}
}

func TestTextsAreCleanedBeforeTheyAreStored(t *testing.T) {
	for _, text := range storagetest.HostileTexts() {
		t.Run(text.Name, func(t *testing.T) {
			s, given := newShop(t), terms("S1")
			given.Till, given.Description, given.Items[0].Label = text.Raw, text.Raw, text.Raw
			order := s.checkout(t, given)
			succeeded := event(payments.PaymentSuccess, order, "")
			succeeded.Amount = payments.Value{Kind: payments.Other, Text: text.Raw}
			succeeded.Currency = payments.TextValue(text.Raw)
			s.receive(t, succeeded)
			s.receive(t, event(payments.PaymentFailed, order, text.Raw))
			finding := payments.Finding{Kind: payments.FoundUnpaid, By: text.Raw, Note: text.Raw}
			order, err := s.resolve(t, order.Reference, finding)
			must(t, err)
			sale := s.NewSale(text.Raw)
			sale.Description = text.Raw
			must(t, s.SaveSale(t.Context(), sale))
			sales, err := s.Sales(t.Context(), sale.Till)
			if err != nil || len(sales) != 1 {
				t.Fatalf("sales %v, %v", sales, err)
			}
			s.answer = func(payments.Order) (payments.Created, error) {
				return payments.Created{}, &payments.Refusal{Message: text.Raw}
			}
			refused, _ := s.Checkout(t.Context(), again(given))
			s.answer = func(payments.Order) (payments.Created, error) {
				return payments.Created{}, errors.New(text.Raw)
			}
			given.Items[0].Label = "Vary"
			lost, _ := s.Checkout(t.Context(), again(given))
			for field, entered := range map[string]string{
				"label": order.Items[0].Label, "description": order.Description, "till": order.Till,
				"error": order.Reason.Detail, "amount": order.Facts.ReportedAmount, "currency": order.Facts.ReportedUnit,
				"by": order.Finding.By, "note": order.Finding.Note,
				"sale's till": sales[0].Till, "sale's description": sales[0].Description,
				"refusal": refused.Reason.Detail, "lost": lost.Reason.Detail,
			} {
				if entered != text.Clean || storagetest.Harm(entered) != "" {
					t.Errorf("%s is %q, want %q", field, entered, text.Clean)
				}
			}
		})
	}
}
