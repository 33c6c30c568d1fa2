package admin

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/tui/cli"
)

type reporter struct {
	*app
	day, first, last payments.Period
	asCSV            bool
}

func (a *app) reportCommand() *cobra.Command {
	r := &reporter{app: a}
	command := a.JSON(&cobra.Command{Use: "report", PreRunE: r.check, RunE: a.InShop(r.run)})
	flags := command.Flags()
	flags.Func("date", "", a.day("--date", &r.day))
	flags.Func("from", "", a.day("--from", &r.first))
	flags.Func("to", "", a.day("--to", &r.last))
	flags.BoolVar(&r.asCSV, "csv", false, "")
	return command
}

// check validates the flags and sets r.day to the period that they name.
func (r *reporter) check(*cobra.Command, []string) error {
	words := r.Texts.Printed
	today, none := payments.Day(r.Now().Local()), payments.Period{}
	switch {
	case r.asCSV && r.AsJSON():
		return cli.Misused("%s", words.OneForm)
	case r.day != none && (r.first != none || r.last != none):
		return cli.Misused("%s", words.OneDay)
	case r.first == none && r.last != none:
		return cli.Misused("%s", words.NeedFrom)
	case r.first != none:
		r.last = cmp.Or(r.last, today)
		r.day = payments.Period{From: r.first.From, To: r.last.To}
	}
	r.day = cmp.Or(r.day, today)
	if r.last.From.Before(r.first.From) {
		return cli.Misused("%s", words.Reversed.With(r.last.From.Format(time.DateOnly), r.first.From.Format(time.DateOnly)))
	}
	r.day.Sold = true
	return nil
}

func (r *reporter) run(ctx context.Context, shop *cli.Shop, _ []string) error {
	return r.report(ctx, shop, r.day, r.asCSV)
}

// day returns a function that parses the value of flag and sets period to that local day.
// The value is an ISO 8601 date, a French day/month/year, or "today" or "yesterday" in any
// of the till's languages.
func (a *app) day(flag string, period *payments.Period) func(text string) error {
	return func(text string) error {
		now := a.Now().Local()
		switch strings.ToLower(text) {
		case "today", "aujourd'hui", "androany":
			*period = payments.Day(now)
			return nil
		case "yesterday", "hier", "omaly":
			*period = payments.Day(now.AddDate(0, 0, -1))
			return nil
		}
		for _, layout := range []string{time.DateOnly, "2/1/2006", "2.1.2006", "2-1-2006"} {
			// Parse noon instead of midnight: in some zones a day without a midnight exists.
			noon, err := time.ParseInLocation(layout+" 15", text+" 12", time.Local)
			if err == nil {
				*period = payments.Day(noon)
				return nil
			}
		}
		return cli.Misused("%s", a.Texts.Shell.NoDay.With(flag, cli.CleanLabel(text)))
	}
}

func (a *app) report(ctx context.Context, shop *cli.Shop, period payments.Period, asCSV bool) error {
	report, err := shop.Service.Report(ctx, period)
	if err != nil {
		return fmt.Errorf("add up the takings: %w", err)
	}
	found, err := shop.Service.Closings(ctx, period.From.Local().Format(time.DateOnly), lastDay(period))
	if err != nil {
		return fmt.Errorf("read closings: %w", err)
	}
	resets, err := a.resets(ctx, shop.Service, period)
	if err != nil {
		return err
	}
	text := a.reportTable(report) + resets
	var closings []closingJSON
	for _, closing := range found {
		now, err := shop.Service.Report(ctx, closing.Period)
		if err != nil {
			return fmt.Errorf("add up the takings since a closing: %w", err)
		}
		since := closing.Since(now)
		closings = append(closings, newClosingJSON(closing, since))
		text += "\n\n" + a.closingText(closing, since)
	}
	if asCSV {
		return writeReportCSV(a.Out, newReportJSON(report, closings))
	}
	if report.Orders == 0 && !a.AsJSON() {
		a.SayWhereDemo(shop.Settings)
	}
	return a.Print(newReportJSON(report, closings), text)
}

