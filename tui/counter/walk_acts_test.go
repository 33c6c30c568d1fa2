package counter_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/tui/cart"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// part takes less than the sum in cash, and chooses how the customer pays the rest.
func (w *walker) part(step int) {
	w.fill(step)
	w.tender(drawer.TenderCash)
	if w.at.Asking() != counter.AskTender || w.at.Charging() || w.at.Question().Due() < 2 {
		return
	}
	w.at.TakeCash(1 + money.Ariary(w.random.Int64N(int64(w.at.Question().Due())-1)))
	if w.at.Asking() == counter.AskLess {
		w.answer()
		return
	}
	switch w.random.IntN(4) {
	case 0:
		w.answer() // By link.
	case 1:
		w.at.TenderBy(drawer.TenderCash)
		w.at.TakeCash(0)
	case 2:
		w.at.TenderBy(drawer.TenderCard)
		w.at.TakeCash(0)
	}
}

// tender asks about a tender. Like both faces, it first closes the question whether the rest of a
// debt stays owed.
func (w *walker) tender(tender drawer.Tender) {
	if w.at.Asking() == counter.AskLess {
		w.at.No()
	}
	w.at.TenderBy(tender)
}

func (w *walker) add(step int) {
	label := fmt.Sprintf("line %d", step)
	if _, err := w.at.Add(payments.Item{Label: label, UnitPrice: 500, Quantity: 1}); err == nil {
		w.entered[label] = true
	}
}

func (w *walker) fill(step int) {
	if w.at.Cart().Empty() {
		w.add(step)
	}
}

func (w *walker) works() {
	w.Mend()
	w.Reply(w.Accept)
	w.reach = payments.ReachListens
	w.at.Tick()
}

func (w *walker) link(step int) {
	w.fill(step)
	if w.at.Charge(); w.at.Asking() == counter.AskCharge {
		w.answer()
	}
}

// refusedPart takes a part in cash. The service refuses the order for the rest, so the sale stays
// open.
func (w *walker) refusedPart(step int) {
	w.works()
	w.fill(step)
	w.Reply(shoptest.Refuse("no"))
	w.tender(drawer.TenderCash)
	w.at.TakeCash(1)
	if w.at.Asking() == counter.AskRest {
		w.answer()
	}
}

func (w *walker) whole() {
	w.tender(drawer.TenderCash)
	w.at.TakeCash(0)
}

// impatient charges a sale, does not wait for the answer of the service, and charges the next sale.
func (w *walker) impatient(step int) {
	w.works()
	w.link(step)
	if w.settle(); w.at.Stage() != counter.Sending {
		return
	}
	w.at.Leave()
	w.settle()
	w.link(step)
}

// outage is a failure of the database that ends after a second.
func (w *walker) outage() {
	for _, reach := range []payments.Reach{payments.ReachStoreDown, payments.ReachListens} {
		w.reach = reach
		w.Advance(time.Second)
		w.at.Tick()
		w.settle()
	}
}

// customer tries several times to pay, most often by the shown link.
func (w *walker) customer() {
	kinds := []payments.EventKind{payments.PaymentFailed, payments.PaymentFailed, payments.PaymentExpired, payments.PaymentSuccess}
	for range 1 + w.random.IntN(3) {
		w.event(kinds[w.random.IntN(len(kinds))])
		w.settle()
		w.Advance(time.Second)
		w.at.Tick()
		w.settle()
	}
}

// putBack puts the lines of an order back into the sale. If the order is for the whole sale, the
// counter learns only at the next charge what was paid of the sale since.
func (w *walker) putBack(order payments.Order) {
	w.books.outside[order.Sale] = true
	w.at.PutBack(order)
}

// tenderFor charges the lines of an order at the counter; see putBack.
func (w *walker) tenderFor(order payments.Order) {
	w.books.outside[order.Sale] = true
	w.at.TenderFor(order)
}

// drop drops the current sale. Its lines may then be lost.
func (w *walker) drop() {
	if w.at.Drop(); w.at.Asking() != counter.AskDrop || w.at.Charging() {
		return
	}
	for _, item := range w.at.Question().Sale.Items {
		delete(w.entered, item.Label)
	}
	w.at.Yes()
}

