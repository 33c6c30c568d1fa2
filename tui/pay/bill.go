package pay

import (
	"net/url"

	"checkout/till/assets/i18n"
	"checkout/till/tui/component/scan"
	"checkout/till/tui/counter"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

type bill struct {
	live.Console
	picture counter.Picture
	shown   counter.Shown
}

// due returns two blocks with rows of at most width columns: the amount, and the time left.
func (b bill) due(width int) []scan.Block {
	due := scan.ToPay(b.Texts, b.shown.Order.Amount, nil)
	due.Right = b.shown.Order.Reference
	about := b.Theme.Text.Render(theme.TruncateList(b.shown.Order.Description, width))
	host := ""
	if link, err := url.Parse(b.shown.Order.Link.URL); err == nil {
		host = b.Theme.Muted.Render(theme.Truncate(b.Texts.Pay.LinkOn.With(link.Host), width))
	}
	due.Rows = []string{"", about}
	due.Least = []string{host}
	if theme.Width(about)+3+theme.Width(host) <= width {
		due.Rows = []string{"", theme.Spread(about, host, width)}
		due.Least = nil
	}
	if b.shown.Retrying() {
		due.Alert = b.refusal().Rows(width)
		due.Shorter = b.refusal().Shorter(width)
		due.Least = append(due.Rows, due.Least...)
		due.Rows = nil
	}
	left, moved := b.picture.Remaining(b.shown.Order)
	var odd []string
	if moved {
		odd = theme.Paragraph(b.Theme.Text, b.Texts.Pay.ClockMoved, width, 2)
	}
	if b.shown.Order.Link.Assumed {
		odd = append(odd, theme.Paragraph(b.Theme.Text, b.Texts.Pay.Assumed, width, 2)...)
	}
	clock := scan.TimeLeft(b.Theme, b.Texts, b.shown.Order, left, odd)
	clock.Until = b.Texts.Code.Until.With(i18n.Clock(b.shown.Order.Link.ExpiresAt.In(b.Zone)))
	return []scan.Block{due, clock}
}

// refusal returns the alert about a failed payment, whose QR code is still valid.
func (b bill) refusal() scan.Alert {
	words, why := b.Texts.Code, b.Texts.Code.Refused
	brief := why
	if reason := b.Texts.Reasons.Of(b.shown.Order.Reason); reason != "" {
		why = words.RefusedWhy.With(reason)
		brief = reason
	}
	retry := words.Retry
	if b.shown.Order.RestOf != "" {
		retry = words.RetryRest
	}
	return scan.Alert{Style: b.Theme.DangerBlock, Sign: "✗", Texts: []string{why, retry}, Brief: []string{brief, words.RetryBrief}}
}
