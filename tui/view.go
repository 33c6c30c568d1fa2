package tui

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"checkout/till/assets/i18n"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

// chrome is how many rows stand around a screen: the header, the news and the
// keys.
const chrome = 3

// minHead is how many columns the header keeps for where this is, where there
// is more to say than fits.
const minHead = 20

// minWidth and minHeight are the smallest window in which a sale can be
// entered. A payment's outcome is shown in a smaller one, too.
const (
	minWidth  = 20
	minHeight = 6
)

// View draws the console with what the terminal can draw.
func (m model) View() string { return m.Theme.Encode(m.withStatus(m.draw())) }

// draw draws what lies over the screen, or the screen that is open.
func (m model) draw() string {
	switch {
	case m.size.width == 0 || m.size.height == 0:
		return ""
	case m.overlay == quitting:
		return m.question()
	case m.overlay == helping:
		return m.help()
	case m.route == routePay:
		return m.pay.View()
	case m.size.width < minWidth || m.size.height < minHeight:
		return m.place(m.narrow())
	}
	rows := []string{m.header(), m.news(), m.table()[m.route].View(), m.keyLine()}
	return strings.Join(rows, "\n")
}

// header says where this is, and how things stand. Where the window is narrow
// the shop's name gives way, because the cashier knows it.
func (m model) header() string {
	separator, right := m.Theme.Muted.Render(" · "), m.demo(m.light())
	title, rest := m.Theme.Strong.Render("till"), ""
	if m.Till != "" {
		rest += separator + m.Till
	}
	if waiting := len(m.state.Waiting()); waiting > 0 {
		rest += separator + m.Texts.Sale.Waiting.With(waiting)
	}
	if held := m.sale.Held(); held > 0 {
		rest += separator + m.Texts.Held.Count.With(held)
	}
	if m.Shop != "" {
		room := m.size.width - theme.Width(title+separator+rest+" "+right)
		if shop := theme.Truncate(m.Shop, room); theme.Width(shop) >= minShop || shop == m.Shop {
			title += separator + shop
		}
	}
	return theme.Spread(title+rest, right, m.size.width)
}

// minShop is how many columns of a shop's name still say which it is.
const minShop = 5

// demo puts before the light that no money moves, where that is so; in few
// words where the light needs the room.
func (m model) demo(light string) string {
	whole, short := m.Texts.Frame.Mark(m.Customer != nil, m.Test)
	if whole == "" {
		return light
	}
	mark := func(word string) string { return m.Theme.DemoBlock.Render(" "+word+" ") + "  " + light }
	if theme.Width(mark(whole)) <= m.size.width {
		return mark(whole)
	}
	return mark(short)
}

// light says whether payments can be seen. It is true on every screen.
func (m model) light() string {
	words, health := m.Texts.Frame, m.Health()
	switch {
	case m.state.Conditions.StoreDown && health.Shared:
		return m.Theme.DangerBlock.Render(" " + words.CutOff + " ")
	case m.state.Conditions.StoreDown:
		return m.Theme.DangerBlock.Render(" " + words.StoreDown + " ")
	case !health.Listening:
		return m.Theme.DangerBlock.Render(" " + words.NotListening + " ")
	case len(m.alarms()) > 0:
		return m.alarmed(m.size.width - minHead)
	case health.LastEvent.IsZero():
		return m.Theme.Muted.Render("● " + words.Listening)
	}
	return m.Theme.Muted.Render("● " + words.LastEvent.With(i18n.Clock(health.LastEvent.In(m.Zone))))
}

// news announces the oldest outcome that the cashier has not seen.
func (m model) news() string {
	news := m.state.News()
	if len(news) == 0 {
		if health := m.Health(); health.Suspicious() {
			return m.Theme.Danger.Render(theme.Truncate(m.Texts.WhyRefused(health.Cause), m.size.width))
		}
		return m.standing()
	}
	order := news[0]
	verdict, more := m.badge.Dressed(order, m.state.Verdict(order)), ""
	if len(news) > 1 {
		more = " " + m.Texts.Frame.NewsMore.With(len(news)-1)
	}
	shows := m.Theme.Accent.Render(m.keys.News.Help().Key)
	text := m.Texts.Frame.News.With(verdict, i18n.Money(order.Amount), order.Reference, shows) + more
	if theme.Width(text) > m.size.width {
		// The key says more than the number, which the key shows.
		text = m.Texts.Frame.NewsShort.With(verdict, i18n.Money(order.Amount), shows) + more
	}
	return theme.Truncate(text, m.size.width)
}

// standing is what stands while there are no news: what there is to check, and
// beside it the demo's note. While the demo plays by itself, that is said first.
func (m model) standing() string {
	check, note := m.toCheck(), m.note()
	if both := check + "  " + note; check != "" && note != "" && theme.Width(both) <= m.size.width {
		return both
	}
	if m.playing {
		return note
	}
	return cmp.Or(check, note)
}

// toCheck says how many orders a person must look at, where their list is not
// open; blank when there are none.
func (m model) toCheck() string {
	count := m.state.ToCheck()
	if count == 0 || m.route == routeOrders {
		return ""
	}
	many := strconv.Itoa(count)
	if count >= live.MaxDoubtful {
		many = strconv.Itoa(live.MaxDoubtful-1) + "+"
	}
	text := m.Texts.Frame.ToCheck.With(many, m.Theme.Accent.Render(m.keys.Orders.Help().Key))
	return theme.Truncate(text, m.size.width)
}

// keyLine names the keys that do something now, as many as there is room for.
// The help, which names all of them, is always there.
func (m model) keyLine() string {
	separator, last := m.Theme.Muted.Render(" · "), m.key(m.keys.Help)
	line, room := "", m.size.width-theme.Width(last)
	for _, binding := range m.ShortHelp() {
		if !binding.Enabled() {
			continue
		}
		next := m.key(binding) + separator
		if width := theme.Width(next); width <= room {
			line, room = line+next, room-width
		}
	}
	return theme.Truncate(line+last, m.size.width)
}

func (m model) key(binding key.Binding) string {
	help := binding.Help()
	return m.Theme.Accent.Render(m.Texts.KeyNames.Of(help.Key)) + " " + help.Desc
}

// question asks whether to leave while payments are awaited. The answer stays
// in view where the window is too small for all, and an outcome that nobody has
// seen stands above it.
func (m model) question() string {
	words, width := m.Texts.Frame, min(76, m.size.width)
	rows := strings.Split(theme.Wrap(words.QuitWaiting.With(m.awaited()), width), "\n")
	rows = rows[:min(len(rows), m.size.height-1)]
	for i, row := range rows {
		rows[i] = m.Theme.Strong.Render(row)
	}
	if len(rows)+1 < m.size.height {
		rows = append(rows, "")
	}
	if len(m.state.News()) > 0 {
		rows = append([]string{m.news(), ""}, rows...)
	}
	return m.place(append(rows, words.QuitAnswer))
}

// place puts rows into the middle of the window, as many as fit.
func (m model) place(rows []string) string {
	rows = theme.Clip(rows, m.size.width, m.size.height)
	return theme.Center(strings.Join(rows, "\n"), m.size.width, m.size.height)
}
