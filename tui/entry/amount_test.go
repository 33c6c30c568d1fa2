package entry_test

import (
	"testing"

	"checkout/till/payments/money"
	"checkout/till/tui/entry"
)

func TestAnAmountIsSplitFromTheNoteAfterIt(t *testing.T) {
	for text, want := range map[string]struct {
		amount money.Ariary
		note   string
	}{
		"50 000 pain": {50_000, "pain"}, "50000": {50_000, ""}, "5 000 Ar pain": {5000, "pain"}, "0": {0, ""}, "0 rien": {0, "rien"},
	} {
		amount, note, err := entry.SplitAmount(text)
		if amount != want.amount || note != want.note || err != nil {
			t.Errorf("%q: got %d, %q, %v", text, amount, note, err)
		}
	}
	for _, text := range []string{"", "pain", "pain 5000", "5 00 pain", "2 000i2 000 monnaie", "-5 pain", "5.000 pain"} {
		if amount, note, err := entry.SplitAmount(text); err == nil {
			t.Errorf("%q: got %d and %q, want an error", text, amount, note)
		}
	}
}