// restart ends the program when nothing is under way and every sale is on disk, and starts it again.
func (w *walker) restart() {
	w.Mend()
	w.Reply(w.Accept)
	for range 2 { // The second Tick writes the sales that could not be written before.
		w.finish()
		w.at.Tick()
	}
	if w.finish(); len(w.at.Cart().Unsaved) > 0 || w.at.Charging() || w.broken != nil {
		return
	}
	w.desk = sell(w.t, w.Counter)
	clear(w.books.outside)
	w.broken = w.restored()
}

// sold returns a random payment at the counter of which money is left, or the zero sale.
func (w *walker) sold() (sale drawer.CounterSale) {
	if numbers := w.books.taken; len(numbers) > 0 && w.books.readable() {
		sale, _ = w.CounterSale(w.t.Context(), numbers[w.random.IntN(len(numbers))])
	}
	if sale.Left() == 0 {
		return drawer.CounterSale{}
	}
	return sale
}

// void voids a payment at the counter, in the list of orders of one of two tills.
func (w *walker) void() {
	sale, till := w.sold(), w.till()
	if sale.Number == "" {
		return
	}
	_, err := w.VoidSale(w.t.Context(), till, sale.Number, "mistake", staff.Identity{})
	tuitest.Must(w.t, err)
	w.books.void(till, sale)
}

// refund gives back some money of a payment at the counter, or of an order.
func (w *walker) refund() {
	sale, till := w.sold(), w.till()
	if sale.Number != "" && w.random.IntN(2) == 0 {
		inCash := sale.Account.IsDrawer()
		amount := 1 + money.Ariary(w.random.Int64N(int64(sale.Left())))
		w.give(till, sale.Sale, drawer.Given{Ref: sale.Number, InCash: inCash, Amount: amount, Net: sale.Left(), Note: "broken"})
		return
	}
	order, inCash := w.made(), w.random.IntN(2) == 0
	if left := order.Left(inCash); order.Paid() && left > 0 {
		amount := 1 + money.Ariary(w.random.Int64N(int64(left)))
		w.give(till, order.Sale, drawer.Given{Ref: order.Reference, InCash: inCash, Amount: amount, Net: order.Net(), Note: "broken"})
	}
}

func (w *walker) give(till, sale string, given drawer.Given) {
	tuitest.Must(w.t, w.Service.Refund(w.t.Context(), till, given, staff.Identity{}))
	w.books.refund(till, sale, given)
}

func (w *walker) till() string { return []string{shoptest.Till, "T2"}[w.random.IntN(2)] }

// elsewhere takes cash for the rest of a sale, or for a part of the rest, at another till.
func (w *walker) elsewhere() {
	sales := slices.DeleteFunc(w.unfinished(), func(sale payments.Sale) bool { return sale.RestOf == "" })
	if len(sales) == 0 {
		return
	}
	terms := cart.TermsOf(sales[w.random.IntN(len(sales))])
	terms.Till = "T2"
	if w.random.IntN(2) == 0 && terms.Part.Amount > 1 {
		terms.Part.Amount = 1 + money.Ariary(w.random.Int64N(int64(terms.Part.Amount)))
	}
	if sale, err := w.Take(w.t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash}); err == nil {
		w.books.take(sale)
		w.books.outside[sale.Sale] = true
	}
}

// unfinished returns the current sale and the held sales of the cart.
func (w *walker) unfinished() []payments.Sale {
	now := w.at.Cart()
	return append(slices.Clone(now.Held), now.Sale)
}

// made returns a random order of the shop, or the zero order if the store is broken.
func (w *walker) made() (order payments.Order) {
	orders, err := w.Orders(w.t.Context(), payments.Query{Limit: 50})
	if err == nil && len(orders) > 0 {
		order = orders[w.random.IntN(len(orders))]
	}
	return order
}

