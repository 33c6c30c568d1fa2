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

// owners is a question that only an owner may answer with yes: to write off a debt, or to sell
// above the credit limit.
type owners struct {
	question.Question
	charge counter.TakeCash // The charge above the limit; zero for a write-off.
}

// notTaken shows why a payment was not recorded. Above the credit limit, it asks for an owner.
func (m Model) notTaken(fact counter.CashNotTaken) Model {
	limit, over := errors.AsType[*drawer.LimitError](fact.Err)
	if !over {
		m.Warn(errortext.NotDone(fact.Err))
		return m
	}
	says := func(t i18n.Texts) string {
		return t.Debts.AskOver.With(i18n.Money(limit.Owed), i18n.Money(limit.Limit))
	}
	m.owners = owners{charge: fact.Charge}
	m.owners.Question = question.New("above the limit", says, func(ctx context.Context, _ string, who staff.Identity) error {
		return m.Service.Guarded(ctx, who, func(_ payments.Tx, by staff.Cashier) error { return by.CheckOwner() })
	}).Titled(titleOver)
	return m
}

// answered handles the result of a question to an owner: it repeats the allowed charge, or reads
// the debts again.
func (m Model) answered(msg question.Answered) Model {
	var ended bool
	m.owners.Question, ended = m.owners.Answered(m.Console, msg)
	if !ended {
		return m
	}
	charge, debtor := m.owners.charge, m.debts.of
	if charge.Tender == "" {
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
	}
	m.Say(func(t i18n.Texts) string { return t.Debts.Waived.With(i18n.Money(debtor.Owed), debtor.Title()) })
	return m
}
