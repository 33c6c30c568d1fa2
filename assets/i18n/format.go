package i18n

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Number formats an integer in groups of three: 9 000. The blank is an ASCII space, because some
// terminals cannot draw other spaces.
func Number(n int64) string {
	digits, negative := strings.CutPrefix(strconv.FormatInt(n, 10), "-")
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + " " + digits[at:]
	}
	if negative {
		return "−" + digits
	}
	return digits
}

// Money formats an amount of ariary: 9 000 Ar.
func Money[Amount ~int | ~int64](amount Amount) string { return Number(int64(amount)) + " Ar" }

// Signed formats an amount with its sign: +9 000 Ar, −1 000 Ar, 0 Ar.
func Signed[Amount ~int | ~int64](amount Amount) string {
	if amount > 0 {
		return "+" + Money(amount)
	}
	return Money(amount)
}

// Countdown formats a remaining time in minutes and seconds: 9:59. It rounds up.
func Countdown(left time.Duration) string {
	seconds := int64((left + time.Second - 1) / time.Second)
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// Span formats a duration in seconds, minutes or hours: 12 s, 3 min, 2 h. It rounds down. A
// negative duration is "0 s".
func Span(span time.Duration) string {
	switch {
	case span < 2*time.Minute:
		return fmt.Sprintf("%d s", max(0, int64(span/time.Second)))
	case span < 2*time.Hour:
		return fmt.Sprintf("%d min", int64(span/time.Minute))
	}
	return fmt.Sprintf("%d h", int64(span/time.Hour))
}

// Clock formats a time of day: 14:05.
func Clock(at time.Time) string { return at.Format("15:04") }

// ClockSeconds formats a time of day: 14:05:09.
func ClockSeconds(at time.Time) string { return at.Format("15:04:05") }

// Date formats a date with its year: 28/11/2026.
func Date(at time.Time) string { return at.Format("02/01/2006") }

// Moment formats a date and a time of day: 21/11 14:05.
func Moment(at time.Time) string { return at.Format("02/01 15:04") }

// Day parses a date that a person typed, such as 21/11/2026, 21/11/26, 2026-11-21, 21/11, or
// "today" or "yesterday" in any of the languages. It returns the beginning of that day in the time
// zone of now. A date without a year is the latest one that is not in the future.
func Day(text string, now time.Time) (time.Time, bool) {
	year, month, day := now.Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	switch strings.ReplaceAll(strings.ToLower(text), "’", "'") {
	case "today", "aujourd'hui", "androany":
		return today, true
	case "yesterday", "hier", "omaly":
		return today.AddDate(0, 0, -1), true
	}
	for _, layout := range []string{"2/1/2006", "2/1/06", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, true
		}
	}
	for last := year; last > year-9; last-- { // The last 29 February may be up to eight years ago.
		at, err := time.ParseInLocation("2/1/2006", fmt.Sprintf("%s/%d", text, last), now.Location())
		if err == nil && !at.After(today) {
			return at, true
		}
	}
	return time.Time{}, false
}
