package tui_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest/counter"
)

func phones(c *console) { c.config.Address = "http://192.168.1.20:41234" }

// plays gives the console a player who never presses a key; tests press them.
func plays(c *console) { c.config.Player = func(context.Context, tui.Press) {} }

// play has the player press keys of a screen, and returns whether the last one
// was handled.
func (c *console) play(screen tui.Screen, keys ...string) <-chan struct{} {
	c.t.Helper()
	var handled <-chan struct{}
	for _, key := range keys {
		msg, done := tui.Typed(screen, key)
		c.Send(msg)
		handled = done
	}
	return handled
}

func handled(key <-chan struct{}) bool {
	select {
	case <-key:
		return true
	default:
		return false
	}
}

func TestTheDemoSaysWherePhonesFindIt(t *testing.T) {
	c := open(t, demo, phones)
	c.Sees("Phones: http://192.168.1.20:41234", "DEMO: no real money", "A new sale.")
	c.press("f3").Sees("Phones: http").Press("esc")
	c.Resize(20, 10).Sees("Phones: http://192").Fits().Resize(80, 24)
	t.Run("but what a cashier must know comes first", func(t *testing.T) {
		c.Pay(c.Charge("S1", counter.Coca()))
		c.wake().Sees("✓ PAID", "F2 shows it").Lacks("Phones")
		c = open(t, demo, phones)
		c.health.Refused = 1
		c.Sees("Webhooks refused").Lacks("Phones")
	})
}

func TestAPlayerUsesTheConsole(t *testing.T) {
	c := open(t, demo, plays)
	c.Sees("Plays by itself: any key takes over.", "DEMO: no real money")
	if !handled(c.play(tui.Selling, "V", "a", "r", "y", " ", "3", "5", "0", "0", "enter", "enter")) {
		t.Fatal("the sale is not entered")
	}
	c.Sees("Charge 3 500 Ar?")
	if handled(c.play(tui.Selling, "x")) {
		t.Error("a character answers the question")
	}
	c.play(tui.Selling, "enter")
	c.after(sale.Settle).wake().Sees("… WAITING")
	t.Run("a key waits until it does something", func(t *testing.T) {
		done := c.play(tui.Paying, "enter")
		if handled(done) {
			t.Error("Enter ends a payment that is awaited")
		}
		c.Pay(c.newest())
		c.wake().Sees("✓ PAID")
		if handled(done) {
			t.Error("Enter comes before the outcome was seen")
		}
		c.after(pay.Grace)
		if !handled(done) {
			t.Error("Enter does nothing")
		}
		c.wake().Sees("A new sale.", "Plays by itself")
	})
	t.Run("a key waits for its screen", func(t *testing.T) {
		done := c.play(tui.Listing, "enter")
		if handled(done) {
			t.Error("Enter opens an order of a list that is not shown")
		}
		c.Send(tui.Played())
		c = open(t, demo, plays)
		c.Pay(c.Charge("S1", counter.Coca()))
		c.wake()
		if !handled(c.play(tui.Selling, "f2")) || !handled(c.after(pay.Grace).play(tui.Paying, "enter")) {
			t.Fatal("the news is not shown and acknowledged")
		}
		c.wake()
		for _, key := range []string{"f3", "down", "enter", "y"} {
			screen := tui.Listing
			if key == "f3" {
				screen = tui.Selling
			}
			if !handled(c.play(screen, key)) {
				t.Errorf("%s does nothing", key)
			}
		}
		c.Sees("is PAID?")
		if handled(c.play(tui.Listing, "f3")) || !handled(c.play(tui.Listing, "enter")) {
			t.Error("the question is not answered")
		}
	})
	t.Run("an empty list takes no Enter", func(t *testing.T) {
		c := open(t, demo, plays)
		c.play(tui.Selling, "f3")
		if handled(c.play(tui.Listing, "enter")) {
			t.Error("Enter opens an order that there is not")
		}
	})
	t.Run("a question is answered by Enter and Esc", func(t *testing.T) {
		c := open(t, demo, plays)
		c.Charge("S1", counter.Coca())
		c.charge()
		if !handled(c.play(tui.Paying, "esc")) || handled(c.play(tui.Paying, "p")) || !handled(c.play(tui.Paying, "enter")) {
			t.Error("the payment is not left")
		}
		c.Sees("A new sale.")
	})
}

func TestAPersonTakesOver(t *testing.T) {
	c := open(t, demo, plays)
	c.charge() // A person's keys.
	c.Lacks("Plays by itself")
	t.Run("and a key that waited is forgotten", func(t *testing.T) {
		c := open(t, demo, plays)
		done := c.play(tui.Paying, "esc")
		c.charge()
		if handled(done) {
			t.Error("the player goes on")
		}
		c.Sees("… WAITING").Lacks("Leave it to wait?")
	})
	t.Run("and a player that is done leaves the console open", func(t *testing.T) {
		c := open(t, demo, plays)
		c.Send(tui.Played())
		c.Lacks("Plays by itself").Sees("A new sale.").Type("Vary").Sees("> Vary")
	})
	t.Run("whose help is not closed by the player", func(t *testing.T) {
		c := open(t, demo)
		c.press("f1")
		if handled(c.play(tui.Selling, "enter")) {
			t.Error("a key of the player closes the help")
		}
	})
}

func TestAPlayerPlaysInAProgram(t *testing.T) {
	steps, begin, over := make(chan error, 10), make(chan struct{}), make(chan struct{})
	r := run(t, demo, func(c *console) {
		c.config.Player = func(ctx context.Context, press tui.Press) {
			defer close(over)
			<-begin
			for _, key := range []string{"V", "a", "r", "y", " ", "9", "0", "0", "enter"} {
				if err := press(ctx, tui.Selling, key); err != nil {
					steps <- err
				}
			}
			steps <- nil
			steps <- press(ctx, tui.Paying, "p") // Waits for a payment that nobody asks for.
			steps <- press(ctx, tui.Paying, "p")
		}
	})
	r.screen.await(t, "Plays by itself")
	close(begin)
	r.screen.await(t, "Total  900 Ar")
	if err := <-steps; err != nil {
		t.Fatal(err)
	}
	r.press(t, "K")
	r.screen.await(t, "K")
	for range 2 {
		select {
		case err := <-steps:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("the player is told %v", err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the player is not told that a person took over")
		}
	}
	<-over
	r.press(t, "\x03")
	if err := r.end(t); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

func TestAPlayerEndsWithTheProgram(t *testing.T) {
	over := make(chan struct{})
	r := run(t, demo, func(c *console) {
		c.config.Customer = func(context.Context, string, payments.EventKind) error { return nil }
		c.config.Player = func(ctx context.Context, _ tui.Press) {
			defer close(over)
			<-ctx.Done()
		}
	})
	r.stop()
	if err := r.end(t); err != nil {
		t.Errorf("it ended with %v", err)
	}
	<-over
}
