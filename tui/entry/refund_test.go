package entry_test

import (
	"errors"
	"testing"

	"checkout/till/payments/money"
	"checkout/till/tui/entry"
)

func TestARefundIsAnAmountAReasonOrANumber(t *testing.T) {
	for text, want := range map[string]entry.Refund{
		"4000 broken":           {Amount: 4000, Note: "broken"},
		"4 000 Ar  broken cups": {Amount: 4000, Note: "broken cups"},
		"20 Ar broken":          {Amount: 20, Note: "broken"},
		"4000":                  {Amount: 4000},
		" cassé":                {Note: "cassé"},
		"#12 a mistake":         {TakeBack: 12, Note: "a mistake"},
	} {
		if got, err := entry.ParseRefund(text); got != want || err != nil {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
	// A small number is a number of things: "2 cups" does not mean 2 Ar.
	for _, text := range []string{"", "0 broken", "-5 broken", "2 cups broken", "3 mofo gasy", "5 00 broken", "#12", "#0 x", "#a x", "# 12 x"} {
		if got, err := entry.ParseRefund(text); !errors.Is(err, money.ErrNotAmount) {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
}

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
