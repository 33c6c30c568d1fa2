package tui_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui"
	"checkout/till/tui/component/motion"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestKeysCannotDisturbAnOrderBeingSent(t *testing.T) {
	c := open(t)
	c.Fail(c.Charge("S0"), "")
	c.wake().enter("Vary 3500", "")
	c.gate.HoldCommands(tui.Performed[counter.SaveSale])
	c.enter("").Sees("Asking the payment service").Press("f2").Sees("The order is being sent").Press("f5").Sees("The order is being sent")
	c.press("enter", "n").Sees("Asking the payment service").Press("f3").Sees("History").Press("esc").Sees("Asking the payment service")
	c.press("f1").Sees("Keys").Press("x").Sees("Asking the payment service")
	c.release().Sees("… WAITING")
	tuitest.Equal(t, len(c.Calls()), 2, "order calls")
	c.serve().Sees("Type what the customer takes")
}

func TestANewOrderOfAnEarlierSaleKeepsTheCurrentSale(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.serve().enter("Savony 1200")
	c.Fail(order, "Solde insuffisant")
	c.wake().press("f2").Sees("✗ Payment refused: Solde insuffisant")
	c.after(counter.Grace).press("n", "enter").Sees("… WAITING", "9 000 Ar")
	c.serve().Sees("1 200", "1  Savony")
}

func TestAPastStoreErrorIsNotShownOnTheNextSale(t *testing.T) {
	c := open(t)
	c.paid()
	c.Break()
	c.press("enter").Sees("✓ PAID", "It could not be written to disk.")
	c.Mend()
	c.press("enter").Sees("Type what the customer takes").Lacks("could not be written")
}

func TestTheHeaderChangesItsLampInOnePlace(t *testing.T) {
	c := open(t)
	lamp := func() int { return strings.Index(c.View(), "●") }
	c.Sees("● receives payments")
	receives := lamp()
	c.health.LastEvent = time.Time{}
	c.Sees("● awaits payments").Lacks("receives payments")
	tuitest.Equal(t, lamp(), receives, "the column of the lamp")
	c.health.Refused = 3 // Refused requests while no order waits: only the health screen shows them.
	c.Sees("● awaits payments").Lacks("REFUSED")
	c.refuse(3)
	c.health.Cause = payments.Cause{Kind: payments.CauseOtherScheme, Detail: "body"}
	c.press("f7").Sees(`Notifs refusées : l'autre schéma convient : signature_scheme = "body"`).Press("f3")
	c.Sees("NOTIFICATIONS REFUSÉES · F8").Press("f7", "f7").Press("esc")
	open(t, demo).Sees("DEMO: no real money", "● receives payments")
}

func TestTheDemoShowsPlayKeysAndCopiesTheLink(t *testing.T) {
	c := open(t, demo)
	c.charge()
	c.Sees("you are the customer").Press("c")
	c.Sees("Sent to the terminal's clipboard.")
	tuitest.Contains(t, c.out.String(), "\x1b]52;c;")
}

// TestTheTerminalLeavesTheModeOfACrashedProgram checks that the console switches off a mode in
// which the terminal sends keys as numbers. A crashed program may have left the terminal in this
// mode.
func TestTheTerminalLeavesTheModeOfACrashedProgram(t *testing.T) {
	tuitest.Contains(t, open(t).out.String(), "\x1b[?9001l")
}

func phones(c *console) { c.config.Address = "http://192.168.1.20:41234" }

// plays gives the console a script that presses no keys.
func plays(c *console) { c.config.Script = func(context.Context, func(tea.KeyMsg)) {} }

func TestTheDemoShowsItsAddressForPhones(t *testing.T) {
	c := open(t, demo, phones)
	c.Sees("Phones: http://192.168.1.20:41234", "DEMO: no real money", "Type what the customer takes")
	c.press("f3").Sees("Phones: http").Press("esc")
	c.Resize(20, 10).Sees("Phones: http://192").Fits().Resize(80, 24)
	t.Run("news and alarms take its place", func(t *testing.T) {
		c.Pay(c.Charge("S1", shoptest.Coca()))
		c.wake().Sees("✓ PAID", "F2  Show").Lacks("Phones")
		c = open(t, demo, phones)
		c.refuse(1)
		c.Sees("Webhooks refused").Lacks("Phones")
	})
}

