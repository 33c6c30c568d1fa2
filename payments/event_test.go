package payments_test

import (
	"encoding/hex"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"checkout/till/payments"
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
