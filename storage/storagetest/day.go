package storagetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// paper is the expected content of a till's account since its last closing.
type paper struct {
	moves map[drawer.Kind]money.Sum
	// Money of orders, and money of orders that was given back in the merchant area.
	received, returned money.Sum
	flows              map[drawer.Tender]drawer.Flow // Sales by card and on account, without voids, and refunds of such sales.
	debts              map[drawer.Tender]money.Sum
	difference         money.Ariary // Counted minus expected cash at the last count; 0 without a count.
	counted            bool
}

func newPaper() *paper {
	return &paper{moves: map[drawer.Kind]money.Sum{}, flows: map[drawer.Tender]drawer.Flow{}, debts: map[drawer.Tender]money.Sum{}}
}

// flow adds money of a tender that puts no money into a drawer. sales is the number of sales that
// it adds.
func (p *paper) flow(tender drawer.Tender, sales int64, amount money.Ariary) {
	flow := p.flows[tender]
	flow.Taken.Count += sales
	flow.Taken.Amount += amount
	p.flows[tender] = flow
}

// flowBack adds money that was given back by a tender that puts no money into a drawer. A negative
// amount is a refund that was taken back.
func (p *paper) flowBack(tender drawer.Tender, amount money.Ariary) {
	flow := p.flows[tender]
	shift(&flow.Returned, amount)
	p.flows[tender] = flow
}

// repaid adds payments of debts by a tender. payments is the number of the payments.
func (p *paper) repaid(tender drawer.Tender, payments int64, amount money.Ariary) {
	sum := p.debts[tender]
	sum.Count += payments
	sum.Amount += amount
	p.debts[tender] = sum
	if tender == drawer.TenderCash {
		p.moves[drawer.Paid] = sum
	}
}

func (p *paper) add(kind drawer.Kind, amount money.Ariary) {
	sum := p.moves[kind]
	p.moves[kind] = money.Sum{Count: sum.Count + 1, Amount: sum.Amount + amount}
}

// rest adds the payment of a sale's rest, which does not count as a sale.
func (p *paper) rest(kind drawer.Kind, amount money.Ariary) {
	sum := p.moves[kind]
	sum.Amount += amount
	p.moves[kind] = sum
}

func (p *paper) expected() (sum money.Ariary) {
	for kind, moved := range p.moves {
		sum += kind.Sign() * moved.Amount
	}
	return sum
}

// shift adds an amount to a sum and counts it. A negative amount lowers the sum and the count.
func shift(sum *money.Sum, amount money.Ariary) {
	switch {
	case amount > 0:
		sum.Count++
	case amount < 0:
		sum.Count--
	}
	sum.Amount += amount
}

type charged struct {
	payments.Order
	in   bool         // Whether the shop has got the order's money.
	area money.Ariary // Money that was given back in the merchant area.
}

// day is a shop that takes random steps with the drawers of two tills. Till T1 makes all orders and
// cash sales, except payments of debts at the counter. day also computes what each closing and the
// day's report must contain.
type day struct {
	*shop
	*rand.Rand
	till   *drawer.Service
	cash   []string
	orders []*charged
	tills  map[string]*paper
	taken  money.Ariary // All sales of the day, also those on account, minus refunds and voids. Payments of debts do not count.
	sold   int64        // Number of sales at the counter, without voided ones.

	buyers map[string]string       // Names of the customers of the sales on account, by number.
	owed   map[string]money.Ariary // What customers owe, by name.
	waived map[string]money.Ariary // What was written off and not reclaimed, by name.
	moved  map[string]money.Ariary // What was moved to the other customer, minus what was moved back, by name.
	undo   map[int64]func()        // Functions to call when a refund of a sale on account is taken back, by the refund's ID.
	repaid []string                // Numbers of the payments of debts at the counter.
	debts  money.Ariary
}

func drawerAddsUp(t *testing.T, db Database) { RunDrawer(t, db.Open(t)) }

