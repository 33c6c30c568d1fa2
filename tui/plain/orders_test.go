package plain_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/plain"
	"checkout/till/tui/sound"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
	"checkout/till/tui/voice"
)

func TestOnlyTheWordYesChargesASale(t *testing.T) {
	for name, c := range map[string]struct {
		typed []string
		calls int
		says  string
	}{
		"yes":                                 {[]string{"charge", "yes"}, 1, "WAITING"},
		"the letter y":                        {[]string{"c", "Y"}, 1, "WAITING"},
		"an empty line opens the question":    {[]string{"", "yes"}, 1, "WAITING"},
		"no":                                  {[]string{"charge", "no"}, 0, "Nothing was done."},
		"an empty line is not a yes":          {[]string{"", ""}, 0, "Nothing was done."},
		"empty lines in a row":                {[]string{"", "", "", "", "", ""}, 0, "Nothing was done."},
		"yes twice":                           {[]string{"charge", "yes", "yes"}, 1, "No price is known"},
		"a whole paste twice":                 {[]string{"charge", "yes", "charge", "yes", "", "yes"}, 1, "The sale is empty."},
		"a new line of the sale is not a yes": {[]string{"charge", "Riz 100"}, 0, "Total 2 100 Ar"},
		"a command is not a yes":              {[]string{"charge", "lines"}, 0, "1: Coca"},
	} {
		t.Run(name, func(t *testing.T) {
			at := open(t).types("coca").sees("Total 2 000 Ar").types(c.typed...).sees("Charge 2 000 Ar?", c.says).tick()
			if got := len(at.Calls()); got != c.calls {
				t.Errorf("got %d order calls, want %d", got, c.calls)
			}
		})
	}
}

func TestAnOutcomeIsAnnouncedAndStaysUntilAcknowledged(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.Pay(order)
	c.sees("\nPAID: 9 000 Ar, order T1-20261121-GT-0001, 2 × Riz, Coca\n", "Unseen outcomes: 1.", "\n1 unseen > ")
	c.types("", "coca").sees("1: PAID, 9 000 Ar", "Total 2 000 Ar", "1 unseen > ").lacks("\nPAID:")
	c.types("done").sees("Acknowledged: order T1-20261121-GT-0001.", "\n> ")
	if !c.Find(order.Reference).Facts.Acknowledged {
		t.Error("the outcome was not acknowledged")
	}
	c.types("done").sees("There is no unseen outcome.")
}

func TestEveryOutcomeIsAnnouncedWithItsReason(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(at *talk, order payments.Order)
		says    []string
	}{
		"contradicted": {func(at *talk, order payments.Order) {
			at.Pay(order)
			at.sees("PAID: 9 000 Ar")
			at.Hear(shoptest.Event(order, payments.PaymentExpired, ""))
		}, []string{"CHECK: 9 000 Ar", "Do not ask for money again", "Orders to check: 1."}},
		"paid late": {func(at *talk, order payments.Order) {
			at.Hear(shoptest.Event(order, payments.PaymentExpired, ""))
			at.sees("NOT PAID: expired")
			at.Pay(order)
		}, []string{"CHECK: 9 000 Ar", "Paid after the order was over."}},
		"marked paid by a person": {func(at *talk, order payments.Order) {
			at.Fail(order, "")
			at.sees("NOT PAID: refused")
			at.Resolve(order.Reference, payments.Finding{Kind: payments.FoundPaid, By: "Rado"})
			at.types("link " + order.Reference)
		}, []string{"MARKED PAID: 9 000 Ar", "by Rado"}},
	} {
		t.Run(name, func(t *testing.T) {
			at := open(t)
			c.happens(at, at.charge())
			at.sees(c.says...).lacks("\nPAID:")
		})
	}
}

