// Package customer draws what the customer sees, on a separate screen or on the cashier's screen
// when it is turned around. A QR code that does not fit is replaced by its link.
package customer

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/outcome"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/theme"
)

// Kind is a kind of view. For an outcome, it is the [payments.Verdict].
type Kind string

// The kinds of views. Paid, Unpaid, Check and Unknown are outcomes.
const (
	Idle    Kind = "idle"   // The shop's name, between two customers.
	Basket  Kind = "basket" // The lines of the sale as they are added.
	Wait    Kind = "wait"   // The service is creating the order.
	Code    Kind = "code"   // The QR code of the link.
	Paid         = Kind(payments.VerdictPaid)
	Unpaid       = Kind(payments.VerdictNotPaid)
	Check        = Kind(payments.VerdictCheck) // The cashier must check the payment.
	Unknown      = Kind(payments.VerdictUnknown)
	Ask     Kind = "ask" // Tells the customer to ask the cashier.
)

// Badge returns the badge of an outcome, or false for any other kind.
func (k Kind) Badge(texts i18n.Texts) (look badge.Badge, is bool) {
	is = k == Paid || k == Unpaid || k == Check || k == Unknown
	return badge.Of(texts, payments.Order{}, payments.Verdict(k)), is
}

// View is the content of a customer's screen.
type View struct {
	Kind Kind
	// Shop may be blank. Mark is a warning that no real money moves, or blank.
	Shop, Mark, Clock string
	Order             payments.Order // Order of the view. A basket has no reference and no link yet.
	Remaining         time.Duration
	Retry             bool // The payment failed and the customer can try again.
	Code              qr.Model
	Below             int    // Rows below the code that Draw leaves blank for its caller.
	PaidAt            string // Time of the payment; may be blank.
	Back              string // Styled hint for the key that turns the screen back; may be blank.
}

// SumLabel returns the label of a basket's amount.
func (v View) SumLabel(texts i18n.Texts) string {
	if v.Order.RestOf != "" {
		return texts.Cash.RestOf.With(i18n.Money(v.Order.Total))
	}
	return texts.Sale.Total
}

const minBars = 12 // Minimum height of a view with a header and a footer, in rows.

type painter struct {
	View
	theme         theme.Theme
	texts         i18n.Texts
	width, height int
}

// Draw returns the view in exactly width columns and height rows.
func (v View) Draw(styles theme.Theme, texts i18n.Texts, width, height int) string {
	p := painter{v, styles, texts, width, height}
	if look, is := v.Kind.Badge(texts); is {
		return p.outcome(look).Draw(styles, width, height)
	}
	var rows []string
	switch {
	case height >= minBars:
		p.height -= 2
		rows = []string{p.header(), p.body(), p.footer()}
	case v.Mark != "" && height > 1:
		p.height--
		rows = []string{theme.Center(p.mark(), width, 1), p.body()}
	default:
		rows = []string{p.body()}
	}
	return strings.Join(theme.Clip(strings.Split(strings.Join(rows, "\n"), "\n"), width, height), "\n")
}

func (p painter) mark() string {
	if p.Mark == "" {
		return ""
	}
	return p.theme.DemoBlock.Render(" " + p.Mark + " ")
}

func (p painter) header() string {
	bar := p.theme.Header
	right := p.theme.HeaderStrong.Render(p.Clock + "  ")
	if p.Mark != "" {
		right = p.mark() + bar.Render("   ") + right
	}
	room := p.width - theme.Width(right)
	left := p.theme.HeaderStrong.Render(theme.Truncate("  "+p.Shop, room))
	return theme.Truncate(left+bar.Render(theme.AlignLeft("", room-theme.Width(left)))+right, p.width)
}

func (p painter) footer() string {
	words := p.texts.Customer
	text := map[Kind]string{Idle: words.All, Basket: words.Entering, Code: words.Outcome}[p.Kind]
	room := p.width - theme.Width(p.Back)
	if theme.Width(text) > room {
		text = ""
	}
	before := max(0, min((p.width-theme.Width(text))/2, room-theme.Width(text)))
	return p.theme.Header.Render(theme.AlignLeft(theme.AlignLeft("", before)+text, room)) + p.Back
}

func (p painter) body() string {
	switch p.Kind {
	case Idle:
		return p.middle(p.welcome())
	case Basket:
		return p.middle(p.basket())
	case Wait:
		return p.middle(append(p.total(), "", p.theme.Strong.Render(p.texts.Customer.Moment)))
	case Code:
		return p.code()
	}
	return p.middle(theme.Paragraph(p.theme.Strong, p.texts.Customer.Ask, p.width, 0))
}

func (p painter) middle(rows []string) string {
	return theme.Center(strings.Join(theme.Clip(rows, p.width, p.height), "\n"), p.width, p.height)
}

