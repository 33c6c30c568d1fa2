package storagetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// buyer returns the name of one of two customers, in a random spelling.
func (d *day) buyer() string {
	return []string{"Rabe", " rabe ", "Voahangy  Soa", "VOAHANGY soa"}[d.IntN(4)]
}

// debtor returns a random customer who owes money, and the whole debt or a part of it. It returns 0
// if there is no such customer.
func (d *day) debtor(t *testing.T) (debtor drawer.Debtor, amount money.Ariary) {
	all, err := d.till.Debtors(t.Context())
	check(t, "read the customers", err)
	all = slices.DeleteFunc(all, func(one drawer.Debtor) bool { return one.Owed <= 0 })
	if len(all) == 0 {
		return drawer.Debtor{}, 0
	}
	debtor = all[d.IntN(len(all))]
	return debtor, part(d.Rand, debtor.Owed)
}

// debtTerms returns the terms for a payment of a debt. Each call returns another sale ID.
func (d *day) debtTerms(till string, debtor drawer.Debtor, amount money.Ariary) payments.Terms {
	given := terms(till, fmt.Sprint("debt ", d.Uint64()))
	given.Items = []payments.Item{{Label: "Debt", UnitPrice: amount, Quantity: 1}}
	given.Debt = debtor.Account()
	return given
}

func (d *day) repay(t *testing.T) {
	debtor, amount := d.debtor(t)
	if amount == 0 {
		return
	}
	till, tender := d.anyTill(), []drawer.Tender{drawer.TenderCash, drawer.TenderCard}[d.IntN(2)]
	paid, err := d.till.Take(t.Context(), d.debtTerms(till, debtor, amount), drawer.Paying{Tender: tender})
	check(t, "pay a debt", err)
	d.repaid = append(d.repaid, paid.Number)
	d.owes(debtor.Name, -amount)
	d.tills[till].repaid(tender, 1, amount)
}

// owes raises a customer's debt by more, and lowers the sum of the paid debts by more. For a
// payment, more is negative.
func (d *day) owes(name string, more money.Ariary) {
	d.owed[customer(name)] += more
	d.debts -= more
}

// givesBack lowers what a customer owes, because goods came back. The result undoes only the call
// of reclaim.
func (d *day) givesBack(name string, amount money.Ariary) (undo func()) {
	d.owed[customer(name)] -= amount
	return d.reclaim(customer(name))
}

// reclaim raises a customer's balance to zero if the shop owes the customer money. It takes back
// first what was written off, and then what was moved to the other customer, but not more than
// that. The result undoes this.
func (d *day) reclaim(key string) (undo func()) {
	waived := min(max(0, -d.owed[key]), d.waived[key])
	d.owed[key] += waived
	d.waived[key] -= waived
	undone := func() {
		d.owed[key] -= waived
		d.waived[key] += waived
	}
	if moved := min(max(0, -d.owed[key]), d.moved[key]); moved > 0 {
		d.transfer(another(key), key, moved)
		others := d.reclaim(another(key))
		return func() {
			others()
			d.transfer(key, another(key), moved)
			undone()
		}
	}
	return undone
}

func (d *day) transfer(from, to string, amount money.Ariary) {
	d.owed[from] -= amount
	d.owed[to] += amount
	d.moved[from] += amount
	d.moved[to] -= amount
}

func another(key string) string {
	if key == "rabe" {
		return "voahangy soa"
	}
	return "rabe"
}

