// Package question asks for confirmation or a text before an important change and, in a shop with
// cashiers, for a name and a PIN. A PIN is never drawn. The late result of an earlier question does
// not affect another one.
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
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/tui/component/field"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/entry"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording/errortext"
)

// Act makes the change that the question is about. reason is the typed text; it may be blank. For
// a change that needs a cashier, Act returns [staff.ErrIdentityNeeded] for the zero identity.
type Act func(ctx context.Context, reason string, identity staff.Identity) error

// InvalidError is returned by an [Act] that rejects the typed text. The question stays open and
// shows Says.
type InvalidError struct{ Says i18n.Message }

// Error returns a text for developers; a screen shows Says.
func (e *InvalidError) Error() string { return "the typed text is invalid" }

// Question is a question on a screen. The zero Question is closed.
type Question struct {
	about  string
	says   i18n.Message
	word   i18n.Message // Title of the pane; may be nil.
	yes    i18n.Message // What the answer yes does.
	no     i18n.Message // What the answer no does.
	act    Act
	typed  bool
	reason field.Field
	usual  string
	busy   bool

	names  []string // Cashiers to choose from; nil until a PIN is needed.
	chosen int
	pin    field.Field
	said   i18n.Message // Message about a rejected PIN or text.
}

// Untype removes what a scanner has typed into the question.
func (q Question) Untype(typed string) Question {
	q.reason = q.reason.Untype(typed)
	q.pin = q.pin.Untype(typed)
	return q
}

// Answered is the message with the result of an act. If another answer is needed first, such as a
// PIN, next is the question to show.
type Answered struct {
	Err   error
	about string
	who   staff.Identity // The cashier who answered, if the act needed one.
	next  Question
}

// By returns the name of the cashier who answered with a PIN, or "".
func (a Answered) By() string { return a.who.Name }

// Identity returns the identity of the cashier who answered with a PIN, so that another change can
// follow without a second PIN.
func (a Answered) Identity() staff.Identity { return a.who }

// New returns an open question. about is its name, which must be unique among the questions of all
// screens. The first line of says is the question; further lines are notes. The answer yes runs
// act.
func New(about string, says i18n.Message, act Act) Question {
	return Question{about: about, says: says, yes: records, no: back, act: act}
}

// Titled returns the question with a title for its pane.
func (q Question) Titled(word i18n.Message) Question {
	q.word = word
	return q
}

// Answers returns the question with other labels for its answers.
func (q Question) Answers(yes, no i18n.Message) Question {
	q.yes, q.no = yes, no
	return q
}

// Title returns the title of the question's pane, or "" without one.
func (q Question) Title(texts i18n.Texts) string { return q.word.In(texts) }

func records(t i18n.Texts) string { return t.Asks.Records }
func back(t i18n.Texts) string    { return t.Keys.Back }

// ForReason returns the question with a field for a text, such as a reason. The answer yes needs a
// text.
func (q Question) ForReason(styles theme.Theme) Question {
	q.typed, q.reason = true, field.New(styles, "› ", payments.MaxShownWidth).Focus(true)
	return q
}

// Usually returns the question with a text that Enter uses if nothing was typed.
func (q Question) Usually(text string) Question {
	q.usual = text
	return q
}

// Typed returns the text in the field of [Question.ForReason].
func (q Question) Typed() string { return q.reason.Value() }

// Open reports whether the question waits for an answer, or for the result of its act.
func (q Question) Open() bool { return q.act != nil }

// Close closes the question. While the act runs, the question stays open for the result.
func (q Question) Close() Question {
	if q.busy {
		return q
	}
	return Question{}
}

// Meaning returns what keys mean while the question is open.
func (q Question) Meaning() keyboard.Meaning {
	meaning := keyboard.Meaning{Asked: q.about}
	if q.names != nil {
		meaning.Asked += " by whom"
	}
	if q.typed || q.names != nil {
		meaning.Keys, meaning.Typing = keyboard.Answer, true
	}
	return meaning
}

// Begin answers the question with yes without showing it. The question then asks only for a cashier
// and the PIN, if they are needed.
func (q Question) Begin(console live.Console) (Question, tea.Cmd) {
	return q.perform(console, staff.Identity{})
}

// Press handles a key. Esc closes the question unless the act is running.
func (q Question) Press(console live.Console, msg tea.KeyMsg) (Question, tea.Cmd) {
	answers := screen.NewAnswers()
	if q.busy {
		return q, nil // An act that is running cannot be canceled.
	}
	if q.names == nil && key.Matches(msg, answers.Yes) && q.reason.Value() == "" {
		q.reason = q.reason.SetText(q.usual)
	}
	switch {
	case key.Matches(msg, answers.No):
		return Question{}, nil
	case q.names != nil && key.Matches(msg, answers.Yes) && !q.pin.Empty():
		return q.perform(console, staff.Identity{Name: q.names[q.chosen], PIN: secret.New(q.pin.Value())})
	case q.names != nil:
		return q.identify(msg), nil
	case key.Matches(msg, answers.Yes) && q.typed && q.reason.Value() == "":
		q.said = typeFirst
		return q, nil
	case key.Matches(msg, answers.Yes):
		return q.perform(console, staff.Identity{})
	case q.typed:
		var cmd tea.Cmd
		q.said = nil
		q.reason, cmd = q.reason.Type(msg)
		return q, cmd
	}
	return q, nil
}