func TestOutcomesAreUnknownWhilePaymentsCannotBeSeen(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.Break()
	c.after(time.Second)
	c.types("coca").tick()
	c.health.Store(&payments.Health{Listening: true, StoreDown: true})
	c.tick().sees("THE DATABASE CANNOT BE USED")
	c.types("waiting", "charge", "done", "health").sees("UNKNOWN, 9 000 Ar", "No verdict can be trusted, so no code is shown", "There is no unseen outcome.", "THE DATABASE CANNOT BE USED")
	c.Mend()
	c.health.Store(&payments.Health{Listening: true})
	c.tick().sees("\nlistens\n")
	c.Pay(order)
	c.sees("PAID: 9 000 Ar")
	t.Run("a known outcome is not announced as unknown", func(*testing.T) {
		c.health.Store(&payments.Health{})
		c.tick().sees("NOT LISTENING: payments cannot be seen").lacks("UNKNOWN:")
		several := payments.Expected{Order: "REF_700001", At: c.Now(), Several: true}
		c.health.Store(&payments.Health{Listening: true, Address: "127.0.0.1:8788", Refused: 2, Expected: several})
		c.tick().sees("Webhooks refused: did the secret change?").lacks("PAID:")
		c.health.Store(&payments.Health{Listening: true, Address: "127.0.0.1:8788", Refused: 2, Expected: several, Cause: payments.Cause{Kind: payments.CauseOtherHeader, Detail: "X\x1b-Sum"}})
		c.tick().sees("Webhooks refused: the right signature is in X-Sum: change signature_header")
		c.health.Store(&payments.Health{Listening: true, Address: "127.0.0.1:8788", Cause: payments.Cause{Kind: payments.CauseSignatureKnown}})
		c.tick().sees("Many payments without an order: is the secret known to others?").lacks("refused")
		missed := payments.RelayState{Missed: []string{"A1"}, MissedOf: 9000}
		c.health.Store(&payments.Health{Listening: true, Relay: missed})
		c.tick().sees("While the till was off: 1 paid, 9 000 Ar")
		c.health.Store(&payments.Health{Listening: true, LastEvent: shoptest.Opening(), Relay: missed})
		c.tick().lacks("While the till was off").types("health").sees("receives payments", "receives payments", "last event 12:00")
	})
}

func TestAnOutcomeIsUnknownUntilTheListenerIsBack(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.health.Store(&payments.Health{})
	c.tick().sees("NOT LISTENING")
	c.Fail(order, "")
	c.sees("UNKNOWN: 9 000 Ar").lacks("PAID").types("done").sees("NOT LISTENING")
	c.health.Store(&payments.Health{Listening: true})
	c.tick().sees("listens", "NOT PAID: refused: 9 000 Ar")
	c.health.Store(&payments.Health{})
	c.Pay(order)
	c.tick().sees("PAID: 9 000 Ar").types("done").sees("Acknowledged")
}

func TestTimeLeftIsAnnouncedNearTheEnd(t *testing.T) {
	c := open(t)
	c.charge()
	c.types("waiting").sees("10:00 left: 9 000 Ar, order T1-20261121-GT-0001\n> ")
	c.after(7 * time.Minute).lacks("left")
	c.after(2 * time.Minute).sees("1:00 left: 9 000 Ar").lacks("left")
	c.after(time.Minute).sees("TIME OVER, waiting for the service: 9 000 Ar")
	c.after(time.Minute).lacks("TIME")
	c.after(2 * time.Minute).sees("Orders to check: 1. check lists them.")
	c.types("check").sees("1: TIME OVER", "1: The time is over and no answer came from the service.", "till order resolve")
	c.types("check 2").sees("check takes no argument")
}

func TestSeveralOutcomesWaitInAQueue(t *testing.T) {
	c := open(t)
	first, second, third := c.charge(), c.charge(), c.charge()
	c.Fail(second, "")
	c.sees("NOT PAID: refused: 9 000 Ar, order "+second.Reference, "1 unseen > ")
	c.Pay(third)
	c.sees("PAID: 9 000 Ar, order "+third.Reference, "Unseen outcomes: 2.", "2 unseen > ")
	c.types("waiting").sees("1: WAITING, 9 000 Ar, order "+first.Reference, "2: NOT PAID: refused", "3: PAID")
	c.types("done 3").sees("Acknowledged: order "+third.Reference, "1 unseen > ")
	c.types("done", "no", "done", "yes").
		sees("Close this order? Its link can be paid until 12:10. yes or no?", "Nothing was done.", "Acknowledged: order "+second.Reference, "\n> ")
	c.types("done "+first.Reference, "check").sees("There is no unseen outcome.", "Nothing to check.")
}

func TestASecondLinkNeedsAConfirmation(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.types("again", "no").sees("Make a new code? The first can be paid until 12:10. If both are paid, till says so. yes or no?", "Nothing was done.")
	c.Fail(order, "")
	c.sees("NOT PAID").types("again", "yes").sees("The first can be paid until", "WAITING: 9 000 Ar, order T1-20261121-GT-0002")
	c.tick()
	if !c.Find(order.Reference).Facts.GivenUp {
		t.Error("the first order was not given up")
	}
	t.Run("a sale with a paid order needs another confirmation", func(*testing.T) {
		c.types("again").sees("yes or no?")
		c.Pay(order)
		c.sees("CHECK: 9 000 Ar").types("yes", "no").sees("This sale was paid at 12:00. Charge 9 000 Ar once more? yes or no?", "Nothing was done.")
		c.types("link T1-20261121-GT-0002").sees("This order has no link that can be paid now.")
		c.types("again " + order.Reference).sees("No new order is made from this one.")
	})
	if calls := len(c.Calls()); calls != 2 {
		t.Errorf("got %d order calls, want 2", calls)
	}
}

