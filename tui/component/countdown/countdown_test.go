package countdown_test

import (
	"testing"
	"time"

	"checkout/till/tui/component/countdown"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest/counter"
)

func TestTheTimeStandsStillAndSaysWhenItRunsOut(t *testing.T) {
	shown := countdown.New(theme.Plain(), counter.Texts(t, "en"))
	const whole = 10 * time.Minute
	cases := []struct{ name, got, want string }{
		{"plenty", shown.Line(9*time.Minute, whole, 26), "━━━━━━━━━━━━━━━━━━──  9:00"},
		{"a minute", shown.Line(time.Minute, whole, 26), "━━──────────────────  1:00"},
		{"less than a minute", shown.Line(48*time.Second, whole, 26), "━───────── soon over  0:48"},
		{"no room for the word", shown.Line(48*time.Second, whole, 16), "━─────────  0:48"},
		{"nothing", shown.Line(0, whole, 26), "────────── soon over  0:00"},
		{"a whole that nobody knows", shown.Line(time.Hour, 0, 26), "──────────────────── 60:00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("it is %q, want %q", c.got, c.want)
			}
		})
	}
}
