package admin

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/tui/cli"
)

// reportOptions are the flags of "till report".
type reportOptions struct {
	date, from, to string
	asCSV, asJSON  bool
}

func (a *app) reportCommand() *cobra.Command {
	var options reportOptions
	command := &cobra.Command{
		Use:   "report",
		Short: "Show the takings of a day or of several",
		Long: "Show the takings of today, of another day (--date) or of several days (--from, --to).\n\n" +
			"An order counts once: on the day when it was paid, otherwise on the day when it was made. " +
			"What was paid is what the payment service confirmed; what a person marked paid stands apart. " +
			"Hours and articles are those of what is paid. Days that were closed stand below, each with what came to it since.\n\n" +
			"With --csv each row says what it is about (section: verdict, hour, article, closing, since), its name, a count and\n" +
			"an amount. A row of a closing has its day, till, by whom and when (UTC) too, and so has a row of what came since,\n" +
			"which may be negative. Columns may be added behind these.",
		Args: cli.NoArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			period, err := options.period(a.Now())
			if err != nil {
				return err
			}
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				return a.report(ctx, shop, period, options)
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.date, "date", "", "the `DAY`, as 2026-11-21 (default today)")
	flags.StringVar(&options.from, "from", "", "the first `DAY`, as 2026-11-21")
	flags.StringVar(&options.to, "to", "", "the last `DAY`, as 2026-11-21 (default today)")
	flags.BoolVar(&options.asCSV, "csv", false, "print a table for a spreadsheet")
	cli.JSONFlag(command, &options.asJSON)
	return command
}

// period reads the flags. Days are local days.
func (o reportOptions) period(now time.Time) (payments.Period, error) {
	switch {
	case o.asCSV && o.asJSON:
		return payments.Period{}, cli.Misused("give --csv or --json, not both")
	case o.date != "" && (o.from != "" || o.to != ""):
		return payments.Period{}, cli.Misused("give --date, or --from and --to")
	case o.from == "" && o.to != "":
		return payments.Period{}, cli.Misused("--to needs --from")
	case o.from == "":
		day, err := parseDay("--date", o.date, now)
		day.Sold = true
		return day, err
	}
	first, err := parseDay("--from", o.from, now)
	if err != nil {
		return payments.Period{}, err
	}
	last, err := parseDay("--to", o.to, now)
	if err != nil {
		return payments.Period{}, err
	}
	if last.From.Before(first.From) {
		return payments.Period{}, cli.Misused("--to: %s is before %s", last.From.Format(time.DateOnly), first.From.Format(time.DateOnly))
	}
	return payments.Period{From: first.From, To: last.To, Sold: true}, nil
}

// parseDay reads a local day; a blank text is the day of now.
func parseDay(flag, text string, now time.Time) (payments.Period, error) {
	if text == "" {
		return payments.Day(now.Local()), nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return payments.Period{}, cli.Misused("%s: %q is no day as 2026-11-21", flag, cli.Shown(text))
	}
	// Noon: there are zones and days without a midnight.
	return payments.Day(time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, time.Local)), nil
}

func (a *app) report(ctx context.Context, shop *cli.Shop, period payments.Period, options reportOptions) error {
	report, err := shop.Service.Report(ctx, period)
	if err != nil {
		return fmt.Errorf("add up the takings: %w", err)
	}
	earlier, err := closings(ctx, shop.Service, period)
	switch {
	case err != nil:
		return err
	case options.asJSON:
		return cli.WriteJSON(a.Out, newReportJSON(report, earlier))
	case options.asCSV:
		return writeReportCSV(a.Out, report, earlier)
	}
	if err := writeReport(a.Out, report); err != nil {
		return err
	}
	if report.Orders == 0 {
		a.SayWhereDemo(shop.Settings)
	}
	for _, closing := range earlier {
		a.Tell("")
		if err := writeClosing(a.Out, closing); err != nil {
			return err
		}
	}
	return nil
}

// writeReport writes a report for people. Verdicts that no order has are left
// out, but for what is paid.
func writeReport(out io.Writer, report payments.Report) error {
	const labelWidth = 40
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	head := func(name, count string) { fmt.Fprintf(table, "%s\t%8s\t%15s\n", name, count, "AMOUNT") }
	row := func(name string, count int64, amount payments.Ariary) {
		fmt.Fprintf(table, "%s\t%8d\t%15s\n", payments.Clean(name, labelWidth), count, i18n.Money(amount))
	}
	head(days(report.Period), "ORDERS")
	for _, verdict := range payments.Verdicts() {
		if sum := report.Verdicts[verdict]; sum.Count > 0 || verdict == payments.VerdictPaid {
			row(string(verdict), sum.Count, sum.Amount)
		}
	}
	layout := "15:04"
	if report.Period.To.Sub(report.Period.From) > 25*time.Hour { // The longest day.
		layout = "2006-01-02 15:04"
	}
	if len(report.Hours) > 0 {
		head("\t\t\nPAID IN THE HOUR FROM", "ORDERS")
	}
	for _, hour := range report.Hours {
		row(hour.At.Local().Format(layout), hour.Count, hour.Amount)
	}
	if len(report.Sold) > 0 {
		head("\t\t\nPAID ARTICLES", "QUANTITY")
	}
	for _, sold := range report.Sold {
		row(sold.Label, sold.Quantity, sold.Amount)
	}
	return table.Flush()
}

// days names the days of a period.
func days(period payments.Period) string {
	first := period.From.Local().Format(time.DateOnly)
	last := period.To.Local().Add(-time.Nanosecond).Format(time.DateOnly)
	if first == last {
		return first
	}
	return first + " to " + last
}

// writeReportCSV writes a report and the closings of its days as one table:
// what a row is about, its name, a count and an amount, and of which closing.
func writeReportCSV(out io.Writer, report payments.Report, closings []closed) error {
	rows := [][]any{{"section", "name", "count", "amount", "day", "till", "by", "at"}}
	of := []any{"", "", "", ""} // The closing; blank for the report itself.
	row := func(section, name string, sum payments.Sum) {
		rows = append(rows, append([]any{section, name, sum.Count, int64(sum.Amount)}, of...))
	}
	verdicts := func(section string, sums map[payments.Verdict]payments.Sum) {
		for _, verdict := range payments.Verdicts() {
			if sum, found := sums[verdict]; found {
				row(section, string(verdict), sum)
			}
		}
	}
	verdicts("verdict", report.Verdicts)
	for _, hour := range report.Hours {
		row("hour", hour.At.UTC().Format(time.RFC3339), hour.Sum)
	}
	for _, sold := range report.Sold {
		row("article", sold.Label, payments.Sum{Count: sold.Quantity, Amount: sold.Amount})
	}
	for _, closing := range closings {
		of = []any{closing.Day, closing.Till, closing.By, closing.At.UTC().Format(time.RFC3339)}
		verdicts("closing", closing.Verdicts)
		verdicts("since", closing.since)
	}
	return catalog.WriteCSV(out, rows)
}
