package board

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/figures"
	"checkout/till/tui/component/fit"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/layout"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

const (
	largeCard   = 7                  // Height of a card with the amount in large digits, in rows.
	airedCard   = largeCard + 2      // Height of a card with blank rows around the large digits, in rows.
	smallCard   = 5                  // Height of a card with the amount in normal letters, in rows.
	cardLeast   = 34                 // Smallest width of a card, in columns.
	detailLeast = 60                 // Minimum width of the chosen order, in columns.
	detailRows  = 14                 // Minimum height of the chosen order, in rows.
	actRows     = 1 + pane.Edges     // Rows for the keys of the demo's customer.
	clockWidth  = 24                 // Width of the time left next to a large amount, in columns.
	clockGap    = 4                  // Minimum number of blank columns before the time left.
	maxCards    = 9                  // The digits 1 to 9 choose a card.
	moreLines   = figures.Large + 10 // Height of the chosen order with several items, in rows.
)

// columns divides the width between the cards and the chosen order. fits is false if the width is
// too small for both.
func (m Model) columns() (cards, detail int, fits bool) {
	widths, fits := fit.Share(m.size.Width-layout.Gap, fit.Need{Least: cardLeast, Grow: 1}, fit.Need{Least: detailLeast, Grow: 2})
	return widths[0], widths[1], fits
}

// Shows reports whether each of the orders has a card or a visible row. It returns false for the
// smallest form, because its list may hide rows.
func (m Model) Shows(orders []payments.Order) bool {
	return (m.plan.card > 0 || m.plan.last) && !slices.ContainsFunc(orders, func(order payments.Order) bool { return m.number(order) == 0 })
}

// cards draws the orders as cards, and next to them the chosen order.
func (m Model) cards() string {
	left, right, _ := m.columns()
	var cards []string
	for i := range m.orders {
		cards = append(cards, m.card(i, left)...)
	}
	taken := slices.Collect(maps.Values(m.numbers))
	for number := 1; number <= maxCards && len(cards)+m.plan.card <= m.plan.orders; number++ {
		if !slices.Contains(taken, number) {
			cards = append(cards, m.free(number, left)...)
		}
	}
	for len(cards) < m.plan.orders {
		cards = append(cards, theme.AlignLeft("", left))
	}
	acts := m.acts(right)
	side := append(m.detail(right, m.plan.orders-len(acts)), acts...)
	return theme.Beside(strings.Join(cards, "\n"), " ", strings.Join(side, "\n"))
}

// card draws one order. An outcome that no cashier has acknowledged has its reason in place of the
// time left.
func (m Model) card(i, width int) []string {
	order := m.orders[i]
	state, filled := m.cardState(order)
	inner := width - pane.Borders - 1
	var time, bar string
	switch left, counts := m.left(order); {
	case counts, order.Retryable(m.state.Now):
		time, bar = left.Time(), left.Bare(inner)
	case filled:
		bar = theme.Truncate(m.Texts.Reasons.Of(order.Reason), inner)
	}
	// All cards have the same height, even with an amount that is too wide for large digits.
	const others = 2 + pane.Edges
	content := make([]string, m.plan.card-others, m.plan.card)
	amount := figures.Amount(m.Theme, i18n.Money(order.Amount), inner, min(len(content), figures.Small))
	copy(content[(len(content)-len(amount)+1)/2:], amount)
	content = append(content, theme.Spread(theme.TruncateList(order.Description, inner-theme.Width(time)-1), time, inner), bar)
	card := pane.Pane{
		Title: m.Theme.Accent.Render(strconv.Itoa(m.number(order))), Right: state,
		Rows: theme.Indent(content, 1), Heavy: i == m.master.List.Cursor(),
	}
	return m.filled(order, card.Lines(m.Theme, width, m.plan.card), filled)
}

// free draws the place of the next order with a number.
func (m Model) free(number, width int) []string {
	rows := theme.Indent(theme.Paragraph(m.Theme.Muted, m.waits(), width-pane.Borders-1, 0), 1)
	place := pane.Pane{Title: m.Theme.Muted.Render(strconv.Itoa(number)), Rows: rows, Dashed: true}
	return place.Aired(m.plan.card).Lines(m.Theme, width, m.plan.card)
}

// cardState returns the state of an order. unseen reports whether it is an outcome that no cashier
// has acknowledged.
func (m Model) cardState(order payments.Order) (state string, unseen bool) {
	look, verdict := m.look(order), m.state.Verdict(order)
	text, _ := look.Kind.Styles(m.Theme)
	left, counts := m.left(order)
	switch {
	case order.Retryable(m.state.Now):
		return m.Theme.Danger.Render("✗ " + m.Texts.Orders.Refused), false
	case counts && left.Soon():
		return m.Theme.Warning.Render("! " + m.Texts.Board.Soon), false
	case counts:
		return text.Render(look.Tag()), false
	}
	undecided := verdict == payments.VerdictUnknown || verdict == payments.VerdictWaiting
	return text.Render(look.Tag()), !order.Facts.Acknowledged && !undecided
}

