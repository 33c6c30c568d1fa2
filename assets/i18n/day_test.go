package i18n_test

import (
	"testing"
	"time"

	"checkout/till/assets/i18n"
)

func TestADayIsReadAsPeopleWriteIt(t *testing.T) {
	zone := time.FixedZone("EAT", 3*60*60)
	// In UTC it is still the day before.
	now := time.Date(2026, 11, 21, 1, 30, 0, 0, zone)
	for _, c := range []struct{ name, text, want string }{
		{"a day and a month of this year", "20/11", "2026-11-20"},
		{"today's own", "21/11", "2026-11-21"},
		{"tomorrow's is of last year", "22/11", "2025-11-22"},
		{"without noughts", "5/1", "2026-01-05"},
		{"with noughts", "05/01", "2026-01-05"},
		{"the last 29 February", "29/02", "2024-02-29"},
		{"with its year", "21/11/2025", "2025-11-21"},
		{"with two digits of its year", "21/11/25", "2025-11-21"},
		{"one to come, with its year", "1/12/2026", "2026-12-01"},
		{"the year first", "2026-11-20", "2026-11-20"},
		{"today in English", "today", "2026-11-21"},
		{"today in French", "Aujourd'hui", "2026-11-21"},
		{"today in French, as a telephone writes it", "aujourd’hui", "2026-11-21"},
		{"today in Malagasy", "ANDROANY", "2026-11-21"},
		{"yesterday in English", "Yesterday", "2026-11-20"},
		{"yesterday in French", "hier", "2026-11-20"},
		{"yesterday in Malagasy", "omaly", "2026-11-20"},
		{"no day of that month", "31/02", ""},
		{"no such month", "11/21", ""},
		{"no such 29 February", "29/02/2025", ""},
		{"half a day", "21/", ""},
		{"a number", "21", ""},
		{"a reference", "T1-20261121-0001", ""},
		{"a day and more", "21/11 vary", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			day, found := i18n.Day(c.text, now)
			if !found && c.want == "" {
				return
			}
			want, _ := time.ParseInLocation(time.DateOnly, c.want, zone)
			if !found || !day.Equal(want) {
				t.Errorf("it is %v (%v), want %v", day, found, want)
			}
		})
	}
}
