package tui_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
)

// faultsAtRandom returns one of the faults, with one of its values.
func faultsAtRandom(random *rand.Rand) func(*sandbox.Faults) {
	kind := pick(random, payments.EventKinds()...)
	return pick(random,
		func(f *sandbox.Faults) { f.Call.Break = true },
		func(f *sandbox.Faults) { f.Call.Refuse = "Compte \x1b[2Jsuspendu" },
		func(f *sandbox.Faults) { f.Call.EventFirst = kind },
		func(f *sandbox.Faults) { f.Call.EventFirst = kind },
		func(f *sandbox.Faults) { f.Call.Slow = time.Millisecond },
		func(f *sandbox.Faults) { f.Call.Cut = true },
		func(f *sandbox.Faults) { f.Call.BreakAfter = true },
		func(f *sandbox.Faults) {
			f.Call.Reply = pick(random, sandbox.ReplyEmpty, sandbox.ReplyHTML, sandbox.ReplyCutJSON, sandbox.ReplyWrongFields)
		},
		func(f *sandbox.Faults) {
			f.Call.CheckoutURL = pick(random, "https://pay.example.mg/c/1", "javascript:alert(1)", "https://\x1b[2J")
		},
		func(f *sandbox.Faults) { f.Event.Drop = true },
		func(f *sandbox.Faults) { f.Event.Delay = pick(random, 5*time.Millisecond, 100*time.Hour) },
		func(f *sandbox.Faults) { f.Event.Copies = 1 + random.IntN(3) },
		func(f *sandbox.Faults) { f.Event.Reorder = true },
		func(f *sandbox.Faults) { f.Event.Then = kind },
		func(f *sandbox.Faults) { f.Event.Then = kind },
		func(f *sandbox.Faults) {
			f.Event.Signature = pick(random, sandbox.SignatureWrong, sandbox.SignatureMissing, sandbox.SignatureDoubled,
				sandbox.SignatureStatic, sandbox.SignatureBody)
		},
		func(f *sandbox.Faults) { f.Event.AmountOff = pick[payments.Ariary](random, -9000, -1, 1, 1_000_000) },
		func(f *sandbox.Faults) { f.Event.Currency = pick(random, "MGA", "ar", "\x1b]0;Ar\a") },
		func(f *sandbox.Faults) {
			f.Event.Shape = pick(random, sandbox.ShapeAmountText, sandbox.ShapeAmountDecimal, sandbox.ShapeAmountMissing,
				sandbox.ShapeCurrencyMissing, sandbox.ShapeCurrencyMisspelt, sandbox.ShapeUnknownKind)
		},
		func(f *sandbox.Faults) { f.Event.Reason = "PAID \x1b[32m✓\u202e\r\n\x00" },
		func(f *sandbox.Faults) { f.Event.Padding = pick(random, 100, 70_000) },
		func(f *sandbox.Faults) { f.Event.Slow = 2 * time.Millisecond },
	)
}

// badDay is a day on which two things go wrong at a time.
type badDay struct {
	*lab
	random *rand.Rand
	paid   map[string]bool // What was paid at some moment.
}

// step does one thing of those that can happen, and says which.
func (w *badDay) step() string {
	switch w.random.IntN(12) {
	case 0, 1:
		return w.spoil()
	case 2:
		w.mend()
		return "the service is mended"
	case 3:
		w.sell()
		return "the cashier sells"
	case 4, 5, 6, 7:
		return w.customer()
	case 8:
		return w.byHand()
	case 9:
		by := pick(w.random, time.Second, 5*time.Second, time.Minute, 9*time.Minute, 13*time.Minute)
		w.pass(by)
		w.lapse()
		return "time passes: " + by.String()
	}
	key := pick(w.random, "enter", "enter", "esc", "f2", "f2", "f3", "n", "tab", "down", "m", "y", "u", "s", "l")
	w.pass(pay.Grace).Press(key)
	w.look()
	return "the cashier presses " + key
}

