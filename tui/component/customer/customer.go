// Package customer draws what a customer reads: on his own screen, and on the
// cashier's when that is turned to him. It guarantees that he sees no key of the
// cashier's and no word that is meant for him alone, and that all sizes keep the
// amount, the code or its link, and the outcome.
package customer

import (
	"net/url"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/countdown"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/outcome"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/theme"
)

// Kind is what a customer sees.
type Kind string

// The kinds.
const (
	Idle    Kind = "idle"   // The shop's name.
	Basket  Kind = "basket" // The lines as they are added.
	Wait    Kind = "wait"   // The order is on its way.
	Code    Kind = "code"   // The code of the link.
	Paid    Kind = "paid"
	Unpaid  Kind = "unpaid"
	Check   Kind = "check"   // The counter must look.
	Unknown Kind = "unknown" // Nobody knows.
	Ask     Kind = "ask"     // The counter knows more.
)

// View is what one customer sees.
type View struct {
	Kind Kind
	// Shop may be blank. Mark says that no money moves, and is blank where it does.
	Shop, Mark, Clock string
	Items             []payments.Item
	Total             payments.Ariary
	Order             payments.Order
	Left              time.Duration // That the link has left.
	Retry             bool          // The customer was refused, and can try again.
	Code              qr.Model      // Of the order's link.
	PaidAt            string        // The moment in words.
	// Back is the way back where the screen is the cashier's, dressed.
	Back string
}

// minBars is how many rows a window has at least where there are bars.
const minBars = 12

// painter draws a view in one window.
type painter struct {
	View
	theme         theme.Theme
	texts         i18n.Texts
	grid          layout.Layout
	width, height int
}

// Draw returns the view in exactly width columns and height rows.
func (v View) Draw(styles theme.Theme, texts i18n.Texts, width, height int) string {
	p := painter{v, styles, texts, layout.Of(width, height), width, height}
	switch v.Kind {
	case Paid, Unpaid, Check, Unknown:
		return p.outcome().Draw(styles, width, height)
	}
	if height < minBars {
		if v.Mark != "" && height > 1 {
			p.height--
			return p.mark() + "\n" + p.body()
		}
		return p.body()
	}
	p.height -= 2
	return p.header() + "\n" + p.body() + "\n" + p.footer()
}

// mark says in a row of its own that no money moves.
func (p painter) mark() string {
	return theme.Center(p.theme.DemoBlock.Render(theme.Truncate(" "+p.Mark+" ", p.width)), p.width, 1)
}

func (p painter) header() string {
	bar, right := p.theme.Header, p.theme.HeaderStrong.Render(p.Clock+"  ")
	if p.Mark != "" {
		right = p.theme.DemoBlock.Render(" "+p.Mark+" ") + bar.Render("   ") + right
	}
	room := p.width - theme.Width(right)
	left := p.theme.HeaderStrong.Render(theme.Truncate("  "+p.Shop, room))
	return theme.Truncate(left+bar.Render(theme.Left("", room-theme.Width(left)))+right, p.width)
}

// footer is one sentence for the customer, and the way back for the cashier.
func (p painter) footer() string {
	words, text := p.texts.Customer, ""
	switch p.Kind {
	case Idle:
		text = words.All
	case Basket:
		text = words.Entering
	case Code:
		text = words.Green
	}
	room := p.width - theme.Width(p.Back)
	if theme.Width(text) > room {
		text = "" // A sentence stands whole or not at all.
	}
	before := max(0, min((p.width-theme.Width(text))/2, room-theme.Width(text)))
	return p.theme.Header.Render(theme.Left(theme.Left("", before)+text, room)) + p.Back
}

// body is what stands between the bars.
func (p painter) body() string {
	switch p.Kind {
	case Idle:
		return p.middle(p.welcome())
	case Basket:
		return p.middle(p.basket())
	case Wait:
		return p.middle(append(append(p.large(p.grid.Figures), ""), p.theme.Strong.Render(p.texts.Display.Moment)))
	case Code:
		return p.code()
	}
	return p.middle(p.wrapped(p.texts.Display.Ask))
}

// middle puts rows into the middle.
func (p painter) middle(rows []string) string {
	return theme.Center(strings.Join(theme.Clip(rows, p.width, p.height), "\n"), p.width, p.height)
}

// welcome is the shop's name, a word of it as large as it fits.
func (p painter) welcome() []string {
	var rows []string
	names := strings.Fields(p.Shop)
	for _, name := range append([]string{p.Shop}, names...) {
		if large := figures.Fit(p.theme, name, p.width-4, p.height*2/5); name != "" && len(large) >= len(rows) {
			rows = large
		}
	}
	for i, row := range rows {
		rows[i] = p.theme.Accent.Render(row)
	}
	if p.Shop != "" {
		rows = append(rows, p.gap(p.theme.Strong.Render(p.Shop), len(rows))...)
	}
	return append(rows, p.gap(p.texts.Display.Welcome, len(rows))...)
}

// gap is a row below blank ones, where there is something above.
func (p painter) gap(row string, above int) []string {
	if above == 0 {
		return []string{row}
	}
	return append(make([]string, p.grid.Part), row)
}

