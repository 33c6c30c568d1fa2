// Package wording contains texts that the console, the line mode and the commands share, such as
// the counter's questions.
package wording

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/counter"
	"checkout/till/tui/entry"
)

// StoreFailed returns the text for a change that could not be written to the database.
func StoreFailed(texts i18n.Texts) string { return texts.Hints.StoreFailed }

// StoreDown returns the text for a database that cannot be used.
func StoreDown(texts i18n.Texts) string { return texts.Reach[payments.ReachStoreDown] }

// Superseded returns a text about an order whose sale was paid in another way.
func Superseded(texts i18n.Texts, order payments.Order) string {
	if order.TakenInCash != "" {
		return texts.Cash.Instead.With(order.TakenInCash)
	}
	var came money.Ariary
	for _, other := range order.PaidWith {
		came += other.Gross()
	}
	if came > 0 && came < order.Amount {
		return texts.Pay.PartPaid.With(i18n.Money(came), i18n.Money(order.Amount-came))
	}
	return texts.Pay.OtherPaid
}

// Notes returns the banknotes for an amount of change, such as "5 000 + 2 000 + 500"; "" for 0.
func Notes(change money.Ariary) string {
	var notes []string
	for _, notesOf := range drawer.Change(change) {
		note := i18n.Number(int64(notesOf.Note))
		if notesOf.Count > 1 {
			note = i18n.Number(notesOf.Count) + " × " + note
		}
		notes = append(notes, note)
	}
	return strings.Join(notes, " + ")
}

// EntryWords returns the words that package entry writes into the labels of items.
func EntryWords(texts i18n.Texts) entry.Words {
	return entry.Words{FreeAmount: texts.Sale.FreeAmount, DecimalMark: texts.Sale.DecimalMark}
}

// Quantity returns the quantity of an item as text, such as "2 ×", "1,2 kg" or "0,333 ×".
func Quantity(texts i18n.Texts, item payments.Item) string {
	if item.Measured() {
		return measure(texts, item.Measure.Thousandths, cmp.Or(item.Measure.Unit, "×"))
	}
	return i18n.Number(item.Quantity) + " ×"
}

// SoldQuantity returns the sold quantity of an article as text: "14", "14,5 kg".
func SoldQuantity(texts i18n.Texts, sold drawer.Sold) string {
	return measure(texts, sold.Thousandths, sold.Unit)
}

func measure(texts i18n.Texts, thousandths int64, unit string) string {
	decimals := payments.Decimal(thousandths%1000, texts.Sale.DecimalMark)
	return strings.TrimSpace(i18n.Number(thousandths/1000) + strings.TrimPrefix(decimals, "0") + " " + unit)
}

// Measures returns the measures of items, added up by unit, such as "1,2 kg" and "0,5 l".
func Measures(texts i18n.Texts, items []payments.Item) []string {
	var sums []string
	for _, unit := range payments.Units()[1:] {
		sum := int64(0)
		for _, item := range items {
			if item.Measure.Unit == unit {
				sum += item.Measure.Thousandths
			}
		}
		if sum > 0 {
			sums = append(sums, measure(texts, sum, unit))
		}
	}
	return sums
}

// Taken returns a text about a payment at the counter.
func Taken(texts i18n.Texts, sale drawer.CounterSale) string {
	if way, _ := sale.Tender().Way(); way.Given {
		return texts.Cash.Said.With(i18n.Money(sale.Amount), i18n.Money(sale.Given), i18n.Money(sale.Change()), sale.Number)
	}
	return texts.Cash.SaidExact.With(texts.TenderWords[string(sale.Tender())], i18n.Money(sale.Amount), sale.Number)
}

// Recorded returns the texts that the counter writes into sales and records.
func Recorded(texts i18n.Texts) counter.Words {
	return counter.Words{
		Rest:    func(total money.Ariary) string { return texts.Cash.RestOf.With(i18n.Money(total)) },
		Debt:    texts.Debts.Label,
		Dropped: texts.Sale.GivenUp,
	}
}

// Owes returns a text about how much a customer owes. paid says that the debt was just reduced.
func Owes(texts i18n.Texts, debtor drawer.Debtor, paid bool) string {
	words, name := texts.Debts, debtor.Title()
	switch {
	case debtor.Owed < 0:
		return words.Credit.With(name, i18n.Money(-debtor.Owed))
	case debtor.Owed == 0:
		return words.Clear.With(name)
	case paid:
		return words.Still.With(name, i18n.Money(debtor.Owed))
	}
	return words.Owes.With(name, i18n.Money(debtor.Owed))
}