func TestTheFirstChangeIsSentAtOnceAndLaterOnesArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		wakeUps := make(chan struct{}, 1)
		var told []time.Duration
		began := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			tui.Forward(ctx, wakeUps, func(tea.Msg) { told = append(told, time.Since(began)) })
		}()
		// One change per millisecond, for three times the duration tui.Pace.
		for range 3 * tui.Pace / time.Millisecond {
			select {
			case wakeUps <- struct{}{}:
			default:
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if len(told) != 4 || told[0] != 0 || told[3] != 3*tui.Pace {
			t.Errorf("sent after %v, want 4 messages: at once and once per pace", told)
		}
		// A change just before cancel must not delay the end of Relay.
		wakeUps <- struct{}{}
		synctest.Wait()
		ended := time.Now()
		cancel()
		close(wakeUps)
		<-done
		if waited := time.Since(ended); waited != 0 || len(told) != 5 {
			t.Errorf("the end took %v, want 0; sent after %v, want 5 messages", waited, told)
		}
	})
}

func TestTheTotalCountsUpAndOutcomesOpen(t *testing.T) {
	c := open(t, func(c *console) { c.config.Motion = true })
	frame := func() {
		c.Advance(motion.Length)
		c.Send(motion.Ticked{})
	}
	c.Resize(40, 15)
	c.enter("Vary 3500").Sees("Vary", " 0 Ar")
	frame()
	c.Sees(" 3 500 Ar")
	c.Pay(c.charge())
	c.wake().Lacks("PAID")
	frame()
	c.Sees("✓ PAID")
	c.after(counter.Grace).press("enter").enter("Vary 3500").press("enter", "tab", "enter").Lacks("-C-000001")
	frame()
	c.Sees("-C-000001")
}

func TestTheKeysOfAnOutcomeAreDrawnAsSoonAsTheyAct(t *testing.T) {
	c := open(t)
	c.Pay(c.enter("Vary 3500").charge())
	c.wake()
	if at := tui.GraceEnds(c.Model().(shoptest.Gate).Model); !at.Equal(c.Now().Add(counter.Grace)) {
		t.Errorf("the keys are drawn again at %v, want at the end of the grace", at)
	}
}

func TestASlowLineShowsNoAnimation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, func(c *console) { c.config.Motion = true })
		time.Sleep(time.Second)
		c.Send(keyboard.Colours{})
		c.enter("Vary 3500").Sees(" 3 500 Ar")
		c.Pay(c.charge())
		c.wake().Sees("✓ PAID")
	})
}

// At 50×30 the panes have no borders, so the keys of the payment screen are in the last row.
func TestTheKeysOfARefusedCodeAreInTheLastRow(t *testing.T) {
	c := open(t)
	c.Resize(50, 30)
	c.Hear(shoptest.Event(c.charge(), payments.PaymentFailed, "non"))
	c.wake().after(time.Second).Sees("NOT PAID", "Esc next", "Tab cash")
	c.press("esc").Sees("Leave it waiting").Lacks("Esc next", "Tab cash")
}

func TestTheHelpOfTheSaleListsWhatTheDemoProposes(t *testing.T) {
	c := open(t, demo, func(c *console) {
		c.config.Sample = true
		c.config.Welcome = "~/.config/till/config.toml"
	})
	c.Sees("F1 what to try").Press("f1")
	c.Sees("To try in the demo ─", "the customer pays", "To go live: till setup", "Type a line ─", "An SMS is no proof", "Esc closes  PgDn ↓ ")
	c.Press("end").Sees("Everywhere ─", "F9 ", "F10 ", "Ctrl+C").Lacks("PgDn").Press("home")
	c.Resize(120, 36).Sees("Type a line ─", "The sale ─", "T1-2026…", "Only the screen PAID").Press("home")
	c.Resize(50, 30).Sees("cash, and change", "Type a line ─", "an article by name", "An SMS is no proof", "Only the screen PAID", "PgDn ↓ ").Fits()
	c.Press("esc", "f3", "f1").Lacks("To try in the demo")
}

