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
