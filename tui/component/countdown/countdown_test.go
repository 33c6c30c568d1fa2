package countdown_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/till/tui/component/countdown"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest/counter"
)

func TestTheWordChangesAsTheTimeRunsOut(t *testing.T) {
	shown := countdown.New(theme.Plain(), counter.Texts(t, "en"))
	cases := []struct {
		name string
		left time.Duration
		want string
	}{
		{"plenty", 9 * time.Minute, "9:00 left"},
		{"more than two minutes", 2*time.Minute + time.Second, "2:01 left"},
		{"two minutes", 2 * time.Minute, " 2:00 left, soon over "},
		{"more than half a minute", 31 * time.Second, " 0:31 left, soon over "},
		{"half a minute", 30 * time.Second, " 0:30 left, nearly over "},
		{"nothing", 0, " 0:00 left, nearly over "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := shown.Word(c.left); got != c.want {
				t.Errorf("the word is %q, want %q", got, c.want)
			}
		})
	}
}

func TestTheBarStandsWhereThereIsRoom(t *testing.T) {
	for _, language := range []string{"en", "fr", "mg"} {
		shown := countdown.New(theme.Plain(), counter.Texts(t, language))
		for _, left := range []time.Duration{0, 20 * time.Second, time.Minute, 5 * time.Minute, 59 * time.Minute} {
			t.Run(fmt.Sprintf("%s left in %s", left, language), func(t *testing.T) {
				for width := range 60 {
					got := shown.Draw(left, time.Hour, width)
					if hasBar := strings.ContainsAny(got, "█░"); hasBar && theme.Width(got) > width {
						t.Errorf("in %d columns: %q", width, got)
					}
				}
				if got := theme.Width(shown.Draw(left, time.Hour, shown.Columns())); got > shown.Columns() {
					t.Errorf("%d columns, said to be %d", got, shown.Columns())
				}
				if got := shown.Draw(left, 0, 60); strings.ContainsAny(got, "█░") {
					t.Errorf("a bar of nothing: %q", got)
				}
			})
		}
	}
}
