package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/theme"
)

// Say prints a message for people to standard error. It adds --config to the commands that the
// message names, if this command has that flag. The caller cleans the arguments.
func (a *App) Say(format string, arguments ...any) {
	_, _ = fmt.Fprintln(a.Err, wrapped(a.Err, a.withConfig(fmt.Sprintf(format, arguments...))))
}

// withConfig adds the flag --config of this command to each command that the text names, such as
// till setup. Without the flag, the person who types the command would change another till.
func (a *App) withConfig(text string) string {
	if a.config == "" {
		return text
	}
	path := clean.Text(a.config, MaxMessage)
	if strings.Contains(path, " ") {
		path = `"` + path + `"`
	}
	var names []string
	for _, command := range a.root.Commands() {
		names = append(names, command.Name())
	}
	named := regexp.MustCompile(`\btill (` + strings.Join(names, "|") + `)\b`)
	return named.ReplaceAllStringFunc(text, func(command string) string {
		return strings.Replace(command, " ", " --config "+path+" ", 1)
	})
}

// Tell prints a line of the command's result to standard output. The caller cleans the arguments.
func (a *App) Tell(format string, arguments ...any) {
	_, _ = fmt.Fprintf(a.Out, format+"\n", arguments...)
}

// JSON adds the flag --json to a command that prints data, and returns the command.
func (a *App) JSON(command *cobra.Command) *cobra.Command {
	command.Flags().BoolVar(&a.asJSON, "json", false, "")
	return command
}

// AsJSON reports whether the command line has the flag --json.
func (a *App) AsJSON() bool { return a.asJSON }

// Print prints the command's result. With --json it prints value as one line of JSON: times in UTC,
// the zero time as null, checksums in hexadecimal. Otherwise it prints text, which the caller has
// cleaned. A blank text prints nothing.
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
	if !a.asJSON {
		text = wrapped(a.Out, text)
	}
	_, err := fmt.Fprintln(a.Out, text)
	return err
}

// Advise prints sentences to standard output. Unlike [App.Tell], it wraps them in a terminal. Like
// [App.Say], it adds --config. The caller cleans the text.
func (a *App) Advise(text string) { _, _ = fmt.Fprintln(a.Out, wrapped(a.Out, a.withConfig(text))) }

// reflowed returns a text with lines that fit the terminal end. It joins the lines of a paragraph, if
// a line of the text is too wide. It joins neither the first line nor a line with several blanks
// together, such as a row of a table.
func reflowed(end any, text string) string {
	columns, is := terminalWidth(end)
	if !is || theme.Width(text) <= columns {
		return text
	}
	alone := func(line string) bool { return line == "" || strings.Contains(line, "  ") }
	lines := strings.Split(text, "\n")
	joined := lines[:1:1]
	for i, line := range lines[1:] {
		if before := len(joined) - 1; i > 0 && !alone(joined[before]) && !alone(line) {
			joined[before] += " " + line
			continue
		}
		joined = append(joined, line)
	}
	return theme.WrapLines(strings.Join(joined, "\n"), columns)
}

func wrapped(end any, text string) string {
	if columns, is := terminalWidth(end); is {
		return theme.WrapLines(text, columns)
	}
	return text
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

// Table returns rows of cells as text with aligned columns. The cells may be styled. The last cell of
// a row may be wider than its column.
func Table(rows ...[]string) string {
	const gap = 2
	var widths []int
	for _, row := range rows {
		for i, cell := range row[:max(0, len(row)-1)] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], theme.Width(cell)+gap)
		}
	}
	lines := make([]string, len(rows))
	for at, row := range rows {
		for i, cell := range row {
			if i < len(row)-1 {
				cell = theme.AlignLeft(cell, widths[i])
			}
			lines[at] += cell
		}
		lines[at] = strings.TrimRight(lines[at], " ")
	}
	return strings.Join(lines, "\n")
}

// Right aligns a text to the right in 15 columns, for a column of amounts.
func Right(text string) string { return fmt.Sprintf("%15s", text) }

