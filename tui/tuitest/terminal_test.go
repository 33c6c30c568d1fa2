package tuitest_test

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	_ "checkout/till/tui/background"
	"checkout/till/tui/tuitest"
)

func TestATerminalThatFailsItsTest(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("it has no sh")
	}
	const picture = "rude"
	for name, tt := range map[string]struct {
		do   func(*tuitest.Terminal)
		want []string
	}{
		"a text that does not come": {func(term *tuitest.Terminal) { term.Sees(picture, "PAID") }, []string{`does not say ["PAID"]`, picture}},
		"a text that never came":    {func(term *tuitest.Terminal) { term.Shows(picture, "PAID") }, []string{`never said ["PAID"]`, picture}},
		"a text that does not go":   {func(term *tuitest.Terminal) { term.Gone(picture) }, []string{"still says", picture}},
		"a code that is not there":  {func(term *tuitest.Terminal) { term.QR() }, []string{"no QR code on the screen", picture}},
		"a program that goes on":    {func(term *tuitest.Terminal) { term.Wait() }, []string{"does not end", picture}},
		"a terminal that is not restored": {func(term *tuitest.Terminal) { term.Kill(); term.Restored() }, []string{
			"the other screen", "a hidden cursor", "marked pastes",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spy := &spy{TB: t}
			cmd := exec.Command("sh", "-c", `printf '\033[?1049h\033[?25l\033[?2004hrude'; exec sleep 60`)
			cmd.Env = tuitest.Environ()
			term := tuitest.Start(spy, 80, 24, cmd).Sees(picture)
			tuitest.Patience(100 * time.Millisecond)(term)
			spy.fails(func() { tt.do(term) })
			for _, want := range tt.want {
				if !strings.Contains(spy.said, want) {
					t.Errorf("the failure says %q, want %q in it", spy.said, want)
				}
			}
		})
	}
}
