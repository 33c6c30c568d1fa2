package counter_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/oracle"
	"checkout/till/tui/cart"
	"checkout/till/tui/tuitest/shoptest"
)

// books is what a walker knows about the money of the shop, without the shop's own sums.
type books struct {
	*shoptest.Counter
	t       *testing.T
	facts   map[string][]oracle.Fact // By the ID of the sale.
	numbers map[string]int           // Value of oracle.Fact.Order, by the reference of the order or the number of the cash sale.
	orders  map[string]payments.Order
	taken   []string // Numbers of the cash sales.
	sales   map[string]drawer.CounterSale
	drawers map[string]money.Ariary // Cash in the drawer of each till.
	outside map[string]bool         // Sales whose money changed without the counter under test since it was started.
}

func newBooks(t *testing.T, shop *shoptest.Counter) *books {
	t.Helper()
	return &books{
		Counter: shop, t: t, facts: map[string][]oracle.Fact{}, numbers: map[string]int{}, orders: map[string]payments.Order{},
		sales: map[string]drawer.CounterSale{}, drawers: map[string]money.Ariary{}, outside: map[string]bool{},
	}
}

func (b *books) readable() bool {
	_, err := b.Orders(b.t.Context(), payments.Query{Limit: 1})
	return err == nil
}

func (b *books) add(sale, ref string, fact oracle.Fact) {
	if _, known := b.numbers[ref]; !known {
		b.numbers[ref] = len(b.numbers)
	}
	fact.Order = b.numbers[ref]
	fact.At = b.Now()
	if made := b.orders[ref].CreatedAt; fact.At.Before(made) { // The clock was set back.
		fact.At = made
	}
	b.facts[sale] = append(b.facts[sale], fact)
}

func (b *books) charge(sale string) {
	orders, err := b.Orders(b.t.Context(), payments.Query{Sale: sale})
	if err != nil {
		return
	}
	for _, order := range orders {
		if b.orders[order.Reference].Link.URL == "" {
			b.orders[order.Reference] = order
		}
		if _, known := b.numbers[order.Reference]; !known {
			b.add(sale, order.Reference, oracle.Fact{What: "made", Amount: order.Amount, Total: order.Total})
		}
	}
}

func (b *books) take(sale drawer.CounterSale) {
	b.add(sale.Sale, sale.Number, oracle.Fact{What: "cash", Amount: sale.Amount, Total: sale.Total})
	b.taken = append(b.taken, sale.Number)
	b.sales[sale.Number] = sale
	if sale.Account.IsDrawer() {
		b.drawers[sale.Till] += sale.Amount
	}
}

func (b *books) void(till string, sale drawer.CounterSale) {
	b.outside[sale.Sale] = true
	b.add(sale.Sale, sale.Number, oracle.Fact{What: "void", Amount: sale.Amount})
	if sale.Account.IsDrawer() {
		b.drawers[till] -= sale.Left()
	}
}

func (b *books) voidParts(sale payments.Sale) {
	for _, number := range b.taken {
		if part := b.sales[number]; part.Sale == sale.ID {
			if left := b.judge(sale.ID, number).Net; left > 0 {
				part.Refunded = part.Amount - left
				b.void(sale.Till, part)
			}
		}
	}
	delete(b.outside, sale.ID)
}

func (b *books) refund(till, sale string, given drawer.Given) {
	b.outside[sale] = true
	b.add(sale, given.Ref, oracle.Fact{What: "refund", Amount: given.Amount, InCash: given.InCash})
	if given.InCash {
		b.drawers[till] -= given.Amount
	}
}

func (b *books) event(order payments.Order, kind payments.EventKind) {
	b.outside[order.Sale] = true
	b.add(order.Sale, order.Reference, oracle.Fact{What: strings.TrimPrefix(string(kind), "payment."), Sound: true})
}

func (b *books) seen(order payments.Order) {
	b.add(order.Sale, order.Reference, oracle.Fact{What: "ack"})
}

func (b *books) judge(sale, ref string) oracle.Judgement {
	return oracle.Judge(b.facts[sale], b.numbers[ref], b.orders[ref].Link.ExpiresAt, b.Now())
}

// money returns the money that the shop has for a sale, and the money that may still come by links.
func (b *books) money(sale string) (net, live money.Ariary) {
	for ref, order := range b.orders {
		if order.Sale == sale && order.Link.URL != "" && b.judge(sale, ref).Objection == payments.SalePayable {
			live += order.Amount
		}
	}
	return oracle.Net(b.facts[sale]), live
}

// paidInPart returns the money that the shop has for a sale that was paid in part at the counter, and
// the total of the sale.
func (b *books) paidInPart(id string) (net, total money.Ariary) {
	for _, number := range b.taken {
		sale := b.sales[number]
		if sale.Sale == id && b.judge(id, number).Net > 0 {
			return oracle.Net(b.facts[id]), sale.Total
		}
	}
	return 0, 0
}

// repriced reports whether payments of a sale have different prices of the whole sale: its lines
// changed while the result of a payment was not known.
func (b *books) repriced(sale string) bool {
	var total money.Ariary
	for _, fact := range b.facts[sale] {
		if total != 0 && fact.Total != 0 && fact.Total != total {
			return true
		}
		total = max(total, fact.Total)
	}
	return false
}

// checkRest returns an error if a charge is for more than what is left of the sale. The store
// refuses the charge of a sale of which nothing is left.
func checkRest(terms payments.Terms) error {
	total, taken := cart.Total(terms.Items), terms.Part.Taken
	if due := terms.Due(); due > total-taken && taken < total {
		return fmt.Errorf("of %d, %d are paid, and %d are charged", total, taken, due)
	}
	return nil
}

// checkCharge returns an error if a charge that succeeded takes more than the sale costs, and the
// cashier was not asked. net and live are the results of money before the charge.
func checkCharge(terms payments.Terms, net, live money.Ariary) error {
	total, due := cart.Total(terms.Items), terms.Due()
	despite := map[payments.ObjectionKind]bool{}
	for _, kind := range terms.Despite {
		despite[kind] = true
	}
	switch {
	case net > 0 && net+due > total && !despite[payments.SalePaid]:
		return fmt.Errorf("of %d, the shop has %d, and %d are charged", total, net, due)
	case live > 0 && net+live+due > total && !despite[payments.SalePayable]:
		return fmt.Errorf("of %d, the shop has %d, links are open for %d, and %d are charged", total, net, live, due)
	}
	return nil
}

// compare compares the orders and the cash in the drawers with the books. The oracle knows no debts.
func (b *books) compare(orders []payments.Order) error {
	for _, order := range orders {
		if order.Link.URL == "" || order.Debt != "" || b.repriced(order.Sale) {
			continue
		}
		if got, want := oracle.Read(order, b.Now()), b.judge(order.Sale, order.Reference); got != want {
			return fmt.Errorf("order %s is %+v, the oracle says %+v of %+v", order.Reference, got, want, b.facts[order.Sale])
		}
	}
	for till, want := range b.drawers {
		account, err := b.Account(b.t.Context(), till)
		if err == nil && account.Expected() != want {
			return fmt.Errorf("the drawer of %s has %d, want %d", till, account.Expected(), want)
		}
	}
	return nil
}
