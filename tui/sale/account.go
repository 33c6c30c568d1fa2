package sale

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
)

// account is the choice of the customer who buys on account.
type account struct {
	chosen string // Code of the chosen customer; empty for none.
	fresh  string // Name of a new customer after one Enter. A second Enter stores the customer.
}

// place returns the place of the chosen customer in a list, from 1, or 0 if the list lacks the
// customer.
func (a account) place(customers []drawer.Debtor) int {
	return 1 + customerAt(customers, a.chosen)
}

func customerAt(customers []drawer.Debtor, code string) int {
	return slices.IndexFunc(customers, func(customer drawer.Debtor) bool { return customer.Code == code })
}

// choose chooses the customer at a place, from 1; 0 chooses none.
func (a account) choose(customers []drawer.Debtor, place int) account {
	if a.chosen = ""; place > 0 {
		a.chosen = customers[place-1].Code
	}
	return a
}

func (m Model) bill(msg tea.KeyMsg) (Model, tea.Cmd) {
	names := fittingCustomers(m.Counter.Debtors(), m.line.Value())
	place := m.account.place(names)
	switch {
	case key.Matches(msg, m.keys.Down):
		m.account = m.account.choose(names, min(len(names), place+1))
		return m, nil
	case key.Matches(msg, m.keys.Up):
		m.account = m.account.choose(names, max(0, place-1))
		return m, nil
	case !key.Matches(msg, m.keys.Enter):
		m.account = account{}
		cmd := m.write(msg)
		return m, cmd
	}
	name := m.line.Value()
	if place > 0 {
		name = names[place-1].Name
	}
	_, known := drawer.FindDebtor(m.Counter.Debtors(), name)
	switch {
	case name == "":
		m.Warn(sayNoName)
		return m, nil
	case !known && m.account.fresh != name:
		m.account.fresh = name
		return m, nil
	}
	m.Counter.SellTo(name, !known)
	return m, nil
}

// fittingCustomers returns the customers with a name that contains the text, ignoring case.
func fittingCustomers(customers []drawer.Debtor, text string) (found []drawer.Debtor) {
	for _, customer := range customers {
		if customer.Name != "" && strings.Contains(strings.ToLower(customer.Name), strings.ToLower(text)) {
			found = append(found, customer)
		}
	}
	return found
}

// mostNames is the maximum number of customers that the question for a sale on account shows.
const mostNames = 6

func (p painter) inquireAccount(asks inquiry) inquiry {
	words, fitting := p.Texts.Debts, fittingCustomers(p.Counter.Debtors(), p.line.Value())
	if p.account.fresh != "" {
		asks.Warning = words.New.With(p.account.fresh)
		if len(fitting) > 0 {
			asks.Warning = words.NewNear.With(p.account.fresh, fitting[0].Name)
		}
	}
	asks.Notes = append(asks.Notes, words.First)
	if len(fitting) > 0 {
		asks.Notes[len(asks.Notes)-1] = words.Whose
	}
	chosen := p.account.place(fitting)
	first := max(0, chosen-mostNames)
	var names []string
	for at, debtor := range fitting[first:min(len(fitting), first+mostNames)] {
		name := debtor.Name + " " + i18n.Number(int64(debtor.Owed))
		if first+at+1 == chosen {
			name = p.Theme.Accent.Render(prompt + name)
		}
		names = append(names, name)
	}
	if len(fitting) > first+mostNames {
		names = append(names, "…")
	}
	asks.Notes = append(asks.Notes, strings.Join(names, between))
	return asks
}

// ofDebt returns the title of the pane for a sale that pays a debt, or "".
func (p painter) ofDebt() string {
	debt := p.Counter.Cart().Sale.Debt
	if debt == "" {
		return ""
	}
	debtor, known := p.Counter.Debtor(debt)
	if !known {
		debtor.Code = debt.Name()
	}
	return p.Texts.Debts.Of.With(debtor.Title())
}
