package plain_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
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
		"yes in French":                       {[]string{"charge", "oui"}, 1, "WAITING"},
		"yes in Malagasy":                     {[]string{"charge", "ENY"}, 1, "WAITING"},
		"a letter of another word":            {[]string{"charge", "o"}, 0, "Nothing was done."},
		"a misspelt word":                     {[]string{"charge", "no", "chrage"}, 0, "or 3500x2 for two. help lists the commands."},
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
			tuitest.Equal(t, len(at.Calls()), c.calls, "order calls")
		})
	}
}

func TestATenderAtTheQuestionWhetherToChargeIsNoRefusal(t *testing.T) {
	c := open(t)
	c.types("coca", "charge").sees("Charge 2 000 Ar?")
	c.types("cash 5000").lacks("Nothing was done.").sees("CASH: 2 000 Ar, given 5 000 Ar")
}

func TestAnOutcomeIsAnnouncedAndStaysUntilAcknowledged(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.Pay(order)
	c.sees("\nPAID: 9 000 Ar, order T1-20261121-GT-0001, 2 × Riz, Coca\n", "Unseen outcomes: 1.", "\n1 unseen > ")
	c.types("", "coca").sees("1: PAID, 9 000 Ar", "Total 2 000 Ar", "1 unseen > ").lacks("\nPAID:")
	c.types("done").sees("Acknowledged: order T1-20261121-GT-0001.", "\n> ")
	tuitest.Equal(t, c.Find(order.Reference).Facts.Acknowledged, true, "the outcome is acknowledged")
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
		expected := payments.Expected{Order: "REF_700001", At: c.Now(), Several: true}
		c.health.Store(&payments.Health{Listening: true, Address: "127.0.0.1:8788", Refused: 2, Expected: expected, Cause: payments.Cause{Kind: payments.CauseOtherHeader, Detail: "X\x1b-Sum"}})
		c.tick().sees("Webhooks refused: the right signature is in X-Sum: change signature_header").lacks("PAID:")
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
	c.types("again " + order.Reference).sees("No new order is made from this one.")
}

func TestLeavingAsksWhilePaymentsAreAwaited(t *testing.T) {
	c := open(t)
	c.charge()
	c.types("quit", "no").sees("Leave till while a customer pays? A closed till shows no payment. yes or no?", "Nothing was done.")
	c.types("q", "yes").ends()
	open(t).types("quit").ends()
}

func TestTheLineModeEndsCleanly(t *testing.T) {
	t.Run("the end of the input", func(t *testing.T) {
		c := open(t)
		c.types("coca", "charge", "yes")
		tuitest.Must(t, c.in.Close())
		c.ends().sees("WAITING: 2 000 Ar", "till ends. Payments awaited: 1.\n")
	})
	t.Run("a signal", func(t *testing.T) {
		c := open(t).types("coca").sees("Total 2 000 Ar\n> ")
		c.stop()
		c.ends().sees("\ntill ends. Payments awaited: 0.\n")
		tuitest.Equal(t, c.items(), "1 Coca 2000/0", "the sale")
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
	c.sees("PAID")
	tuitest.Equal(t, <-sounds, sound.Paid, "the sound")
	if c.tick().tick(); len(sounds) > 0 {
		t.Error("the sound is played again")
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
	select {
	case <-began:
	case <-time.After(patience):
		t.Fatal("the payment was not spoken")
	}
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
	pays := func(orderReference string) {
		c.Hear(shoptest.Event(payments.Order{OrderReference: orderReference, Reference: "X", Amount: 1500}, payments.PaymentSuccess, ""))
	}
	c.types("looked").sees("There is no payment without an order.").lacks("Tab")
	c.types("check").sees("Nothing to check.").lacks("Tab")
	pays("REF_1\x1b[2J")
	c.after(time.Minute).sees("Paid, but it belongs to no order here: 1 500 Ar, REF_1", "Orders to check: 1.")
	c.tick().lacks("no order here")
	c.types("check", "looked", "no").sees("Paid, but it belongs to no order", "The alarm then ends. yes or no?", "Nothing was done.")
	pays("REF_2")
	c.after(time.Minute).types("looked", "yes").sees("Acknowledged: order REF_1")
	c.types("looked", "yes").sees("Acknowledged: order REF_2")
	c.types("check").sees("Nothing to check.")
	pays("REF_3")
	c.Hire()
	c.after(time.Minute).types("looked", "yes").sees("A name and a PIN are needed")
}
