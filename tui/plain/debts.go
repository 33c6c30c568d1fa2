package plain

import (
	"context"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/cart"
	"checkout/till/tui/wording"
	"checkout/till/tui/wording/errortext"
)

// newcomer is the name of a new customer, and the ID of the sale for which it was typed.
type newcomer struct{ name, sale string }

// sellTo sells on account to the named customer. A new name must be typed twice for the same sale.
func (s *session) sellTo(ctx context.Context, tender drawer.Tender, name string) {
	all, err := s.Service.Debtors(ctx)
	if err != nil {
		s.sayError(err, s.Texts.Reach[payments.ReachStoreDown])
		return
	}
	_, known := drawer.FindDebtor(all, name)
	fresh := newcomer{name, s.counter.Cart().Sale.ID}
	switch {
	case s.counter.Cart().Sale.Debt != "":
		s.sayError(cart.ErrDebt, "")
		return
	case name == "":
		s.say(errortext.Sentence(s.Texts.Debts.NoName))
		return
	case s.counter.Cart().Empty():
		s.say(s.Texts.Plain.Empty)
		return
	case !known && s.fresh != fresh:
		s.fresh = fresh
		s.say(s.Texts.Debts.Repeat.With(name))
		return
	}
	s.fresh = newcomer{}
	s.counter.TenderBy(tender)
	s.counter.SellTo(name, !known)
}

// debts lists the customers with a balance. With a name it prints what that customer owes. With a
// name and an amount it asks whether the customer pays that amount.
func (s *session) debts(ctx context.Context, text string) {
	all, err := s.Service.Debtors(ctx)
	if err != nil {
		s.sayError(err, s.Texts.Reach[payments.ReachStoreDown])
		return
	}
	if text == "" {
		s.listDebts(all)
		return
	}
	if debtor, known := drawer.FindDebtor(all, text); known {
		s.say(wording.Owes(s.Texts, debtor, false))
		return
	}
	debtor, amount, known := splitDebt(all, text)
	if !known {
		s.say(s.Texts.Debts.NoCustomer)
		return
	}
	if err := s.counter.PayDebt(debtor, amount); err != nil {
		s.sayError(err, s.Texts.Hints.NotUnderstood)
	}
}

// splitDebt splits a text into the customer and the amount after the name. The amount may have
// blanks, as in "Rabe 1 000". A name may end with a number, and the longest known name counts.
func splitDebt(all []drawer.Debtor, text string) (debtor drawer.Debtor, amount money.Ariary, known bool) {
	for at := strings.LastIndex(text, " "); at > 0; at = strings.LastIndex(text[:at], " ") {
		amount, err := money.ParseAriary(text[at+1:])
		if debtor, known = drawer.FindDebtor(all, text[:at]); known && err == nil {
			return debtor, amount, true
		}
	}
	return drawer.Debtor{}, 0, false
}

func (s *session) listDebts(all []drawer.Debtor) {
	none := true
	for _, debtor := range all {
		if debtor.Owed < 0 {
			none = false
			s.say(wording.Owes(s.Texts, debtor, false)) // A credit has no day on which the debt began.
		}
		if debtor.Owed > 0 {
			none = false
			s.say(s.Texts.Debts.Row.With(debtor.Title(), i18n.Money(debtor.Owed), i18n.Date(debtor.Since.In(s.Zone))))
		}
	}
	if none {
		s.say(s.Texts.Debts.None)
	}
}

func (s *session) sayOwed(ctx context.Context, account ledger.Account, paid bool) {
	if !account.IsCustomer() {
		return
	}
	if debtor, err := s.Service.DebtorOf(ctx, account); err == nil {
		s.say(wording.Owes(s.Texts, debtor, paid))
	}
}