// RunDrawer plays random days of a shop with two tills. It compares each closing with a simple
// calculation.
func RunDrawer(t *testing.T, store Store) {
	t.Helper()
	d := &day{
		shop: newShop(store), Rand: rand.New(rand.NewPCG(9, 1)),
		tills: map[string]*paper{"T1": newPaper(), "T2": newPaper()}, buyers: map[string]string{},
		owed: map[string]money.Ariary{}, waived: map[string]money.Ariary{}, moved: map[string]money.Ariary{},
		undo: map[int64]func(){},
	}
	d.till = drawer.New(store, d.Service)
	steps := []func(*testing.T){
		d.sell, d.sell, d.take, d.take, d.void, d.refund, d.refund, d.refundCash, d.takeBack, d.takeBackCash, d.find, d.move, d.count, d.pay, d.pay, d.close,
		d.repay, d.repay, d.repayByLink, d.voidRepaid, d.refundRepaid, d.waive, d.rename,
	}
	for range Size(200, 3000) {
		steps[d.IntN(len(steps))](t)
	}
	d.close(t)
}

func (d *day) anyTill() string { return []string{"T1", "T2"}[d.IntN(2)] }

func (d *day) sell(t *testing.T) {
	order := d.charge(t, fmt.Sprint("order ", len(d.orders)))
	d.orders = append(d.orders, &charged{Order: order})
}

// pick returns a random order with its current state, or nil if there is none.
func (d *day) pick(t *testing.T) *charged {
	if len(d.orders) == 0 {
		return nil
	}
	order := d.orders[d.IntN(len(d.orders))]
	order.Order, _ = read(t, d.store, order.Reference)
	return order
}

// came records that the money of an order has come. If in is false, it records that the money has
// not come: it removes the part that was not given back in the merchant area.
func (d *day) came(order *charged, in bool) {
	if in == order.in {
		return
	}
	amount := order.Amount - order.area
	if !in {
		amount = -amount
	}
	order.in = in
	shift(&d.tills["T1"].received, amount)
	d.taken += amount
}

// pay delivers the success event of a random order that has neither a payment nor a finding.
func (d *day) pay(t *testing.T) {
	if order := d.pick(t); order != nil && !order.Paid() && order.Finding == nil {
		d.receive(t, event(payments.PaymentSuccess, order.Order, ""))
		d.came(order, true)
	}
}

func (d *day) find(t *testing.T) {
	order := d.pick(t)
	if order == nil {
		return
	}
	kind := []payments.FindingKind{payments.FoundPaid, payments.FoundUnpaid}[d.IntN(2)]
	_, err := d.till.Resolve(t.Context(), order.Reference, payments.Finding{
		Kind: kind, Note: "looked", Seen: order.Verdict(payments.Conditions{}, opening()), Net: order.Net(),
	}, staff.Identity{})
	check(t, "resolve", err)
	d.came(order, kind == payments.FoundPaid)
}

func (d *day) refund(t *testing.T) {
	order := d.pick(t)
	if order == nil {
		return
	}
	inCash := d.IntN(2) == 0
	left := order.Left(inCash)
	if left == 0 {
		return
	}
	till, amount := d.anyTill(), part(d.Rand, left)
	err := d.till.Refund(t.Context(), till, drawer.Given{
		Ref: order.Reference, InCash: inCash, Amount: amount, Net: order.Net(), Note: "broken",
	}, staff.Identity{})
	check(t, "refund", err)
	d.came(order, true)
	d.taken -= amount
	if inCash {
		d.tills[till].add(drawer.Refund, amount)
		return
	}
	order.area += amount
	shift(&d.tills["T1"].returned, amount)
}

// takeBack takes back, at a random till, a refund of a random order. The money returns to the
// account that it came from.
func (d *day) takeBack(t *testing.T) {
	order := d.pick(t)
	if order == nil {
		return
	}
	refund := d.back(t, paymentOf(order.Order))
	if refund.From != ledger.Service {
		return
	}
	order.area -= refund.Amount
	shift(&d.tills["T1"].returned, -refund.Amount)
}

