package counter_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
)

// walker performs random acts of a cashier and a customer, with random faults of the store and of
// the service.
type walker struct {
	*desk
	random  *rand.Rand
	entered map[string]bool // Labels of the lines that must not be lost.
	yes     int             // Number of times that the answer yes allowed an order call.
}

func TestRandomActsLoseNoLineAndChargeOnlyAfterAYes(t *testing.T) {
	walks := 60
	if testing.Short() {
		walks = 10
	}
	for seed := range walks {
		w := &walker{desk: open(t), random: rand.New(rand.NewPCG(uint64(seed), 7)), entered: map[string]bool{}}
		w.late = func(counter.Effect) bool { return w.random.IntN(3) == 0 }
		steps := w.steps()
		names := slices.Sorted(maps.Keys(steps))
		var done []string
		for step := range 120 {
			name := names[w.random.IntN(len(names))]
			done = append(done, name)
			steps[name](step)
			w.settle()
			if len(w.kept) > 0 && w.random.IntN(2) == 0 {
				w.next()
			}
			if fault := w.fault(); fault != nil {
				t.Fatalf("seed %d: %v after %v", seed, fault, done)
			}
		}
	}
}

func (w *walker) steps() map[string]func(int) {
	c := w.at
	return map[string]func(int){
		"add": func(step int) {
			label := fmt.Sprintf("line %d", step)
			if _, err := c.Add(payments.Item{Label: label, UnitPrice: 500, Quantity: 1}); err == nil {
				w.entered[label] = true
			}
		},
		"charge":    func(int) { c.Charge() },
		"yes":       func(int) { w.answer() },
		"yes again": func(int) { w.answer() },
		"tender":    func(int) { c.Tender() },
		"cash":      func(int) { c.TakeCash(money.Ariary(w.random.IntN(3000))) },
		"change":    func(int) { c.DoneCash() },
		"no":        func(int) { c.No() },
		"hold": func(step int) {
			if !c.Cart().Untouched() {
				c.Hold(fmt.Sprint(step))
			}
		},
		"resume": func(int) {
			if len(c.Cart().Held) > 0 && c.Cart().Untouched() {
				c.Resume(0)
			}
		},
		"leave":     func(int) { c.Leave() },
		"aside":     func(int) { c.SetAside() },
		"news":      func(int) { c.ShowNews() },
		"show":      func(int) { w.order(c.Show) },
		"done":      func(int) { w.shown(c.Done) },
		"again":     func(int) { w.shown(c.Again) },
		"take back": func(int) { w.shown(c.PutBack) },
		"in cash":   func(int) { w.shown(c.TenderFor) },
		"wake":      func(int) { c.Wake() },
		"second":    func(int) { w.Advance(time.Second); c.Tick() },
		"minutes":   func(int) { w.Advance(4 * time.Minute); c.Tick() },
		"paid":      func(int) { w.event(payments.PaymentSuccess) },
		"failed":    func(int) { w.event(payments.PaymentFailed) },
		"expired":   func(int) { w.event(payments.PaymentExpired) },
		"breaks":    func(int) { w.Break() },
		"mends":     func(int) { w.Mend() },
		"refuses":   func(int) { w.Reply(shoptest.Refuse("no")) },
		"loses":     func(int) { w.Reply(shoptest.Lose("nobody answers")) },
		"accepts":   func(int) { w.Reply(w.Accept) },
		"deaf":      func(int) { w.reach = payments.ReachNotListening },
		"hears":     func(int) { w.reach = payments.ReachListens },
	}
}

// answer answers the open question with yes. It does not answer a question about dropping a sale.
func (w *walker) answer() {
	question := w.at.Question()
	if question == nil || question.Kind == counter.AskDrop || question.Kind == counter.AskDropHeld {
		return
	}
	before := w.at.Charging()
	w.at.Yes()
	again := question.Kind == counter.AskAgain || question.Kind == counter.AskPaid || question.Kind == counter.AskDoubtful
	if !before && (question.Kind == counter.AskCharge || again && w.at.Question() != question) {
		w.yes++
	}
}

func (w *walker) order(does func(payments.Order)) {
	if open := w.at.Picture().Open; len(open) > 0 && w.at.Stage() != counter.Sending {
		does(open[w.random.IntN(len(open))])
	}
}

func (w *walker) shown(does func(payments.Order)) {
	if order := w.at.Shown().Order; order.Reference != "" && w.at.Stage() == counter.Showing {
		does(order)
	}
}

// event sends an event of the given kind for a random order, unless the store is broken.
func (w *walker) event(kind payments.EventKind) {
	orders, err := w.Orders(w.t.Context(), payments.Query{Limit: 50})
	if err != nil || len(orders) == 0 {
		return
	}
	order := orders[w.random.IntN(len(orders))]
	if order.OrderReference != "" {
		w.Hear(shoptest.Event(order, kind, ""))
	}
}

// fault returns the first broken invariant, or nil.
func (w *walker) fault() error {
	if calls := len(w.Calls()); calls > w.yes {
		return fmt.Errorf("the service was called %d times after %d answers", calls, w.yes)
	}
	if w.at.Shown().HasCode() && len(w.kept) == 0 {
		if fault := w.payable(); fault != nil {
			return fault
		}
	}
	return w.lost()
}

// payable returns an error if the shown code belongs to an order that is already paid.
func (w *walker) payable() error {
	shown := w.at.Shown().Order
	order, _, err := w.Order(w.t.Context(), shown.Reference)
	looked := !w.at.Picture().Now.Before(w.Now())
	if err == nil && looked && order.Paid() && shown.Paid() {
		return errors.New("the code of a paid order is shown")
	}
	return nil
}

// lost returns an error if an entered line is neither in a sale nor in an order.
func (w *walker) lost() error {
	found := map[string]bool{}
	cart := w.at.Cart()
	find := func(items []payments.Item) {
		for _, item := range items {
			found[item.Label] = true
		}
	}
	for _, sale := range append(slices.Clone(cart.Held), cart.Sale) {
		find(sale.Items)
	}
	terms, _, _ := w.at.Sending()
	find(terms.Items)
	orders, away := w.Orders(w.t.Context(), payments.Query{Limit: 500})
	for _, order := range orders {
		find(w.Find(order.Reference).Items)
	}
	cash, err := w.Day(w.t.Context(), money.Day(w.Now(), 0))
	away = cmp.Or(away, err)
	for _, sale := range cash.Sales {
		find(sale.Items)
	}
	for label := range w.entered {
		if away == nil && !found[label] && !w.underWay(label) {
			return fmt.Errorf("%s is lost", label)
		}
	}
	return nil
}

// underWay reports whether a line is in an order call that the test has not performed yet.
func (w *walker) underWay(label string) bool {
	for _, effect := range w.kept {
		var items []payments.Item
		switch charge := effect.(type) {
		case counter.Checkout:
			items = charge.Terms.Items
		case counter.TakeCash:
			items = charge.Terms.Items
		}
		if slices.ContainsFunc(items, func(item payments.Item) bool { return item.Label == label }) {
			return true
		}
	}
	return false
}
