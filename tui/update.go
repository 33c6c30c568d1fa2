package tui

import (
	"context"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/motion"
	"checkout/till/tui/component/question"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/live"
	"checkout/till/tui/sale"
	"checkout/till/tui/wording"
)

// Init starts the ticks, prepares the terminal, and sends began, so that the console reads the
// saved state.
func (m model) Init() tea.Cmd {
	begin := func() tea.Msg { return began{} }
	return tea.Batch(keyboard.Prepare(m.Output, m.Theme.Adapts()), begin, tick())
}

func tick() tea.Cmd {
	return tea.Every(time.Second, func(at time.Time) tea.Msg { return ticked(at) })
}

// Update handles a message. A message that the console does not handle itself goes on: a key to the
// open screen, any other message to every screen.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	handled := m.handle(msg)
	drained := m.drain() // Facts may open another screen.
	if m.filter.Waiting() {
		handled = tea.Batch(handled, m.filtered(time.Time{}))
	}
	*m.pay = m.pay.Sync() // The counter may show another order now.
	m.fit()               // The sizes depend on the open screen, and on the rows above it.
	m.pay.Banners = m.besides()
	m.markSteps()
	return m, tea.Batch(handled, drained, m.move(), m.await())
}

func (m *model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.handle(keyboard.Stroke{Key: msg, At: m.Service.Now()})
	case keyboard.Stroke:
		m.stopScript() // A person has pressed a key.
		m.playing = false
		return m.press(msg)
	case keyboard.Colours:
		m.Theme.Adapt(msg.Background, msg.Text)
		if time.Since(m.started) > patience {
			m.slow.Store(true)
		}
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
	case question.Answered:
		m.signedIn(msg)
		return m.update(msg)
	case changed:
		m.counter.Wake()
	case keyboard.Quiet:
		return m.quieted()
	case performed:
		m.counter.Take(msg.effect)
		m.keys.SignIn.SetEnabled(m.counter.Picture().Staffed)
	case ticked:
		m.counter.Tick()
		return tick()
	case graceEnded: // Only View changes: it now draws the keys of the outcome.
	case motion.Ticked:
		m.moving = false
	case live.OrderWanted:
		return tea.Batch(m.enter(routeOrders), m.open().Update(msg))
	case live.NumberTyped:
		return m.lookUp(msg.Number)
	case found:
		return m.found(msg)
	case live.Closed:
		if msg.Key == m.all[m.route].opens {
			return m.closed()
		}
	case live.ArticlesChanged:
		m.counter.ArticlesChanged()
		return m.update(msg)
	case live.LinesWanted:
		m.counter.PutBack(msg.Order)
	case live.Chosen:
		m.counter.Show(msg.Order)
		return m.all[routePay].screen.Update(msg.Key)
	case live.CodeWanted:
		m.counter.ShowAgain(msg.Order)
	default:
		return m.update(msg)
	}
	return nil
}

func (m *model) act(msg tea.KeyMsg) (cmd tea.Cmd) {
	msg.Paste = msg.Paste || len(msg.Runes) > 1 // Without Paste, the typed text "up" would match the key ↑.
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
	case m.help.open:
		var turned bool
		if m.help.pager, turned = m.help.pager.Update(msg); !turned {
			m.help.open = false
			m.counter.Reappear() // Start the grace period again: the help may have covered a new outcome.
		}
		return nil
	case key.Matches(msg, m.keys.Help), key.Matches(msg, m.keys.Question) && !m.meaning().Typing:
		m.help = help{open: true}
		return nil
	}
	if m.shift.Open() {
		if m.shift, cmd = m.shift.Press(m.Console, msg); !m.shift.Open() {
			m.counter.Reappear()
		}
		return cmd
	}
	if cmd, taken := m.function(msg); taken {
		return cmd
	}
	if m.route == routePay && m.sale.IsFavourite(msg) {
		return m.favoured(msg)
	}
	if m.route == routePay && m.pay.Serves(msg) {
		m.counter.TypeNext()
		return m.serve(msg)
	}
	return m.open().Update(msg)
}

// function handles the keys for the news, for signing in, for holding a sale, and for the screens.
// taken reports whether msg is such a key.
func (m *model) function(msg tea.KeyMsg) (cmd tea.Cmd, taken bool) {
	switch {
	case key.Matches(msg, m.keys.News):
		m.counter.ShowNews()
	case key.Matches(msg, m.keys.SignIn):
		m.shift, cmd = askSeller(m.Console)
	case slices.Contains(m.keys.SignIn.Keys(), msg.String()) && m.counter.ReachNow() != payments.ReachStoreDown:
		m.status.say(m.Texts.Frame.NoCashiers)
	case key.Matches(msg, m.keys.Hold) && m.counter.Stage() == counter.Sending:
		m.status.say(m.Texts.Frame.Sending)
	case key.Matches(msg, m.keys.Hold):
		m.counter.SetAside()
		cmd = m.enter(routeSale)
		*m.sale = m.sale.Hold()
	default:
		return m.toggle(msg, m.keys.Opens)
	}
	return cmd, true
}

