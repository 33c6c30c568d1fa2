package counter_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
)

// perform performs an effect and adds its changes of the store to the books. It does not pass the
// result to the counter.
func (w *walker) perform(effect counter.Effect) counter.Effect {
	w.t.Helper()
	var net, live money.Ariary
	switch effect := effect.(type) {
	case counter.Checkout:
		net, live = w.books.money(effect.Terms.Sale)
		w.expect(checkRest(effect.Terms))
	case counter.TakeCash:
		net, live = w.books.money(effect.Terms.Sale)
		w.expect(checkRest(effect.Terms))
		if w.random.IntN(12) == 0 && w.books.readable() {
			return w.loseAnswer(effect)
		}
	}
	done := effect.Perform(w.t.Context(), w.Service)
	switch done := done.(type) {
	case counter.Checkout:
		w.books.charge(done.Terms.Sale)
		if done.Err == nil {
			w.expect(checkCharge(done.Terms, net, live))
		}
	case counter.TakeCash:
		if done.Err == nil {
			w.books.take(done.Sale)
			w.expect(checkCharge(done.Terms, net, live))
		}
	case counter.VoidParts:
		if done.Err == nil {
			w.books.voidParts(done.Sale)
		}
	case counter.Acknowledge:
		if done.Err == nil && done.Order.Facts.Acknowledged {
			w.books.seen(done.Order)
		}
	}
	return done
}

func (w *walker) expect(fault error) { w.broken = cmp.Or(w.broken, fault) }

// take passes the result of an effect to the counter, and checks what the result changed.
func (w *walker) take(done counter.Effect) {
	before, charging := w.at.Shown(), w.at.Charging()
	question, sale, sales := w.at.Question(), w.at.Cart().Sale.ID, w.unfinished()
	terms, _ := w.at.Sending()
	waited := w.at.Stage() == counter.Sending
	open := w.at.Picture().Open
	w.at.Take(done)
	if now := w.at.Question(); now != nil && now != question && w.at.Answerable() != "" {
		w.expect(fmt.Errorf("the question %q, which opened by itself, can be answered at once", now.Kind))
	}
	if now := w.at.Shown(); now.Final() && outcome(now) != outcome(before) && w.at.Ready() {
		w.expect(fmt.Errorf("the outcome %s can be closed at once, after %s", outcome(now), outcome(before)))
	}
	switch done := done.(type) {
	case counter.Checkout:
		if waited && w.at.Stage() != counter.Sending && done.Terms.Sale != terms.Sale {
			w.expect(fmt.Errorf("the call for the sale %s ended with the answer for %s", terms.Sale, done.Terms.Sale))
		}
	case counter.Recover:
		if charging && w.at.Cart().Sale.ID != sale {
			w.expect(errors.New("a sale ended by a recovery during its charge"))
		}
	case counter.ReadTaken:
		if done.Err != nil { // The counter keeps the old amount, and the next charge reads it again.
			w.books.outside[done.Sale] = true
		}
	case counter.ReadPicture:
		for _, order := range open {
			if now, found := w.at.Picture().Find(order.Reference); found && order.Paid() && !now.Paid() {
				w.expect(fmt.Errorf("the payment of order %s is not shown any more", order.Reference))
			}
		}
	case counter.ReadParts:
		for _, back := range w.unfinished() {
			known := slices.ContainsFunc(sales, func(other payments.Sale) bool { return other.ID == back.ID })
			if net, total := w.books.paidInPart(back.ID); !known && net > 0 && net >= total && !w.books.outside[back.ID] {
				w.expect(fmt.Errorf("%d of %d are paid of the sale %s, which is back", net, total, back.ID))
			}
		}
	}
}

// outcome identifies the shown outcome of an order; it is the same for orders without an outcome.
func outcome(shown counter.Shown) string {
	if !shown.Final() {
		return "no outcome"
	}
	return fmt.Sprint(shown.Order.Reference, " ", shown.Order.Status, " ", shown.Verdict())
}

