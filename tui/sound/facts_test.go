package sound_test

import (
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/counter"
	"checkout/till/tui/sound"
)

func TestEachFactHasItsTune(t *testing.T) {
	order := payments.Order{Reference: "T1-1"}
	for name, c := range map[string]struct {
		fact counter.Fact
		tune sound.Tune
		ring bool
	}{
		"a payment":                           {counter.Became{Order: order, Verdict: payments.VerdictPaid}, sound.Paid, true},
		"a payment that was reported before":  {counter.Became{Order: order, Verdict: payments.VerdictPaid, Repeated: true}, sound.Paid, false},
		"a payment from before the start":     {counter.Became{Order: order, Verdict: payments.VerdictPaid, Old: true}, sound.Paid, true},
		"a refusal":                           {counter.Became{Order: order, Verdict: payments.VerdictNotPaid}, sound.Unpaid, true},
		"a payment without an order":          {counter.OrphanCame{}, sound.Alarm, true},
		"an order that the cashier left":      {counter.NotOffered{Order: order}, sound.Unpaid, true},
		"an order that the cashier waits for": {counter.NotOffered{Order: order, Waited: true}, sound.Unpaid, false},
		"an order that was not stored":        {counter.NotOffered{}, sound.Unpaid, false},
		"new articles":                        {counter.ArticlesRead{}, sound.Alarm, false},
	} {
		if tune, ring := sound.Of(c.fact); ring != c.ring || ring && tune != c.tune {
			t.Errorf("for %s got ring %v and tune %v", name, ring, tune)
		}
	}
}
