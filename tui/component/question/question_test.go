package question_test

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/question"
	"checkout/till/tui/live"
)

func TestALateResultAnswersNoLaterQuestion(t *testing.T) {
	console := live.Console{Texts: i18n.Load("en"), Run: live.RunIn(t.Context())}
	asks := func(t i18n.Texts) string { return t.Asks.Records }
	does := func(context.Context, string, staff.Identity) error { return nil }
	enter := tea.KeyMsg{Type: tea.KeyEnter}
	earlier, act := question.New("float", asks, does).Press(console, enter)
	msg, _ := act().(question.Answered)
	if _, ended := earlier.Answered(console, msg); !ended {
		t.Error("the result does not end its own question")
	}
	later := question.New("float", asks, does)
	if next, ended := later.Answered(console, msg); ended || !next.Open() {
		t.Error("the result ends a question that nobody has answered")
	}
}