func TestTheFirstScreenOfTheDemoSaysWhatItIs(t *testing.T) {
	for _, language := range i18n.Languages() {
		texts := i18n.Load(language)
		c := open(t, in(language), demo, func(c *console) { c.config.Sample = true })
		last, _, _ := strings.Cut(texts.Demo.Steps[5], ":")
		last = strings.TrimSpace(last)
		c.Sees(texts.Demo.What, last, "Épicerie Soa", "T1", "F7", "F8", "F10").Fits()
		c.Resize(50, 30).Sees(texts.Demo.Brief+" ", " "+texts.Keys.Adds+" ─").Fits()
		c.Resize(120, 36).Sees(texts.Demo.What, texts.Demo.ToTry, texts.Demo.Steps[5], "F1 ", "F2 ", "F3 ", "F4 ", "F5 ", "F6 ", "F7 ", "F8 ", "F9 ", "F10 ").Fits()
		c.Pay(c.charge())
		c.wake()
		c.press("f2").after(time.Second).press("enter").Resize(160, 45).Sees(texts.Demo.What, texts.Sale.Empty, texts.Sale.ByName, texts.Sale.LastSale).Fits()
		blank, most := 0, 0
		for row := range strings.SplitSeq(c.Resize(200, 60).View(), "\n") {
			blank++
			if cells := []rune(row); strings.Trim(string(cells[:60]), " │") != "" {
				blank = 0
			}
			most = max(most, blank)
		}
		if most > 60/3 {
			t.Errorf("%s: %d rows of the sale are blank\n%s", language, most, c.View())
		}
	}
}

func TestThePanesFillAWideWindow(t *testing.T) {
	for _, width := range []int{160, 180, 200, 240} {
		view := open(t).Resize(width, 45).View()
		for i, row := range strings.Split(view, "\n")[1:44] {
			if got := theme.Width(strings.TrimRight(row, " ")); got != width || strings.HasPrefix(row, " ") {
				t.Fatalf("%d columns: row %d has %d: %s", width, i, got, row)
			}
		}
	}
}

func TestATerminalShowsAFrameAsAWhole(t *testing.T) {
	terminal, line, err := os.Pipe()
	tuitest.Must(t, err)
	var slow atomic.Bool
	size, err := tui.Synchronized(line, &slow).Write([]byte("frame"))
	tuitest.Must(t, err)
	tuitest.Must(t, line.Close())
	written, err := io.ReadAll(terminal)
	tuitest.Must(t, err)
	if string(written) != "\x1b[?2026hframe\x1b[?2026l" || size != len("frame") {
		t.Errorf("the terminal received %q, and the write reports %d bytes", written, size)
	}
	if buffer := new(bytes.Buffer); tui.Synchronized(buffer, &slow) != io.Writer(buffer) {
		t.Error("a buffer is taken for a terminal")
	}
}

// serial is a terminal with a slow connection. The field is the time that the connection needs for
// a frame.
type serial struct {
	term.File
	takes time.Duration
}

func (s serial) Write(frame []byte) (int, error) {
	time.Sleep(s.takes)
	return len(frame), nil
}

func TestASlowLineIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for takes, want := range map[time.Duration]bool{100 * time.Millisecond: false, time.Second: true} {
			var slow atomic.Bool
			_, err := tui.Synchronized(serial{takes: takes}, &slow).Write([]byte("frame"))
			tuitest.Must(t, err)
			tuitest.Equal(t, slow.Load(), want, "after a frame of %v, slow", takes)
		}
	})
}
