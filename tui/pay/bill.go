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
	due.Rows, due.Least = b.about(width)
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

// about returns rows with the sold articles and the host of the link, which the customer can
// compare. If they share a row, the articles may be cut. Otherwise the host is in least.
func (b bill) about(width int) (rows, least []string) {
	const gap, fewest = 2, 9 // Columns between the texts, and minimum number of columns for articles that are cut.
	sold := b.shown.Order.Description
	alone := []string{"", b.Theme.Text.Render(theme.TruncateList(sold, width))}
	link, err := url.Parse(b.shown.Order.Link.URL)
	if err != nil {
		return alone, nil
	}
	says := b.Texts.Pay.LinkOn.With(link.Host)
	host := says
	if theme.Width(host)+gap+theme.Width(sold) > width {
		host = link.Host
	}
	room := width - gap - theme.Width(host)
	if room < min(theme.Width(sold), fewest) {
		return alone, []string{b.Theme.Muted.Render(theme.Truncate(says, width))}
	}
	sold = theme.TruncateList(sold, room)
	return []string{"", theme.Spread(b.Theme.Text.Render(sold), b.Theme.Muted.Render(host), width)}, nil
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
