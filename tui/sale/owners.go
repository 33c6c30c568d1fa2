package sale

import (
	"context"
	"errors"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/question"
	"checkout/till/tui/counter"
	"checkout/till/tui/wording/errortext"
)

// owners is a question that needs a PIN. An owner writes off a debt, or allows a sale above the
// credit limit. A cashier gives back what was paid of a dropped sale.
type owners struct {
	question.Question
	charge  counter.TakeCash // The charge above the limit; else zero.
	dropped payments.Sale    // The dropped sale; else zero.
}

// notTaken shows why a payment was not recorded. Above the credit limit, it asks for an owner. If
// money is given back for a dropped sale, it asks for a cashier.
func (m Model) notTaken(fact counter.CashNotTaken) Model {
	limit, over := errors.AsType[*drawer.LimitError](fact.Err)
	switch {
	case over:
	case fact.Dropped.ID != "" && errors.Is(fact.Err, staff.ErrIdentityNeeded):
		return m.askDropBy(fact.Dropped)
	default:
		m.Warn(errortext.NotDone(fact.Err))
		return m
	}
	name := fact.Charge.Customer
	if debtor, known := drawer.FindDebtor(m.Counter.Debtors(), name); known {
		name = debtor.Title()
	}
	says := func(t i18n.Texts) string {
		return t.Debts.AskOver.With(name, i18n.Money(limit.Owed), i18n.Money(limit.Limit))
	}
	m.owners = owners{charge: fact.Charge}
	m.owners.Question = question.New("above the limit", says, func(ctx context.Context, _ string, who staff.Identity) error {
		return m.Service.Guarded(ctx, who, func(_ payments.Tx, by staff.Cashier) error { return by.CheckOwner() })
	}).Titled(titleOver)
	return m
}

// askDropBy asks which cashier gives back what was paid of a dropped sale.
func (m Model) askDropBy(dropped payments.Sale) Model {
	says := func(t i18n.Texts) string { return t.Sale.DropBy.With(i18n.Money(dropped.Taken)) }
	m.owners = owners{dropped: dropped}
	m.owners.Question = question.New("drop "+dropped.ID, says, func(ctx context.Context, _ string, who staff.Identity) error {
		return m.Service.Guarded(ctx, who, func(payments.Tx, staff.Cashier) error { return nil })
	}).Titled(titleDropping)
	return m
}

// answered handles the result of a question that needs a PIN.
func (m Model) answered(msg question.Answered) Model {
	var ended bool
	m.owners.Question, ended = m.owners.Answered(m.Console, msg)
	if !ended {
		return m
	}
	charge, dropped, debtor := m.owners.charge, m.owners.dropped, m.debts.of
	if charge.Tender == "" && dropped.ID == "" {
		m.Counter.ReadDebtors()
		m.Counter.ReadMovements(debtor.Code)
	}
	switch {
	case msg.Err != nil:
		m.Warn(errortext.NotDone(msg.Err))
		return m
	case charge.Tender != "":
		m.Counter.Allow(charge, msg.Identity())
		return m
	case dropped.ID != "":
		m.Counter.DropBy(dropped, msg.Identity())
		return m
	}
	m.Say(func(t i18n.Texts) string { return t.Debts.Waived.With(i18n.Money(debtor.Owed), debtor.Title()) })
	return m
}