func (d *day) takeBackCash(t *testing.T) {
	if len(d.cash) > 0 {
		d.back(t, cashPayment(d.cash[d.IntN(len(d.cash))]))
	}
}

// back takes back a random refund of a payment. It returns the refund, or the zero transfer if
// there is none.
func (d *day) back(t *testing.T, payment ledger.Payment) ledger.Transfer {
	refund, err := pickRefund(t.Context(), d.Rand, d.store, payment)
	check(t, "read the refunds", err)
	if refund.ID == 0 {
		return refund
	}
	check(t, "take back", d.till.TakeBack(t.Context(), d.anyTill(), refund.Payment.Ref, refund.ID, "a mistake", staff.Identity{}))
	d.taken += refund.Amount
	tender := drawer.TenderOf(refund.From)
	switch way, _ := tender.Way(); {
	case tender == drawer.TenderLink:
	case way.ByTill:
		d.tills[refund.Till].add(drawer.Reversal, refund.Amount)
	default:
		d.tills[refund.Till].flowBack(tender, -refund.Amount)
	}
	if refund.From.IsCustomer() {
		d.owed[customer(d.buyers[refund.Payment.Ref])] += refund.Amount
		d.undo[refund.ID]()
	}
	return refund
}

func (d *day) take(t *testing.T) {
	tender := drawer.CounterTenders()[d.IntN(len(drawer.CounterTenders()))]
	given := terms("T1", fmt.Sprint("cash ", len(d.cash)))
	if d.IntN(2) == 0 { // The customer pays the sale in two parts.
		given.Part.Amount = part(d.Rand, given.Due()-1)
		first := d.pays(t, given, drawer.TenderCash)
		given.Part = payments.Part{Amount: first.Total - first.Amount, Taken: first.Amount, RestOf: first.Number, Label: "rest"}
	}
	d.pays(t, given, tender)
}

func (d *day) pays(t *testing.T, given payments.Terms, tender drawer.Tender) drawer.CounterSale {
	name := d.buyer()
	given.By = "Soa"
	sale, err := d.till.Take(t.Context(), given, drawer.Paying{Tender: tender, Customer: name, New: true})
	check(t, "take cash", err)
	d.cash = append(d.cash, sale.Number)
	d.taken += sale.Amount
	till := d.tills["T1"]
	if tender == drawer.TenderAccount {
		d.buyers[sale.Number] = name
		d.owed[customer(name)] += sale.Amount
	}
	switch {
	case tender != drawer.TenderCash && sale.RestOf != "":
		till.flow(tender, 0, sale.Amount)
	case tender != drawer.TenderCash:
		till.flow(tender, 1, sale.Amount)
	case sale.RestOf != "":
		till.rest(drawer.Cash, sale.Amount)
	default:
		till.add(drawer.Cash, sale.Amount)
	}
	if sale.RestOf == "" {
		d.sold++
	}
	return sale
}

// sale returns a random cash sale that was neither voided nor completely refunded, or the zero
// sale.
func (d *day) sale(t *testing.T) drawer.CounterSale {
	if len(d.cash) == 0 {
		return drawer.CounterSale{}
	}
	sale, err := d.till.CounterSale(t.Context(), d.cash[d.IntN(len(d.cash))])
	check(t, "read a cash sale", err)
	if sale.Left() == 0 {
		return drawer.CounterSale{}
	}
	return sale
}

func (d *day) void(t *testing.T) {
	sale := d.sale(t)
	if sale.Number == "" {
		return
	}
	till := d.anyTill()
	_, err := d.till.VoidSale(t.Context(), till, sale.Number, "mistake", staff.Identity{})
	check(t, "void", err)
	d.taken -= sale.Amount - sale.Refunded
	back := sale.Amount - sale.Refunded
	if sale.Account.IsCustomer() {
		d.givesBack(d.buyers[sale.Number], back)
	}
	switch inDrawer := sale.Account.IsDrawer(); {
	case !inDrawer && sale.RestOf != "":
		d.tills[till].flow(sale.Tender(), 0, -back)
	case !inDrawer:
		d.tills[till].flow(sale.Tender(), -1, -back)
	case sale.RestOf != "":
		d.tills[till].rest(drawer.Void, back)
	default:
		d.tills[till].add(drawer.Void, back)
	}
	if sale.RestOf == "" {
		d.sold--
	}
}

