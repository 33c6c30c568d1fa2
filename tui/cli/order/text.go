package order

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cli"
)

// writeOrder writes an order for people. Records may be nil.
func writeOrder(out io.Writer, order payments.Order, records []payments.Record, now time.Time) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(table, "%s\t%s\n", name, value)
		}
	}
	row("reference", order.Reference)
	row("order reference", cli.Clean(order.OrderReference))
	row("verdict", string(order.Verdict(payments.Conditions{}, now)))
	row("status", string(order.Status))
	row("reason", cli.Clean(order.Error))
	row("look at it", attention(order, now))
	if finding := order.Finding; finding != nil {
		row("resolved", findingText(*finding))
	}
	row("amount", i18n.Money(order.Amount))
	row("description", order.Description)
	for i, item := range order.Items {
		name := ""
		if i == 0 {
			name = "items"
		}
		fmt.Fprintf(table, "%s\t%d × %s, %s each\n", name, item.Quantity, item.Label, i18n.Money(item.UnitPrice))
	}
	row("link", order.Link.URL)
	row("created", cli.Moment(order.CreatedAt))
	row("link ends", cli.Moment(order.Link.ExpiresAt))
	row("paid", cli.Moment(order.Facts.PaidAt))
	for _, record := range records {
		row("event", eventText(record))
	}
	return table.Flush()
}

func attention(order payments.Order, now time.Time) string {
	var reasons []string
	for _, reason := range order.Attention(now) {
		reasons = append(reasons, string(reason))
	}
	return strings.Join(reasons, ", ")
}

func findingText(finding payments.Finding) string {
	text := "unpaid"
	if finding.Paid {
		text = "paid"
	}
	text += ", by " + finding.By + " at " + cli.Moment(finding.At)
	if finding.Note != "" {
		text += ": " + finding.Note
	}
	if finding.Stale {
		text += " (an event came since)"
	}
	return text
}

func eventText(record payments.Record) string {
	text := cli.Moment(record.ReceivedAt) + "  " + cli.Clean(string(record.Event.Kind)) + "  " + string(record.Outcome)
	if record.Count > 1 {
		text += fmt.Sprintf(", %d times", record.Count)
	}
	if reason := record.Event.Error.Shown(); reason != "" {
		text += "  " + reason
	}
	return text
}
