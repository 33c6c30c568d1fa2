// Package ledger records money as transfers between accounts. The money in every report is a sum
// over transfers.
//
// It guarantees that
//   - an amount leaves one account and reaches another, so that all balances add up to zero;
//   - a transfer is never changed or deleted: another transfer corrects it;
//   - each transfer has a digest of itself and of all transfers before it, which shows whether a
//     transfer was changed, deleted, inserted or moved: see [Transfer.Digest].
//
// Where money comes from and goes to:
//
//	what happens                                   kind        from       to
//	an order is paid, or a person finds it paid    sale        sales      service
//	a person finds a paid order unpaid             sale        service    sales
//	a sale is paid in cash at the counter          sale        sales      a drawer
//	a sale is paid at the card terminal            sale        sales      card
//	a sale is paid later, on account               sale        sales      a customer
//	a customer pays a debt                         paid        a customer service, a drawer or card
//	the shop gives up a debt                       writeoff    a customer written_off
//	a written-off sale is given back or voided     writeoff    written_off a customer
//	a debt gets another name                       renamed     a customer another customer
//	money of an order is given back by the service refund      service    sales
//	money of a sale is given back in cash          refund      a drawer   sales
//	a refund was not made after all                refund      sales      where the refund came from
//	money of a card sale is given back to the card refund      card       sales
//	a sale on account is given back off the debt   refund      a customer sales
//	a sale at the counter was a mistake            void        a drawer   sales (or from card or a customer)
//	change is put into a drawer; money is put in   float, in   owner      a drawer
//	money is taken out, for any purpose            out         a drawer   owner
//	the money in a drawer is counted               count       a drawer   the same drawer
//	a drawer is opened without money               open        a drawer   the same drawer
//	a backup is restored                           restore     a drawer   the same drawer
//	a till is cashed up: what the count missed     difference  a drawer   difference (or back, if there was too much)
//	a till is cashed up: all that is left          closing     a drawer   owner (or back, if below zero)
//
// The balance of a customer is what the customer owes. Money that paid a debt is given back to the customer's
// account, and not to sales: refunds and voids of such a payment make the debt higher again.
//
// A count, an opened drawer and a restored backup move nothing, because both sides are the same
// account. A count says what was in the drawer. Records from before a restore may be missing. What
// the service pays out to the shop's bank account is not recorded.
package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"checkout/till/payments/money"
)

// Account is the name of an account of the ledger, such as "sales" or "drawer/T1".
type Account string

// The accounts that every shop has once. A till has a [Drawer], too.
const (
	Sales      Account = "sales"       // The source of the money of sales, so the balance is usually below zero.
	Service    Account = "service"     // What the payment service got for the shop, minus what it gave back.
	Owner      Account = "owner"       // The owner's money outside the drawers.
	Card       Account = "card"        // What the card terminal took for the shop, minus what it gave back.
	Difference Account = "difference"  // Money that was missing at counts; below zero if there was too much.
	WrittenOff Account = "written_off" // Debts that the shop has given up.
)

// Drawers is the first part of the name of each till's account; see [Drawer].
const Drawers Account = "drawer"

// Customers is the first part of the name of each customer's account; see [Customer].
const Customers Account = "customer"

// Part returns the account with the name OF/NAME, such as "drawer/T1".
func Part(of Account, name string) Account { return of + "/" + Account(name) }

// Drawer returns the account of the cash in a till's drawer. code is the till's code.
func Drawer(code string) Account { return Part(Drawers, code) }

// IsDrawer reports whether the account is a [Drawer]: its name begins with "drawer/".
func (a Account) IsDrawer() bool { return strings.HasPrefix(string(a), string(Drawers)+"/") }

// Customer returns the account of a customer's debt. code is the customer's code.
func Customer(code string) Account { return Part(Customers, code) }

// IsCustomer reports whether the account is that of a [Customer]: its name begins with "customer/".
func (a Account) IsCustomer() bool { return strings.HasPrefix(string(a), string(Customers)+"/") }

// Name returns the part of the account after the slash: the code of a till or of a customer. For an
// account without a slash, it returns "".
func (a Account) Name() string {
	_, name, _ := strings.Cut(string(a), "/")
	return name
}

// Kind is why money moved. The direction is in the accounts: if a person finds a paid order unpaid,
// the transfer is a Sale to the account [Sales].
type Kind string

// The kinds of transfers. The package comment shows the accounts of each.
const (
	Sale    Kind = "sale"
	Refund  Kind = "refund"
	Void    Kind = "void"       // A sale at the counter was a mistake.
	Paid    Kind = "paid"       // A customer paid a debt. This is not a sale.
	Float   Kind = "float"      // Money put into a drawer as change, usually before the first sale.
	In      Kind = "in"         // Other money put into a drawer.
	Out     Kind = "out"        // Money taken out of a drawer, other than for a refund, a void or a closing.
	Count   Kind = "count"      // The money in a drawer was counted: Amount is the result. From and To are the drawer.
	Opened  Kind = "open"       // A drawer was opened without a movement of money.
	Restore Kind = "restore"    // A backup was restored: records between the backup and this transfer may be missing. Moves nothing.
	Missed  Kind = "difference" // The difference that the last count found. It is posted just before a Closing.
	Waived  Kind = "writeoff"   // The shop gave up a debt or a part of it.
	Renamed Kind = "renamed"    // A debt was moved to the account of another name.
	Closing Kind = "closing"    // A till was cashed up: all cash in its drawer went to the owner.
)

