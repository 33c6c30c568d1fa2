package sale

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/tui/counter"
)

// asksName reports whether the screen asks whose account gets the sale.
func (m Model) asksName() bool {
	if m.Counter.Asking() != counter.AskTender {
		return false
	}
	way, _ := m.Counter.Question().Tender.Way()
	return way.Named
}

// takesAnswer reports whether the cashier types the answer to the open question into the entry line.
func (m Model) takesAnswer() bool { return m.paidInCash() || m.asksName() }

// bill handles a key while the screen asks whose account gets the sale.
func (m Model) bill(msg tea.KeyMsg) (Model, tea.Cmd) {
	fitting := m.fitting()
	switch {
	case key.Matches(msg, m.keys.Enter):
		return m.billed(), nil
	case key.Matches(msg, m.keys.Back):
		m.Counter.No()
		m.Counter.Charge()
		return m.takeLines(), nil
	case key.Matches(msg, m.keys.Tab) && len(m.Counter.Ways()) > 1:
		m.Counter.Tender()
		return m, nil
	case key.Matches(msg, m.keys.Down):
		m.account.chosen = min(len(fitting), m.account.chosen+1)
		return m, nil
	case key.Matches(msg, m.keys.Up):
		m.account.chosen = max(0, m.account.chosen-1)
		return m, nil
	}
	m.account = account{}
	return m.write(msg)
}

// account is the answer to the question whose account gets the sale, besides the typed name.
type account struct {
	chosen int    // Place of the chosen customer in the list, from 1; 0 without a choice.
	fresh  string // Name without an account that Enter was pressed for: a second Enter makes the account.
}

// billed answers the question with the chosen customer, or with the typed name.
func (m Model) billed() Model {
	name := m.line.Value()
	if m.account.chosen > 0 {
		name = m.fitting()[m.account.chosen-1].Name
	}
	_, known := drawer.FindDebtor(m.Counter.Debtors(), name)
	switch {
	case name == "":
		return m.Warn(func(t i18n.Texts) string { return t.Debts.NoName })
	case !known && m.account.fresh != name:
		m.account.fresh = name
		return m
	}
	m.Counter.SellTo(name, !known)
	return m
}

// fitting returns the customers whose names contain the typed text.
func (m Model) fitting() []drawer.Debtor {
	typed := strings.ToLower(m.line.Value())
	return slices.DeleteFunc(slices.Clone(m.Counter.Debtors()), func(debtor drawer.Debtor) bool {
		return debtor.Name == "" || !strings.Contains(strings.ToLower(debtor.Name), typed)
	})
}

// mostNames is how many customers the question shows.
const mostNames = 6

// inquireAccount returns the question whose account gets the sale, with the customers who fit the typed text.
func (m Model) inquireAccount(asks inquiry) inquiry {
	words, fitting := m.Texts.Debts, m.fitting()
	if m.account.fresh != "" {
		asks.Warning = words.New.With(m.account.fresh)
	}
	asks.Notes = append(asks.Notes, words.First)
	if len(fitting) > 0 {
		asks.Notes[len(asks.Notes)-1] = words.Whose
	}
	first := max(0, min(m.account.chosen, len(fitting))-mostNames)
	var names []string
	for place, debtor := range fitting[first:min(len(fitting), first+mostNames)] {
		name := debtor.Name + " " + i18n.Number(int64(debtor.Owed))
		if first+place+1 == m.account.chosen {
			name = m.Theme.Accent.Render(prompt + name)
		}
		names = append(names, name)
	}
	if len(fitting) > first+mostNames {
		names = append(names, "…")
	}
	asks.Notes = append(asks.Notes, strings.Join(names, between))
	return asks
}

// ofDebt returns the title of the sale if it pays a debt.
func (m Model) ofDebt() string {
	debt := m.cart().Sale.Debt
	if debt == "" {
		return ""
	}
	debtor, known := m.Counter.Debtor(debt)
	if !known {
		debtor.Code = debt.Name()
	}
	return m.Texts.Debts.Of.With(debtor.Title())
}