// event sends an event of the given kind for the shown order or a random one, unless the store is
// broken.
func (w *walker) event(kind payments.EventKind) {
	order := w.made()
	if shown := w.at.Shown().Order; shown.Reference != "" && order.Reference != "" && w.random.IntN(2) == 0 {
		order = w.Find(shown.Reference)
	}
	if order.OrderReference == "" {
		return
	}
	receipt, err := w.Receive(w.t.Context(), shoptest.Event(order, kind, ""), nil)
	tuitest.Must(w.t, err)
	if receipt.Effect != payments.Duplicate {
		w.books.event(order, kind)
	}
	w.at.Wake()
}

// rareSteps returns the steps that a counter sees less often: customers with an account, corrections
// of the sale, and changes around the counter.
func (w *walker) rareSteps() map[string]func(int) {
	return map[string]func(int){
		"on account": w.onAccount,
		"debt":       func(int) { w.payDebt() },
		"rename":     func(int) { _ = w.Rename(w.t.Context(), w.till(), w.customerName(), w.customerName(), staff.Identity{}) },
		"write off": func(int) {
			_ = w.WriteOff(w.t.Context(), w.till(), w.customerName(), 1+money.Ariary(w.random.Int64N(500)), "gone", staff.Identity{})
		},
		"undo":   func(int) { w.correct(func() { w.at.Undo() }) },
		"remove": func(int) { w.correct(func() { _ = w.at.Remove(0) }) },
		"two":    func(int) { w.correct(func() { _, _ = w.at.SetQuantity(0, 2) }) },
		"note":   func(step int) { w.correct(func() { w.at.Annotate(fmt.Sprint("note ", step%2)) }) },
		"language": func(step int) {
			w.at.Words.Rest = func(money.Ariary) string { return fmt.Sprint("rest ", step) }
		},
		"seller":   func(step int) { w.at.SignIn([]string{"", "Soa", "Hery"}[step%3]) },
		"set back": func(int) { w.Advance(-time.Minute); w.at.Tick() },
		"types":    func(int) { w.shown(func(payments.Order) { w.at.TypeNext() }) },
		"to code":  func(int) { w.at.BackToCode() },
		"quit":     func(int) { w.at.Quit() },
		"unsent":   func(int) { w.Reply(shoptest.Unreachable()) },
		"resend":   func(int) { w.shown(w.resend) },
		"unstored": func(int) {
			w.Reply(func(order payments.Order) (payments.Created, error) {
				w.Break()
				return w.Accept(order)
			})
		},
	}
}

func (w *walker) customerName() string { return []string{"Rabe", "Soa", "Koto"}[w.random.IntN(3)] }

func (w *walker) onAccount(step int) {
	w.fill(step)
	if w.tender(drawer.TenderAccount); w.at.Asking() == counter.AskTender {
		w.at.SellTo(w.customerName(), true)
	}
}

func (w *walker) payDebt() {
	w.at.ReadDebtors()
	w.settle()
	for _, debtor := range w.at.Debtors() {
		if debtor.Owed > 0 && w.at.Stage() == counter.Selling {
			_ = w.at.PayDebt(debtor, 1+money.Ariary(w.random.Int64N(int64(debtor.Owed))))
			return
		}
	}
}

// correct changes the sale, unless it is empty or being charged. The lines that it removes may be
// lost.
func (w *walker) correct(change func()) {
	before := w.at.Cart().Items()
	if len(before) == 0 || w.at.Charging() {
		return
	}
	change()
	for _, item := range before {
		if !slices.ContainsFunc(w.at.Cart().Items(), func(kept payments.Item) bool { return kept.Label == item.Label }) {
			delete(w.entered, item.Label)
		}
	}
}

func (w *walker) resend(order payments.Order) {
	if order.Facts.NotSent && w.at.Question() == nil {
		w.yes++
		w.at.Resend()
	}
}

// loseAnswer performs a payment at the counter, or not, and returns it as one whose result is not
// known.
func (w *walker) loseAnswer(charge counter.TakeCash) counter.Effect {
	id := rand.Text()
	if w.random.IntN(3) > 0 {
		done, _ := charge.Perform(w.t.Context(), w.Once(id)).(counter.TakeCash)
		if done.Err != nil {
			return done
		}
		w.books.take(done.Sale)
	}
	w.books.outside[charge.Terms.Sale] = true
	charge.Err = &drawer.UnknownError{ID: id, Err: payments.ErrCommitUnknown}
	return charge
}