// spoil lets two things go wrong.
func (w *badDay) spoil() string {
	var faults sandbox.Faults
	faultsAtRandom(w.random)(&faults)
	faultsAtRandom(w.random)(&faults)
	w.SetFaults(faults)
	return fmt.Sprintf("the faults are %+v", faults)
}

// lapse lets the service see that links are over: it does not know that time was
// moved on.
func (w *badDay) lapse() {
	w.t.Helper()
	var orders []theirs
	w.list("orders", &orders)
	for _, order := range orders {
		if order.State == "open" && !w.clock.Now().Before(order.ExpiresAt) {
			_ = w.Act(w.t.Context(), order.OrderReference, payments.PaymentFailed)
		}
	}
	w.rest()
}

// sell goes back to the sale, wherever the cashier is, and charges one.
func (w *badDay) sell() {
	w.t.Helper()
	for range 4 {
		w.pass(pay.Grace).Press("esc", "enter")
	}
	w.Type("Vary 3500 x2").Press("enter").Type("Coca 2000").Press("enter", "enter", "enter")
	w.pass(sale.Settle)
	w.rest()
}

// customer does something on the page of one of the newest orders. An order that
// is over takes nothing.
func (w *badDay) customer() string {
	w.t.Helper()
	var orders []theirs
	w.list("orders", &orders)
	if len(orders) == 0 {
		return "there is no customer"
	}
	order := orders[w.random.IntN(min(len(orders), 3))]
	kind := pick(w.random, append(payments.EventKinds(), payments.PaymentSuccess, payments.PaymentFailed)...)
	err := w.Act(w.t.Context(), order.OrderReference, kind)
	w.rest()
	return fmt.Sprintf("%s of %s: %v", kind, order.OrderReference, err)
}

// byHand sends one of the newest events again.
func (w *badDay) byHand() string {
	w.t.Helper()
	var events []sent
	w.list("deliveries", &events)
	if len(events) == 0 {
		return "there is nothing to send"
	}
	event := events[w.random.IntN(min(len(events), 5))]
	w.again(event.ID)
	return fmt.Sprintf("event %d is sent by hand", event.ID)
}

// remembered checks that nothing that was paid is forgotten.
func (w *badDay) remembered() {
	w.t.Helper()
	for _, order := range w.orders() {
		if w.paid[order.Reference] && !order.Paid() {
			w.t.Errorf("order %s was paid", order.Reference)
		}
		w.paid[order.Reference] = order.Paid()
	}
}

// settled has every event sent once more, rightly signed, and checks that what
// the service told of as paid is paid here.
func (w *badDay) settled() {
	w.t.Helper()
	w.mend()
	var events []sent
	w.list("deliveries", &events)
	for _, event := range events {
		w.again(event.ID)
	}
	w.honest()
	w.remembered()
	for _, done := range w.wire.exchanges() {
		if done.status != http.StatusOK {
			continue
		}
		event, err := gateway.DecodeEvent(done.body)
		w.must(err)
		order, _, err := w.shop.Order(w.t.Context(), event.OrderReference)
		if w.must(err); proves(event, order) && !order.Paid() {
			w.t.Errorf("order %s was told to be paid by %s", order.Reference, done.body)
		}
	}
}

func TestTheShopMeetsTwoFaultsAtOnce(t *testing.T) {
	t.Parallel()
	seeds := uint64(8)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		t.Run(fmt.Sprintf("with the seed %d", seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 3))
			l := openLab(t, func(setup *labSetup) { setup.scheme = pick(random, gateway.Static, gateway.Body) })
			w := &badDay{lab: l, random: random, paid: map[string]bool{}}
			w.sell()
			did := []string{w.spoil()}
			w.sell()
			for range 25 {
				did = append(did, w.step())
				w.honest()
				if w.remembered(); t.Failed() {
					break
				}
			}
			if !t.Failed() {
				w.settled()
			}
			if t.Failed() {
				for _, step := range did {
					t.Log(step)
				}
			}
		})
	}
}
