package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/question"
	"checkout/till/tui/live"
)

// askSeller returns the question which cashier sells from now on, and the command that begins it.
func askSeller(console live.Console) (question.Question, tea.Cmd) {
	service := console.Service
	signIn := func(ctx context.Context, _ string, who staff.Identity) error {
		return service.Guarded(ctx, who, func(payments.Tx, staff.Cashier) error { return nil })
	}
	return question.New("sign in", asksWho, signIn).Titled(titleSignIn).Answers(signsIn, staysSo).Begin(console)
}

func asksWho(t i18n.Texts) string     { return t.Asks.Who }
func titleSignIn(t i18n.Texts) string { return t.Asks.TitleSignIn }
func signsIn(t i18n.Texts) string     { return t.Asks.SignsIn }
func staysSo(t i18n.Texts) string     { return t.Keys.Back }

// signedIn handles the answer to askSeller.
func (m *model) signedIn(msg question.Answered) {
	var ended bool
	m.shift, ended = m.shift.Answered(m.Console, msg)
	switch {
	case !ended:
		return
	case msg.Err != nil:
		m.status.say(m.Texts.Asks.NoSignIn)
	case msg.By() != "":
		m.counter.SignIn(msg.By())
		m.status.say(m.Texts.Asks.SignedIn.With(msg.By()))
	}
	m.counter.Reappear() // The question may have covered a new outcome.
}

// place returns the till's name, followed by the cashier's name or, in a shop with cashiers, by the
// key for signing in.
func (m model) place() string {
	switch seller := m.counter.Seller(); {
	case seller != "":
		return m.Till + " · " + seller
	case m.keys.SignIn.Enabled():
		return m.Till + " · " + m.keys.SignIn.Help().Key + " " + m.keys.SignIn.Help().Desc
	}
	return m.Till
}
