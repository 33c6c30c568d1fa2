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

func (a *app) reportCommand() *cobra.Command {
	var day, first, last payments.Period
	var asCSV bool
	words := a.Texts.Printed
	command := a.JSON(&cobra.Command{Use: "report"})
	command.PreRunE = func(*cobra.Command, []string) error {
		today, none := payments.Day(a.Now().Local()), payments.Period{}
		switch {
		case asCSV && a.AsJSON():
			return cli.Misused("%s", words.OneForm)
		case day != none && (first != none || last != none):
			return cli.Misused("%s", words.OneDay)
		case first == none && last != none:
			return cli.Misused("%s", words.NeedFrom)
		case first != none:
			last = cmp.Or(last, today)
			day = payments.Period{From: first.From, To: last.To}
		}
		day = cmp.Or(day, today)
		if last.From.Before(first.From) {
			return cli.Misused("%s", words.Reversed.With(last.From.Format(time.DateOnly), first.From.Format(time.DateOnly)))
		}
		day.Sold = true
		return nil
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		return a.report(ctx, shop, day, asCSV)
	})
	flags := command.Flags()
	flags.Func("date", "", a.day("--date", &day))
	flags.Func("from", "", a.day("--from", &first))
	flags.Func("to", "", a.day("--to", &last))
	flags.BoolVar(&asCSV, "csv", false, "")
	return command
}

// day returns what reads a flag as a local day: as ISO 8601 or the French write it, or
// the word for today or yesterday in one of the languages.
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
			// There are zones and days without a midnight.
			noon, err := time.ParseInLocation(layout+" 15", text+" 12", time.Local)
			if err == nil {
				*period = payments.Day(noon)
				return nil
			}
		}
		return cli.Misused("%s", a.Texts.Shell.NoDay.With(flag, cli.Shown(text)))
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
	text := a.reportTable(report)
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

// reportTable is a report for people. Verdicts that no order has are left out,
// but for what is paid.
func (a *app) reportTable(report payments.Report) string {
	const labelWidth = 40
	words := a.Texts.Printed
	var rows [][]string
	head := func(name, count string) {
		rows = append(rows, []string{name, fmt.Sprintf("%8s", count), cli.Right(strings.ToUpper(a.Texts.Orders.Amount))})
	}
	row := func(name string, count int64, amount payments.Ariary) {
		rows = append(rows, []string{payments.Clean(name, labelWidth), cli.Count(count), cli.Right(i18n.Money(amount))})
	}
	first, last := report.Period.From.Local().Format(time.DateOnly), lastDay(report.Period)
	name, layout := a.Day(report.Period.From.Local()), "15:04"
	if first != last {
		name, layout = words.To.With(first, last), "2006-01-02 15:04"
	}
	head(name, words.Orders)
	for _, verdict := range payments.Verdicts() {
		if sum := report.Verdicts[verdict]; sum.Count > 0 || verdict == payments.VerdictPaid {
			row(a.VerdictOf(verdict), sum.Count, sum.Amount)
		}
	}
	if report.Refunded.Count > 0 {
		row(words.GivenBack, report.Refunded.Count, -report.Refunded.Amount)
	}
	row(words.Received, report.Received.Count, report.Received.Amount)
	if len(report.Hours) > 0 {
		rows = append(rows, nil)
		head(words.Hours, words.Orders)
	}
	for _, hour := range report.Hours {
		row(hour.At.Local().Format(layout), hour.Count, hour.Amount)
	}
	if len(report.Sold) > 0 {
		rows = append(rows, nil)
		head(words.Articles, words.Quantity)
	}
	for _, sold := range report.Sold {
		row(sold.Label, sold.Quantity, sold.Amount)
	}
	return cli.Table(rows...)
}

func lastDay(period payments.Period) string {
	return period.To.Local().Add(-time.Nanosecond).Format(time.DateOnly)
}

// writeReportCSV writes a report and the closings of its days as one table:
// what a row is about, its name, a count and an amount, and of which closing.
func writeReportCSV(out io.Writer, report reportJSON) error {
	rows := [][]any{{"section", "name", "count", "amount", "day", "till", "by", "at"}}
	of := []any{"", "", "", ""} // The closing; blank for the report itself.
	row := func(section, name string, sum sumJSON) {
		rows = append(rows, append([]any{section, name, sum.Count, int64(sum.Amount)}, of...))
	}
	verdicts := func(section string, sums map[payments.Verdict]sumJSON) {
		for _, verdict := range payments.Verdicts() {
			if sum, found := sums[verdict]; found {
				row(section, string(verdict), sum)
			}
		}
	}
	verdicts("verdict", report.Verdicts)
	row("money", "received", report.Received)
	row("money", "refunded", report.Refunded)
	for _, hour := range report.Hours {
		row("hour", hour.At.UTC().Format(time.RFC3339), hour.sumJSON)
	}
	for _, sold := range report.Sold {
		row("article", sold.Label, sumJSON{sold.Quantity, sold.Amount})
	}
	for _, closing := range report.Closings {
		of = []any{closing.Day, closing.Till, closing.By, closing.At.UTC().Format(time.RFC3339)}
		verdicts("closing", closing.Verdicts)
		verdicts("since", closing.Since)
	}
	return catalog.WriteCSV(out, rows)
}
