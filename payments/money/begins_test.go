package money_test

import (
	"testing"
	"time"

	"checkout/till/payments/money"
)

func TestADayThatBeginsAfterMidnightHasTheNightBefore(t *testing.T) {
	zone := time.FixedZone("EAT", 3*60*60)
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, zone) }
	for _, test := range []struct {
		at, from time.Time
		begins   time.Duration
	}{
		{at(22, 1, 30), at(21, 4, 0), 4 * time.Hour},
		{at(22, 3, 59), at(21, 4, 0), 4 * time.Hour},
		{at(22, 4, 0), at(22, 4, 0), 4 * time.Hour},
		{at(22, 23, 59), at(22, 4, 0), 4 * time.Hour},
		{at(1, 0, 30), at(0, 4, 30), 4*time.Hour + 30*time.Minute},
		{at(22, 1, 30), at(22, 0, 0), 0},
	} {
		day := money.Day(test.at, test.begins)
		if !day.From.Equal(test.from) || !day.To.Equal(test.from.AddDate(0, 0, 1)) || !day.Contains(test.at) {
			t.Errorf("%s is in the day from %s to %s, want from %s", test.at, day.From, day.To, test.from)
		}
	}
}
