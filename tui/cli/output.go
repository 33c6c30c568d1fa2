package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
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

// JSON adds the flag of every command that prints data.
func (a *App) JSON(command *cobra.Command) *cobra.Command {
	command.Flags().BoolVar(&a.asJSON, "json", false, "")
	return command
}

// AsJSON tells whether a command shall print JSON.
func (a *App) AsJSON() bool { return a.asJSON }

// Print prints what a command is for: a value as JSON on one line, or its text for
// people, which must be clean. A blank text is none. In JSON a time is UTC in whole
// seconds, and the zero time is null; a checksum is hexadecimal.
func (a *App) Print(value any, text string) error {
	if a.asJSON {
		encoded, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), json.WithMarshalers(json.JoinMarshalers(
			json.MarshalToFunc(marshalTime),
			json.MarshalToFunc(marshalSum),
		)))
		if err != nil {
			return err
		}
		text = string(encoded)
	}
	if text == "" {
		return nil
	}
	_, err := fmt.Fprintln(a.Out, text)
	return err
}

func marshalSum(out *jsontext.Encoder, sum [sha256.Size]byte) error {
	return out.WriteToken(jsontext.String(hex.EncodeToString(sum[:])))
}

func marshalTime(out *jsontext.Encoder, at time.Time) error {
	if at.IsZero() {
		return out.WriteToken(jsontext.Null)
	}
	return out.WriteToken(jsontext.String(at.UTC().Format(time.RFC3339)))
}

// Table sets rows of cells in columns.
func Table(rows ...[]string) string {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		_, _ = fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	_ = table.Flush() // The builder takes everything.
	return strings.TrimSuffix(text.String(), "\n")
}

// Right puts a text at the right of a column of amounts.
func Right(text string) string { return fmt.Sprintf("%15s", text) }

// Count writes a number at the right of its column.
func Count(number int64) string { return fmt.Sprintf("%8d", number) }

// Moment writes a time as people at the counter read it; nothing for the zero time.
func Moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format(time.DateTime)
}

// Day writes a day as people of the till's language do, with its year; in English as
// scripts do.
func (a *App) Day(day time.Time) string {
	if a.Language == "en" {
		return day.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s %d", a.Texts.Today.DateOf(day), day.Year())
}

// ClosingText says in a text which day was closed, by whom, at which till and when.
func (a *App) ClosingText(text i18n.Phrase, closing payments.Closing) string {
	day, _ := time.Parse(time.DateOnly, closing.Day) // The service has written it.
	at := Moment(closing.At)
	if a.Language != "en" {
		at = i18n.Moment(closing.At.Local())
	}
	return text.With(a.Day(day), closing.By, closing.Till, at)
}

// Clean makes a text of the service fit to be printed.
func Clean(text string) string { return payments.Clean(text, payments.MaxShownWidth) }

// Shown makes a text of the command line fit for a message.
func Shown(text string) string { return payments.Clean(text, payments.MaxLabelWidth) }

// MaxMessage bounds an error message, in columns.
const MaxMessage = 2000

// Verdict returns the words for an order's verdict at a time of the shop's clock.
func (a *App) Verdict(order payments.Order, now time.Time) string {
	return a.word(order, order.Verdict(payments.Conditions{}, now))
}

// VerdictOf returns the words for a verdict of many orders.
func (a *App) VerdictOf(verdict payments.Verdict) string { return a.word(payments.Order{}, verdict) }

func (a *App) word(order payments.Order, verdict payments.Verdict) string {
	_, words, _ := strings.Cut(badge.Of(a.Texts, order, verdict).Word(), " ") // Behind the sign.
	return strings.ToLower(words)
}

// OrderTable sets orders in a table for people, with their verdicts at a time of the
// shop's clock.
func (a *App) OrderTable(orders []payments.Order, now time.Time) string {
	const descriptionWidth = 40
	if len(orders) == 0 {
		return ""
	}
	words := a.Texts.Printed
	rows := [][]string{{words.Reference, words.Created, Right(strings.ToUpper(a.Texts.Orders.Amount)), words.Verdict, words.About}}
	for _, order := range orders {
		rows = append(rows, []string{
			order.Reference, Moment(order.CreatedAt), Right(i18n.Money(order.Amount)), a.Verdict(order, now),
			payments.Clean(order.Description, descriptionWidth),
		})
	}
	return Table(rows...)
}