func (w *walker) fault() error {
	if w.broken != nil {
		return w.broken
	}
	if calls := len(w.Calls()); calls > w.yes {
		return fmt.Errorf("the service was called %d times after %d answers", calls, w.yes)
	}
	if w.at.Shown().HasCode() && len(w.running) == 0 {
		if fault := w.payable(); fault != nil {
			return fault
		}
	}
	if !w.books.readable() {
		return nil
	}
	orders := w.All()
	return cmp.Or(w.books.compare(orders), w.rests(), w.lost(orders))
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

// rests returns an error if the cart has a wrong amount for what is paid of a sale. It ignores the
// sales whose money changed without the counter.
func (w *walker) rests() error {
	if len(w.running) > 0 {
		return nil
	}
	for _, sale := range w.unfinished() {
		if net, _ := w.books.paidInPart(sale.ID); sale.Taken != net && !w.books.outside[sale.ID] {
			return fmt.Errorf("%d are paid of the sale %s, and the cart has %d", net, sale.ID, sale.Taken)
		}
	}
	return nil
}

// restored returns an error if the counter, which has just been started, shows other sales, amounts
// or orders than the store has.
func (w *walker) restored() error {
	if fault := w.rests(); fault != nil {
		return fault
	}
	ids := map[string]bool{}
	for _, number := range w.books.taken {
		ids[w.books.sales[number].Sale] = true
	}
	for id := range ids {
		if fault := w.comesBack(id); fault != nil && !w.books.repriced(id) {
			return fault
		}
	}
	for _, order := range w.All() {
		shown, open := w.at.Picture().Find(order.Reference)
		if order.Till == shoptest.Till && open != order.Open() {
			return fmt.Errorf("order %s is open: %v, and shown: %v", order.Reference, order.Open(), open)
		}
		if open && order.Link.URL != "" && order.Debt == "" && w.at.Picture().Verdict(shown) != w.books.judge(order.Sale, order.Reference).Verdict {
			return fmt.Errorf("order %s is shown as %v", order.Reference, w.at.Picture().Verdict(shown))
		}
	}
	return nil
}

// comesBack returns an error if a sale that is paid only in part is not in the cart, although no
// order of the sale is open or paid.
func (w *walker) comesBack(id string) error {
	net, total := w.books.paidInPart(id)
	var gross money.Ariary // Without voids. A refund does not change whether the sale is fully paid.
	for _, fact := range w.books.facts[id] {
		if fact.What == "cash" {
			gross += fact.Amount
		}
		if fact.What == "void" {
			gross -= fact.Amount
		}
	}
	open := false
	for _, order := range w.All() { // The books lack an order whose answer was not stored.
		if order.Sale == id {
			_, known := w.books.orders[order.Reference]
			open = open || order.Open() || known && w.books.judge(id, order.Reference).Paid
		}
	}
	has := w.at.Cart().Find(id).ID != ""
	if unfinished := net > 0 && gross < total && !open; unfinished && !has {
		return fmt.Errorf("%d of %d are paid of the sale %s, which is not in the cart", net, total, id)
	}
	return nil
}

// lost returns an error if an entered line is neither in a sale nor in an order.
func (w *walker) lost(orders []payments.Order) error {
	found := map[string]bool{}
	find := func(items []payments.Item) {
		for _, item := range items {
			found[item.Label] = true
		}
	}
	for _, sale := range w.unfinished() {
		find(sale.Items)
	}
	terms, _ := w.at.Sending()
	find(terms.Items)
	for _, order := range orders {
		find(w.Find(order.Reference).Items)
	}
	for _, sale := range w.books.sales {
		find(sale.Items)
	}
	for label := range w.entered {
		if !found[label] && !w.underWay(label) {
			return fmt.Errorf("%s is lost", label)
		}
	}
	return nil
}

// underWay reports whether a line is in a charge whose result the counter does not have yet.
func (w *walker) underWay(label string) bool {
	for _, one := range w.running {
		var items []payments.Item
		switch charge := one.Effect.(type) {
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