// large is the total in figures of at most high rows, or in a row.
func (p painter) large(high int) []string {
	rows := figures.Fit(p.theme, i18n.Money(p.Total), p.width-2, high)
	if rows == nil {
		return []string{p.texts.Pay.Total + "  " + p.theme.Strong.Render(i18n.Money(p.Total))}
	}
	for i, row := range rows {
		rows[i] = p.theme.Strong.Render(row)
	}
	return rows
}

// code is the code with what to do beside it, or, where there is no room, the
// link.
func (p painter) code() string {
	place, fits := scan.Put(p.Code, p.width, p.height)
	if !fits {
		rows := append(p.large(p.grid.Figures), p.theme.Strong.Render(p.prompt()))
		rows = append(rows, countdown.New(p.theme, p.texts).Line(p.Left, p.whole(), min(p.width, maxBasket)))
		return p.middle(append(rows, strings.Split(theme.Wrap(p.Order.Link.URL, p.width), "\n")...))
	}
	words := scan.Words{Blocks: p.blocks(place.Words)}
	if p.Retry {
		words.Alert = p.refusal
	}
	return place.Draw(p.theme, p.grid, words)
}

// refusal says that the code still holds.
func (p painter) refusal(width int) []string {
	var rows []string
	for row := range strings.SplitSeq(theme.Wrap(p.texts.Facing.Retry, max(1, width-4)), "\n") {
		rows = append(rows, p.theme.WarningBlock.Render(theme.Left("  "+row, width)))
	}
	return rows
}

func (p painter) prompt() string {
	if p.Retry {
		return p.texts.Facing.Retry
	}
	return p.texts.Pay.Scan
}

func (p painter) whole() time.Duration { return p.Order.Link.ExpiresAt.Sub(p.Order.CreatedAt) }

// blocks are what to pay with its lines, what to do, and how much time is left.
func (p painter) blocks(width int) []scan.Block {
	words := p.texts.Customer
	var about []string
	most := 3 + 2*p.grid.Air
	for i, item := range p.Items {
		if i == most-1 && len(p.Items) > most {
			about = append(about, p.theme.Muted.Render(p.texts.Customer.More.With(len(p.Items)-i)))
			break
		}
		about = append(about, theme.Spread(p.label(item), i18n.Money(item.Total()), min(width, maxLines)))
	}
	if link, err := url.Parse(p.Order.Link.URL); err == nil {
		about = append(about, p.theme.Muted.Render(theme.Truncate(p.texts.Pay.LinkOn.With(link.Host), width)))
	}
	steps := scan.Steps(p.theme, p.grid, width, words.Camera, words.Aim, words.Operator, words.Secret)
	return []scan.Block{
		{Label: p.texts.Pay.Total, Figures: i18n.Money(p.Total), High: 2 * figures.Large, Rows: about},
		{Label: p.texts.Pay.Scan, Rows: steps},
		{
			Label: p.texts.Code.Time, Figures: i18n.Countdown(max(0, p.Left)), High: figures.Small,
			Bar: func(width int) string { return countdown.New(p.theme, p.texts).Bar(p.Left, p.whole(), width) },
		},
	}
}

// maxLines is how wide the lines beside a code are at most.
const maxLines = 48

// label is a line without its amount; a discount stands with the price before it.
func (p painter) label(item payments.Item) string {
	label := i18n.Number(item.Quantity) + " × " + item.Label
	if item.ListPrice > 0 {
		label += p.theme.Muted.Render("  " + p.texts.Display.Instead.With(i18n.Money(item.ListPrice)))
	}
	return label
}

// wrapped is a text in as many rows as it needs.
func (p painter) wrapped(text string) []string {
	rows := strings.Split(theme.Wrap(text, p.width), "\n")
	for i, row := range rows {
		rows[i] = p.theme.Strong.Render(row)
	}
	return rows
}

// outcome is what came of the payment, over the whole screen.
func (p painter) outcome() outcome.Outcome {
	words, shown := p.texts.Verdicts, outcome.Outcome{Amount: i18n.Money(p.Total), Says: p.texts.Display.Ask}
	switch p.Kind {
	case Paid:
		shown.Kind, shown.Sign, shown.Word = outcome.Paid, "✓", words.Paid
		shown.About, shown.Says, shown.Advice = p.texts.Customer.Thanks, "", []string{p.Shop}
		shown.Facts = strings.TrimSpace(p.Order.Reference + " · " + p.PaidAt)
	case Unpaid:
		shown.Kind, shown.Sign, shown.Word = outcome.NotPaid, "✗", words.NotPaid
	case Check:
		shown.Kind, shown.Sign, shown.Word = outcome.Check, "!", words.Check
	default:
		shown.Kind, shown.Sign, shown.Word = outcome.Unknown, "?", words.Unknown
	}
	shown.Facts = strings.TrimPrefix(shown.Sign+" "+shown.Word+" · "+shown.Facts, " · ")
	shown.Facts = strings.TrimSuffix(shown.Facts, " · ")
	if p.Mark != "" {
		shown.News = p.theme.DemoBlock.Render(" " + p.Mark + " ")
	}
	return shown
}
