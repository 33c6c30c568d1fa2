package question_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/question"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestAQuestionKeepsAllAnswersAtEveryWidth(t *testing.T) {
	for _, language := range tuitest.Languages() {
		texts := i18n.Load(language)
		card := question.Card{Prompt: texts.Sale.Empty, Notes: []string{texts.Sale.Joins}, Warning: texts.Pay.ClockMoved}
		for name, label := range map[string]string{"enter": texts.TenderKeys["link"], "tab": texts.TenderKeys["cash"], "esc": texts.Sale.GoesBack} {
			card.Answers = append(card.Answers, keybar.Entry{Key: texts.KeyNames.Of(name), Label: label})
		}
		for width := 34; width <= 200; width++ {
			t.Run(fmt.Sprintf("%s in %d columns", language, width), func(t *testing.T) {
				rows := card.Rows(theme.Plain(), width, math.MaxInt)
				drawn := strings.Join(rows, "\n")
				if got := theme.Width(drawn); got > width {
					t.Errorf("it is %d columns wide", got)
				}
				for _, answer := range card.Answers {
					tuitest.Contains(t, drawn, " "+answer.Key+"   "+answer.Label)
				}
				if tight := card.Rows(theme.Plain(), width, len(rows)-1); strings.Join(tight, "\n") != strings.Replace(drawn, "\n\n", "\n", 1) {
					t.Errorf("without the room for a blank row it is\n%s", strings.Join(tight, "\n"))
				}
				if t.Failed() {
					t.Log("\n" + drawn)
				}
			})
		}
	}
}

func TestASpacedCardHasABlankRowBetweenItsAnswers(t *testing.T) {
	card := question.Card{Prompt: "Charge?", Answers: []keybar.Entry{{Key: "Enter", Label: "mobile money"}, {Key: "Esc", Label: "back"}}, Spaced: true}
	if got := strings.Join(card.Rows(theme.Plain(), 25, math.MaxInt), "|"); got != "Charge?|| Enter   mobile money|| Esc   back" {
		t.Errorf("got %q", got)
	}
	tuitest.Equal(t, len(card.Rows(theme.Plain(), 80, math.MaxInt)), 3, "rows")
}

func TestFieldsStandApartWhileThereIsRoom(t *testing.T) {
	card := question.Card{Prompt: "Who?", Fields: []string{"Fara  Soa", "PIN:"}, Warning: "Wrong.", Answers: []keybar.Entry{{Key: "Esc", Label: "back"}}}
	for height, want := range map[int]string{
		math.MaxInt: "Who?||Fara  Soa||PIN:|Wrong.|| Esc   back",
		7:           "Who?|Fara  Soa||PIN:|Wrong.|| Esc   back",
		6:           "Who?|Fara  Soa|PIN:|Wrong.|| Esc   back",
		5:           "Who?|Fara  Soa|PIN:|Wrong.| Esc   back",
	} {
		tuitest.Equal(t, strings.Join(card.Rows(theme.Plain(), 40, height), "|"), want, "in %d rows", height)
	}
}

func TestAPromptBreaksAfterASentence(t *testing.T) {
	for prompt, want := range map[string]string{
		"This link can be paid until 11:50. Leave it waiting?":                           "This link can be paid until 11:50.|Leave it waiting?",
		"Payments awaited: 2. till can show them only while it is open. Leave?":          "Payments awaited: 2.|till can show them only while it is open. Leave?",
		"A sentence that is longer than the row in which it should fit is wrapped. Yes?": "A sentence that is longer than the row in which|it should fit is wrapped. Yes?",
	} {
		rows := question.Card{Prompt: prompt}.Rows(theme.Plain(), 48, math.MaxInt)
		tuitest.Equal(t, strings.Join(rows[:2], "|"), want, "the first rows")
	}
}

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
