package storagetest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/oracle"
	"checkout/till/payments/staff"
)

// RunHistories plays count random histories of a sale, several in parallel. After each step it
// compares the orders and their money with package oracle, a separate implementation of the payment
// rules. A failure names the seed of its history.
func RunHistories(t *testing.T, store Store, count int) {
	t.Helper()
	seeds := make(chan uint64)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for seed := range seeds {
				if err := newHistory(store, seed).play(t); err != nil {
					t.Errorf("sale %d: %v", seed, err)
				}
			}
		})
	}
	for seed := range count {
		seeds <- uint64(seed)
	}
	close(seeds)
	group.Wait()
}

// cashNumber is the value of oracle.Fact.Order for the first cash sale.
const cashNumber = 100

type saleHistory struct {
	*drawer.Service
	store  Store
	random *rand.Rand
	sale   string
	now    time.Time
	orders []payments.Order // The orders, as read after the last step.
	cash   []string
	facts  []oracle.Fact
	known  map[oracle.Fact]bool // Delivered events.
	debt   ledger.Account       // Account of the customer whose debt is paid; empty for a sale.
}

func newHistory(store Store, seed uint64) *saleHistory {
	h := &saleHistory{
		store: store, random: rand.New(rand.NewPCG(seed, 7)), sale: fmt.Sprintf("history %d", seed), now: opening(),
		known: map[oracle.Fact]bool{},
	}
	h.Service = drawer.New(store, payments.New(store, nil, func() time.Time { return h.now }))
	return h
}

// largeDebt is more than the payments of a history.
const largeDebt = 100_000_000

// owe gives the customer a large debt. The history then pays parts of it.
func (h *saleHistory) owe(t *testing.T) error {
	given := payments.Terms{Till: "T1", Sale: h.sale + " on account", Items: []payments.Item{{Label: "Vary", UnitPrice: largeDebt, Quantity: 1}}}
	sale, err := h.Take(t.Context(), given, drawer.Paying{Tender: drawer.TenderAccount, Customer: h.sale + " who pays", New: true})
	h.debt = sale.Account
	return err
}

func (h *saleHistory) play(t *testing.T) error {
	if h.random.IntN(3) == 0 {
		if err := h.owe(t); err != nil {
			return err
		}
	}
	if err := h.charge(t); err != nil {
		return err
	}
	for range 1 + h.random.IntN(24) {
		if err := errors.Join(h.step(t), h.compare(t)); err != nil {
			return fmt.Errorf("%w, after %+v", err, h.facts)
		}
	}
	return nil
}

// terms returns the terms for a charge. Some prices have one zero too many.
func (h *saleHistory) terms() payments.Terms {
	given := terms("T1", h.sale)
	given.Debt = h.debt
	given.Items = slices.Clone(given.Items)
	if h.random.IntN(4) == 0 {
		for i := range given.Items {
			given.Items[i].UnitPrice *= 10
		}
	}
	return given
}

// charge makes an order with a link, for the whole sale or for the rest of a sale that was paid in
// part at the counter.
func (h *saleHistory) charge(t *testing.T) error {
	given := h.terms()
	taken, restOf, err := h.TakenFor(t.Context(), h.sale)
	if err != nil {
		return err
	}
	if total, _ := payments.Total(given.Items); taken > 0 && taken < total && h.random.IntN(4) > 0 {
		given.Part = payments.Part{Amount: total - taken, Taken: taken, RestOf: restOf}
	}
	given.Reference = fmt.Sprintf("%s-%d", h.sale[len("history "):], len(h.orders))
	order, err := payments.NewOrder(given, h.now)
	order.Status = payments.StatusPending
	order.OrderReference = "REF_" + order.Reference
	order.Link = payments.Link{URL: "https://pay.example/1", ExpiresAt: h.now.Add(10 * time.Minute)}
	h.facts = append(h.facts, oracle.Fact{Order: len(h.orders), What: "made", Amount: order.Amount, Total: order.Total, At: h.now})
	h.orders = append(h.orders, order)
	insert := func(tx payments.Tx) error { return tx.InsertOrder(order) }
	return errors.Join(err, h.store.Update(t.Context(), insert))
}

