package payments_test

import (
	"testing"
	"time"

	"checkout/till/payments"
)

func TestCountdown(t *testing.T) {
	const life, slack = 10 * time.Minute, payments.ClockSlack
	for _, test := range []struct {
		name          string
		wall, elapsed time.Duration // Since the start.
		left          time.Duration
		moved         bool
	}{
		{"a minute later", time.Minute, time.Minute, 9 * time.Minute, false},
		{"at the end", life, life, 0, false},
		{"after the end", 2 * life, 2 * life, 0, false},
		{"C1 the machine slept: the wall clock counts", 8 * time.Minute, time.Second, 2 * time.Minute, true},
		{"S12 the wall clock was put back: elapsed time counts", -time.Hour, time.Minute, 9 * time.Minute, true},
		{"S12 the wall clock was put forward: the time is over", time.Hour, time.Minute, 0, true},
		{"the clocks differ by two seconds", time.Minute, time.Minute + slack, life - time.Minute - slack, false},
		{"the clocks differ by more", time.Minute, time.Minute + slack + 1, life - time.Minute - slack - 1, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			countdown := payments.NewCountdown(opening().Add(life), opening())
			left, moved := countdown.Left(opening().Add(test.wall), test.elapsed)
			if left != test.left || moved != test.moved {
				t.Errorf("left %v, moved %v, want %v, %v", left, moved, test.left, test.moved)
			}
		})
	}
	t.Run("C1 the monotonic readings of the times do not count", func(t *testing.T) {
		now := time.Now() //nolint:forbidigo // Nothing else gives a monotonic reading.
		if now == now.Round(0) {
			t.Fatal("the time has no monotonic reading")
		}
		if payments.NewCountdown(now.Add(life), now) != payments.NewCountdown(now.Add(life).Round(0), now.Round(0)) {
			t.Error("the countdown keeps them")
		}
	})
}