// filled draws the rows on the background of the order's state if unseen is true.
func (m Model) filled(order payments.Order, rows []string, unseen bool) []string {
	if !unseen {
		return rows
	}
	_, ground := m.look(order).Kind.Styles(m.Theme)
	for i, row := range rows {
		rows[i] = ground.Render(theme.Bare(row))
	}
	return rows
}

// detail draws the chosen order, with the keys of the screen in its border.
func (m Model) detail(width, height int) []string {
	order, _ := m.chosen()
	state, unseen := m.cardState(order)
	made := pane.Pane{
		Title: m.Theme.Accent.Render(strconv.Itoa(m.number(order))) + " · " + order.Reference, Right: state,
		Keys: true, Offers: keybar.Offers(m.Theme, keybar.Of(m.Texts.KeyNames, m.ShortHelp()...)),
	}
	inner, room := made.Frame.Inner(width, height)
	made.Rows = theme.Indent(m.detailed(order, inner-2, room), 1)
	return m.filled(order, made.Lines(m.Theme, width, height), unseen)
}

// detailed returns the content of the chosen order. It omits lines of the order that do not fit
// into room rows.
func (m Model) detailed(order payments.Order, width, room int) []string {
	rows := append([]string{""}, m.due(order, width)...)
	var last []string
	for _, text := range m.about(order) {
		last = append(last, theme.Paragraph(m.Theme.Text, text, width, 0)...)
	}
	if len(last) > 0 {
		last = append([]string{""}, last...)
	}
	rows = append(rows, "")
	items := order.Items
	shown := min(len(items), max(0, room-len(rows)-len(last)))
	if shown < len(items) {
		shown = max(0, shown-1) // The last row says how many lines are omitted.
	}
	quantities := 0
	for _, item := range items[:shown] {
		quantities = max(quantities, theme.Width(wording.Quantity(m.Texts, item)))
	}
	for _, item := range items[:shown] {
		line := theme.AlignRight(wording.Quantity(m.Texts, item), quantities) + "  " + item.Label
		rows = append(rows, theme.Spread(line, m.Theme.Strong.Render(i18n.Number(int64(item.Total()))), width))
	}
	if more := len(items) - shown; more > 0 {
		rows = append(rows, theme.AlignLeft("", quantities+2)+m.Texts.Board.More.With(more))
	}
	return append(rows, last...)
}

// about returns why an order is not paid, since when the customer has the code, and how long the
// payment took, if that is known.
func (m Model) about(order payments.Order) (texts []string) {
	if reason := m.Texts.Reasons.Of(order.Reason); reason != "" && (order.Retryable(m.state.Now) || !order.Open()) {
		texts = append(texts, reason)
	}
	if order.Live(m.state.Now) {
		texts = append(texts, m.Texts.Board.Since.With(i18n.Clock(order.CreatedAt.In(m.Zone))))
	}
	if paidAt := order.Facts.PaidAt; !paidAt.IsZero() {
		took := m.Texts.Outcome.PaidIn.With(i18n.Span(paidAt.Sub(order.CreatedAt)))
		texts = append(texts, took+" · "+order.OrderReference+" · "+i18n.Clock(paidAt.In(m.Zone)))
	}
	return texts
}

// due draws the amount of an order. If the customer can still pay, the time left is next to it or
// below it.
func (m Model) due(order payments.Order, width int) []string {
	money := i18n.Money(order.Amount)
	left, counts := m.left(order)
	amount := figures.Amount(m.Theme, money, width-clockGap-clockWidth, figures.Large)
	beside := counts || order.Retryable(m.state.Now)
	if alone := len(amount) < figures.Small; alone || !beside {
		amount = figures.Amount(m.Theme, money, width, figures.Large)
		if alone && beside {
			return append(amount, "", left.Line(width))
		}
		return amount
	}
	rows := slices.Concat(amount, make([]string, figures.Large-len(amount)))
	style := m.Theme.Strong
	if left.Soon() {
		style = m.Theme.Warning
	}
	clock := theme.Dress(style, figures.Fit(m.Theme, i18n.Countdown(max(0, left.Remaining)), clockWidth, figures.Small))
	clock = append(clock, "", left.Bare(clockWidth))
	for i, row := range clock {
		rows[i] = theme.AlignLeft(rows[i], width-clockWidth) + theme.AlignLeft(row, clockWidth)
	}
	return rows
}

// acts returns the rows with the keys of the demo's customer, or with the error of the last key.
func (m Model) acts(width int) []string {
	if m.Customer == nil {
		return nil
	}
	order, _ := m.chosen()
	made := m.Customer.Pane(m.Theme, m.Texts, order, m.state.Now, width)
	if m.failed {
		made.Rows = []string{m.Theme.Danger.Render(m.Texts.Hints.NotPlayed)}
	}
	if made.Rows == nil {
		return nil
	}
	return made.Lines(m.Theme, width, actRows)
}