// identify handles a key while the question asks for a cashier. Digits belong to the PIN. A letter
// chooses the next cashier whose name begins with it.
func (q Question) identify(msg tea.KeyMsg) Question {
	switch msg.Type {
	case tea.KeyUp, tea.KeyLeft, tea.KeyShiftTab:
		return q.choose(q.chosen - 1)
	case tea.KeyDown, tea.KeyRight, tea.KeyTab:
		return q.choose(q.chosen + 1)
	case tea.KeyBackspace:
		q.pin, _ = q.pin.Type(msg)
		q.said = nil
	}
	if !keyboard.Types(msg) {
		return q
	}
	q.pin, _ = q.pin.Type(msg)
	q.said = nil
	for step := range q.names {
		at := (q.chosen + 1 + step) % len(q.names)
		if strings.HasPrefix(entry.Fold(q.names[at]), entry.Fold(string(msg.Runes))) {
			return q.choose(at)
		}
	}
	return q
}

func (q Question) choose(at int) Question {
	q.chosen = (at + len(q.names)) % len(q.names)
	q.pin = q.pin.SetText("")
	return q
}

// perform returns a command that runs the act. If the act needs an identity, the next question asks
// for a name and a PIN.
func (q Question) perform(console live.Console, identity staff.Identity) (Question, tea.Cmd) {
	asked, last := q, ""
	ended := Answered{about: q.about, who: identity}
	q.busy, q.said = true, nil
	if console.Cashier != nil {
		last = *console.Cashier
	}
	return q, console.Run(func(ctx context.Context) tea.Msg {
		ended.Err = asked.act(ctx, asked.reason.Value(), identity)
		says := func(t i18n.Texts) string { return errortext.Of(t, ended.Err, errortext.Place{Zone: console.Zone}).Text }
		invalid, isInvalid := errors.AsType[*InvalidError](ended.Err)
		switch {
		case isInvalid:
			asked.said = invalid.Says
		case errors.Is(ended.Err, staff.ErrIdentityNeeded):
			cashiers, err := console.Service.Cashiers(ctx)
			for _, cashier := range cashiers {
				asked.names = append(asked.names, cashier.Name)
			}
			asked.chosen = max(0, slices.Index(asked.names, last))
			if err != nil || len(cashiers) == 0 {
				return ended // If there is no cashier to choose, return the error of the act.
			}
		case errors.As(ended.Err, new(*staff.PausedError)), errors.Is(ended.Err, staff.ErrWrongPIN), errors.Is(ended.Err, staff.ErrNotOwner):
			asked.said = says
		case asked.typed && errortext.Of(console.Texts, ended.Err, errortext.Place{}).Exit == errortext.Usage: // The question stays open for another text.
			asked.said = says
		default:
			return ended
		}
		asked.pin = field.New(console.Theme, "", staff.MaxPIN).Only("0123456789").Masked().Focus(true)
		return Answered{about: asked.about, next: asked}
	})
}

func typeFirst(t i18n.Texts) string { return t.Asks.TypeFirst }

// Answered handles the result of an act. ended reports whether the result ends this question. After
// a success with a PIN, *console.Cashier is the cashier who answered.
func (q Question) Answered(console live.Console, msg Answered) (next Question, ended bool) {
	if msg.about != q.about || !q.busy {
		return q, false
	}
	ended = !msg.next.Open()
	if ended && msg.Err == nil && msg.By() != "" && console.Cashier != nil {
		*console.Cashier = msg.By()
	}
	return msg.next, ended
}

// Rows draws the question in rows of at most width columns.
func (q Question) Rows(console live.Console, width, height int) []string {
	styles, texts := console.Theme, console.Texts
	prompt, notes, more := strings.Cut(q.says.In(texts), "\n")
	card := Card{Prompt: prompt, Answers: YesNo(texts, q.yes.In(texts), q.no.In(texts))}
	if more {
		card.Notes = strings.Split(notes, "\n")
	}
	switch {
	case q.busy && q.names == nil:
		return append(theme.Paragraph(styles.Strong, card.Prompt, width, 0), theme.Paragraph(styles.Text, texts.Asks.Checking, width, 0)...)
	case q.typed:
		card = card.Input(q.reason, width)
		card.Warning = q.said.In(texts)
	}
	if q.names != nil {
		return q.who(console, width, height)
	}
	return card.Rows(styles, width, height)
}

// YesNo returns two answers. The answer no is first and highlighted, so it must be the answer that
// loses nothing.
func YesNo(texts i18n.Texts, yes, no string) []keybar.Entry {
	names := texts.KeyNames
	return []keybar.Entry{{Key: names.Of("esc"), Label: no, Leaves: true}, {Key: names.Of("enter"), Label: yes}}
}

func (q Question) who(console live.Console, width, height int) []string {
	styles, texts := console.Theme, console.Texts
	names := make([]string, len(q.names))
	for i, name := range q.names {
		names[i] = "  " + name + " "
		if i == q.chosen {
			names[i] = styles.Selected.Render("› " + name + " ")
		}
	}
	const edges = 3 // Columns in the box besides the digits: the edges and the cursor.
	pin := texts.Asks.PIN + " " + q.pin.Box(staff.MaxPIN+edges)
	card := Card{Prompt: texts.Asks.Who, Warning: q.said.In(texts), Answers: YesNo(texts, q.yes.In(texts), q.no.In(texts))}
	if q.busy {
		card.Warning = texts.Asks.Checking
	}
	if about, _, _ := strings.Cut(q.says.In(texts), "\n"); about != card.Prompt {
		card.Notes = []string{strings.TrimRight(about+" "+q.reason.Value(), " ")}
	}
	const arrows = "←→"
	card.Fields = []string{strings.Join(fit.Flow(slices.Concat(names, []string{styles.Accent.Render(arrows)}), width, "  "), "\n"), pin}
	rows := card.Rows(styles, width, height)
	if len(rows) > height {
		card.Notes = nil
		card.Fields = []string{names[q.chosen] + styles.Accent.Render(" "+arrows), pin}
		rows = card.Rows(styles, width, height)
	}
	return rows
}