// customer returns the form of a name in which the till compares names.
func customer(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

func (d *day) repayByLink(t *testing.T) {
	debtor, amount := d.debtor(t)
	if amount == 0 {
		return
	}
	order, err := d.Checkout(t.Context(), d.debtTerms("T1", debtor, amount))
	check(t, "charge a debt", err)
	d.receive(t, event(payments.PaymentSuccess, order, ""))
	d.owes(debtor.Name, -amount)
	d.tills["T1"].repaid(drawer.TenderLink, 1, amount)
	if d.IntN(2) == 0 {
		return
	}
	order, _ = read(t, d.store, order.Reference)
	inCash := d.IntN(2) == 0
	back := part(d.Rand, amount)
	check(t, "give the payment of a debt back", d.till.Refund(t.Context(), "T2", drawer.Given{
		Ref: order.Reference, InCash: inCash, Amount: back, Net: order.Net(), Note: "not his",
	}, staff.Identity{}))
	d.owes(debtor.Name, back)
	if inCash {
		d.tills["T2"].repaid(drawer.TenderCash, 0, -back)
		return
	}
	d.tills["T1"].repaid(drawer.TenderLink, 0, -back)
}

// repayment picks a random payment of a debt at the counter, and returns it with the name of the
// customer. The name is empty if there is none, or if the picked one was completely refunded.
func (d *day) repayment(t *testing.T) (paid drawer.CounterSale, name string) {
	if len(d.repaid) == 0 {
		return paid, ""
	}
	paid, err := d.till.CounterSale(t.Context(), d.repaid[d.IntN(len(d.repaid))])
	check(t, "read the payment of a debt", err)
	all, err := d.till.Debtors(t.Context())
	check(t, "read the customers", err)
	for _, debtor := range all {
		if debtor.Account() == paid.Debt && paid.Left() > 0 {
			return paid, debtor.Name
		}
	}
	return paid, ""
}

func (d *day) voidRepaid(t *testing.T) {
	paid, name := d.repayment(t)
	if name == "" {
		return
	}
	till := d.anyTill()
	_, err := d.till.VoidSale(t.Context(), till, paid.Number, "mistake", staff.Identity{})
	check(t, "void the payment of a debt", err)
	d.owes(name, paid.Left())
	d.tills[till].repaid(paid.Tender(), -1, -paid.Left())
}

func (d *day) refundRepaid(t *testing.T) {
	paid, name := d.repayment(t)
	if name == "" {
		return
	}
	till, amount := d.anyTill(), part(d.Rand, paid.Left())
	check(t, "give back the payment of a debt", d.till.Refund(t.Context(), till, drawer.Given{
		Ref: paid.Number, InCash: paid.Account.IsDrawer(), Amount: amount, Net: paid.Left(), Note: "mistake",
	}, staff.Identity{}))
	d.owes(name, amount)
	d.tills[till].repaid(paid.Tender(), 0, -amount)
}

func (d *day) waive(t *testing.T) {
	debtor, amount := d.debtor(t)
	if amount == 0 || d.IntN(3) > 0 {
		return
	}
	check(t, "write a debt off", d.till.WriteOff(t.Context(), d.anyTill(), debtor.Name, amount, "moved away", staff.Identity{}))
	d.waived[customer(debtor.Name)] += amount
	d.owes(debtor.Name, -amount)
	d.debts -= amount // owes counted the amount as paid, but it was written off.
}

func (d *day) rename(t *testing.T) {
	debtor, _ := d.debtor(t)
	if debtor.Owed == 0 || d.IntN(3) > 0 {
		return
	}
	from := customer(debtor.Name)
	check(t, "rename a debt", d.till.Rename(t.Context(), d.anyTill(), debtor.Name, another(from), staff.Identity{}))
	d.transfer(from, another(from), debtor.Owed)
}

// compareDebts compares how much each customer owes with the model, and returns the number and the
// sum of the debts.
func (d *day) compareDebts(t *testing.T) (all money.Sum) {
	debtors, err := d.till.Debtors(t.Context())
	check(t, "read the customers", err)
	var sum money.Ariary
	for _, debtor := range debtors {
		want := d.owed[customer(debtor.Name)]
		expect(t, "what "+debtor.Name+" owes", debtor.Owed, want)
		expect(t, "whether a debt has a beginning", !debtor.Since.IsZero(), want > 0)
		if want > 0 {
			all.Count++
			all.Amount += want
		}
		sum += want
	}
	var model money.Ariary
	for _, owed := range d.owed {
		model += owed
	}
	expect(t, "what all customers owe", sum, model)
	return all
}
