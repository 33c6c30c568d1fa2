package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
)

// keyMap are the keys that work on every screen.
type keyMap struct {
	Help, Question, News, Orders, Board, Hold, Catalog, Language, Health, Quit key.Binding
	Yes, No, Next, Previous                                                    key.Binding
}

func newKeyMap(words i18n.Keys) keyMap {
	bind := func(help, word string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, word))
	}
	return keyMap{
		Help:     bind("F1", words.Help, "f1"),
		Question: bind("?", words.Help, "?"),
		News:     bind("F2", words.News, "f2"),
		Orders:   bind("F3", words.Orders, "f3"),
		Board:    bind("F4", words.Board, "f4"),
		Hold:     bind("F5", words.Hold, "f5"),
		Catalog:  bind("F6", words.Catalog, "f6"),
		Language: bind("F7", words.Language, "f7"),
		Health:   bind("F8", words.Health, "f8"),
		Quit:     bind("ctrl+c", words.Quit, "ctrl+c"),
		Yes:      key.NewBinding(key.WithKeys("enter")),
		No:       key.NewBinding(key.WithKeys("esc")),
		Next:     key.NewBinding(key.WithKeys("down", "pgdown")),
		Previous: key.NewBinding(key.WithKeys("up", "pgup")),
	}
}

// enable switches each key on where it does something.
func (m *model) enable() {
	busy := m.route == paying && (m.pay.Sending() || m.pay.Order().Live(m.state.Now))
	m.keys.News.SetEnabled(len(m.state.News()) > 0 && !busy)
	doubts := m.route != listing && !busy && m.state.ToCheck() > 0
	m.keys.Orders.SetEnabled(m.route == selling || m.route == awaiting || doubts)
	m.keys.Board.SetEnabled(m.route == selling || m.route == listing)
	m.keys.Hold.SetEnabled(m.route == selling || m.route == listing || m.route == awaiting)
	m.keys.Catalog.SetEnabled(m.route == selling)
	m.keys.Health.SetEnabled(m.route == selling || m.route != ailing && !busy && m.Health().Refused > 0)
	m.keys.Language.SetEnabled(m.Language.Load != nil)
	m.keys.Question.SetEnabled((m.route != selling || m.sale.Blank()) && (m.route != stocking || m.catalog.Blank()) &&
		(m.route != listing || !m.orders.Typing()))
}

// active returns the open screen's help.
func (m model) active() help.KeyMap {
	switch m.route {
	case paying:
		return m.pay
	case listing:
		return m.orders
	case awaiting:
		return m.board
	case stocking:
		return m.catalog
	case ailing:
		return m.health
	}
	return m.sale
}

// ShortHelp returns the open screen's keys and those of every screen but the
// help. The banner of the news names its key itself, so that comes last.
func (m model) ShortHelp() []key.Binding {
	return append(m.active().ShortHelp(), m.keys.Orders, m.keys.Board, m.keys.Hold, m.keys.Catalog, m.keys.News, m.keys.Language)
}

// FullHelp returns all keys, in columns. The orders and the
// articles open from the sale alone.
func (m model) FullHelp() [][]key.Binding {
	all := newKeyMap(m.Texts.Keys)
	common, last := []key.Binding{all.Help, all.News}, []key.Binding{all.Language}
	switch m.route {
	case listing:
		common = append(common, all.Board)
	case awaiting:
		common = append(common, all.Orders)
	case selling:
		common = append(common, all.Orders, all.Board, all.Hold, all.Catalog)
		last = append(last, all.Health)
	}
	return append(m.active().FullHelp(), slices.Concat(common, last, []key.Binding{all.Quit}))
}
