package counter_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/storage/storagetest"
	"checkout/till/tui/counter"
	"checkout/till/tui/tuitest/shoptest"
)

// walker performs random acts of a cashier and a customer, with random faults of the store and of
// the service. Effects begin late, and results arrive in another order than the effects began.
type walker struct {
	*desk
	random  *rand.Rand
	running []running
	books   *books
	entered map[string]bool // Labels of the lines that must not be lost.
	yes     int             // Number of times that the answer yes allowed an order call.
	broken  error           // The first invariant that the result of an effect broke.
}

// running is an effect whose result the counter does not have yet. begun reports whether the effect
// was performed.
type running struct {
	counter.Effect
	begun bool
}

func TestRandomActsLoseNoLineAndChargeOnlyAfterAYes(t *testing.T) {
	walks := storagetest.Size(60, 300)
	for seed := range walks {
		w := newWalker(t, uint64(seed))
		steps := w.steps()
		maps.Copy(steps, w.rareSteps())
		names := slices.Sorted(maps.Keys(steps))
		var done []string
		for step := range 120 {
			name := names[w.random.IntN(len(names))]
			done = append(done, name)
			steps[name](step)
			w.settle()
			if len(w.running) > 0 && w.random.IntN(2) == 0 {
				w.next()
			}
			if fault := w.fault(); fault != nil {
				t.Fatalf("seed %d: %v after %v", seed, fault, done)
			}
		}
	}
}

// newWalker returns a walker in a new shop. Every second shop has a separate store of unfinished
// sales, as with a database server.
func newWalker(t *testing.T, seed uint64) *walker {
	t.Helper()
	var options []payments.Option
	if seed%2 == 1 {
		options = append(options, payments.WithDrafts(shoptest.Database(t)))
	}
	shop := shoptest.New(t, shoptest.Database(t), options...)
	return &walker{
		desk: sell(t, shop), random: rand.New(rand.NewPCG(seed, 7)), books: newBooks(t, shop), entered: map[string]bool{},
	}
}

// settle queues the effects of the counter and performs most of them. Of the others, some begin
// later, and the results of some arrive later; see next.
func (w *walker) settle() {
	w.t.Helper()
	for {
		effects, facts := w.at.Drain()
		if len(effects) == 0 && len(facts) == 0 {
			return
		}
		for _, effect := range effects {
			begun := w.random.IntN(6) > 0
			if begun {
				effect = w.perform(effect)
			}
			if !begun || w.random.IntN(slowness(effect)) == 0 {
				w.running = append(w.running, running{effect, begun})
				continue
			}
			w.take(effect)
		}
	}
}

// slowness returns n if the results of one in n effects like this one arrive late.
func slowness(effect counter.Effect) int {
	switch effect.(type) {
	case counter.Checkout, counter.ReadParts, counter.ReadPicture:
		return 2
	}
	return 5
}

// next passes the result of a random running effect to the counter.
func (w *walker) next() {
	w.t.Helper()
	at := w.random.IntN(len(w.running))
	one := w.running[at]
	w.running = slices.Delete(w.running, at, at+1)
	if !one.begun {
		one.Effect = w.perform(one.Effect)
	}
	w.take(one.Effect)
	w.settle()
}

func (w *walker) finish() {
	w.t.Helper()
	for w.settle(); len(w.running) > 0; {
		w.next()
	}
}

func (w *walker) steps() map[string]func(int) {
	return map[string]func(int){
		"add":       w.add,
		"charge":    func(int) { w.at.Charge() },
		"yes":       func(int) { w.answer() },
		"yes again": func(int) { w.answer() },
		"tender":    func(int) { w.tender(w.at.NextTender()) },
		"cash":      func(int) { w.at.TakeCash(money.Ariary(w.random.IntN(3000))) },
		"part":      w.part,
		"part too":  w.part,
		"refused":   w.refusedPart,
		"whole":     func(int) { w.whole() },
		"outage":    func(int) { w.outage() },
		"impatient": w.impatient,
		"customer":  func(int) { w.customer() },
		"change":    func(int) { w.at.DoneCash() },
		"no":        func(int) { w.at.No() },
		"hold": func(step int) {
			if !w.at.Cart().Untouched() {
				w.at.Hold(fmt.Sprint(step))
			}
		},
		"resume": func(int) {
			if len(w.at.Cart().Held) > 0 && w.at.Cart().Untouched() {
				w.at.Resume(0)
			}
		},
		"leave":     func(int) { w.at.Leave() },
		"aside":     func(int) { w.at.SetAside() },
		"news":      func(int) { w.at.ShowNews() },
		"show":      func(int) { w.order(w.at.Show) },
		"done":      func(int) { w.shown(w.at.Done) },
		"again":     func(int) { w.shown(w.at.Again) },
		"take back": func(int) { w.shown(w.putBack) },
		"in cash":   func(int) { w.shown(w.tenderFor) },
		"wake":      func(int) { w.at.Wake() },
		"second":    func(int) { w.Advance(time.Second); w.at.Tick() },
		"minutes":   func(int) { w.Advance(4 * time.Minute); w.at.Tick() },
		"paid":      func(int) { w.event(payments.PaymentSuccess) },
		"failed":    func(int) { w.event(payments.PaymentFailed) },
		"expired":   func(int) { w.event(payments.PaymentExpired) },
		"breaks":    func(int) { w.Break() },
		"mends":     func(int) { w.Mend() },
		"refuses":   func(int) { w.Reply(shoptest.Refuse("no")) },
		"loses":     func(int) { w.Reply(shoptest.Lose("nobody answers")) },
		"accepts":   func(int) { w.Reply(w.Accept) },
		"restart":   func(int) { w.restart() },
		"drop":      func(int) { w.drop() },
		"refund":    func(int) { w.refund() },
		"void":      func(int) { w.void() },
		"elsewhere": func(int) { w.elsewhere() },
		"deaf":      func(int) { w.reach = payments.ReachNotListening },
		"hears":     func(int) { w.reach = payments.ReachListens },
		"works":     func(int) { w.works() },
		"works too": func(int) { w.works() },
		"link":      w.link,
		"link too":  w.link,
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
	charge := question.Kind == counter.AskCharge || question.Kind == counter.AskRest
	if !before && (charge || again && w.at.Question() != question) {
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