// Moment formats a time in the local zone. It returns "" for the zero time.
func Moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format(time.DateTime)
}

// Day formats a date with its year in the till's language. English uses the ISO form, for scripts.
func (a *App) Day(day time.Time) string {
	if a.Language == "en" {
		return day.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s %d", a.Texts.Today.DateOf(day), day.Year())
}

// Clean makes a text safe to print, and cuts it to [payments.MaxShownWidth].
func Clean(text string) string { return clean.Text(text, payments.MaxShownWidth) }

// CleanLabel makes a text safe to print, and cuts it to [payments.MaxLabelWidth].
func CleanLabel(text string) string { return clean.Text(text, payments.MaxLabelWidth) }

// MaxMessage is the maximum width of an error message, in columns.
const MaxMessage = 2000

// Verdict returns the text of an order's verdict at a time on the shop's clock.
func (a *App) Verdict(order payments.Order, now time.Time) string {
	return a.word(order, order.Verdict(payments.Conditions{}, now))
}

// VerdictOf returns the text of a verdict that is not about one order, as in a report.
func (a *App) VerdictOf(verdict payments.Verdict) string { return a.word(payments.Order{}, verdict) }

func (a *App) word(order payments.Order, verdict payments.Verdict) string {
	_, words, _ := strings.Cut(badge.Of(a.Texts, order, verdict).Word(), " ") // Drop the sign of the badge.
	return strings.ToLower(words)
}

// OrderTable formats orders as a table for people. now is the time of the verdicts, on the shop's
// clock.
func (a *App) OrderTable(orders []payments.Order, now time.Time) string {
	if len(orders) == 0 {
		return ""
	}
	if columns, is := terminalWidth(a.Out); is {
		return a.orderScreen(orders, now, columns)
	}
	const descriptionWidth = 40
	words := a.Texts.Printed
	rows := [][]string{{words.Reference, words.Created, Right(strings.ToUpper(a.Texts.Orders.Amount)), words.Verdict, words.About}}
	for _, order := range orders {
		rows = append(rows, []string{
			order.Reference, Moment(order.CreatedAt), Right(i18n.Money(order.Amount)), a.Verdict(order, now),
			clean.Text(order.Description, descriptionWidth),
		})
	}
	return Table(rows...)
}

// orderScreen formats orders for a terminal: the verdicts as in the console, with their reasons if
// there is room.
func (a *App) orderScreen(orders []payments.Order, now time.Time, columns int) string {
	const amounts, gap = 7, 2
	styles, words := theme.ForTerminal(a.Out, a.Env, theme.Auto), a.Texts.Printed
	abouts, longest := []string{words.About}, 0
	for _, order := range orders {
		abouts = append(abouts, clean.Text(order.Description, payments.MaxShownWidth))
		longest = max(longest, theme.Width(abouts[len(abouts)-1]))
	}
	var table string
	for _, name := range []func(badge.Badge) string{badge.Badge.Word, badge.Badge.Tag} {
		rows := [][]string{{words.Reference, words.Created, theme.AlignRight(strings.ToUpper(a.Texts.Orders.Amount), amounts), words.Verdict}}
		for _, order := range orders {
			shown := badge.Of(a.Texts, order, order.Verdict(payments.Conditions{}, now))
			style, _ := shown.Kind.Styles(styles)
			rows = append(rows, []string{
				order.Reference, i18n.Moment(order.CreatedAt.Local()), theme.AlignRight(i18n.Number(int64(order.Amount)), amounts),
				style.Render(name(shown)),
			})
		}
		if table = Table(rows...); theme.Width(table)+gap+longest <= columns {
			break
		}
	}
	wide := theme.Width(table) + gap
	lines := strings.Split(table, "\n")
	for i, line := range lines {
		lines[i] = theme.Truncate(theme.AlignLeft(line, wide)+theme.TruncateList(abouts[i], max(0, columns-wide)), columns)
	}
	lines[0] = styles.Muted.Render(lines[0])
	return styles.Encode(strings.Join(lines, "\n"))
}
