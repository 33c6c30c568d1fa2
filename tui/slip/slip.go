// Package slip shows the receipt of a sale on the screen and prints it. Receipts are issued and
// printed in the background, so that they do not delay a sale.
package slip

import (
	"context"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/tui/live"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording/errortext"
)

// Model is the receipt of one sale. A Model with only a Console is ready to use.
type Model struct {
	live.Console
	ref    string // Reference of the order, or number of the cash sale; may be empty.
	paper  *receipt.Paper
	notice i18n.Message
}

// issued and printed are the results of issuing and printing a receipt. asked says that the cashier
// asked for the print. ref is empty if only the drawer was opened.
type (
	issued struct {
		settled drawer.Settled
		ref     string
		err     error
	}
	printed struct {
		ref     string
		asked   bool
		outcome receipt.Outcome
		err     error
	}
)

// Shown reports whether the receipt is on the screen.
func (m Model) Shown() bool { return m.paper != nil }

// Close removes the receipt from the screen.
func (m Model) Close() Model { return m.Of(m.ref) }

// Of returns the model for another sale, whose receipt is not shown yet. ref may be empty.
func (m Model) Of(ref string) Model { return Model{Console: m.Console, ref: ref} }

// Press shows the receipt of the sale ref or, if it is shown already, prints the current receipt of
// the sale.
func (m Model) Press(ref string) (Model, tea.Cmd) {
	switch {
	case m.paper == nil || m.ref != ref:
		m = m.Of(ref)
		service := m.Service
		return m, m.Run(func(ctx context.Context) tea.Msg {
			settled, err := service.IssueReceipt(context.WithoutCancel(ctx), ref)
			return issued{settled, ref, err}
		})
	case m.Receipts.Printer.None():
		m.notice = receipt.NoPrinter
		return m, nil
	}
	m.notice = receipt.Printing
	return m, m.Run(func(ctx context.Context) tea.Msg {
		// Read the sale again: since the receipt was shown, the sale may have been printed, given back or
		// voided, at this till or at another one.
		settled, err := m.Service.IssueReceipt(context.WithoutCancel(ctx), ref)
		if err != nil {
			return printed{ref: ref, asked: true, err: err}
		}
		outcome, err := receipt.Print(ctx, m.Service, m.Texts, m.Receipts, m.Zone, settled)
		return printed{ref, true, outcome, err}
	})
}

// Settled returns a command that calls [receipt.AfterSale] for a sale that was just paid.
func (m Model) Settled(ref string, cash bool) tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg {
		return printed{ref: ref, err: receipt.AfterSale(ctx, m.Service, m.Texts, m.Receipts, m.Zone, ref, cash)}
	})
}

// OpenDrawer returns a command that opens the cash drawer.
func (m Model) OpenDrawer() tea.Cmd {
	return m.Run(func(ctx context.Context) tea.Msg { return printed{err: m.Receipts.OpenDrawer(ctx)} })
}

// Update handles the result of issuing or printing a receipt.
func (m Model) Update(msg tea.Msg) Model {
	switch msg := msg.(type) {
	case issued:
		switch {
		case msg.ref != m.ref || errors.Is(msg.err, drawer.ErrNoReceipt): // The screen shows another sale now, or the sale has no receipt any more.
		case msg.err != nil:
			m.notice = errortext.NotDone(msg.err)
		default:
			m.paper = receipt.Of(m.Texts, m.Receipts, m.Zone, msg.settled)
		}
	case printed:
		other := msg.ref != "" && msg.ref != m.ref
		switch {
		case msg.err != nil && other:
			m.notice = func(t i18n.Texts) string { return t.Frame.Labelled.With(msg.ref, errortext.NotDone(msg.err)(t)) }
		case msg.err != nil:
			m.notice = errortext.NotDone(msg.err)
		case msg.asked && !other:
			m.notice = msg.outcome.In
		}
	}
	return m
}

// Notice returns the message about the receipt or its print; it may be blank.
func (m Model) Notice() string { return m.notice.In(m.Texts) }

// Draw is a function that draws a view in width columns and height rows.
type Draw func(width, height int) string

// Beside draws the receipt to the right of another view or, in a narrow window, above it. beside
// draws the other view next to the receipt, and below draws it under the receipt. around is the
// style of the area around the paper.
func (m Model) Beside(beside, below Draw, around theme.Style, width, height int) string {
	const narrow = 40
	right := max(1, (width-80)/12) // Blank columns to the right of the paper.
	gap := 1 + right
	rows := m.paper.View(m.Theme, around)
	paper := theme.Width(rows[0])
	if width-paper-gap < narrow {
		const least = 4 // Minimum height of the other view.
		// The paper begins at the upper edge of the window, so omit its first row, the torn edge.
		rows = theme.Clip(cut(rows, height-least+1)[1:], width, height)
		left := max(0, width-paper) / 2
		for i, row := range rows {
			rows[i] = blank(around, left) + row + blank(around, width-paper-left)
		}
		return strings.Join(append(rows, below(width, height-len(rows))), "\n")
	}
	const air = 2
	rows = cut(rows, height)
	for range min(air, (height-len(rows))/2) {
		rows = append([]string{blank(around, paper)}, rows...)
	}
	for len(rows) < height {
		rows = append(rows, blank(around, paper))
	}
	for i := range rows {
		rows[i] = blank(around, gap-right) + rows[i] + blank(around, right)
	}
	return theme.Beside(beside(width-paper-gap, height), strings.Join(rows, "\n"))
}

// cut returns at most height rows. It keeps the first row and the last ones, which have the total.
func cut(rows []string, height int) []string {
	if omitted := len(rows) - max(1, height); omitted > 0 {
		return append(rows[:1:1], rows[1+omitted:]...)
	}
	return rows
}

func blank(style theme.Style, columns int) string {
	return style.Render(strings.Repeat(" ", max(0, columns)))
}
