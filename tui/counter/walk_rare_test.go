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
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
)

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