// welcome draws the shop's name and a welcome text. The name, or else one word of it, is in large
// letters if they fit.
func (p painter) welcome() []string {
	rows := p.name()
	texts := []string{p.texts.Customer.Welcome}
	if rows == nil {
		texts = append([]string{p.theme.Strong.Render(p.Shop)}, texts...)
		for name := range strings.FieldsSeq(p.Shop) {
			if large := figures.Fit(p.theme, name, p.width-4, p.height*2/5); len(large)/figures.Large >= len(rows)/figures.Large {
				rows = large
			}
		}
	}
	rows = theme.Dress(p.theme.Accent, rows)
	for _, text := range texts {
		if len(rows) > 0 {
			rows = append(rows, make([]string, min(2, p.height/14))...)
		}
		if text != "" {
			rows = append(rows, text)
		}
	}
	return rows
}

// name draws the shop's whole name in the largest letters that fit, in one row or with one word in
// each row. It returns nil if neither fits.
func (p painter) name() []string {
	var large []string
	for _, names := range [][]string{{p.Shop}, strings.Fields(p.Shop)} {
		if len(names) == 0 {
			return nil
		}
		high := p.height * 3 / 4 / len(names)
		for _, name := range names {
			high = min(high, len(figures.Fit(p.theme, name, p.width-4, high)))
		}
		factor := high / figures.Large
		if factor <= len(large)/figures.Large/len(names) {
			continue
		}
		large = nil
		for i, name := range names {
			if i > 0 {
				large = append(large, "")
			}
			rows := figures.Draw(p.theme, name, factor*figures.Large)
			large = append(large, strings.Split(theme.Center(strings.Join(rows, "\n"), p.width-4, len(rows)), "\n")...)
		}
	}
	return large
}

func (p painter) total() []string {
	amount := i18n.Money(p.Order.Amount)
	if rows := figures.Fit(p.theme, amount, p.width-2, p.height/4); rows != nil {
		return theme.Dress(p.theme.Strong, rows)
	}
	return []string{p.texts.Pay.Total + "  " + p.theme.Strong.Render(amount)}
}

// code draws the QR code and the steps to pay. If the code does not fit, it draws the link.
func (p painter) code() string {
	place := scan.Put(p.Code, p.width, p.height, p.Below)
	prompt := p.texts.Pay.Scan
	if p.Retry {
		prompt = p.texts.Customer.Retry
	}
	if !place.Fits() {
		link := p.Order.Link
		left := countdown.Countdown{Remaining: p.Remaining, Whole: link.ExpiresAt.Sub(p.Order.CreatedAt), Theme: p.theme, Texts: p.texts}
		rows := append(p.total(), p.theme.Strong.Render(prompt), left.Line(min(p.width, maxBasket)))
		return p.middle(append(rows, theme.Paragraph(p.theme.Text, link.URL, p.width, 0)...))
	}

	const maxLine = 48 // Maximum width of a line of the sale next to the code.
	says, items := p.texts.Customer, p.Order.Items
	if most := max(3, p.height/6); len(items) > most {
		items = items[:most-1]
	}
	about := []string{""}
	for _, item := range items {
		about = append(about, p.line(item, p.theme.Text, min(place.Words, maxLine)))
	}
	if hidden := len(p.Order.Items) - len(items); hidden > 0 {
		about = append(about, p.theme.Muted.Render(says.More.With(hidden)))
	}
	due := scan.ToPay(p.texts, p.Order.Amount, about)
	if p.Retry {
		due.Alert = scan.Alert{Style: p.theme.WarningBlock, Texts: []string{prompt}}.Rows(place.Words)
		due.Rows = nil
		due.Least = about
	}
	if link, err := url.Parse(p.Order.Link.URL); err == nil {
		due.Least = append(due.Least, p.theme.Muted.Render(theme.Truncate(p.texts.Pay.LinkOn.With(link.Host), place.Words)))
	}
	return place.Draw(p.theme, scan.Words{Blocks: []scan.Block{
		due,
		{Label: p.texts.Pay.Scan, Rows: scan.Steps(p.theme, place.Words, says.Steps[:]...)},
		scan.TimeLeft(p.theme, p.texts, p.Order, p.Remaining, nil),
	}})
}

func (p painter) outcome(look badge.Badge) outcome.View {
	shown := outcome.View{Badge: look, Amount: i18n.Money(p.Order.Amount), Says: p.texts.Customer.Ask, News: p.mark()}
	if p.Kind != Paid {
		return shown
	}
	shown.About = p.texts.Customer.Thanks
	shown.Says = ""
	shown.Advice = []string{p.Shop}
	facts := slices.DeleteFunc([]string{p.Order.Reference, p.PaidAt}, func(fact string) bool { return fact == "" })
	shown.Facts = strings.Join(facts, " · ")
	return shown
}
