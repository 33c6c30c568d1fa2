package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/demo"
	"checkout/till/tui/component/motion"
	"checkout/till/tui/counter"
	"checkout/till/tui/sound"
)

// drain handles the counter's facts and effects.
func (m *model) drain() tea.Cmd {
	var cmds []tea.Cmd
	var tunes []sound.Tune
	for {
		effects, facts := m.counter.Drain()
		if len(effects) == 0 && len(facts) == 0 {
			return tea.Batch(append(cmds, m.ring(tunes))...)
		}
		for _, fact := range facts {
			cmds = append(cmds, m.hear(fact), m.update(fact))
			m.Voice.Hear(m.Texts, fact)
			if tune, rings := sound.Of(fact); rings {
				tunes = append(tunes, tune)
			}
		}
		for _, effect := range effects {
			service := m.Service
			cmds = append(cmds, m.Run(func(ctx context.Context) tea.Msg { return performed{effect.Perform(ctx, service)} }))
		}
	}
}

// move begins the animations that the last message caused, and returns a command for the next
// frame.
func (m *model) move() tea.Cmd {
	if !m.Motion {
		return nil
	}
	now := m.Service.Now()
	begins := now
	if m.slow.Load() {
		begins = now.Add(-2 * motion.Length) // The animation is over before it is drawn.
	}
	before := m.taken
	shown := m.counter.Shown()
	m.taken = m.route == routePay && m.counter.Stage() == counter.Showing && (shown.Verdict() == payments.VerdictPaid || shown.Cash.Number != "")
	switch box, coded := m.pay.Code(); {
	case m.taken && !before:
		m.opening = motion.Begin(begins)
	case m.route == routePay && coded:
		m.opensFrom = box
	case !m.taken:
		m.opensFrom = motion.Middle(m.size.Width, m.size.Height)
	}
	m.sale.Total = m.sale.Total.To(int64(cart.Total(m.counter.Cart().Items())), begins)
	if m.moving || !m.opening.Runs(now) && !m.sale.Total.Runs(now) {
		return nil
	}
	m.moving = true
	return motion.Tick()
}

// await returns a command that sends graceEnded when a new outcome begins to accept keys, or nil.
func (m *model) await() tea.Cmd {
	ends, now := m.counter.GraceEnds(), m.Service.Now()
	if ends.Equal(m.graceEnds) || !ends.After(now) {
		return nil
	}
	m.graceEnds = ends
	return tea.Tick(ends.Sub(now), func(time.Time) tea.Msg { return graceEnded{} })
}

func (c Config) ring(tunes []sound.Tune) tea.Cmd {
	if len(tunes) == 0 || c.Sound == nil {
		return nil
	}
	ring, tune := c.Sound, slices.Min(tunes)
	return c.Run(func(ctx context.Context) tea.Msg {
		ring(ctx, tune)
		return nil
	})
}

func (m *model) hear(fact counter.Fact) tea.Cmd {
	switch fact := fact.(type) {
	case counter.Looked:
		m.status.expire()
		return m.update(m.counter.Picture())
	case counter.Refused:
		switch fact.Why {
		case counter.Busy:
			m.status.say(m.Texts.Frame.Sending)
		case counter.NoNews:
			m.status.say(m.Texts.Frame.NoNews)
		}
	case counter.OrderLeft:
		if m.sale.Steps != nil && !fact.Paid {
			m.sale.Steps[demo.Next] = true
		}
	case counter.Quits:
		return tea.Quit
	}
	return m.router.hear(fact)
}

// markSteps marks the suggested steps of the demo that the user has done. hear marks [demo.Next].
func (m *model) markSteps() {
	steps := m.sale.Steps
	if steps == nil {
		return
	}
	shown := m.counter.Stage() == counter.Showing
	steps[demo.Charge] = steps[demo.Charge] || shown && m.counter.Shown().HasCode()
	steps[demo.Paid] = steps[demo.Paid] || shown && m.counter.Shown().Verdict() == payments.VerdictPaid
	steps[demo.Refused] = steps[demo.Refused] || shown && m.counter.Shown().Retrying()
	steps[demo.Cash] = steps[demo.Cash] || m.counter.Shown().Cash.Number != ""
	steps[demo.Check] = steps[demo.Check] || m.route == routeOrders
}
