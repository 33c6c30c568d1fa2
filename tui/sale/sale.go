// Package sale is the screen on which a sale is entered, put on hold and charged. It guarantees:
//   - Typed text that is not understood stays in the entry line.
//   - Typed text never answers a question that asks for yes or no.
package sale

import (
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/question"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/wording"
)

// Update handles a message. Keys come only while the screen is open. Scans come through [Model.Scan],
// also while another screen is open.
func (m Model) Update(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case live.Entered: // The old notice may not be true any more.
		m.notice = notice{}
		m.Uncovered()
	case question.Answered:
		return m.answered(msg), nil
	default:
		return m.hear(msg), nil
	}
	return m, nil
}

func (m Model) hear(fact counter.Fact) Model {
	if m.mode.ofSale() && m.sale != m.Counter.Cart().Sale.ID {
		m.takeLines() // A late result has ended the sale or put it on hold.
	}
	if m.mode == tendering && !m.takesAnswer() {
		m.takeLines()
	}
	if m.mode == resuming && !m.Counter.Cart().Untouched() {
		m.takeLines() // A sale has become the current one, and a held sale would replace it.
	}
	if m.owners.charge.Terms.Sale != m.Counter.Cart().Sale.ID && m.owners.charge.Tender != "" {
		m.owners.Question = m.owners.Close() // The refused sale is not current any more.
	}
	if id := m.owners.dropped.ID; id != "" && m.Counter.Cart().Find(id).ID == "" {
		m.owners.Question = m.owners.Close() // The sale has ended.
	}
	switch fact := fact.(type) {
	case counter.Asked:
		m.account = account{}
		switch {
		case m.takesAnswer() && m.mode == tendering:
			m.line = m.line.SetText("")
		case m.takesAnswer():
			m.notice = notice{}
			m.takeText(tendering, "")
		}
	case counter.DebtorsRead:
		m.debts.read()
	case counter.MovementsRead:
		m.debts.moved(fact)
	case counter.CashNotTaken:
		return m.notTaken(fact)
	case counter.Refused:
		if fact.Why == counter.Blind && m.Counter.Stage() == counter.Selling {
			reach := m.Counter.ReachNow()
			m.Warn(func(t i18n.Texts) string { return t.Charging[reach] })
		}
	case counter.SaveFailed:
		m.Warn(wording.StoreFailed)
	case counter.NotRestored:
		m.Warn(func(t i18n.Texts) string { return t.Hints.SalesUnread })
	case counter.SalesRead:
		return m.salesRead(fact)
	case counter.ArticlesRead:
		return m.articlesRead()
	case counter.Dropped:
		if fact.Held {
			m.become(m.mode) // Without a held sale, the list closes.
		} else {
			m.Say(sayDropped)
		}
	case counter.GaveBack:
		m.Say(func(t i18n.Texts) string { return t.Sale.GaveBack.With(i18n.Money(fact.Cash)) })
	case counter.PartForgotten:
		m.Warn(func(t i18n.Texts) string { return t.Sale.PartForgotten.With(i18n.Money(fact.Part)) })
	case counter.LinesKept:
		m.linesKept(fact)
	case counter.SaleHeld:
		m.Say(func(t i18n.Texts) string { return t.Held.Other.With(fact.Name) })
	case counter.SaleCharged:
		m.charged(fact)
	}
	return m
}

// salesRead tells the cashier if a sale was restored. If F5 was pressed during the read and nothing
// has happened since, salesRead lists the held sales.
func (m Model) salesRead(fact counter.SalesRead) Model {
	switch {
	case fact.Restored:
		m.Greeting = m.welcomed()
		m.Say(sayRestored)
		return m
	case m.notice.awaitsSales && m.Counter.Cart().Untouched() && m.Counter.Question() == nil:
		return m.Hold()
	}
	return m
}

// articlesRead updates the suggestions, and handles the text and the scans that came before the
// first read.
func (m Model) articlesRead() Model {
	entered, scans := m.early, m.scans
	m.early, m.scans = "", nil
	m.suggestAgain()
	if entered != "" && m.mode == entering && m.line.Value() == entered {
		m = m.enter()
	}
	for _, scan := range scans {
		m, _ = m.Scan(scan, false)
	}
	return m
}
