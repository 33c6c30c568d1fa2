package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// Say prints a message for people on standard error. The arguments must be
// clean.
func (a *App) Say(format string, arguments ...any) {
	_, _ = fmt.Fprintf(a.Err, format+"\n", arguments...)
}

// Tell prints a line of what the command is for on standard output. The
// arguments must be clean.
func (a *App) Tell(format string, arguments ...any) {
	_, _ = fmt.Fprintf(a.Out, format+"\n", arguments...)
}

// WriteJSON writes one value on one line, with links as they are.
func WriteJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// JSONFlag adds the flag of every command that prints data.
func JSONFlag(command *cobra.Command, asJSON *bool) {
	command.Flags().BoolVar(asJSON, "json", false, "print one JSON value")
}

// Stamp writes a time as scripts read it; the zero time is null.
func Stamp(at time.Time) *string {
	if at.IsZero() {
		return nil
	}
	text := at.UTC().Format(time.RFC3339)
	return &text
}

// localTime is how people read a moment.
const localTime = "2006-01-02 15:04:05"

// Moment writes a time as people at the counter read it; nothing for the zero time.
func Moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format(localTime)
}

// Clean makes a text of the service fit to be printed.
func Clean(text string) string { return payments.Clean(text, payments.MaxShownWidth) }

// Shown makes a text of the command line fit for a message.
func Shown(text string) string { return payments.Clean(text, payments.MaxLabelWidth) }

// MaxMessage bounds an error message, in columns.
const MaxMessage = 2000

// WriteOrders writes a table of orders for people.
func WriteOrders(out io.Writer, orders []payments.Order, now time.Time) error {
	const descriptionWidth = 40
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(orders) > 0 {
		fmt.Fprintf(table, "REFERENCE\tCREATED\t%15s\tVERDICT\tDESCRIPTION\n", "AMOUNT")
	}
	for _, order := range orders {
		fmt.Fprintf(table, "%s\t%s\t%15s\t%s\t%s\n", order.Reference, Moment(order.CreatedAt),
			i18n.Money(order.Amount), order.Verdict(payments.Conditions{}, now),
			payments.Clean(order.Description, descriptionWidth))
	}
	return table.Flush()
}