// Movement says what a transfer of a customer's account was for.
func Movement(texts i18n.Texts, account ledger.Account, transfer ledger.Transfer) string {
	words := texts.Debts
	switch transfer.Kind {
	case ledger.Sale:
		return words.Bought
	case ledger.Paid:
		return words.PaidBy.With(texts.TenderKeys[string(drawer.TenderOf(transfer.Other(account)))])
	case ledger.Void:
		return texts.Cash.Voided
	case ledger.Waived:
		if transfer.Back() {
			return words.Reclaimed
		}
		return words.Waives
	case ledger.Renamed:
		return words.Moved
	}
	return texts.Account.Refund
}

// MovementOf returns the number of the payment and the reason of a transfer of a customer's
// account.
func MovementOf(transfer ledger.Transfer) string {
	return strings.TrimSpace(transfer.Payment.Ref + " " + transfer.Note)
}

// Voided says what to do after a sale at the counter was voided. The amount does not include what
// was refunded before.
func Voided(texts i18n.Texts, sale drawer.CounterSale) string {
	says := texts.Cash.GiveBack
	if sale.Tender() == drawer.TenderAccount {
		says = texts.Cash.TakeOff
	}
	return says.With(sale.Number, i18n.Money(sale.Amount-sale.Refunded))
}

// Begun says how much a customer has paid for a sale, and how much is still due.
func Begun(texts i18n.Texts, sale payments.Sale) string {
	return texts.Sale.Begun.With(i18n.Money(sale.Taken), i18n.Money(cart.Total(sale.Items)-sale.Taken))
}

// LinesKept says where the lines of an order are again. begun says that a part of their sale is paid.
func LinesKept(texts i18n.Texts, kept counter.LinesKept, begun bool) string {
	words := texts.Held
	switch {
	case kept.HeldAs != "" && kept.Wanted:
		return words.Aside.With(kept.HeldAs)
	case kept.HeldAs != "":
		return words.Kept.With(kept.HeldAs)
	case kept.Wanted && begun:
		return words.Continued
	case kept.Wanted:
		return words.Corrected
	}
	return words.Returned
}

// Worth returns the total of items, as in "7 000 Ar".
func Worth(items []payments.Item) string { return i18n.Money(cart.Total(items)) }

// Question returns the text of the counter's open question. Further lines are notes.
func Question(texts i18n.Texts, zone *time.Location, asked counter.Question) string {
	order, amount := asked.Order, i18n.Money(asked.Due())
	until := i18n.Clock(order.Link.ExpiresAt.In(zone))
	switch asked.Kind {
	case counter.AskCharge:
		return texts.Sale.Charge.With(amount)
	case counter.AskTender:
		return texts.TenderAsks[string(asked.Tender)].With(amount)
	case counter.AskRest:
		return texts.Cash.Rest.With(i18n.Money(asked.Part), i18n.Money(asked.Terms.Due()), amount)
	case counter.AskLess:
		return texts.Debts.Less.With(amount, i18n.Money(asked.Terms.Due()), i18n.Money(asked.Terms.Due()-asked.Part))
	case counter.AskAgain:
		switch {
		case asked.Tender != "" && asked.Ended:
			return texts.Cash.DespiteEnded.With(until, texts.TenderKeys[string(asked.Tender)])
		case asked.Tender != "":
			return texts.Cash.Despite.With(until, texts.TenderKeys[string(asked.Tender)])
		case asked.Ended:
			return texts.Asks.AgainEnded.With(until)
		case slices.Contains(asked.Terms.Despite, payments.SalePayable):
			return texts.Asks.Again.With(until)
		}
		return texts.Sale.Charge.With(amount)
	case counter.AskDrop, counter.AskDropHeld:
		if asked.Sale.Taken > 0 {
			return texts.Sale.DropBegun.With(i18n.Money(asked.Sale.Taken))
		}
		if asked.Kind == counter.AskDropHeld {
			return texts.Held.Drop.With(asked.Sale.Name, Worth(asked.Sale.Items))
		}
		return texts.Sale.Drop.With(Worth(asked.Sale.Items))
	case counter.AskPaid:
		if asked.Cash != "" {
			return texts.Cash.OnceMore.With(asked.Cash, amount)
		}
		at := i18n.Clock(order.CountedAt().In(zone))
		if order.Gross()+asked.Terms.Part.Taken < cart.Total(asked.Terms.Items) {
			return texts.Asks.PartMore.With(i18n.Money(order.Gross()), at, amount)
		}
		return texts.Asks.OnceMore.With(at, amount)
	case counter.AskDoubtful:
		return texts.Asks.Doubtful.With(order.Reference, amount)
	case counter.AskLeave:
		return texts.Asks.Leave.With(until)
	case counter.AskDone:
		return texts.Asks.Done.With(until)
	case counter.AskReview:
		return texts.Alarms.AskSeen.With(badge.OrphanName(asked.Record))
	case counter.AskQuit:
		if asked.Count == 1 {
			return texts.Frame.QuitOne
		}
		return texts.Frame.QuitWaiting.With(asked.Count)
	}
	panic("no words for the question " + string(asked.Kind))
}
