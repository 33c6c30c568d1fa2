package tui

import (
	"context"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/board"
	"checkout/till/tui/component/pager"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/orders"
	"checkout/till/tui/pay"
	"checkout/till/tui/sale"
	"checkout/till/tui/today"
)

// Update handles a message: keys go to the open screen, all else to every one.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.handle(msg)
	m.keys.Question.SetEnabled(!m.table()[m.route].Typing())
	m.fit()
	m.pay.Banners = m.besides()
	return m, cmd
}

func (m *model) handle(msg tea.Msg) (cmd tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handle(keyboard.Stroke{Key: msg, At: m.Service.Now()})
	case keyboard.Stroke:
		m.stopScript() // A person takes over.
		m.playing = false
		return m.press(msg.Key, msg.At)
	case played:
		if m.playing {
			return m.press(msg.key, m.Service.Now())
		}
	case scriptEnded:
		m.playing = false
	case tea.WindowSizeMsg:
		m.size = screen.SizeOf(msg)
	case changed:
		return m.fetch()
	case quiet:
		return m.quieted()
	case mended:
		m.sale, cmd = m.sale.Charged(msg.charged)
		return tea.Batch(cmd, m.fetch())
	case live.Loaded[live.State]:
		return m.loaded(msg)
	case ticked:
		cmds := []tea.Cmd{tick(), m.show(m.state, false)}
		if m.failing {
			cmds = append(cmds, m.fetch())
		}
		return tea.Batch(cmds...)
	case sale.ChargeRequested:
		return m.charge(msg)
	case pay.Accepted:
		m.sale, cmd = m.sale.Accepted(msg.Terms)
	case pay.Declined:
		m.sale, cmd = m.sale.GiveBack(msg.Terms, false)
	case pay.Dismissed:
		return m.dismissed(msg)
	case pay.StoryWanted:
		entered := m.enter(routeOrders)
		m.orders, cmd = m.orders.Open(msg.Reference)
		return tea.Batch(entered, cmd)
	case live.Closed:
		return m.closed()
	case board.Chosen:
		return m.open(msg.Order)
	case today.DayClosed:
		m.sale = m.sale.Warn(msg.Says)
	case today.CheckWanted:
		return m.enter(routeOrders)
	case live.LinesWanted:
		joins := m.scannedAt != "" && m.scannedAt == msg.Terms.Sale
		m.leavePayment()
		entered := m.enter(routeSale)
		if joins {
			m.sale, cmd = m.sale.Join(msg.Terms)
		} else {
			m.sale, cmd = m.sale.GiveBack(msg.Terms, true)
		}
		return tea.Batch(entered, cmd)
	case orders.CodeWanted:
		cmd = m.open(msg.Order)
		m.pay = m.pay.Again()
	default:
		return m.screens.update(msg)
	}
	return cmd
}

// act handles a key: one that works everywhere, or one of what is open.
func (m *model) act(msg tea.KeyMsg) tea.Cmd {
	msg.Paste = msg.Paste || len(msg.Runes) > 1 // It is text, be it the name of a key such as "up".
	switch {
	case key.Matches(msg, m.keys.Language):
		return m.nextLanguage()
	case key.Matches(msg, m.keys.Quit):
		if m.overlay == quitting || m.awaited() == 0 {
			return tea.Quit
		}
		m.overlay = quitting
		return nil
	case m.overlay == quitting:
		switch answers := screen.NewAnswers(); {
		case key.Matches(msg, answers.Yes):
			return tea.Quit
		case key.Matches(msg, answers.No):
			m.overlay = noOverlay
		}
		return nil
	case m.overlay == helping:
		var turned bool
		if m.helped, turned = m.helped.Update(msg); !turned {
			m.overlay = noOverlay
			m.pay, _ = m.pay.Update(live.Entered{}) // An outcome may have come under the help.
		}
		return nil
	case key.Matches(msg, m.keys.Help), key.Matches(msg, m.keys.Question) && !msg.Paste:
		m.overlay, m.helped = helping, pager.Pager{}
		return nil
	}
	if cmd, taken := m.function(msg); taken {
		return cmd
	}
	if m.route == routePay && m.pay.Serves(msg) {
		left := m.table()[m.from].Update(live.Exited{})
		m.leavePayment()
		m.route = routeSale
		return tea.Batch(left, m.table()[m.route].Update(msg))
	}
	return m.table()[m.route].Update(msg)
}

// leavePayment forgets the payment that is shown, and the code that gave way to it.
func (m *model) leavePayment() {
	m.pay = m.pay.Clear()
	m.parked = ""
	m.scannedAt = ""
}

