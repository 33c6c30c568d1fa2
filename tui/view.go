package tui

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/header"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

// minWidth and minHeight are the smallest window in which a sale can be entered. A
// smaller window still shows the outcome of a payment.
const (
	minWidth  = 20
	minHeight = 6
)

// languageWidth is the smallest width at which the sale's bar has the language key.
const languageWidth = 120

// View draws the console with the characters that the terminal has.
func (m model) View() string {
	view := m.draw()
	if m.status.text != "" && view != "" {
		rows := strings.Split(view, "\n")
		rows[len(rows)-1] = m.Theme.Accent.Render(theme.Left(" "+m.status.text, m.size.Width))
		view = strings.Join(rows, "\n")
	}
	return m.Theme.Encode(view)
}

func (m model) draw() string {
	names, words := m.Texts.KeyNames, m.Texts.Bar
	switch {
	case m.size.Width == 0 || m.size.Height == 0:
		return ""
	case !m.covered() && m.route == routePay && m.pay.Whole():
		return m.pay.View()
	case m.size.Width < minWidth || m.size.Height < minHeight:
		return m.narrow()
	case m.quitting():
		return m.frame(m.question(), []keybar.Entry{
			{Key: names.Of("enter"), Label: words.Leave}, {Key: names.Of("esc"), Label: words.Stay},
		})
	case m.helping:
		return m.frame(m.helpPane().Draw(m.Theme, m.room.Width, m.room.Height), []keybar.Entry{
			{Key: names.Of("esc"), Label: words.Close}, {Key: m.keys.Language.Help().Key, Label: words.Language.With(m.Texts.Keys.Language)},
		})
	}
	return m.frame(m.screen(), m.entries())
}

// narrow draws a window that is too small for the screen: the oldest unseen outcome, then
// the size that the screen needs.
func (m model) narrow() string {
	var rows []string
	if news := m.state().News(); len(news) > 0 {
		order := news[0]
		rows = append(rows, badge.Of(m.Texts, order, m.state().Verdict(order)).Dressed(m.Theme), i18n.Money(order.Amount)+"  "+order.Reference)
	}
	rows = append(rows, theme.Paragraph(m.Theme.Text, m.Texts.Frame.TooSmall.With(minWidth, minHeight), m.size.Width, 0)...)
	rows = theme.Clip(rows, m.size.Width, m.size.Height)
	return theme.Center(strings.Join(rows, "\n"), m.size.Width, m.size.Height)
}

func (m model) frame(view string, entries []keybar.Entry) string {
	head := header.Header{Shop: m.Shop, Place: m.Till, Clock: i18n.Clock(m.state().Now.In(m.Zone))}
	head.Mark, head.Brief = m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	if m.Sample {
		head.Mark = m.Texts.Frame.Sample
	}
	head.State, head.Wrong = m.light()
	head.Doubtful = !head.Wrong && m.counter.ReachNow().Doubtful()
	rows := append([]string{head.Draw(m.Theme, m.size.Width)}, m.above()...)
	rows = append(rows, theme.Clip(strings.Split(view, "\n"), m.size.Width, max(0, m.size.Height-len(rows)-1))...)
	rows = append(rows, make([]string, max(0, m.size.Height-1-len(rows)))...)
	return strings.Join(append(rows, keybar.Draw(m.Theme, entries, m.size.Width)), "\n")
}

// light returns the header's text on the listener and the store: their worst problem, if
// there is one.
func (m model) light() (says string, wrong bool) {
	reach, alarms := m.counter.ReachNow(), m.alarms()
	switch {
	case reach.Blind() && reach != payments.ReachRefused: // The alarm for a refusal also names a key.
		return m.Texts.Reach[reach], true
	case len(alarms) > 0:
		return alarms[0], true
	}
	return m.Texts.Reach[reach], false
}

// fit gives every screen its size. The payment screen has the whole window, all others
// the space inside the frame.
func (m *model) fit() {
	m.room = screen.Size{Width: m.size.Width, Height: max(0, m.size.Height-layout.FrameRows-len(m.above()))}
	for at, shown := range m.table() {
		given := m.room
		switch {
		case route(at) == routePay:
			given = m.size
		case route(at) == routeBoard:
			given.Height -= m.lastRows()
		}
		if m.given[at] != given {
			m.given[at] = given
			shown.SetSize(given.Width, given.Height)
		}
	}
	if m.helping {
		m.layHelp()
	}
}

