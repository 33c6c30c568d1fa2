package tui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// press is a key press. at is the time since the call of plays.
type press struct {
	at  time.Duration
	key string
}

// hold returns the key presses of a key that is held down. The first repeat comes after delay; the
// next ones come at intervals of rate.
func hold(key string, from, delay, rate time.Duration, repeats int) []press {
	presses := []press{{from, key}}
	for n := range repeats {
		presses = append(presses, press{from + delay + time.Duration(n)*rate, key})
	}
	return presses
}

// plays presses keys at their times, and then waits for a second. It sends Quiet every ten
// milliseconds, as the console's timers would.
func (c *console) plays(presses ...press) *console {
	c.t.Helper()
	const step = time.Millisecond
	presses = slices.Clone(presses)
	for now := time.Duration(0); len(presses) > 0 || now < time.Second; now += step {
		for len(presses) > 0 && presses[0].at <= now {
			key, err := tuitest.Key(presses[0].key)
			tuitest.Must(c.t, err)
			c.Send(key)
			presses = presses[1:]
			if len(presses) == 0 {
				now = 0
			}
		}
		c.Advance(step)
		if now%(10*step) == 0 {
			c.Send(keyboard.Quiet{})
		}
	}
	return c
}

// The tests of tui/keyboard hold keys down with all delays and rates.
func TestAHeldKeyAnswersNothingAndATapDoes(t *testing.T) {
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		key         string
		reach       func(c *console)
		held, after string // What the screen shows while the key is held down, and after a tap.
	}{
		"the charge question":           {"enter", func(c *console) { c.enter("Vary 3500") }, "Charge 3 500 Ar?", "… WAITING"},
		"a payment":                     {"enter", func(c *console) { c.Pay(c.charge()); c.wake() }, "✓ PAID", "Type what the customer takes"},
		"a refusal":                     {"enter", func(c *console) { c.Fail(c.charge(), ""); c.wake() }, "✗ Payment refused", "Close this order?"},
		"the question whether to leave": {"ctrl+c", func(c *console) { c.charge() }, "Leave till while a customer pays?", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t)
			tt.reach(c)
			c.plays(hold(tt.key, 0, 500*ms, 33*ms, 60)...).Sees(tt.held)
			c.plays(press{0, tt.key})
			if leaves := tt.after == ""; c.Quit() != leaves {
				t.Errorf("a tap leaves the program: %v, want %v", c.Quit(), leaves)
			} else if !leaves {
				c.Sees(tt.after)
			}
		})
	}
}

func TestAQuestionIsAnsweredAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		opens string
		reach func(c *console)
		sees  string
	}{
		"charge": {"enter", func(c *console) { c.Type("Vary 3500").Press("enter") }, "… WAITING"},
		"drop":   {"esc", func(c *console) { c.Type("Vary 3500").Press("enter") }, "The sale was dropped"},
		"leave":  {"esc", func(c *console) { c.charge() }, "Type what the customer takes"},
		"close":  {"enter", func(c *console) { c.Fail(c.charge(), ""); c.wake().after(counter.Grace) }, "Type what the customer takes"},
	} {
		t.Run(name, func(t *testing.T) {
			console := open(t)
			c.reach(console)
			console.plays(press{0, c.opens}, press{130 * time.Millisecond, "enter"}).Sees(c.sees)
		})
	}
}

func TestKeysWaitWhileAnArticleIsWritten(t *testing.T) {
	saving := func(msg tea.Msg) bool {
		key, pressed := msg.(tea.KeyMsg)
		return pressed && key.String() == "ctrl+s"
	}
	t.Run("and count afterwards", func(t *testing.T) {
		c := open(t, sells)
		c.press("f6", "ctrl+n").Type("Mofo").Press("tab").Type("300")
		c.gate.HoldCommands(saving)
		c.Press("ctrl+s", "ctrl+n").Type("Ovy").Press("tab").Type("200").Press("ctrl+s").Sees("Mofo").Lacks("Ovy")
		c.release().Sees("Ovy", "200")
		c.press("ctrl+s").Sees("Mofo", "Ovy", "4 of 4")
	})
	t.Run("but not after an error, which comes first", func(t *testing.T) {
		c := open(t, sells)
		c.press("f6", "ctrl+n").Type("Vary gasy").Press("tab").Type("300")
		c.gate.HoldCommands(saving)
		c.Press("ctrl+s", "enter").Type("Ovy")
		c.Advance(time.Second)
		c.release().Sees("There is already an article Vary gasy", "300").Lacks("Ovy")
	})
}

// TestAnAcknowledgedOutcomeNeverComesBack opens other screens before the acknowledgement is stored.
func TestAnAcknowledgedOutcomeNeverComesBack(t *testing.T) {
	c := open(t)
	c.paid()
	c.gate.HoldCommands(func(msg tea.Msg) bool { return msg == tea.Msg(keyboard.Quiet{}) })
	c.press("enter", "f3")
	c.release()
	c.press("esc").Sees("Type what the customer takes")
	c.enter("Savony 1200").press("f8", "esc").Sees("1  Savony").Lacks("PAID")
}

func TestTheCodeOfAnotherCustomerDoesNotComeBackAfterTheNews(t *testing.T) {
	c := open(t)
	waiting := c.charge()
	c.serve()
	news := c.charge()
	c.press("esc", "enter")
	c.press("f4", "enter").Sees("To pay")
	c.Fail(news, "")
	c.wake().press("f2").after(counter.Grace).Sees("✗ Payment refused").Press("r")
	c.Sees("2 × ")
	c.enter("", "").after(counter.Grace).enter("").Sees("… WAITING")
	c.Pay(c.newest())
	c.wake().after(counter.Grace).press("enter")
	c.Sees("Type what the customer takes").Lacks(waiting.Link.URL)
}

// TestAnOutcomeIsNotAcknowledgedBeforeItCouldBeRead lets an outcome arrive while something else
// hides the order.
func TestAnOutcomeIsNotAcknowledgedBeforeItCouldBeRead(t *testing.T) {
	pin := strings.Split("h"+shoptest.HasinasPIN, "")
	for name, keys := range map[string]struct {
		hides string
		shows []string
	}{
		"under the help":                          {"f1", []string{"esc"}},
		"under the health screen":                 {"f8", []string{"esc"}},
		"under the help, closed with Enter":       {"f1", []string{"enter"}},
		"under the question who sells":            {"f12", []string{"esc"}},
		"under the question who sells, a sign-in": {"f12", append(pin, "enter")},
	} {
		t.Run(name, func(t *testing.T) {
			c := staffed(t)
			order := c.charge()
			c.press(keys.hides)
			c.Pay(order)
			c.wake().after(counter.Grace)
			c.press(keys.shows...).Sees("✓ PAID").Press("enter")
			tuitest.Equal(t, c.newest().Facts.Acknowledged, false, "the outcome is acknowledged")
			c.after(counter.Grace).press("enter")
			tuitest.Equal(t, c.newest().Facts.Acknowledged, true, "the outcome is acknowledged")
		})
	}
}
