package pay

import (
	"cmp"
	"math"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/spinner"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/motion"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/question"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/slip"
	"checkout/till/tui/wording"
)

// Config is what the screen needs from the console.
type Config struct {
	live.Console
	Counter  *counter.Counter
	Customer demo.Customer           // Acts as the demo's customer; nil outside the demo.
	Test     bool                    // The account is a test account, which moves no money.
	Shop     string                  // Name of the shop; may be blank.
	Copy     func(link string) error // Copies the link to the clipboard; may be nil.
	Browse   func(link string) error // Opens a page in this machine's browser; nil without one.
}

// Model is the payment screen. Its copies share the counter, which knows the order to show.
type Model struct {
	Config
	// Messages of the console, as styled rows, the most important first.
	Banners []string
	// Returns a text and a picture by hour of the day's takings, which include the payment. Until
	// they are read, the text is blank.
	Day func(reference string, amount money.Ariary) (text string, hours []string)

	spinner   spinner.Model
	slip      slip.Model
	window    screen.Size
	reference string // Reference of the shown order, or number of the shown cash sale.
	wholeLink bool
	facing    bool // Whether the screen is turned to the customer.
	notice    i18n.Message

	code code
}

// New returns the screen. It shows no order yet.
func New(config Config) Model {
	return Model{Config: config, slip: slip.Model{Console: config.Console}}
}

// actionDone is sent after an action, such as copying the link. If link is true, the screen shows
// the whole link.
type actionDone struct {
	text  i18n.Message
	link  bool
	order string // The order that was shown when the action began.
}

// SetSize sets the size of the whole window, in cells.
func (m Model) SetSize(width, height int) Model {
	m.window = screen.Size{Width: width, Height: height}
	m.code = m.code.put(m.window, m.Customer.KeyRows())
	return m
}

// SetTexts changes the language. The order, its code and an open question do not change.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts, m.slip.Texts = texts, texts
	return m
}

// Sync updates the screen for the order that the counter shows. Call it after each change
// of the counter.
func (m Model) Sync() Model {
	order := m.order()
	if shown := cmp.Or(order.Reference, m.Counter.Shown().Cash.Number); m.reference != shown {
		m.reference = shown
		m.wholeLink = false
		m.facing = false
		m.notice = nil
		m.slip = m.slip.Of(m.reference)
	}
	if m.code.link != order.Link.URL {
		m.code = newCode(order.Link.URL, m.Theme).put(m.window, m.Customer.KeyRows())
	}
	return m
}

func (m Model) order() payments.Order { return m.Counter.Shown().Order }

func (m Model) look() badge.Badge { return badge.Of(m.Texts, m.order(), m.Counter.Shown().Verdict()) }

func (m Model) sending() bool { return m.Counter.Stage() == counter.Sending }

// inquires reports whether keys answer a question.
func (m Model) inquires() bool {
	return m.Counter.Asking().OfOrder() || m.Counter.Asking() == counter.AskQuit
}

func (m Model) asked() (title string, card question.Card) {
	asks := m.Texts.Asks
	title = asks.TitleAgain
	yes, no := asks.Makes, m.Texts.Keys.Back
	if takes := m.Texts.TenderTakes[string(m.Counter.Question().Tender)]; takes != "" {
		title, yes = m.Texts.Sale.Charging, takes
	}
	switch m.Counter.Asking() {
	case counter.AskLeave:
		title, yes, no = asks.TitleLeave, asks.Leaves, asks.Stays
		card.Notes = []string{asks.OrNext}
	case counter.AskDone:
		title, yes = asks.TitleLeave, asks.Closes
		card.Notes = []string{asks.OrNext}
	case counter.AskQuit:
		title, yes, no = m.Texts.Bar.Leave, m.Texts.Bar.Leaves, asks.Stays
	}
	prompt, notes, more := strings.Cut(wording.Question(m.Texts, m.Zone, *m.Counter.Question()), "\n")
	card.Prompt = prompt
	if more {
		card.Notes = append(strings.Split(notes, "\n"), card.Notes...)
	}
	card.Answers = question.YesNo(m.Texts, yes, no)
	return title, card
}

// Meaning returns what keys mean now. While a question is open, no letter is a command.
func (m Model) Meaning() keyboard.Meaning {
	meaning := keyboard.Meaning{Keys: keyboard.Starts, Asked: m.Counter.Answerable()}
	if !m.inquires() {
		meaning.Letters = letters(m.FullHelp())
	}
	return meaning
}

// FullWindow reports whether the screen covers the header and the key bar.
func (m Model) FullWindow() bool {
	switch {
	case m.sending():
		return false
	case m.Counter.Shown().HasCode():
		return m.turned() || m.coded() && m.code.tall
	}
	return m.Counter.Shown().Final() || m.Counter.Shown().Cash.Number != ""
}

func (m Model) turned() bool {
	return m.facing && m.Counter.Shown().HasCode() && !m.inquires()
}

// coded reports whether the QR code is drawn. If there is no room for both, an open question
// replaces the code.
func (m Model) coded() bool {
	if !m.code.place.Fits() || !m.Counter.Shown().HasCode() {
		return false
	}
	return !m.inquires() || m.code.place.Beside || m.askedUnder() != nil
}

// askedUnder returns the rows of the open question for a place below the code, or nil if the
// question does not fit.
func (m Model) askedUnder() []string {
	const others = 1 // The row with the time left.
	_, card := m.asked()
	cards := []question.Card{card}
	if m.hinted(card) {
		card.Notes = card.Notes[:len(card.Notes)-1]
		cards = append(cards, card)
	}
	for _, room := range []struct{ above, height int }{{1, math.MaxInt}, {above: 1}, {}} {
		for _, card := range cards {
			rows := question.Middle(card.Rows(m.Theme, m.code.place.Words-2, room.height), m.code.place.Words)
			if room.above+len(rows)+others <= m.code.place.Under() {
				return append(make([]string, room.above), rows...)
			}
		}
	}
	return nil
}

// hinted reports whether the last note of the open question, asked, is only a hint.
func (m Model) hinted(asked question.Card) bool {
	asking := m.Counter.Asking()
	return len(asked.Notes) > 0 && (asking == counter.AskLeave || asking == counter.AskDone || asking == counter.AskAgain)
}

// Code returns the part of the window that contains the QR code, if it is drawn.
func (m Model) Code() (box motion.Box, drawn bool) {
	if !m.coded() {
		return motion.Box{}, false
	}
	box = m.code.place.Box()
	if !m.FullWindow() {
		box.Top += layout.FrameRows / 2 // The header is above the screen.
	}
	return box, true
}

func (m Model) clockTime(at time.Time) string { return i18n.Clock(at.In(m.Zone)) }

func (m Model) frame() pane.Frame { return layout.FrameOf(m.window.Width, m.window.Height) }

// marks returns the mark of the demo or a test account, as a text and as one word. They are blank
// if money moves.
func (m Model) marks() (whole, brief string) {
	whole, brief = m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	if whole == "" {
		return "", ""
	}
	return m.Theme.DemoBlock.Render(" " + whole + " "), m.Theme.DemoBlock.Render(" " + brief + " ")
}
