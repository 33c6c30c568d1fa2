package orders

import (
	"slices"
	"strings"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/master"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording/sheet"
)

// form is a way to draw the details.
type form struct {
	figures int  // Maximum height of the amount, in rows.
	top     int  // Blank rows above the verdict.
	air     int  // Blank rows below the verdict.
	about   int  // Blank rows above the rows of [drawing.about].
	lines   int  // Blank rows above the title of the lines.
	events  int  // Blank rows above the title of the events.
	under   int  // Blank rows below these titles.
	steps   bool // The events and their title.
	facts   bool // The facts, such as the service's reference.
}

// drawing draws the details of an order or a cash sale.
type drawing struct {
	live.Console
	told     sheet.Sheet
	verdict  string         // The outcome, already styled.
	proposal payments.Event // Event that seems to belong to the order; zero without one.
	asked    bool           // A question is open.
	foot     []string       // Rows below the details: the question or the notice.
	frame    pane.Frame
	width    int
}

// in draws the details in the first form that fits height rows, with a blank row above the foot. If
// none fits, it uses the last form, which scrolls.
func (d drawing) in(height int) (drawn master.Detail) {
	for _, form := range d.forms() {
		if drawn = d.draw(form); len(drawn.Rows)+min(1, len(drawn.Foot))+len(drawn.Foot) <= height {
			break
		}
	}
	return drawn
}

// forms returns the forms for the details, the largest first. An open question takes the room of the
// facts first, and later that of the events.
func (d drawing) forms() []form {
	if d.frame == pane.Bare {
		return []form{{figures: 1, steps: !d.asked, facts: !d.asked}}
	}
	least := form{figures: figures.Large, top: 1, air: 1, about: 1, lines: 1, events: 1, under: 1, steps: true, facts: true}
	forms := []form{least}
	least.facts = !d.asked
	forms = append(forms, least)
	least.under = 0
	forms = append(forms, least)
	least.figures = figures.Small
	forms = append(forms, least)
	least.top = 0
	forms = append(forms, least)
	least.events = 0
	forms = append(forms, least)
	least.steps = !d.asked
	forms = append(forms, least)
	least.lines = 0
	forms = append(forms, least)
	least.about = 0
	forms = append(forms, least)
	least.air = 0
	return append(forms, least)
}

func (d drawing) draw(form form) master.Detail {
	words := d.Texts.Detail
	under := make([]string, form.under)
	shown := master.Detail{Title: d.told.Title, Rows: d.head(form), Foot: d.foot, Asks: d.asked}
	if about := d.about(); len(about) > 0 {
		shown.Rows = slices.Concat(shown.Rows, make([]string, form.about), about)
	}
	shown.Rows = slices.Concat(shown.Rows, make([]string, form.lines), []string{pane.Rule(words.Lines)}, under, d.lines())
	for _, sum := range d.told.Sums {
		shown.Rows = append(shown.Rows, theme.Spread(sum.Label, sum.Value, d.width))
	}
	if form.steps {
		shown.Rows = slices.Concat(shown.Rows, make([]string, form.events), []string{pane.Rule(words.Events)}, under, d.happened())
	}
	if facts := slices.Concat(d.told.Known, d.told.Facts); form.facts && len(facts) > 0 {
		shown.Rows = append(shown.Rows, "")
		for _, fact := range facts {
			if !fact.Long {
				shown.Rows = append(shown.Rows, master.Fact(d.Theme, fact.Label, fact.Value))
			}
		}
	}
	return shown
}

func (d drawing) head(form form) []string {
	top := make([]string, form.top)
	air := make([]string, form.air)
	from := d.Theme.Muted.Render(d.told.Till + " · " + moment(d.told.Made, d.Zone))
	return slices.Concat(top, []string{theme.Spread(d.verdict, from, d.width)}, air, figures.Amount(d.Theme, i18n.Money(d.told.Amount), d.width, form.figures))
}

// about draws why a person must look at the order, why it has no link or was not paid, and an event
// that may belong to it.
func (d drawing) about() (rows []string) {
	for _, why := range d.told.Why {
		rows = append(rows, theme.Dress(d.Theme.Strong, theme.Sentences(why, d.width))...)
	}
	if d.told.Reason != "" {
		rows = append(rows, theme.Paragraph(d.Theme.Text, d.Texts.Pay.Reason.With(d.told.Reason), d.width, 0)...)
	}
	if event := d.proposal; event.Kind != "" {
		kind := d.Texts.Kinds.Of(string(event.Kind))
		proposal := d.Texts.Detail.Proposal.With(kind, clean.Text(event.OrderReference, 60))
		rows = append(rows, theme.Paragraph(d.Theme.WarningBlock, proposal, d.width, 0)...)
	}
	return rows
}

func (d drawing) lines() (rows []string) {
	for _, item := range d.told.Items {
		quantity, total := i18n.Number(item.Quantity)+" ×", d.Theme.Strong.Render(i18n.Number(int64(item.Total())))
		cells := theme.AlignRight(quantity, 6) + theme.AlignRight(total, 12)
		if d.width >= 50 {
			price := d.Theme.Muted.Render(i18n.Number(int64(item.UnitPrice)))
			cells = theme.AlignRight(quantity, 8) + theme.AlignRight(price, 12) + theme.AlignRight(total, 13)
		}
		rows = append(rows, theme.Spread(item.Label, cells, d.width))
	}
	total := d.Theme.Strong.Render(i18n.Number(int64(d.told.Total)))
	return append(rows, theme.Spread(d.Texts.Sale.Total, total, d.width))
}

// happened draws the steps of the payment, such as events and refunds.
func (d drawing) happened() (rows []string) {
	clocks := 0
	for _, step := range d.told.Steps {
		clocks = max(clocks, len(d.clock(step.At)))
	}
	for i, step := range d.told.Steps {
		line := " "
		if i < len(d.told.Steps)-1 {
			line = "│"
		}
		head := d.Theme.Muted.Render(theme.AlignLeft(d.clock(step.At), clocks)) + "  " + step.Style.Render(step.Sign) + "  "
		for _, text := range step.Texts {
			for row := range strings.SplitSeq(theme.Wrap(text, max(10, d.width-theme.Width(head))), "\n") {
				rows = append(rows, head+row)
				head = strings.Repeat(" ", clocks+2) + d.Theme.Rule.Render(line) + "  "
			}
		}
	}
	return rows
}

// clock formats a time on the order's day with seconds, and any other time with its date.
func (d drawing) clock(at time.Time) string {
	made, then := d.told.Made.In(d.Zone), at.In(d.Zone)
	if made.YearDay() == then.YearDay() && made.Year() == then.Year() {
		return then.Format(time.TimeOnly)
	}
	return moment(at, d.Zone)
}

func moment(at time.Time, zone *time.Location) string {
	if at.IsZero() {
		return ""
	}
	return i18n.Moment(at.In(zone))
}
