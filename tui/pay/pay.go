// Package pay is the screen of one order: the QR code of its link with total
// and countdown, then its outcome, which stays until the cashier acknowledges
// it. What it shows and what its keys do is decided by the counter.
package pay

import (
	"github.com/charmbracelet/bubbles/spinner"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
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

// Update handles a message.
func (m Model) Update(msg tea.Msg) (_ Model, cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case spinner.TickMsg:
		if m.sending() {
			m.spinner, cmd = m.spinner.Update(msg)
		}
	case counter.Sent:
		m.spinner = spinner.New(spinner.WithSpinner(theme.Spinner()), spinner.WithStyle(m.Theme.Accent))
		return m, m.spinner.Tick
	case counter.Asked:
		m.facing = m.facing && !msg.Question.Kind.OfOrder()
	case counter.NotOffered:
		if msg.Shown {
			m = m.Sync()
			m.notice = func(t i18n.Texts) string { return t.Declined(msg.Err) }
		}
	case counter.ShownChanged:
		m.wholeLink = false
		m.notice = nil
	case counter.StoreFailed:
		m.notice = func(t i18n.Texts) string { return t.Hints.StoreFailed }
	case noticed:
		m.notice = msg.text
		m.wholeLink = m.wholeLink || msg.link
	}
	return m, cmd
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

func (m Model) order() payments.Order { return m.Counter.Shown() }

func (m Model) state() counter.Picture { return m.Counter.Picture() }

func (m Model) look() badge.Look { return badge.Of(m.Texts, m.order(), m.Counter.Verdict()) }

func (m Model) sending() bool { return m.Counter.Stage() == counter.Sending }

// current reports whether an order is shown, and not a call for one.
func (m Model) current() bool { return m.order().Reference != "" && !m.sending() }