// above returns the rows between the header and the screen, usually none: the banner of
// the oldest unseen outcome, or else alarms or a note of the demo.
func (m model) above() []string {
	if m.size.Height < minHeight || m.route == routePay && !m.covered() {
		return nil // The code must not move; besides returns the rows for it.
	}
	if news := m.news(); len(news) > 0 {
		return m.banner(news).Draw(m.Theme, m.size.Width, m.size.Height)
	}
	rows := m.furtherAlarms(false)
	if cause := m.Health().Cause; m.counter.ReachNow() == payments.ReachRefused || cause.Kind == payments.CauseSignatureKnown {
		rows = append(rows, " "+m.Theme.Danger.Render("✗ "+m.Texts.WhyRefused(cause)))
	}
	switch {
	case len(rows) > 0:
	case m.playing:
		rows = append(rows, " "+m.Texts.Demo.Plays)
	case m.Address != "":
		rows = append(rows, " "+m.Texts.Demo.Phones.With(m.Address))
	}
	return theme.Clip(rows, m.size.Width, m.size.Height-minHeight+3)
}

func (m model) banner(news []payments.Order) header.Banner {
	order := news[0]
	look := badge.Of(m.Texts, order, m.state().Verdict(order))
	_, ground := look.Kind.Styles(m.Theme)
	whole := look.Word()
	word, _, _ := strings.Cut(whole, ":")
	if len(news) > 1 {
		whole += " " + m.Texts.Frame.NewsMore.With(len(news)-1)
	}
	return header.Banner{
		Ground: ground, Word: strings.TrimSpace(word), Whole: whole, Amount: i18n.Money(order.Amount),
		About: order.Description, Reference: order.Reference,
		Key: m.keys.News.Help().Key, Does: m.Texts.Bar.News,
	}
}

// entries returns the keys that work now. The sale shows its keys next to the entry line,
// so the bar has only those of the console.
func (m model) entries() []keybar.Entry {
	words, keys := m.Texts.Bar, m.keys
	name := func(binding key.Binding) string { return binding.Help().Key }
	help := keybar.Entry{Key: name(keys.Help), Label: words.Keys, Short: words.KeysShort}
	all := []keybar.Entry{
		{Key: name(keys.News), Label: words.News},
		{Key: name(keys.Opens[routeOrders]), Label: words.Orders, Count: min(m.state().ToCheck(), counter.MaxDoubtful)},
		{Key: name(keys.Opens[routeBoard]), Label: words.Waiting, Short: words.WaitingShort, Count: len(m.state().Awaited())},
		{Key: name(keys.Hold), Label: words.Hold, Short: words.HoldShort, Count: len(m.counter.Cart().Held)},
		{Key: name(keys.Opens[routeCatalog]), Label: words.Articles},
		{Key: name(keys.Language), Label: m.Texts.Keys.Language},
		{Key: name(keys.Opens[routeHealth]), Label: words.Health},
		{Key: name(keys.Opens[routeToday]), Label: words.Today, Short: words.TodayShort},
	}
	hidden := map[string]bool{
		name(keys.News): len(m.news()) == 0, name(keys.Language): m.route != routeSale || m.size.Width < languageWidth,
		name(keys.Opens[m.route]): true, // The open screen.
	}
	all = slices.DeleteFunc(all, func(e keybar.Entry) bool { return hidden[e.Key] })
	own := keybar.Of(m.Texts.KeyNames, m.table()[m.route].ShortHelp()...)
	alone := m.route == routeSale || len(own) == 0
	for i, entry := range all {
		switch {
		case entry.Key == name(keys.News), alone && entry.Key == name(keys.Opens[routeToday]):
		case alone:
			all[i].Rank = keybar.Own
		case entry.Count > 0:
			all[i].Rank = keybar.Elsewhere
		default:
			all[i].Rank = keybar.Uncounted
		}
	}
	if alone {
		return append([]keybar.Entry{help}, all...)
	}
	for i, entry := range own { // The help has lower-case texts; the bar capitalizes them.
		_, first := utf8.DecodeRuneInString(entry.Label)
		own[i].Label = strings.ToUpper(entry.Label[:first]) + entry.Label[first:]
	}
	return append(append(own, all...), help)
}

func (m model) question() string {
	width := min(64, m.size.Width)
	asks := theme.Paragraph(m.Theme.Strong, wording.Question(m.Texts, m.Zone, *m.counter.Question()), width-6, 0)
	rows := append([]string{""}, theme.Indent(asks, 1)...)
	box := pane.Pane{Rows: append(rows, ""), Keys: true}
	if m.room.Height < len(rows)+3 {
		box = pane.Pane{Rows: rows[1:], Frame: pane.Bare}
	}
	height := min(m.room.Height, len(box.Rows)+2)
	return theme.Center(box.Draw(m.Theme, width, height), m.room.Width, m.room.Height)
}

// status is the text in the last row, until a time or the next key.
type status struct {
	text  string
	until time.Time
}

// statusTime is how long a status is shown.
const statusTime = 5 * time.Second

func (m *model) say(text string) {
	m.status = status{text: text, until: m.Service.Now().Add(statusTime)}
}

func (m *model) forgetStatus() {
	if !m.Service.Now().Before(m.status.until) {
		m.status = status{}
	}
}