// function takes the keys that lead to another screen, from any screen. One that
// can do nothing now says why not.
func (m *model) function(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	news, hold := key.Matches(msg, m.keys.News), key.Matches(msg, m.keys.Hold)
	switch orders := m.state.News(); {
	case (news || hold) && m.pay.Sending():
		m.say(m.Texts.Frame.Sending)
	case news && len(orders) == 0:
		m.say(m.Texts.Frame.NoNews)
	case news:
		if code := m.pay.Order(); m.route == routePay && code.Live(m.state.Now) {
			m.parked = code.Reference
		}
		cmd = m.open(orders[0])
	case hold:
		m.leavePayment()
		cmd = m.enter(routeSale)
		m.sale = m.sale.Hold()
	default:
		return m.toggle(msg)
	}
	return cmd, true
}

// toggle opens the screen of a key, or closes it when it is open. An order on the
// payment's screen waits meanwhile.
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
	return tea.Batch(screens[from].Update(live.Exited{}), screens[to].Update(live.Entered{}))
}

// closed goes back from a screen: to the payment that is not done, or to the sale.
func (m *model) closed() tea.Cmd {
	if m.pay.Shows() {
		return m.enter(routePay)
	}
	return m.enter(routeSale)
}

// awaited is how many payments may still come. One that is being made, or was a
// moment ago, is on its own screen before it waits in the picture; one that was
// given up is in no picture.
func (m *model) awaited() int {
	awaited, others := m.state.Awaited(), m.givenUp
	if m.route == routePay && !m.pay.Sending() {
		others = append(slices.Clip(others), m.pay.Order())
	}
	for _, order := range others {
		listed := slices.ContainsFunc(awaited, func(o payments.Order) bool { return o.Reference == order.Reference })
		if order.Payable(m.state.Now) && !listed {
			awaited = append(awaited, order)
		}
	}
	return len(awaited) + m.pay.UnderWay()
}

// charge makes an order of the sale, and shows it. While no payment would be
// seen none is asked for.
func (m *model) charge(msg sale.ChargeRequested) tea.Cmd {
	var told, cmd tea.Cmd
	m.sale, told = m.sale.Update(msg)
	if reach := m.reach(); reach.Blind() {
		m.sale = m.sale.Warn(func(t i18n.Texts) string { return t.Charging[reach] })
		return told
	}
	m.leavePayment()
	m.route = routePay
	m.from = routeSale
	m.pay, cmd = m.pay.Charge(msg.Terms)
	return tea.Batch(told, cmd)
}

// dismissed goes back to where a payment was opened from. An outcome that was
// acknowledged is no news any more, at once; what may have happened since is
// read.
func (m *model) dismissed(msg pay.Dismissed) tea.Cmd {
	if m.from == routeBoard && msg.Seen.Paid() {
		m.from = routeSale // Its key promises the next sale.
	}
	// The cashier may have opened another screen or another order meanwhile.
	if seen := msg.Seen.Reference; seen == "" || seen == m.pay.Order().Reference {
		if m.route == routePay {
			m.route = m.from
		}
		m.pay = m.pay.Clear()
		m.scannedAt = ""
	}
	var charged, read, opened tea.Cmd
	if msg.UnderWay != nil {
		m.sale, charged = m.sale.Accepted(*msg.UnderWay)
	}
	if msg.Seen.Reference != "" {
		m.state = m.state.Put(msg.Seen)
		m.givenUp = append(m.givenUp, msg.Seen)
		m.loader.Drop() // It may be reading what is older.
		read = m.fetch()
	}
	code, found := m.state.Find(m.parked)
	m.parked = ""
	switch {
	case !found || !code.Live(m.state.Now) || m.pay.Shows():
	case m.route == m.from:
		opened = m.open(code)
	default:
		m.pay, opened = m.pay.Open(code)
	}
	return tea.Batch(charged, read, opened)
}

// open shows an order's payment. One payment opened from another leads back to
// where the first was opened from.
func (m *model) open(order payments.Order) (cmd tea.Cmd) {
	if m.route != routePay {
		m.from = m.route
	}
	m.route = routePay
	m.pay, cmd = m.pay.Open(order)
	return cmd
}

// nextLanguage changes to the next language, and keeps the choice for the next
// start. Whatever is on the screen stays there: a text that is typed, a question,
// an order. Texts that cannot be loaded change nothing.
func (m *model) nextLanguage() tea.Cmd {
	all := i18n.Languages()
	next := all[(slices.Index(all, m.Texts.Language)+1)%len(all)]
	texts, err := i18n.Load(assets.Files, next)
	if err != nil {
		return nil
	}
	m.Texts, m.keys = texts, newKeyMap(texts)
	for _, screen := range m.table() {
		screen.SetTexts(texts)
	}
	keep := m.KeepLanguage
	if keep == nil {
		return nil
	}
	return m.Run(func(context.Context) tea.Msg {
		_ = keep(next) // The next start then asks the locale, as before.
		return nil
	})
}
