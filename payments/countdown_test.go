package payments_test

import (
	"testing"
	"time"

	"checkout/till/payments"
)

func TestTheLaterClockDecidesTheTimeLeft(t *testing.T) {
	const life, slack = 10 * time.Minute, payments.ClockSlack
	for _, test := range []struct {
		name          string
		wall, elapsed time.Duration // Time since the link was opened, by each clock.
		left          time.Duration
		moved         bool
	}{
		{"a minute later", time.Minute, time.Minute, 9 * time.Minute, false},
		{"at the end", life, life, 0, false},
		{"after the end", 2 * life, 2 * life, 0, false},
		{"the machine slept: the wall clock counts", 8 * time.Minute, time.Second, 2 * time.Minute, true},
		{"the wall clock was put back: elapsed time counts", -time.Hour, time.Minute, 9 * time.Minute, true},
		{"the wall clock was put forward: the time is over", time.Hour, time.Minute, 0, true},
		{"the clocks differ by two seconds", time.Minute, time.Minute + slack, life - time.Minute - slack, false},
		{"the clocks differ by more", time.Minute, time.Minute + slack + 1, life - time.Minute - slack - 1, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			link := payments.Link{ExpiresAt: opening().Add(life)}
			left, moved := link.Remaining(opening(), opening().Add(test.wall), test.elapsed)
			if left != test.left || moved != test.moved {
				t.Errorf("left %v, moved %v, want %v, %v", left, moved, test.left, test.moved)
			}
		})
	}
}
