package tui

import (
	"slices"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/header"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
)

// news are the outcomes that the cashier has not seen, in the order of [counter.Picture.News],
// except the one on the payment screen.
type news struct {
	live.Console
	picture counter.Picture
	orders  []payments.Order
	missed  []string // References of orders that were paid while the till was off.
	key     string   // Name of the key that shows the first outcome.
	asked   string   // The sale that the open question is about, or "".
}

func (m model) news() news {
	orders := slices.DeleteFunc(m.counter.Picture().News(), func(o payments.Order) bool {
		return m.route == routePay && o.Reference == m.counter.Shown().Order.Reference
	})
	n := news{Console: m.Console, picture: m.counter.Picture(), orders: orders, missed: m.Health().Relay.Missed, key: m.keys.News.Help().Key}
	if question := m.counter.Question(); question != nil {
		n.asked = question.Terms.Sale
	}
	return n
}

func (n news) none() bool { return len(n.orders) == 0 }

// more returns a text with the number of other outcomes, or "".
func (n news) more(others int) string {
	if others <= 0 {
		return ""
	}
	return " " + n.Texts.Frame.NewsMore.With(others)
}

// rows returns a row about the first outcome, if there is one, for the payment screen. If over is
// true, that screen may show another order's verdict in colour, so the row has no coloured ground.
func (n news) rows(over bool) []string {
	if n.none() {
		return nil
	}
	order, more := n.orders[0], n.more(len(n.orders)-1)
	look := badge.Of(n.Texts, order, n.picture.Verdict(order))
	amount := " " + i18n.Money(order.Amount)
	whose := n.Texts.Alarms.Other
	if n.asked != "" && order.Sale == n.asked {
		whose = n.Texts.Alarms.Same
	}
	if over {
		return []string{n.Theme.Strong.Render(whose.With(look.Word()+amount)) + " · " + n.Theme.Accent.Render(n.key) + more}
	}
	_, ground := look.Kind.Styles(n.Theme)
	before, after, _ := strings.Cut(whose.With("\x00"), "\x00")
	bar := n.Theme.Header.Render
	return []string{bar(" "+before) + ground.Render(look.Word()) + bar(amount+after+" · ") + n.Theme.HeaderStrong.Render(n.key+" ") + more}
}

// banner returns the banner about the orders that were paid while the till was off, or else about
// the first outcome. There must be an outcome.
func (n news) banner() header.Banner {
	order := n.orders[0]
	look := badge.Of(n.Texts, order, n.picture.Verdict(order))
	_, ground := look.Kind.Styles(n.Theme)
	word, _, _ := strings.Cut(look.Word(), ":")
	banner := header.Banner{
		Ground: ground, Word: strings.TrimSpace(word), Whole: look.Word() + n.more(len(n.orders)-1), Amount: i18n.Money(order.Amount),
		About: order.Description, Reference: order.Reference,
		Key: n.key, Does: n.Texts.Bar.News,
	}
	missed := slices.DeleteFunc(slices.Clone(n.orders), func(order payments.Order) bool {
		return n.picture.Verdict(order) != payments.VerdictPaid || !slices.Contains(n.missed, order.Reference)
	})
	if len(missed) > 0 {
		var sum money.Ariary
		for _, order := range missed {
			sum += order.Amount
		}
		banner.Word = n.Texts.Relay.MissedWord.With(len(missed))
		banner.Whole = banner.Word + n.more(len(n.orders)-len(missed))
		banner.Amount = i18n.Money(sum)
		banner.About = n.Texts.Relay.MissedWhile
		banner.Reference = ""
	}
	return banner
}
