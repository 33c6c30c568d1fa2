package e2e_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/payments/sandbox"
)

// tenMinutes is the ordinary lifetime of a link.
const tenMinutes = 10 * time.Minute

func TestASaleIsPaidOnThePageAndTheScreenSaysSoWithoutAKey(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		shop := at.open(t, tenMinutes)
		terminal := shop.console()
		link := sell(terminal)
		if !strings.HasPrefix(link, shop.baseURL+"/") {
			t.Fatalf("O2 the code says %q, which is no page of the service", link)
		}
		shop.customer(link, "success")
		terminal.Sees("PAID", "9 000 Ar", "next sale")
		order := shop.newest()
		if order.Status != "success" || order.Verdict != "paid" || !order.Paid || len(order.Events) != 1 {
			t.Errorf("the order is %+v", order)
		}
		terminal.Press("enter").Sees("Type what the customer takes")
	})
}

func TestAnUnpaidOutcomeIsShownAndOneKeyMakesANewOrder(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		cases := []struct{ name, outcome, word, status string }{
			{"refused by the operator", "failed", "Payment refused", "failed"},
			{"canceled by the customer", "canceled", "NOT PAID: canceled", "canceled"},
		}
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				shop := at.open(t, tenMinutes)
				terminal := shop.console()
				shop.customer(sell(terminal), c.outcome)
				terminal.Sees(c.word, "done") // The last comes after the grace.
				if order := shop.newest(); order.Status != c.status || order.Verdict != "not_paid" || order.Paid {
					t.Errorf("the order is %+v", order)
				}
				terminal.Press("n").Sees("The earlier link can still be paid until").Press("enter")
				terminal.Gone(c.word).Sees("To pay", "9 000 Ar")
				shop.customer(terminal.QR(), "success")
				terminal.Sees("PAID", "next sale")
			})
		}
	})
}

func TestALinkThatExpiresIsNotPaidByTheServicesWord(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		shop := at.open(t, 3*time.Second)
		terminal := shop.console()
		enter(terminal).Press("enter").Sees("NOT PAID: expired")
		if order := shop.newest(); order.Status != "expired" || order.Verdict != "not_paid" {
			t.Errorf("the order is %+v", order)
		}
	})
}

func TestAnEventThatComesTwiceCountsOnce(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		shop := at.open(t, tenMinutes)
		shop.service.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Copies: 2}})
		terminal := shop.console()
		shop.customer(sell(terminal), "success")
		terminal.Sees("PAID", "next sale")
		reference := shop.newest().OrderReference
		// One more, sent from here, so that the last delivery has surely ended.
		if code := shop.notify(success(reference, 9000), signature()); code != 200 {
			t.Fatalf("the reply is %d", code)
		}
		order := shop.newest()
		applied := 0
		for _, event := range order.Events {
			if event.Outcome == "applied" {
				applied++
			}
		}
		if applied != 1 || !order.Paid || order.Verdict != "paid" {
			t.Errorf("W14 the order is %+v", order)
		}
	})
}

func TestAForgedEventPaysNothing(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, at store) {
		shop := at.open(t, tenMinutes)
		terminal := shop.console()
		sell(terminal)
		order := shop.newest()
		for name, forged := range map[string]string{
			"W6 of another secret": strings.Repeat("ab", 32),
			"W6 in upper case":     strings.ToUpper(signature()),
			"W6 with a prefix":     "sha256=" + signature(),
		} {
			if code := shop.notify(success(order.OrderReference, 9000), forged); code != 401 {
				t.Errorf("%s is answered %d", name, code)
			}
		}
		if after := shop.newest(); after.Status != "pending" || after.Verdict != "waiting" || len(after.Events) != 0 {
			t.Errorf("the order is %+v", after)
		}
		terminal.Sees("To pay")
	})
}

func TestAServiceThatIsDownIsNamedAndTheSameOrderIsSentAgain(t *testing.T) {
	t.Parallel()
	shop := open(t, tenMinutes)
	working := shop.baseURL
	shop.baseURL = "http://" + freeAddress(t)
	terminal := shop.console()
	terminal.Type("Vary 9000").Press("enter").Sees("9 000").Press("enter").Sees("Charge").Press("enter")
	terminal.Sees("NOT SENT", "Send again")
	before := shop.newest()
	terminal.Press("s").Sees("NOT SENT")
	if after := shop.newest(); after.Reference != before.Reference || after.Status != "creating" {
		t.Errorf("O3 the order was %+v and is %+v", before, after)
	}
	// Esc does nothing while the order is being sent, which cannot be seen to end.
	var tries int
	eventually(t, "the sale is back", func() bool {
		if tries++; tries%100 == 1 {
			terminal.Press("esc")
		}
		return strings.Contains(terminal.Screen(), "Total")
	})
	terminal.Sees("Vary", "Total").Press("ctrl+c")
	if code := terminal.Wait(); code != 0 {
		t.Errorf("the console ended with %d", code)
	}
	shop.baseURL = working
	terminal = shop.console().Sees("Vary", "9 000")
	terminal.Press("enter").Sees("Charge").Press("enter").Sees("To pay")
}
