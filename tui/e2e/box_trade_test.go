package e2e_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/storage"
)

// trade makes orders in the names of the tills, beside what is typed, and is
// their customers: one pays, one fails and tries again, one leaves. It goes on
// whatever happens to the shop. Its methods are for any goroutine.
type trade struct {
	t       testing.TB
	service *payments.Service
	sandbox *sandbox.Sandbox

	mu      sync.Mutex
	held    []payments.Order                // Of customers who have not decided yet.
	crowd   int                             // They decide when there are so many of them.
	fates   map[string][]payments.EventKind // What was done to orders, by their references.
	acts    int
	allowed int // Orders that may have been made by now.
	failed  int // Orders that could not be made at their time.
}

// newTrade opens the shop's database once more, as a program beside the
// consoles does.
func newTrade(t testing.TB, shop *shop) *trade {
	t.Helper()
	store, err := storage.Open(t.Context(), shop.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	client, err := gateway.NewClient(shop.baseURL, gateway.DefaultOrderPath, payments.NewSecret(accessToken))
	if err != nil {
		t.Fatal(err)
	}
	return &trade{
		t: t, service: payments.New(store, client, time.Now), sandbox: shop.service, fates: map[string][]payments.EventKind{},
	}
}

// run makes count orders for the tills in turns, when they are admitted, and at
// most one at each tick. One that is not made is asked for again.
func (d *trade) run(ctx context.Context, tills []string, count int, every time.Duration) {
	random := rand.New(rand.NewPCG(20, uint64(count)))
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for made := 0; made < count && ctx.Err() == nil; {
		<-ticker.C
		if !d.admitted(made) {
			continue
		}
		order, err := d.service.Checkout(ctx, payments.Terms{Till: tills[made%len(tills)], Items: []payments.Item{
			{Label: "Savony", UnitPrice: payments.Ariary(100 * (1 + random.Int64N(20))), Quantity: 1 + random.Int64N(3)},
		}})
		if err != nil {
			d.mu.Lock()
			d.failed++
			d.mu.Unlock()
			continue
		}
		made++
		d.decide(ctx, order, random)
	}
	d.gather(0)
	d.decide(ctx, payments.Order{}, random)
}

// decide takes in one customer more, and lets all decide who wait when there
// are enough of them.
func (d *trade) decide(ctx context.Context, order payments.Order, random *rand.Rand) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if order.Reference != "" {
		d.held = append(d.held, order)
	}
	if len(d.held) < d.crowd {
		return
	}
	d.crowd = 0
	for _, waiting := range d.held {
		for _, kind := range fate(random) {
			if err := d.sandbox.Act(ctx, waiting.OrderReference, kind); err != nil {
				d.t.Errorf("%s of %s: %v", kind, waiting.Reference, err)
			}
			d.fates[waiting.Reference] = append(d.fates[waiting.Reference], kind)
			d.acts++
		}
	}
	d.held = nil
}

// admit lets so many orders more be made.
func (d *trade) admit(orders int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.allowed += orders
}

// admitted tells whether one more may be made after so many.
func (d *trade) admitted(made int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return made < d.allowed
}

// gather lets customers wait until there are so many, who then decide at once.
func (d *trade) gather(crowd int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.crowd = crowd
}

// gathered tells whether a crowd has decided.
func (d *trade) gathered() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.crowd == 0
}

// note takes in what a customer did whose order was typed.
func (d *trade) note() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.acts++
}

// counts are what was done until now, and the orders that could not be made.
func (d *trade) counts() (acts, failed int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.acts, d.failed
}

// fate is what a customer does.
func fate(random *rand.Rand) []payments.EventKind {
	switch n := random.IntN(20); {
	case n < 13:
		return []payments.EventKind{payments.PaymentSuccess}
	case n < 16:
		return []payments.EventKind{payments.PaymentFailed, payments.PaymentSuccess}
	case n < 17:
		return []payments.EventKind{payments.PaymentFailed}
	case n < 19:
		return []payments.EventKind{payments.PaymentCanceled}
	}
	return nil
}