func (a *app) resets(ctx context.Context, service *payments.Service, period payments.Period) (text string, err error) {
	found, err := service.PINResets(ctx, period)
	for i, reset := range found {
		if i == 0 {
			text = "\n"
		}
		text += "\n" + a.Texts.Printed.Reset.With(reset.Cashier, cli.Moment(reset.At))
	}
	return text, err
}

// reportTable formats a report for people. It omits verdicts without orders, except paid.
func (a *app) reportTable(report payments.Report) string {
	words, amount := a.Texts.Printed, a.Texts.Orders.Amount
	first, last := report.Period.From.Local().Format(time.DateOnly), lastDay(report.Period)
	name, layout := a.Day(report.Period.From.Local()), "15:04"
	if first != last {
		name, layout = words.To.With(first, last), "2006-01-02 15:04"
	}
	rows := [][]string{reportHead(name, words.Orders, amount)}
	for _, verdict := range payments.Verdicts() {
		if sum := report.Verdicts[verdict]; sum.Count > 0 || verdict == payments.VerdictPaid {
			rows = append(rows, reportRow(a.VerdictOf(verdict), sum.Count, sum.Amount))
		}
	}
	if report.Refunded.Count > 0 {
		rows = append(rows, reportRow(words.GivenBack, report.Refunded.Count, -report.Refunded.Amount))
	}
	rows = append(rows, reportRow(words.Received, report.Received.Count, report.Received.Amount))
	if len(report.Hours) > 0 {
		rows = append(rows, nil, reportHead(words.Hours, words.Orders, amount))
	}
	for _, hour := range report.Hours {
		rows = append(rows, reportRow(hour.At.Local().Format(layout), hour.Count, hour.Amount))
	}
	if len(report.Sold) > 0 {
		rows = append(rows, nil, reportHead(words.Articles, words.Quantity, amount))
	}
	for _, sold := range report.Sold {
		rows = append(rows, reportRow(sold.Label, sold.Quantity, sold.Amount))
	}
	return cli.Table(rows...)
}

func reportHead(name, count, amount string) []string {
	return []string{name, fmt.Sprintf("%8s", count), cli.Right(strings.ToUpper(amount))}
}

func reportRow(name string, count int64, amount payments.Ariary) []string {
	const labelWidth = 40
	return []string{payments.Clean(name, labelWidth), cli.Count(count), cli.Right(i18n.Money(amount))}
}

func lastDay(period payments.Period) string {
	return period.To.Local().Add(-time.Nanosecond).Format(time.DateOnly)
}

// csvReport builds the CSV table of a report. Each row has a section, a name, a count, an
// amount, and four columns that identify the row's closing.
type csvReport struct {
	rows [][]any
	of   []any // The four closing columns of the next rows; blank for rows of the report itself.
}

func (c *csvReport) row(section, name string, sum sumJSON) {
	c.rows = append(c.rows, append([]any{section, name, sum.Count, int64(sum.Amount)}, c.of...))
}

func (c *csvReport) verdicts(section string, sums map[payments.Verdict]sumJSON) {
	for _, verdict := range payments.Verdicts() {
		if sum, found := sums[verdict]; found {
			c.row(section, string(verdict), sum)
		}
	}
}

func writeReportCSV(out io.Writer, report reportJSON) error {
	table := csvReport{
		rows: [][]any{{"section", "name", "count", "amount", "day", "till", "by", "at"}},
		of:   []any{"", "", "", ""},
	}
	table.verdicts("verdict", report.Verdicts)
	table.row("money", "received", report.Received)
	table.row("money", "refunded", report.Refunded)
	for _, hour := range report.Hours {
		table.row("hour", hour.At.UTC().Format(time.RFC3339), hour.sumJSON)
	}
	for _, sold := range report.Sold {
		table.row("article", sold.Label, sumJSON{sold.Quantity, sold.Amount})
	}
	for _, closing := range report.Closings {
		table.of = []any{closing.Day, closing.Till, closing.By, closing.At.UTC().Format(time.RFC3339)}
		table.verdicts("closing", closing.Verdicts)
		table.verdicts("since", closing.Since)
	}
	return catalog.WriteCSV(out, table.rows)
}
