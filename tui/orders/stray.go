package orders

import (
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/theme"
)

// oldestStray returns the payment that no order has and that waits for a person
// the longest, while the list of what there is to check is shown.
func (m Model) oldestStray() (payments.Record, bool) {
	strays := m.state.Strays()
	if len(strays) == 0 || m.tab != checking {
		return payments.Record{}, false
	}
	return strays[len(strays)-1], true
}

// strayed says, below the list, what came that no order has, in at most half of
// the rows.
func (m Model) strayed() []string {
	stray, found := m.oldestStray()
	if !found || m.detail.shown() {
		return nil
	}
	text := m.Texts.Alarms.Stray.With(paidAmount(stray.Event), strayName(stray), m.moment(stray.ReceivedAt))
	if more := len(m.state.Strays()) - 1; more > 0 {
		text += " " + m.Texts.Frame.NewsMore.With(more)
	}
	rows := strings.Split(theme.Wrap(text, m.size.Width), "\n")
	return rows[:min(len(rows), max(1, m.size.Height/2))]
}

// strayName is what the service calls the order of an event.
func strayName(stray payments.Record) string {
	return payments.Clean(stray.Event.OrderReference, payments.MaxShownWidth)
}

// paidAmount is what an event says was paid, as it says it where that is no
// whole amount of ariary.
func paidAmount(event payments.Event) string {
	shown := event.Amount.Shown()
	if amount, err := payments.ParseAriary(shown); err == nil && event.Amount.Is(amount) {
		return i18n.Money(amount)
	}
	if shown == "" {
		return "—"
	}
	return shown
}
