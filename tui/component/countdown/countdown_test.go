package countdown_test

import (
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestTheCountdownKeepsItsPlaceAndWarnsNearTheEnd(t *testing.T) {
	const whole = 10 * time.Minute
	texts := i18n.Load("en")
	line := func(left, whole time.Duration, width int) string {
		return countdown.Countdown{Remaining: left, Whole: whole, Theme: theme.Plain(), Texts: texts}.Line(width)
	}
	cases := []struct{ name, got, want string }{
		{"all but a part of a second", line(whole-300*time.Millisecond, whole+50*time.Millisecond, 26), "━━━━━━━━━━━━━━━━━━━━ 10:00"},
		{"plenty", line(9*time.Minute, whole, 26), "━━━━━━━━━━━━━━━━━━──  9:00"},
		{"a minute", line(time.Minute, whole, 26), "━━──────────────────  1:00"},
		{"less than a minute", line(48*time.Second, whole, 26), "━───────── soon over  0:48"},
		{"no room for the word", line(48*time.Second, whole, 16), "━─────────  0:48"},
		{"nothing", line(0, whole, 26), "────────── soon over  0:00"},
		{"an unknown total", line(time.Hour, 0, 26), "──────────────────── 60:00"},
	}
	for _, c := range cases {
		tuitest.Equal(t, c.got, c.want, "%s", c.name)
	}
}