func TestTheLinkAndItsCodeAreWrittenOnDemand(t *testing.T) {
	c := open(t)
	c.types("link", "code").sees("No payment is awaited.", "No payment is awaited.")
	order := c.charge()
	c.types("link 1").sees("WAITING: 9 000 Ar", "on pay.example.mg\n", "Link: "+order.Link.URL)
	drawn, err := qr.New(order.Link.URL, theme.Theme{})
	tuitest.Must(t, err)
	c.types("code").sees("Scan to pay: 9 000 Ar", "\n"+drawn.Text(theme.Theme{}, false)+"\n", "Link: ")
	c.types("code 7", "link nothing").sees("There is no such order.", "There is no such order.")
	c.Pay(order)
	c.sees("PAID").types("code "+order.Reference).sees("PAID", "This order has no link")
}

func TestLeavingAsksWhilePaymentsAreAwaited(t *testing.T) {
	c := open(t)
	c.charge()
	c.types("quit", "no").sees("Leave till while a customer pays? A closed till shows no payment. yes or no?", "Nothing was done.")
	c.types("q", "yes").ends()
	open(t).types("quit").ends()
	t.Run("not for an order whose sale was paid in cash", func(t *testing.T) {
		c := open(t)
		terms := c.charge().Terms()
		terms.Despite = []payments.ObjectionKind{payments.SalePayable}
		_, err := c.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash, Given: 9000})
		tuitest.Must(t, err)
		c.tick().types("waiting").sees("No payment is awaited.").types("quit").ends()
	})
}

func TestTheLineModeEndsCleanly(t *testing.T) {
	t.Run("the end of the input", func(t *testing.T) {
		c := open(t)
		c.types("coca", "charge", "yes")
		tuitest.Must(t, c.in.Close())
		c.ends().sees("WAITING: 2 000 Ar", "till ends. Payments awaited: 1.\n")
	})
	t.Run("with an order that was acknowledged and can still be paid", func(t *testing.T) {
		c := open(t)
		c.Fail(c.charge(), "")
		c.sees("NOT PAID").types("done", "yes").sees("Acknowledged")
		tuitest.Must(t, c.in.Close())
		c.ends().sees("till ends. Payments awaited: 1.\n")
	})
	t.Run("a signal", func(t *testing.T) {
		c := open(t).types("coca").sees("Total 2 000 Ar\n> ")
		c.stop()
		c.ends().sees("\ntill ends. Payments awaited: 0.\n")
		if got := c.items(); got != "1 Coca 2000/0" {
			t.Errorf("the sale is %q", got)
		}
	})
}

func TestInputIsEchoedIfTheTerminalDoesNot(t *testing.T) {
	c := open(t, func(config *plain.Config) { config.Echoes = false })
	c.types("coca\x1b[A x2").sees("coca[A x2\n")
	c.types("charge", "yes").sees("> charge\n", "> yes\n")
}

func TestAnOutcomeSoundsOnce(t *testing.T) {
	sounds := make(chan sound.Tune, 8)
	c := open(t, func(config *plain.Config) {
		config.Sound = func(_ context.Context, cue sound.Tune) { sounds <- cue }
	})
	order := c.charge()
	c.Pay(order)
	if c.sees("PAID"); <-sounds != sound.Paid {
		t.Error("a payment plays another sound")
	}
	if c.tick().tick(); len(sounds) > 0 {
		t.Error("the sound is played again")
	}
}

func TestAPaymentIsSpokenOnceAndAnOldOneIsNot(t *testing.T) {
	said := make(chan string, 8)
	speaks := func(config *plain.Config) {
		config.Voice = voice.New(func(_ context.Context, _, text string) error {
			said <- text
			return nil
		})
	}
	c := open(t, speaks)
	order := c.charge()
	c.Fail(order, "")
	c.sees("NOT PAID").Pay(order)
	if c.sees("PAID"); <-said != "Paid, 9000 ariary" {
		t.Error("another text was spoken for the payment")
	}
	c.tick().types("quit")
	c.ends()
	again := begin(t, c.Counter, speaks).sees("PAID", "> ")
	again.Pay(again.Charge("next", shoptest.Coca()))
	if again.sees("PAID"); <-said != "Paid, 2000 ariary" {
		t.Error("the old payment was spoken before the new one")
	}
}

