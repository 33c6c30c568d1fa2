package admin

import (
	"context"
	"fmt"
	"io"
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
	asCSV          bool
}

func (a *app) reportCommand() *cobra.Command {
	var options reportOptions
	var period payments.Period
	command := a.JSON(&cobra.Command{Use: "report", Args: a.Arguments()})
	command.PreRunE = func(*cobra.Command, []string) (err error) {
		period, err = a.period(options)
		return err
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		return a.report(ctx, shop, period, options.asCSV)
	})
	flags := command.Flags()
	flags.StringVar(&options.date, "date", "", "")
	flags.StringVar(&options.from, "from", "", "")
	flags.StringVar(&options.to, "to", "", "")
	flags.BoolVar(&options.asCSV, "csv", false, "")
	return command
}

// period reads the flags. Days are local days.
func (a *app) period(o reportOptions) (payments.Period, error) {
	words := a.Texts.Printed
	switch {
	case o.asCSV && a.AsJSON():
		return payments.Period{}, cli.Misused("%s", words.OneForm)
	case o.date != "" && (o.from != "" || o.to != ""):
		return payments.Period{}, cli.Misused("%s", words.OneDay)
	case o.from == "" && o.to != "":
		return payments.Period{}, cli.Misused("%s", words.NeedFrom)
	case o.from == "":
		day, err := a.parseDay("--date", o.date)
		day.Sold = true
		return day, err
	}
	first, err := a.parseDay("--from", o.from)
	if err != nil {
		return payments.Period{}, err
	}
	last, err := a.parseDay("--to", o.to)
	if err != nil {
		return payments.Period{}, err
	}
	if last.From.Before(first.From) {
		return payments.Period{}, cli.Misused("%s", words.Reversed.With(last.From.Format(time.DateOnly), first.From.Format(time.DateOnly)))
	}
	return payments.Period{From: first.From, To: last.To, Sold: true}, nil
}

// parseDay reads a local day; a blank text is today.
func (a *app) parseDay(flag, text string) (payments.Period, error) {
	if text == "" {
		return payments.Day(a.Now().Local()), nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return payments.Period{}, cli.Misused("%s", a.Texts.Shell.NoDay.With(flag, cli.Shown(text)))
	}
	// Noon: there are zones and days without a midnight.
	return payments.Day(time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, time.Local)), nil
}

func (a *app) report(ctx context.Context, shop *cli.Shop, period payments.Period, asCSV bool) error {
	report, err := shop.Service.Report(ctx, period)
	if err != nil {
		return fmt.Errorf("add up the takings: %w", err)
	}
	earlier, err := closings(ctx, shop.Service, period)
	switch {
	case err != nil:
		return err
	case asCSV:
		return writeReportCSV(a.Out, report, earlier)
	}
	if report.Orders == 0 && !a.AsJSON() {
		a.SayWhereDemo(shop.Settings)
	}
	text := a.reportTable(report)
	for _, closing := range earlier {
		text += "\n\n" + a.closingText(closing)
	}
	return a.Print(newReportJSON(report, earlier), text)
}

// reportTable is a report for people. Verdicts that no order has are left out,
// but for what is paid.
func (a *app) reportTable(report payments.Report) string {
	const labelWidth = 40
	words := a.Texts.Printed
	var rows [][]string
	head := func(name, count string) {
		rows = append(rows, []string{name, fmt.Sprintf("%8s", count), cli.Right(words.Amount)})
	}
	row := func(name string, count int64, amount payments.Ariary) {
		rows = append(rows, []string{payments.Clean(name, labelWidth), cli.Count(count), cli.Right(i18n.Money(amount))})
	}
	first, last := report.Period.From.Local().Format(time.DateOnly), lastDay(report.Period)
	name, layout := first, "15:04"
	if first != last {
		name, layout = words.To.With(first, last), "2006-01-02 15:04"
	}
	head(name, words.Orders)
	for _, verdict := range payments.Verdicts() {
		if sum := report.Verdicts[verdict]; sum.Count > 0 || verdict == payments.VerdictPaid {
			row(a.VerdictOf(verdict), sum.Count, sum.Amount)
		}
	}
	paid, marked := report.Verdicts[payments.VerdictPaid], report.Verdicts[payments.VerdictMarkedPaid]
	if marked.Count > 0 {
		row(words.Together, paid.Count+marked.Count, paid.Amount+marked.Amount)
	}
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

// reportJSON is a report as scripts see it.
type reportJSON struct {
	From     *string                      `json:"from"`
	To       *string                      `json:"to"`
	Orders   int64                        `json:"orders"`
	Verdicts map[payments.Verdict]sumJSON `json:"verdicts"`
	Hours    []hourJSON                   `json:"hours"`
	Articles []soldJSON                   `json:"articles"`
	Closings []closingJSON                `json:"closings,omitempty"` // Of days that are closed.
}

type sumJSON struct {
	Count  int64           `json:"count"`
	Amount payments.Ariary `json:"amount"`
}

type hourJSON struct {
	Hour *string `json:"hour"`
	sumJSON
}

type soldJSON struct {
	Label    string          `json:"label"`
	Quantity int64           `json:"quantity"`
	Amount   payments.Ariary `json:"amount"`
}

func newReportJSON(report payments.Report, closings []closed) reportJSON {
	made := reportJSON{
		From: cli.Stamp(report.Period.From), To: cli.Stamp(report.Period.To), Orders: report.Orders,
		Verdicts: sumsJSON(report.Verdicts), Hours: []hourJSON{}, Articles: []soldJSON{},
	}
	for _, hour := range report.Hours {
		made.Hours = append(made.Hours, hourJSON{cli.Stamp(hour.At), sumJSON(hour.Sum)})
	}
	for _, sold := range report.Sold {
		made.Articles = append(made.Articles, soldJSON(sold))
	}
	for _, closing := range closings {
		made.Closings = append(made.Closings, newClosingJSON(closing))
	}
	return made
}

func sumsJSON(sums map[payments.Verdict]payments.Sum) map[payments.Verdict]sumJSON {
	made := make(map[payments.Verdict]sumJSON, len(sums))
	for verdict, sum := range sums {
		made[verdict] = sumJSON(sum)
	}
	return made
}