func (h *saleHistory) step(t *testing.T) error {
	fact := oracle.Fact{
		Order: h.random.IntN(len(h.orders)), Text: byte(h.random.IntN(3)), Sound: h.random.IntN(4) > 0, At: h.now,
		What: []string{
			"success", "success", "failed", "canceled", "expired", "refunded",
			"ack", "found-paid", "found-unpaid", "refund", "refund", "back", "wait", "charge", "cash", "void",
		}[h.random.IntN(16)],
	}
	order := h.orders[fact.Order]
	switch h.random.IntN(8) {
	case 0:
		fact.Other = len(h.orders) > 1
	case 1:
		fact.At = h.now.Add(-time.Duration(h.random.IntN(12)) * time.Minute)
	}
	switch fact.What {
	case "wait":
		h.now = h.now.Add(time.Duration(h.random.IntN(10)) * 40 * time.Second)
		return nil
	case "charge":
		if len(h.orders) == 3 {
			return nil
		}
		return h.charge(t)
	case "ack":
		fact.At = h.now
		h.facts = append(h.facts, fact)
		_, err := h.Acknowledge(t.Context(), order.Reference, oracle.Read(order, h.now).Verdict, payments.Conditions{})
		return err
	case "cash":
		return h.take(t)
	case "void":
		return h.void(t)
	case "refund":
		return h.refund(t)
	case "back":
		return h.takeBack(t)
	case "found-paid", "found-unpaid":
		h.facts = append(h.facts, fact)
		_, err := h.Resolve(t.Context(), order.Reference, payments.Finding{
			Kind: payments.FindingKind(fact.What[len("found-"):]), By: "Soa", Note: "looked",
			Seen: oracle.Read(order, h.now).Verdict, Net: order.Net(),
		}, staff.Identity{})
		return err
	}
	return h.deliver(t, order, fact)
}

func (h *saleHistory) take(t *testing.T) error {
	tender := drawer.CounterTenders()[h.random.IntN(len(drawer.CounterTenders()))]
	given := h.terms()
	if h.debt != "" && tender == drawer.TenderAccount {
		tender = drawer.TenderCash
	}
	if h.random.IntN(2) == 0 {
		given.Part.Amount = part(h.random, given.Due())
	}
	given.By = "Soa"
	sale, err := h.Take(t.Context(), given, drawer.Paying{Tender: tender, Customer: h.sale, New: true})
	h.facts = append(h.facts, oracle.Fact{Order: cashNumber + len(h.cash), What: "cash", Amount: sale.Amount, Total: sale.Total, At: h.now})
	h.cash = append(h.cash, sale.Number)
	return err
}

// pick returns a random payment of the sale: its number in the oracle, its key in the ledger, and
// how much of it can be given back.
func (h *saleHistory) pick(t *testing.T, inCash bool) (number int, payment ledger.Payment, left money.Ariary, err error) {
	number = h.random.IntN(len(h.orders) + len(h.cash))
	if number < len(h.orders) {
		return number, paymentOf(h.orders[number]), h.orders[number].Left(inCash), nil
	}
	number -= len(h.orders)
	sale, err := h.CounterSale(t.Context(), h.cash[number])
	return cashNumber + number, cashPayment(sale.Number), sale.LeftFrom(inCash), err
}

func (h *saleHistory) refund(t *testing.T) error {
	inCash := h.random.IntN(2) == 0
	number, payment, left, err := h.pick(t, inCash)
	if err != nil || left == 0 {
		return err
	}
	net := left
	if number < len(h.orders) {
		net = h.orders[number].Net()
	}
	amount := part(h.random, left)
	h.facts = append(h.facts, oracle.Fact{Order: number, What: "refund", Amount: amount, InCash: inCash, At: h.now})
	return h.Refund(t.Context(), "T1", drawer.Given{Ref: payment.Ref, InCash: inCash, Amount: amount, Net: net, Note: "broken"}, staff.Identity{})
}

