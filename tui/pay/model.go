package pay

import (
	"time"

	"github.com/charmbracelet/bubbles/spinner"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/wording"
)

// Config is what the screen needs.
type Config struct {
	live.Console
	Counter  *counter.Counter
	Customer demo.Customer           // Nil unless this is the demo.
	Test     bool                    // The account is one with which no money moves.
	Shop     string                  // May be blank.
	Copy     func(link string) error // Sends a text to the terminal's clipboard; nil when it cannot.
	Browse   func(link string) error // Opens a page in this machine's browser; nil when there is none.
}

// Model is the screen.
type Model struct {
	Config
	// Banners are what is said on every screen, in dressed rows, the most important
	// one first: this one has the whole window.
	Banners []string

	spinner   spinner.Model
	window    screen.Size
	reference string // Of the order that the fields below are about.
	wholeLink bool   // The link is shown whole.
	facing    bool   // The screen is turned to the customer.
	notice    i18n.Message

	codeLink string // The link of the code.
	code     qr.Model
	place    scan.Place
	tall     bool // It needs the rows of the frame.
}

// New returns the screen without an order.
func New(config Config) Model { return Model{Config: config} }

// noticed is what there is to say of what was tried; link shows the link whole.
type noticed struct {
	text i18n.Message
	link bool
}

// SetSize gives the screen the window, in cells. While it is not [Model.Whole] it leaves
// the rows of the frame to the console.
func (m Model) SetSize(width, height int) Model {
	m.window = screen.Size{Width: width, Height: height}
	m.fit()
	return m
}

// SetTexts changes the language. The order, its code and a question that is
// open stay as they are.
func (m Model) SetTexts(texts i18n.Texts) Model {
	m.Texts = texts
	return m
}

// Sync brings the screen up to the order that the counter shows. Call it after whatever
// may have changed that.
func (m Model) Sync() Model {
	order := m.order()
	if m.reference != order.Reference {
		m.reference = order.Reference
		m.wholeLink = false
		m.facing = false
		m.notice = nil
	}
	if m.codeLink != order.Link.URL {
		m.codeLink = order.Link.URL
		m.code, _ = qr.New(m.codeLink, m.Theme) // Without a code the link is shown.
		m.fit()
	}
	return m
}

func (m *Model) fit() {
	m.place = scan.Put(m.code, m.window.Width, m.window.Height-layout.FrameRows)
	whole := scan.Put(m.code, m.window.Width, m.window.Height)
	if m.tall = !m.place.Beside && whole.Beside; m.tall {
		m.place = whole
	}
}

func (m Model) order() payments.Order { return m.Counter.Shown() }

func (m Model) state() counter.Picture { return m.Counter.Picture() }

func (m Model) look() badge.Look { return badge.Of(m.Texts, m.order(), m.Counter.Verdict()) }

func (m Model) sending() bool { return m.Counter.Stage() == counter.Sending }

// current reports whether an order is shown, and not a call for one.
func (m Model) current() bool { return m.order().Reference != "" && !m.sending() }

// asks returns whether a question about an order is open.
func (m Model) asks() bool {
	question := m.Counter.Question()
	return question != nil && question.Kind.OfOrder()
}

func (m Model) question() string { return wording.Question(m.Texts, m.Zone, *m.Counter.Question()) }

// answers say how the question that is open is answered.
func (m Model) answers() []string {
	if kind := m.Counter.Question().Kind; kind == counter.AskLeave || kind == counter.AskDone {
		return []string{m.Texts.Asks.YesNo, m.Texts.Asks.OrNext}
	}
	return []string{m.Texts.Asks.YesNo}
}

// Typing reports whether characters are text: here each is a key.
func (m Model) Typing() bool { return false }

// Asked names the question or the outcome that a key answers; "" while there is none that
// could be read.
func (m Model) Asked() string { return m.Counter.Answerable() }

// Whole tells whether the screen takes the whole window, without the frame: for
// an outcome, for the customer, and for a code that has no room otherwise.
func (m Model) Whole() bool {
	switch {
	case m.sending():
		return false
	case m.Counter.CodeShown():
		return m.turned() || m.coded() && m.tall
	}
	return m.Counter.Final()
}

func (m Model) turned() bool { return m.facing && m.Counter.CodeShown() && !m.asks() }

// coded tells whether a code is shown: a payment is wanted and would be seen.
// Where there is no room beside the code, a question takes its place.
func (m Model) coded() bool {
	return m.place.Fits() && m.Counter.CodeShown() && (!m.asks() || m.place.Beside)
}

func (m Model) clockTime(at time.Time) string { return i18n.Clock(at.In(m.Zone)) }

func (m Model) grid() layout.Layout { return layout.Of(m.window.Width, m.window.Height) }

// marks say that no money moves, whole and in one word; blank where it does.
func (m Model) marks() (whole, brief string) {
	whole, brief = m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	if whole == "" {
		return "", ""
	}
	return m.Theme.DemoBlock.Render(" " + whole + " "), m.Theme.DemoBlock.Render(" " + brief + " ")
}