func TestThePlainModeEndsTheSpeaker(t *testing.T) {
	began := make(chan struct{})
	c := open(t, func(config *plain.Config) {
		config.Voice = voice.New(func(ctx context.Context, _, _ string) error {
			close(began)
			<-ctx.Done() // The call does not return until the line mode ends.
			return ctx.Err()
		})
	})
	c.Pay(c.charge())
	c.sees("PAID")
	<-began
	c.types("coca").sees("2 000 Ar").types("quit").ends()
}

func TestTheDemosCustomerActs(t *testing.T) {
	var c *talk
	c = open(t, func(config *plain.Config) {
		config.Shop = "Épicerie\x1b Soa"
		config.Customer = func(_ context.Context, reference string, kind payments.EventKind) error {
			if kind == payments.PaymentExpired {
				return errors.New("not\x1b now")
			}
			order, _, err := c.Order(c.t.Context(), reference)
			c.Hear(shoptest.Event(order, kind, ""))
			return err
		}
	})
	c.types("pay").sees("No payment is awaited.")
	c.charge()
	c.types("expire", "fail").sees("not now", "NOT PAID: refused")
	c.types("pay").sees("PAID: 9 000 Ar")
	if !strings.HasPrefix(c.paper.text, "DEMO: no real money\nÉpicerie Soa\n") {
		t.Errorf("the output begins with %.60q", c.paper.text)
	}
}

func TestHostileTextIsCleaned(t *testing.T) {
	hostile := "\x1b[2J\x07\x9b31m\u202e\u2066\u200b\x00\x7f\r"
	c := open(t, func(config *plain.Config) { config.Echoes, config.Till = false, "T1" })
	c.types(hostile+"Riz"+hostile+" 100", "note "+hostile+"x", "hold "+hostile+"y", "resume", "edit 1 "+hostile+"z", hostile)
	c.sees("Riz").tick()
	c.types("charge", "yes").tick()
	for _, order := range c.All() {
		c.Fail(order, "why"+hostile+"not")
	}
	c.tick().types("waiting", "check", "link "+hostile, hostile+" 5 "+hostile, "done "+hostile).tick()
}

func TestAClosedOutputEndsTheLineMode(t *testing.T) {
	c := open(t)
	config := c.config
	config.Output = gone{}
	if err := plain.Run(t.Context(), config); !errors.Is(err, errGone) {
		t.Errorf("got the error %v, want errGone", err)
	}
}

func TestAPaymentWithoutOrderIsListedUntilReviewed(t *testing.T) {
	c := open(t)
	c.types("looked").sees("There is no payment without an order.").lacks("Tab")
	c.types("check").sees("Nothing to check.").lacks("Tab")
	order := payments.Order{OrderReference: "REF_1\x1b[2J", Reference: "X", Amount: 1500}
	_, err := c.Receive(t.Context(), shoptest.Event(order, payments.PaymentSuccess, ""), nil)
	if !errors.Is(err, payments.ErrNotFound) && err != nil {
		t.Fatal(err)
	}
	c.after(time.Minute).sees("Paid, but it belongs to no order here: 1 500 Ar, REF_1", "Orders to check: 1.")
	c.tick().lacks("no order here")
	c.types("check", "looked", "no").sees("Paid, but it belongs to no order", "The alarm then ends. yes or no?", "Nothing was done.")
	owner := staff.Identity{Name: "Hasina", PIN: secret.New("4711")}
	if _, err = c.AddCashier(t.Context(), owner.Name, "", owner.PIN, staff.Identity{}); err != nil {
		t.Fatal(err)
	}
	c.types("looked", "yes").sees("A name and a PIN are needed")
	if err = c.DropCashier(t.Context(), owner.Name, owner); err != nil {
		t.Fatal(err)
	}
	order.OrderReference = "REF_2"
	_, err = c.Receive(t.Context(), shoptest.Event(order, payments.PaymentSuccess, ""), nil)
	if !errors.Is(err, payments.ErrNotFound) && err != nil {
		t.Fatal(err)
	}
	c.after(time.Minute).types("looked", "yes").sees("Acknowledged: order REF_1")
	c.types("looked", "yes").sees("Acknowledged: order REF_2")
	c.types("check").sees("Nothing to check.")
}