func (h *saleHistory) takeBack(t *testing.T) error {
	number, payment, _, err := h.pick(t, false)
	if err != nil {
		return err
	}
	refund, err := pickRefund(t.Context(), h.random, h.store, payment)
	if err != nil || refund.ID == 0 {
		return err
	}
	h.facts = append(h.facts, oracle.Fact{Order: number, What: "back", Amount: refund.Amount, InCash: refund.From.IsDrawer(), At: h.now})
	return h.TakeBack(t.Context(), "T1", payment.Ref, refund.ID, "a mistake", staff.Identity{})
}

func (h *saleHistory) void(t *testing.T) error {
	number, payment, left, err := h.pick(t, true)
	if err != nil || left == 0 || number < cashNumber {
		return err
	}
	h.facts = append(h.facts, oracle.Fact{Order: number, What: "void", At: h.now})
	_, err = h.VoidSale(t.Context(), "T1", payment.Ref, "mistake", staff.Identity{})
	return err
}

func (h *saleHistory) deliver(t *testing.T, order payments.Order, fact oracle.Fact) error {
	e := event(payments.EventKind("payment."+fact.What), order, fmt.Sprint(fact.Text))
	if !fact.Sound {
		e.Amount = payments.AmountValue(order.Amount + 1)
	}
	if fact.Other { // Always use the same reference, so that two deliveries of a fact are the same event.
		other := h.orders[0]
		if fact.Order == 0 {
			other = h.orders[1]
		}
		e.Reference = payments.TextValue(other.Reference)
	}
	receipt, err := h.ReceiveLate(t.Context(), e, []byte("{}"), fact.At)
	same := fact
	same.At = time.Time{}
	if again := receipt.Effect == payments.Duplicate; err == nil && again != h.known[same] {
		return fmt.Errorf("%+v is a duplicate: %v", fact, again)
	}
	if !h.known[same] {
		h.facts = append(h.facts, fact)
	}
	h.known[same] = true
	return err
}

// compare compares the program with the oracle after a step.
func (h *saleHistory) compare(t *testing.T) error {
	stored, err := h.Orders(t.Context(), payments.Query{Sale: h.sale})
	if err != nil {
		return err
	}
	slices.Reverse(stored)
	h.orders = stored
	for n, order := range stored {
		judged := oracle.Judge(h.facts, n, order.Link.ExpiresAt, h.now)
		if got := oracle.Read(order, h.now); got != judged {
			return fmt.Errorf("order %d: got %+v, want %+v from the oracle", n, got, judged)
		}
	}
	taken, err := h.compareMoney(t)
	if err != nil {
		return err
	}
	return errors.Join(h.compareCharge(taken), h.compareUnfinished(t), h.compareLinks(t))
}

// compareCharge compares with the oracle whether the sale may be charged again, as a whole and for a
// rest.
func (h *saleHistory) compareCharge(taken payments.Taken) error {
	net, items := oracle.Net(h.facts), terms("T1", h.sale).Items
	rest := payments.Terms{Items: items, Part: payments.Part{Amount: 1 + money.Ariary(h.random.Int64N(9000)), Taken: net, RestOf: "first"}}
	total, _ := payments.Total(items)
	live := money.Ariary(0)
	for n, order := range h.orders {
		if oracle.Judge(h.facts, n, order.Link.ExpiresAt, h.now).Live {
			live += order.Amount
		}
	}
	for _, c := range []struct {
		terms     payments.Terms
		paid, may bool // Whether the sale's money, and links that can still be paid, are objections.
	}{
		{payments.Terms{}, net > 0, true},
		{rest, net > 0 && net+rest.Part.Amount > total, net+live+rest.Part.Amount > total},
	} {
		got := payments.ObjectionKind("")
		if found, is := errors.AsType[*payments.Objection](payments.MayCharge(h.orders, taken, c.terms, h.now)); is {
			got = found.Kind
		}
		if want := h.objection(taken, c.paid, c.may); got != want {
			return fmt.Errorf("got objection %q to %+v, want %q from the oracle", got, c.terms.Part, want)
		}
	}
	return nil
}

