package drawer

import (
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// Tender is a way to pay for a sale. It is also the key of its translated texts.
type Tender string

// The tenders. [Ways] returns a table of their properties.
const (
	TenderLink    Tender = "link" // The payment service. Each payment is an order.
	TenderCash    Tender = "cash"
	TenderAccount Tender = "account" // The customer pays later. The amount is added to the account of a [Customer].
	TenderCard    Tender = "card"    // A card terminal next to the till: a person says that the terminal accepted the card.
)

// Way contains the properties of a tender; see [Ways].
type Way struct {
	Tender
	Account ledger.Account // The account that gets the money. With ByTill or Named, only the first part of its name.
	ByTill  bool           // Each till has a separate account: Account, a slash, and the till's code.
	Given   bool           // The customer may give more than the amount, and gets change.
	Named   bool           // Each customer has a separate account: Account, a slash, and the customer's code.
}

// Ways returns the table of tenders, in the order in which the till offers them.
func Ways() []Way {
	return []Way{
		{Tender: TenderLink, Account: ledger.Service},
		{Tender: TenderCash, Account: ledger.Drawers, ByTill: true, Given: true},
		{Tender: TenderCard, Account: ledger.Card},
		{Tender: TenderAccount, Account: ledger.Customers, Named: true},
	}
}

// Way returns the properties of the tender, and false for an unknown tender.
func (t Tender) Way() (Way, bool) {
	for _, way := range Ways() {
		if way.Tender == t {
			return way, true
		}
	}
	return Way{}, false
}

// CounterTenders returns all tenders except [TenderLink].
func CounterTenders() (tenders []Tender) {
	for _, way := range Ways() {
		if way.Tender != TenderLink {
			tenders = append(tenders, way.Tender)
		}
	}
	return tenders
}

// TenderOf returns the tender whose money goes to this account, or "" if there is none.
func TenderOf(account ledger.Account) Tender {
	whole, _, _ := strings.Cut(string(account), "/")
	for _, way := range Ways() {
		if string(way.Account) == whole {
			return way.Tender
		}
	}
	return ""
}

func (w Way) account(till, code string) ledger.Account {
	switch {
	case w.ByTill:
		return ledger.Part(w.Account, payments.TillCode(till))
	case w.Named:
		return ledger.Part(w.Account, code)
	}
	return w.Account
}

// Paying describes how a customer pays at the counter.
type Paying struct {
	Tender Tender
	Given  money.Ariary // Money that the customer gave; 0 for the exact amount.
	// Who is the cashier who sells. If it is set, the PIN is checked, and the cashier's name is
	// stored instead of [payments.Terms.By]. An owner may exceed [Service.CreditLimit]; in a shop
	// without cashiers, a zero Identity may exceed it, too.
	Who      *staff.Identity
	Customer string // Name of the customer, for a sale on account; else empty.
	New      bool   // Whether to store a new customer if no customer has the name.
}