// PaymentKind says what the ref of a [Payment] refers to.
type PaymentKind string

// The kinds of payments. A closing is among them, because it has a number, too.
const (
	ByOrder   PaymentKind = "order"      // Ref is an order's own reference.
	AtCounter PaymentKind = "settlement" // Ref is the number of a payment at the counter, unique in the shop.
	OfClosing PaymentKind = "closing"    // Ref is the number of a closing.
)

// Payment names the order, the payment at the counter or the closing that a transfer belongs to. It
// is zero for other money, such as a float.
type Payment struct {
	Kind PaymentKind
	Ref  string
}

// Transfer is a record of the ledger that never changes. For most kinds it is an amount that moved
// from one account to another; for the others, both accounts are the same.
type Transfer struct {
	ID       int64     // 1, 2, 3 … in the order of commits, without gaps. The store gives it.
	At       time.Time // When the money moved. For a payment that an event proved, this is when the event reached the shop's listener or relay; for any other transfer, when it was recorded.
	Booked   time.Time // When the transfer was recorded. It is later than At if, for example, a relay or an outbox kept the proof for a while.
	Kind     Kind
	From, To Account
	Amount   money.Ariary // Above zero, except for four kinds: Opened and Restore have 0, and Count and Closing may have 0.
	Till     string       // Name of the till. The transfer is in this till's closing.
	By       string       // Name of the person who recorded the transfer, or of the till. Empty for a payment that an event proved.
	Payment  Payment
	Corrects int64 // ID of the refund that this transfer reverses; else 0. A refund is reversed at most once.
	Note     string

	// Rest says that the payment pays the rest of a sale that another payment began. Such a payment
	// does not count as a sale. The store sets Rest when it reads; the digest does not cover it.
	Rest bool
}

// Into returns how much the transfer adds to an account. It is below zero if the transfer takes
// money out.
func (t Transfer) Into(account Account) (amount money.Ariary) {
	if t.To == account {
		amount += t.Amount
	}
	if t.From == account {
		amount -= t.Amount
	}
	return amount
}

// Forward returns the transfer with an amount that is not negative: it swaps the accounts of a
// negative transfer.
func (t Transfer) Forward() Transfer {
	if t.Amount < 0 {
		t.From, t.To = t.To, t.From
		t.Amount = -t.Amount
	}
	return t
}

// Other returns the account at the other end of the transfer than the given one.
func (t Transfer) Other(than Account) Account {
	if t.From == than {
		return t.To
	}
	return t.From
}

// PaidFor returns the account that the money of a payment comes from: the account of a customer who pays a
// debt, else [Sales].
func (t Transfer) PaidFor() Account {
	switch {
	case t.From == Sales, t.To == Sales:
		return Sales
	case t.From.IsCustomer():
		return t.From
	case t.To.IsCustomer():
		return t.To
	}
	return Sales
}

// OfDebt reports whether the transfer belongs to the payment of a debt, and so to no sale.
func (t Transfer) OfDebt() bool { return t.Payment.Ref != "" && t.PaidFor() != Sales }

// Back reports whether a payment, a refund, a void or a write-off goes against the usual direction
// of its kind, because it reverses another transfer.
func (t Transfer) Back() bool {
	switch t.Kind {
	case Sale, Paid:
		return t.To == t.PaidFor()
	case Refund, Void:
		return t.From == t.PaidFor()
	case Waived:
		return t.From == WrittenOff
	}
	return false
}

// AtService reports whether the transfer moves money into or out of the account [Service].
func (t Transfer) AtService() bool { return t.From == Service || t.To == Service }

// Standing returns the refunds in a list of transfers, without those that were taken back.
func Standing(transfers []Transfer) (refunds []Transfer) {
	takenBack := make(map[int64]bool)
	for _, transfer := range transfers {
		if transfer.Corrects != 0 {
			takenBack[transfer.Corrects] = true
		}
	}
	for _, transfer := range transfers {
		if transfer.Kind == Refund && !transfer.Back() && !takenBack[transfer.ID] {
			refunds = append(refunds, transfer)
		}
	}
	return refunds
}

// Digest returns the SHA-256 of the previous transfer's digest and of this transfer's fields as the
// store keeps them, with times in milliseconds. It writes the length before each field, so that
// moving a character from one field to the next changes the digest.
func (t Transfer) Digest(before []byte) []byte {
	var text []byte
	for _, field := range []string{
		hex.EncodeToString(before), decimal(t.ID), decimal(t.At.UnixMilli()), decimal(t.Booked.UnixMilli()), string(t.Kind), string(t.From),
		string(t.To), decimal(int64(t.Amount)), t.Till, t.By, string(t.Payment.Kind), t.Payment.Ref, decimal(t.Corrects), t.Note,
	} {
		text = strconv.AppendInt(text, int64(len(field)), 10)
		text = append(text, ' ')
		text = append(text, field...)
	}
	digest := sha256.Sum256(text)
	return digest[:]
}

func decimal(value int64) string { return strconv.FormatInt(value, 10) }

// Head is the state of a ledger: the number of its transfers and the digest of the last one.
type Head struct {
	Last   int64
	Digest []byte
}

// Query selects transfers. The zero value selects all.
type Query struct {
	Till    string       // Only transfers of the till with this name.
	After   int64        // Only transfers with a higher ID.
	Until   int64        // Only transfers with this ID or a lower one; 0 for no limit.
	Period  money.Period // Only transfers with At in the period; the zero period for all.
	Kind    Kind
	Payment Payment
	Account Account // Only transfers into or out of this account of a [Customer].
}