// nextLanguage switches to the next language and stores the choice for the next start.
func (m *model) nextLanguage() tea.Cmd {
	next := m.Texts.NextLanguage()
	texts := i18n.Load(next)
	m.Texts, m.keys = texts, newKeyMap(texts, m.screens)
	m.keys.SignIn.SetEnabled(m.counter.Picture().Staffed)
	m.setTexts(texts)
	m.counter.Words = wording.Recorded(texts)
	keep := m.KeepLanguage
	if keep == nil {
		return nil
	}
	return m.Run(func(context.Context) tea.Msg {
		_ = keep(next) // If it fails, the next start chooses the language as before.
		return nil
	})
}

func (m *model) press(stroke keyboard.Stroke) tea.Cmd {
	m.filter.Press(stroke)
	return m.filtered(stroke.At)
}

// quieted handles the message [keyboard.Quiet]: the keys that the filter has held back count now. If
// the reader still has keys that it has not sent to the program, quieted waits again.
func (m *model) quieted() tea.Cmd {
	if m.keyboard.Waiting() {
		return keyboard.Wait(keyboard.Again)
	}
	return m.filtered(m.Service.Now())
}

// filtered handles the keys and scans that the filter returns now. After each one, it handles the
// counter's facts, which may change what the next key means.
func (m *model) filtered(now time.Time) tea.Cmd {
	var cmds []tea.Cmd
	for {
		next := m.filter.Next(m.meaning(), m.knows, now)
		if next == nil {
			return tea.Batch(append(cmds, keyboard.Wait(m.filter.Wait()))...)
		}
		m.status.clear()
		m.lookedUp = ""
		switch next := next.(type) {
		case tea.KeyMsg:
			cmds = append(cmds, m.act(next))
		case keyboard.Scan:
			cmds = append(cmds, m.scanned(next))
		}
		cmds = append(cmds, m.drain())
	}
}

// scanned handles a scan. During an order call no article is added, because it may belong to this
// sale or to the next one.
func (m *model) scanned(scan keyboard.Scan) tea.Cmd {
	var cmd tea.Cmd
	switch {
	case m.shift.Open():
		m.shift = m.shift.Untype(scan.Typed)
		scan.Typed = "" // The sale screen did not get these keys.
	case !m.covered():
		cmd = m.open().Update(scan)
	}
	switch {
	case m.meaning().Codes:
		return cmd
	case m.route != routeSale && m.route != routePay:
		scan.Typed = "" // The sale screen did not get these keys.
	}
	if number, is := saleNumber(m.counter.Shelf(), scan.Code); is {
		*m.sale = m.sale.Interrupt(scan.Typed)
		return tea.Batch(cmd, m.lookUp(number))
	}
	if m.counter.Stage() == counter.Sending {
		m.status.say(m.Texts.Sale.ScanLater)
		return cmd
	}
	return tea.Batch(cmd, m.sold(m.sale.Scan(scan, m.route == routePay)))
}

// favoured adds the article of a favourite's key on the payment screen.
func (m *model) favoured(msg tea.KeyMsg) tea.Cmd {
	if m.counter.Stage() == counter.Sending {
		m.status.say(m.Texts.Sale.ScanLater)
		return nil
	}
	return m.sold(m.sale.FavouriteForNext(msg))
}

// sold replaces the sale screen by its state after a scan or a favourite's key, and shows the given
// message. If the sale screen begins to ask for a weight or measure, sold opens it, unless another
// question is open.
func (m *model) sold(after sale.Model, says string) tea.Cmd {
	asked := m.sale.Weighs()
	*m.sale = after
	if m.sale.Weighs() && !asked && m.route != routeSale && !m.covered() && m.meaning().Asked == "" {
		m.counter.SetAside()
		return m.enter(routeSale)
	}
	if m.route == routePay && m.counter.Shown().NextBegun && m.sale.UnknownCode() == "" && m.counter.Shown().Order.Live(m.counter.Picture().Now) {
		says += " " + m.Texts.Sale.TakesBack
	}
	if m.route != routeSale || m.covered() { // Otherwise the sale screen shows the text.
		m.status.say(says)
	}
	return nil
}
