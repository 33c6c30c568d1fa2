package payments_test

import (
	"testing"
	"time"

	"checkout/till/payments/money"
)

// The end of a day must be the start of the next one. Some of these zones change their
// clocks at midnight.
func TestConsecutiveDaysHaveNoGap(t *testing.T) {
	for _, name := range []string{
		"Indian/Antananarivo", "Europe/Paris", "Africa/Cairo", "Asia/Beirut", "Asia/Tehran",
		"America/Havana", "America/Santiago", "Atlantic/Azores", "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe",
	} {
		t.Run(name, func(t *testing.T) {
			zone, err := time.LoadLocation(name)
			if err != nil {
				t.Skip("the machine has no zones:", err)
			}
			for date := time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC); date.Year() < 2027; date = date.AddDate(0, 0, 1) {
				day := money.Day(time.Date(date.Year(), date.Month(), date.Day(), 12, 0, 0, 0, zone), 0)
				next := money.Day(day.To, 0)
				if day.Contains(day.To) || !next.Contains(day.To) || !next.From.Equal(day.To) || !money.Day(day.From, 0).From.Equal(day.From) {
					t.Fatalf("day %v, next day %v", day, next)
				}
				before, first, last := day.From.Add(-time.Second), day.From, day.To.Add(-time.Second)
				if first.Day() != date.Day() || last.Day() != date.Day() || before.Day() == date.Day() {
					t.Fatalf("day of %s is %v", date.Format(time.DateOnly), day)
				}
			}
		})
	}
}