// objection returns the most serious objection of the oracle to another payment of the sale.
func (h *saleHistory) objection(taken payments.Taken, paid, may bool) payments.ObjectionKind {
	var all []payments.ObjectionKind
	for n, order := range h.orders {
		all = append(all, oracle.Judge(h.facts, n, order.Link.ExpiresAt, h.now).Objection)
	}
	switch {
	case paid && (taken.Net > 0 || slices.Contains(all, payments.SalePaid)):
		return payments.SalePaid
	case slices.Contains(all, payments.SaleDoubtful):
		return payments.SaleDoubtful
	case may && slices.Contains(all, payments.SalePayable):
		return payments.SalePayable
	}
	return ""
}

// compareLinks checks how much of the debt another sale may pay: the debt minus the orders that the
// customer can still pay or may have paid.
func (h *saleHistory) compareLinks(t *testing.T) error {
	if h.debt == "" {
		return nil
	}
	most := largeDebt - oracle.Net(h.facts)
	for n, order := range h.orders {
		judged := oracle.Judge(h.facts, n, order.Link.ExpiresAt, h.now)
		if judged.Objection != "" && !judged.Paid && judged.Net <= 0 {
			most -= order.Amount
		}
	}
	for more, allowed := range map[money.Ariary]bool{0: true, 1: false} {
		other := payments.Terms{Sale: "another", Debt: h.debt, Items: []payments.Item{{Label: "debt", UnitPrice: most + more, Quantity: 1}}}
		var refused error
		err := h.store.View(t.Context(), func(tx drawer.Tx) error {
			refused = h.MayCharge(tx, other.Sale, "", other)
			return nil
		})
		if err != nil {
			return err
		}
		if (refused == nil) != allowed {
			return fmt.Errorf("%d of the debt may be charged: %v, want %v", most+more, refused == nil, allowed)
		}
	}
	return nil
}

// compareMoney compares the money of each payment in the ledger with the oracle. It returns what
// was taken at the counter.
func (h *saleHistory) compareMoney(t *testing.T) (taken payments.Taken, err error) {
	numbers := map[int]ledger.Payment{}
	for n, order := range h.orders {
		numbers[n] = paymentOf(order)
	}
	for n, number := range h.cash {
		numbers[cashNumber+n] = cashPayment(number)
	}
	var counter, all, onAccount money.Ariary
	for n, payment := range numbers {
		want := oracle.Judge(h.facts, n, h.now, h.now).Net
		if n >= cashNumber {
			counter += want
		}
		transfers, err := transfersOf(t.Context(), h.store, payment)
		if err != nil {
			return taken, err
		}
		var net money.Ariary
		for _, transfer := range transfers {
			net -= transfer.Into(cmp.Or(h.debt, ledger.Sales))
			onAccount += intoCustomer(transfer)
		}
		all += net
		if net != want {
			return taken, fmt.Errorf("the ledger has %d for payment %d, want %d from the oracle: %+v", net, n, want, transfers)
		}
	}
	if err := h.compareDebt(t, all, onAccount); err != nil {
		return taken, err
	}
	err = h.store.View(t.Context(), func(tx drawer.Tx) error {
		taken, err = tx.Taken(h.sale)
		return err
	})
	if err == nil && taken.Net != counter {
		err = fmt.Errorf("%d were taken at the counter, want %d from the oracle", taken.Net, counter)
	}
	return taken, err
}

// intoCustomer returns how much a sale on account, or a refund of one, added to the debt of a
// customer.
func intoCustomer(transfer ledger.Transfer) money.Ariary {
	switch {
	case transfer.From == ledger.Sales && transfer.To.IsCustomer():
		return transfer.Amount
	case transfer.To == ledger.Sales && transfer.From.IsCustomer():
		return -transfer.Amount
	}
	return 0
}

// compareDebt compares what the customer owes. If the history pays a debt, that is the large debt
// minus paid. Otherwise it is onAccount.
func (h *saleHistory) compareDebt(t *testing.T, paid, onAccount money.Ariary) error {
	want, name := onAccount, h.sale
	if h.debt != "" {
		want, name = largeDebt-paid, h.sale+" who pays"
	}
	all, err := h.Debtors(t.Context())
	if err != nil {
		return err
	}
	debtor, _ := drawer.FindDebtor(all, name)
	if debtor.Owed != want {
		return fmt.Errorf("%s owes %d, want %d", name, debtor.Owed, want)
	}
	return nil
}
