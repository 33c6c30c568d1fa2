package tui

import (
	"context"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/tui/board"
	"checkout/till/tui/component/motion"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/orders"
	"checkout/till/tui/pay"
	"checkout/till/tui/today"
)

// Update handles a message. Keys go to the open screen, other messages to every screen.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	handled := m.handle(msg)
	settled := m.settle() // The counter's facts go to the screens, and may open another screen.
	if m.filter.Waiting() {
		handled = tea.Batch(handled, m.filtered(time.Time{}))
	}
	m.pay = m.pay.Sync() // The counter may show another order now.
	m.keys.Question.SetEnabled(!m.table()[m.route].Meaning().Typing)
	m.fit() // The sizes of the screens depend on the open one and on the rows above it.
	m.pay.Banners = m.besides()
	m.try()
	return m, tea.Batch(handled, settled, m.move())
}

func (m *model) handle(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handle(keyboard.Stroke{Key: msg, At: m.Service.Now()})
	case keyboard.Stroke:
		m.stopScript() // A person has pressed a key, so the script stops.
		m.playing = false
		return m.press(msg)
	case keyboard.Colours:
		m.Theme.Adapt(msg.Background, msg.Text)
	case played:
		if m.playing {
			return m.press(keyboard.Stroke{Key: msg.key, At: m.Service.Now()})
		}
	case scriptEnded:
		m.playing = false
	case tea.WindowSizeMsg:
		m.size = screen.SizeOf(msg)
	case began:
		m.counter.Begin()
	case changed:
		m.counter.Wake()
	case keyboard.Quiet:
		return m.quieted()
	case performed:
		m.counter.Take(msg.effect)
	case ticked:
		m.counter.Tick()
		return tick()
	case motion.Ticked:
		m.moving = false
	case pay.StoryWanted:
		entered := m.enter(routeOrders)
		m.orders, cmd = m.orders.Open(msg.Reference)
		return tea.Batch(entered, cmd)
	case live.Closed:
		return m.closed()
	case live.ArticlesChanged:
		m.counter.ArticlesChanged()
		return m.screens.update(msg)
	case live.LinesWanted:
		m.counter.TakeBack(msg.Order)
	case board.Chosen:
		m.counter.Show(msg.Order)
	case orders.CodeWanted:
		m.counter.ShowAgain(msg.Order)
	case today.CheckWanted:
		return m.enter(routeOrders)
	default:
		return m.screens.update(msg)
	}
	return cmd
}

func (m *model) act(msg tea.KeyMsg) tea.Cmd {
	msg.Paste = msg.Paste || len(msg.Runes) > 1 // Several characters are text, even if they spell a key such as "up".
	switch {
	case key.Matches(msg, m.keys.Language):
		return m.nextLanguage()
	case m.quitting():
		switch answers := screen.NewAnswers(); {
		case key.Matches(msg, answers.Yes, m.keys.Quit):
			m.counter.Yes()
		case key.Matches(msg, answers.No):
			m.counter.No()
		}
		return nil
	case key.Matches(msg, m.keys.Quit):
		m.counter.Quit()
		return nil
	case m.helping:
		var turned bool
		if m.helped, turned = m.helped.Update(msg); !turned {
			m.helping = false
			m.counter.Reappear() // Start the grace period again: the help may have covered a new outcome.
		}
		return nil
	case key.Matches(msg, m.keys.Help), key.Matches(msg, m.keys.Question) && !msg.Paste:
		m.helping = true
		m.helped = pager.Pager{}
		return nil
	}
	if cmd, taken := m.function(msg); taken {
		return cmd
	}
	if m.route == routePay && m.pay.Serves(msg) {
		left := m.table()[m.from].Update(live.Exited{})
		m.counter.SetAside()
		m.route = routeSale
		return tea.Batch(left, m.table()[m.route].Update(msg))
	}
	return m.table()[m.route].Update(msg)
}

// function handles the function keys, which work on any screen. taken reports whether msg is such a
// key. If the key has no effect now, function shows the reason.
func (m *model) function(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	switch {
	case key.Matches(msg, m.keys.News):
		m.counter.ShowNews()
	case key.Matches(msg, m.keys.Hold) && m.counter.Stage() == counter.Sending:
		m.say(m.Texts.Frame.Sending)
	case key.Matches(msg, m.keys.Hold):
		m.counter.SetAside()
		cmd = m.enter(routeSale)
		m.sale = m.sale.Hold()
	default:
		return m.toggle(msg)
	}
	return cmd, true
}

// toggle opens the screen of a function key, or closes that screen if it is open. taken reports
// whether msg is such a key. An order that was on the payment screen stays shown there.
func (m *model) toggle(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	for at, binding := range m.keys.Opens {
		to := route(at)
		switch {
		case !key.Matches(msg, binding):
			continue
		case m.route == to:
			return m.closed(), true
		}
		cmd = m.enter(to)
		if code := m.sale.UnknownCode(); to == routeCatalog && code != "" {
			m.catalog = m.catalog.AddCode(code)
		}
		return cmd, true
	}
	return nil, false
}

func (m *model) enter(to route) tea.Cmd {
	screens, from := m.table(), m.route
	m.route = to
	if to == routePay {
		m.counter.Reappear() // Start the grace period again: another screen may have covered a new outcome.
	}
	return tea.Batch(screens[from].Update(live.Exited{}), screens[to].Update(live.Entered{}))
}

// closed closes the open screen. It goes to the payment screen while an order is shown or an order
// call runs, else to the sale.
func (m *model) closed() tea.Cmd {
	if m.counter.Stage() != counter.Selling {
		return m.enter(routePay)
	}
	return m.enter(routeSale)
}

func (m *model) quitting() bool { return m.counter.Asking() == counter.AskQuit }

// covered reports whether the help or a question of the console covers the screen.
func (m *model) covered() bool { return m.helping || m.quitting() }

// nextTexts returns the code of the language that the language key switches to.
func (m *model) nextTexts() string {
	all := i18n.Languages()
	return all[(slices.Index(all, m.Texts.Language)+1)%len(all)]
}

// nextLanguage switches to the next language and stores the choice for the next start.
// Typed text, an open question and the shown order stay.
func (m *model) nextLanguage() tea.Cmd {
	next := m.nextTexts()
	texts := i18n.Load(next)
	m.Texts, m.keys = texts, newKeyMap(texts)
	for _, screen := range m.table() {
		screen.SetTexts(texts)
	}
	keep := m.KeepLanguage
	if keep == nil {
		return nil
	}
	return m.Run(func(context.Context) tea.Msg {
		_ = keep(next) // On an error the next start chooses the language as before.
		return nil
	})
}
