// Package question asks before something is recorded that counts: for a yes or a
// reason, and in a shop that has cashiers for who answers for it. It guarantees
// that a PIN is never drawn, and that an answer changes nothing whose question
// was left.
package question

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// Bounds of what is typed, in characters.
const (
	maxReason = payments.MaxShownWidth
	maxDigits = 12
)

// Act records something for a reason, if one was asked for, under a cashier's
// identity; with none it returns payments.ErrIdentityNeeded in a shop that has
// cashiers.
type Act func(ctx context.Context, reason string, identity payments.Identity) error

// Question is the question that is open; a zero one is none.
type Question struct {
	about  string
	says   i18n.Message
	act    Act
	typed  bool
	reason field.Field // Where it is typed.
	busy   bool        // It is being recorded.

	names  []string // Of the cashiers, one of whom answers for it; nil while nobody is asked.
	chosen int
	digits string       // Of the PIN.
	said   i18n.Message // What came of the last one.
}

// Untyped returns the question with the text that it had before a scanner typed into it.
func (q Question) Untyped(before Question) Question {
	if q.about == before.about {
		q.reason = before.reason
		q.digits = before.digits
	}
	return q
}

// Answered is how something was recorded, or what is asked next.
type Answered struct {
	Err   error
	about string
	next  Question
}

// New returns an open question: what it is about, which no other question of any
// screen is, what it says, and what a yes does.
func New(about string, says i18n.Message, act Act) Question {
	return Question{about: about, says: says, act: act}
}

// ForReason asks for a reason in the place of a yes.
func (q Question) ForReason(styles theme.Theme) Question {
	q.typed, q.reason = true, field.New(styles, "› ", maxReason).Focus(true)
	return q
}

// Open tells whether there is a question.
func (q Question) Open() bool { return q.act != nil }

// Typing tells whether text is typed: a PIN or a reason.
func (q Question) Typing() bool { return q.typed || q.names != nil }

// Asked names the question. It is "" if no question is open.
func (q Question) Asked() string {
	if q.names != nil {
		return q.about + " by whom"
	}
	return q.about
}

// Press takes a key. Esc closes the question, unless its answer is being recorded.
func (q Question) Press(console live.Console, msg tea.KeyMsg) (Question, tea.Cmd) {
	answers := screen.NewAnswers()
	if q.busy {
		return q, nil // It cannot be taken back any more.
	}
	switch {
	case key.Matches(msg, answers.No):
		return Question{}, nil
	case q.names != nil && key.Matches(msg, answers.Yes) && q.digits != "":
		return q.perform(console, payments.Identity{Name: q.names[q.chosen], PIN: payments.NewSecret(q.digits)})
	case q.names != nil:
		return q.identify(msg), nil
	case key.Matches(msg, answers.Yes) && !(q.typed && q.reason.Value() == ""):
		return q.perform(console, payments.Identity{})
	case q.typed:
		var cmd tea.Cmd
		q.reason, cmd = q.reason.Type(msg)
		return q, cmd
	}
	return q, nil
}

// identify takes a key of the name and the PIN.
func (q Question) identify(msg tea.KeyMsg) Question {
	up := screen.Bind("", "", "up")
	down := screen.Bind("", "", "down")
	erase := screen.Bind("", "", "backspace")
	switch {
	case key.Matches(msg, up):
		q.chosen, q.digits = max(0, q.chosen-1), ""
	case key.Matches(msg, down):
		q.chosen, q.digits = min(q.chosen+1, len(q.names)-1), ""
	case key.Matches(msg, erase):
		q.digits = q.digits[:max(0, len(q.digits)-1)]
	case msg.Type == tea.KeyRunes && !msg.Alt && strings.Trim(string(msg.Runes), "0123456789") == "" && len(q.digits)+len(msg.Runes) <= maxDigits:
		q.digits, q.said = q.digits+string(msg.Runes), nil
	}
	return q
}

// perform records what is asked about, or finds out who may answer for it.
func (q Question) perform(console live.Console, identity payments.Identity) (Question, tea.Cmd) {
	asked, ended := q, Answered{about: q.about}
	q.busy, q.said = true, nil
	return q, console.Run(func(ctx context.Context) tea.Msg {
		ended.Err = asked.act(ctx, asked.reason.Value(), identity)
		paused, isPaused := errors.AsType[*payments.PausedError](ended.Err)
		switch {
		case errors.Is(ended.Err, payments.ErrIdentityNeeded):
			cashiers, err := console.Service.Cashiers(ctx)
			for _, cashier := range cashiers {
				asked.names = append(asked.names, cashier.Name)
			}
			if err != nil || len(cashiers) == 0 {
				return ended // Nobody is there who may answer.
			}
		case isPaused:
			asked.said = func(t i18n.Texts) string { return t.Asks.Paused.With(i18n.Clock(paused.Until.In(console.Zone))) }
		case errors.Is(ended.Err, payments.ErrWrongPIN):
			asked.said = wrongPIN
		default:
			return ended
		}
		asked.digits = ""
		return Answered{about: asked.about, next: asked}
	})
}

func wrongPIN(t i18n.Texts) string { return t.Asks.Wrong }

// Answered takes in how an answer was recorded, and tells whether that was this
// question's and the last one.
func (q Question) Answered(msg Answered) (next Question, ended bool) {
	if msg.about != q.about || !q.busy {
		return q, false
	}
	return msg.next, !msg.next.Open()
}

// Rows draws the question in rows of at most width columns.
func (q Question) Rows(console live.Console, width int) []string {
	styles, words := console.Theme, console.Texts.Asks
	says, answers := q.says.In(console.Texts), theme.Paragraph(styles.Text, words.YesNo, width, 0)
	switch {
	case q.names != nil:
		says, answers = words.Who, q.who(console, width)
	case q.busy:
		answers = theme.Paragraph(styles.Text, words.Checking, width, 0)
	case q.typed:
		answers = append([]string{q.reason.SetWidth(width).View()}, theme.Paragraph(styles.Text, words.Record, width, 0)...)
	}
	return slices.Concat(theme.Paragraph(styles.WarningBlock, says, width, 0), answers)
}

// who draws the name, the PIN, and what came of the last one.
func (q Question) who(console live.Console, width int) []string {
	styles, words := console.Theme, console.Texts.Asks
	name := "› " + q.names[q.chosen]
	if len(q.names) > 1 {
		name += " ↑↓"
	}
	last := theme.Paragraph(styles.Text, words.Keys, width, 0)
	switch {
	case q.busy:
		last = []string{words.Checking}
	case q.said != nil:
		last = theme.Paragraph(styles.Danger, q.said.In(console.Texts), width, 0)
	}
	return append([]string{styles.Selected.Render(name) + "  " + words.PIN + " " + strings.Repeat("*", len(q.digits))}, last...)
}
