// Package demo contains what only the demo shows: keys that act as the customer, and the list of
// steps to try.
package demo

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/keybar"
	"checkout/till/tui/component/pane"
	"checkout/till/tui/component/screen"
	"checkout/till/tui/theme"
)

// Customer acts as the customer of an order: it makes the sandbox send an event of the given kind.
// It is nil outside the demo.
type Customer func(ctx context.Context, orderReference string, kind payments.EventKind) error

// KeyRows returns the number of rows to keep free for the keys below a QR code.
func (c Customer) KeyRows() int {
	if c == nil {
		return 0
	}
	return 3
}

// Keys returns the keys that act as the customer, in the order of [payments.EventKinds].
func (c Customer) Keys(texts i18n.Texts) (keys []key.Binding) {
	if c == nil {
		return nil
	}
	for i, name := range []string{"p", "f", "x", "e"} {
		keys = append(keys, screen.Bind(name, texts.PayKeys.Demo[i], name))
	}
	return keys
}

// Press returns the customer's action for a key, or nil if the key does nothing.
func (c Customer) Press(msg tea.KeyMsg, texts i18n.Texts, order payments.Order, now time.Time) func(context.Context) error {
	for i, binding := range c.Keys(texts) {
		if key.Matches(msg, binding) && playable(order, now) {
			return func(ctx context.Context) error { return c(ctx, order.OrderReference, payments.EventKinds()[i]) }
		}
	}
	return nil
}

// Pane returns a pane with the keys, to draw in width columns. It has no rows outside the demo, or
// if the order cannot be paid now.
func (c Customer) Pane(styles theme.Theme, texts i18n.Texts, order payments.Order, now time.Time, width int) pane.Pane {
	title := styles.Ground(styles.DemoBlock).Bold(true).Render(texts.Frame.DemoShort)
	shown := pane.Pane{Title: title, Right: styles.Text.Render(texts.Pay.Customer), Demo: true}
	if c == nil || !playable(order, now) {
		return shown
	}
	var keys []string
	inner, _ := shown.Frame.Inner(width, 0)
	for _, entry := range keybar.Of(texts.KeyNames, c.Keys(texts)...) {
		keys = append(keys, styles.DemoBlock.Render(" "+entry.Key+" ")+" "+entry.Label)
	}
	for _, form := range []struct{ margin, gap int }{{1, 5}, {1, 3}, {1, 2}, {0, 2}} {
		row := strings.Join(keys, theme.AlignLeft("", form.gap))
		if theme.Width(row)+2*form.margin <= inner {
			shown.Rows = theme.Indent([]string{row}, form.margin)
			return shown
		}
	}
	for pair := range slices.Chunk(keys, 2) {
		shown.Rows = append(shown.Rows, " "+theme.AlignLeft(pair[0], inner/2-1)+pair[1], "")
	}
	shown.Rows = shown.Rows[:len(shown.Rows)-1]
	return shown
}

// Row returns the keys in a row of at most width columns, as far as they fit. It returns "" outside
// the demo, or if the order cannot be paid now.
func (c Customer) Row(styles theme.Theme, texts i18n.Texts, order payments.Order, now time.Time, width int) string {
	if c == nil || !playable(order, now) {
		return ""
	}
	mark, entries := styles.DemoBlock.Render(" "+texts.Frame.DemoShort+" ")+" ", keybar.Of(texts.KeyNames, c.Keys(texts)...)
	keys := func(count int, gap string) string {
		var all []string
		for _, entry := range entries[:count] {
			all = append(all, styles.Demo.Render(entry.Key)+" "+entry.Label)
		}
		return strings.Join(all, gap)
	}
	if whole := mark + texts.Frame.Labelled.With(texts.Pay.Customer, " "+keys(len(entries), "  ")); theme.Width(whole) <= width {
		return whole
	}
	for count := len(entries); count >= 0; count-- {
		for _, gap := range []string{"  ", " "} {
			if row := mark + keys(count, gap); theme.Width(row) <= width {
				return row
			}
		}
	}
	return theme.Truncate(mark, width)
}

func playable(order payments.Order, now time.Time) bool {
	return order.OrderReference != "" && order.Live(now)
}
