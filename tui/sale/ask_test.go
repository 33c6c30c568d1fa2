package sale_test

import (
	"testing"
	"time"

	"checkout/till/tui/live"
	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/counter"
)

func TestAnEnterThatWasNotMeantChargesNothing(t *testing.T) {
	const ms = time.Millisecond
	cases := map[string]struct {
		presses []time.Duration // Since the question was asked.
		charges int             // After a second.
	}{
		"O12 one after the question was read":       {[]time.Duration{sale.Settle}, 1},
		"O12 one that comes too early counts later": {[]time.Duration{30 * ms}, 1},
		"O12 two taps":                                    {[]time.Duration{40 * ms, 55 * ms}, 1},
		"O12 a flood of a machine is one":                 {every(0, ms, 120), 1},
		"O12 a flood with gaps is one":                    {append(append(every(30*ms, 0, 60), 60*ms), every(100*ms, 0, 60)...), 1},
		"O12 a key that is held, 30 times a second":       {every(33*ms, 33*ms, 90), 0},
		"O12 a key that is held, on a console of old":     {every(92*ms, 92*ms, 20), 0},
		"O12 a key that is held for a moment":             {every(33*ms, 33*ms, 4), 0},
		"O12 a key that is held, and pressed again later": {append(every(33*ms, 33*ms, 10), 700*ms), 1},
		"O12 a key that is held, and held again":          {append(every(33*ms, 33*ms, 10), every(500*ms, 33*ms, 10)...), 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			now := counter.Opening()
			d := enter(drive(t, on(t, &drawer{}, "en", func() time.Time { return now })), "Vary 3500", "").Sees("Charge")
			asked := now
			for _, at := range c.presses {
				for now.Add(10 * ms).Before(asked.Add(at)) {
					now = now.Add(10 * ms)
					pass(d, now)
				}
				now = asked.Add(at)
				d.Press("enter")
			}
			for range 4 {
				now = now.Add(sale.Settle)
				pass(d, now)
			}
			if got := len(charged(d)); got != c.charges {
				t.Errorf("it charged %d times, want %d", got, c.charges)
			}
			if c.charges == 0 {
				d.Sees("Charge").Press("enter")
			}
			if got := len(charged(d)); got != 1 {
				t.Errorf("in the end it charged %d times", got)
			}
		})
	}
}

// every is n moments, one each step.
func every(first, step time.Duration, n int) []time.Duration {
	moments := make([]time.Duration, n)
	for i := range moments {
		moments[i] = first + time.Duration(i)*step
	}
	return moments
}

// pass lets the screen see that time went by.
func pass(d *tuitest.Driver, now time.Time) { d.Send(live.State{Now: now}) }

func TestTheQuestionCanBeLeftBeforeItIsAnswered(t *testing.T) {
	now := counter.Opening()
	d := enter(drive(t, on(t, &drawer{}, "en", func() time.Time { return now })), "Vary 3500", "", "")
	d.Press("esc").Lacks("Charge")
	now = now.Add(sale.Settle)
	pass(d, now)
	if got := charged(d); len(got) != 0 {
		t.Errorf("charged %v", got)
	}
}