func (d *day) refundCash(t *testing.T) {
	sale := d.sale(t)
	if sale.Number == "" {
		return
	}
	till, amount := d.anyTill(), part(d.Rand, sale.Left())
	inCash := sale.Account.IsDrawer() || !sale.Account.IsCustomer() && d.IntN(2) == 0
	err := d.till.Refund(t.Context(), till, drawer.Given{
		Ref: sale.Number, InCash: inCash, Amount: amount, Net: sale.Left(), Note: "broken",
	}, staff.Identity{})
	check(t, "refund a cash sale", err)
	d.taken -= amount
	if !inCash {
		d.tills[till].flowBack(sale.Tender(), amount)
		if sale.Account.IsCustomer() {
			all, err := transfersOf(t.Context(), d.store, cashPayment(sale.Number))
			check(t, "read the refund", err)
			d.undo[all[len(all)-1].ID] = d.givesBack(d.buyers[sale.Number], amount)
		}
		return
	}
	d.tills[till].add(drawer.Refund, amount)
}

func (d *day) move(t *testing.T) {
	kind := []drawer.Kind{drawer.Float, drawer.In, drawer.Out}[d.IntN(3)]
	till := d.anyTill()
	move, err := d.till.Move(t.Context(), till, kind, money.Ariary(1+d.IntN(90000)), "why", staff.Identity{})
	check(t, "move", err)
	d.tills[till].add(kind, move.Amount)
}

func (d *day) count(t *testing.T) {
	till := d.anyTill()
	account := d.tills[till]
	counted := max(0, account.expected()+money.Ariary(d.IntN(3)-1))
	account.difference = counted - account.expected()
	account.counted = true
	_, err := d.till.Move(t.Context(), till, drawer.Count, counted, "", staff.Identity{})
	check(t, "count", err)
}

func (d *day) close(t *testing.T) {
	owed := d.compareDebts(t)
	for till, want := range d.tills {
		closing, err := d.till.Close(t.Context(), till, "Soa", 0, staff.Identity{})
		check(t, "close", err)
		expect(t, "the moves of the closing", closing.Moves, want.moves)
		expect(t, "the money received", closing.Received, want.received)
		expect(t, "the money returned", closing.Returned, want.returned)
		expect(t, "what was paid by card and on account", closing.Flows, want.flows)
		expect(t, "the debts that were paid", closing.Debts, want.debts)
		expect(t, "what customers owe at the closing", closing.Owed, owed)
		count, counted := closing.LastCount()
		expect(t, "the difference of the count", count.Difference(), want.difference)
		expect(t, "whether the drawer was counted", counted, want.counted)
		d.tills[till] = newPaper()
	}
	report, err := d.till.Day(t.Context(), always())
	check(t, "read the day", err)
	expect(t, "the takings of the day", report.Taken().Amount, d.taken)
	expect(t, "the sales at the counter", report.AtCounter().Count-report.Voided.Count, d.sold)
	expect(t, "the debts that were paid in the day", report.Debts.Amount, d.debts)
	var waived money.Ariary
	for _, amount := range d.waived {
		waived += amount
	}
	expect(t, "what was written off", report.WrittenOff.Amount, waived)
	expect(t, "what customers owe at the end of the day", report.Owed, owed)
	entries, err := d.till.Journal(t.Context(), always())
	check(t, "read the journal", err)
	var sum, debts money.Ariary
	for _, entry := range entries {
		sum += entry.Amount - entry.Refunded
		debts += entry.Debt
	}
	expect(t, "the sum of the journal", sum, d.taken)
	expect(t, "the debts of the journal", debts, d.debts)
}
