package admin

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/theme"
	"checkout/till/tui/wording"
)

type reporter struct {
	*app
	date, from, to string
	day            money.Period // Period of the report.
	asCSV          bool
}

func (a *app) reportCommand() *cobra.Command {
	r := &reporter{app: a}
	command := a.JSON(&cobra.Command{Use: "report", RunE: a.InShop(r.run)})
	flags := command.Flags()
	flags.StringVar(&r.date, "date", "", "")
	flags.StringVar(&r.from, "from", "", "")
	flags.StringVar(&r.to, "to", "", "")
	flags.BoolVar(&r.asCSV, "csv", false, "")
	return command
}

// choose validates the flags and sets r.day, by default to today by the shop's clock.
func (r *reporter) choose(shop *cli.Shop) (err error) {
	words, now := r.Texts.Printed, shop.Now().Local()
	var day, first, last money.Period
	today, none := shop.Service.DayOf(now), money.Period{}
	for _, given := range []struct {
		flag, text string
		period     *money.Period
	}{{"--date", r.date, &day}, {"--from", r.from, &first}, {"--to", r.to, &last}} {
		if given.text == "" {
			continue
		}
		if *given.period, err = r.parseDay(given.flag, given.text, now, shop.Service.DayBegins); err != nil {
			return err
		}
	}
	switch {
	case r.asCSV && r.AsJSON():
		return cli.Misused("%s", words.OneForm)
	case day != none && (first != none || last != none):
		return cli.Misused("%s", words.OneDay)
	case first == none && last != none:
		return cli.Misused("%s", words.NeedFrom)
	case first != none:
		last = cmp.Or(last, today)
		day = money.Period{From: first.From, To: last.To}
	}
	if last.From.Before(first.From) {
		return cli.Misused("%s", words.Reversed.With(last.From.Format(time.DateOnly), first.From.Format(time.DateOnly)))
	}
	r.day = cmp.Or(day, today)
	r.day.Sold = true
	return nil
}

// parseDay returns the shop's day that a flag names. begins is how long after midnight a day
// begins.
func (a *app) parseDay(flag, text string, now time.Time, begins time.Duration) (money.Period, error) {
	switch strings.ToLower(text) {
	case "today", "aujourd'hui", "androany":
		return money.Day(now, begins), nil
	case "yesterday", "hier", "omaly":
		return money.Day(now.AddDate(0, 0, -1), begins), nil
	}
	for _, layout := range []string{time.DateOnly, "2/1/2006", "2.1.2006", "2-1-2006"} {
		// Parse noon, because in some zones a day has no midnight.
		noon, err := time.ParseInLocation(layout+" 15", text+" 12", time.Local)
		if err == nil {
			return money.Day(noon, begins), nil
		}
	}
	return money.Period{}, cli.Misused("%s", a.Texts.Shell.NoDay.With(flag, cli.CleanLabel(text)))
}

func (r *reporter) run(ctx context.Context, shop *cli.Shop, _ []string) error {
	if err := r.choose(shop); err != nil {
		return err
	}
	report, err := shop.Service.Day(ctx, r.day)
	if err != nil {
		return fmt.Errorf("add up the takings: %w", err)
	}
	orphans, err := shop.Service.WithoutOrder(ctx, r.day)
	if err != nil {
		return fmt.Errorf("add up the payments without an order: %w", err)
	}
	closings, err := shop.Service.Closings(ctx, r.day)
	if err != nil {
		return fmt.Errorf("read closings: %w", err)
	}
	resets, err := r.resets(ctx, shop.Service, r.day)
	if err != nil {
		return err
	}
	if r.asCSV {
		return writeReportCSV(r.Out, newReportJSON(report, orphans, closings))
	}
	if report.Orders == 0 && report.AtCounter() == (money.Sum{}) && !r.AsJSON() {
		r.SayWhereDemo(shop.Settings)
	}
	parts := r.reportParts(report, orphans)
	text := r.reportTable(parts)
	if styles := theme.ForTerminal(r.Out, r.Env, theme.Mode(shop.Settings.Counter.Theme)); styles.Colours > 0 {
		text = styles.Encode(r.reportScreen(styles, report, parts))
	}
	text += resets
	if len(closings) > 0 {
		text += "\n\n" + r.closingsText(closings)
	}
	return r.Print(newReportJSON(report, orphans, closings), text)
}

// resets returns a blank line and a line for each PIN reset of a period, or "".
func (a *app) resets(ctx context.Context, service *drawer.Service, period money.Period) (text string, err error) {
	found, err := service.PINResets(ctx, period)
	for i, reset := range found {
		if i == 0 {
			text = "\n"
		}
		text += "\n" + a.Texts.Printed.Reset.With(reset.Cashier, cli.Moment(reset.At))
	}
	return text, err
}

// reportPart is a table of a report. head and counted are the headings above the names and above
// the counts.
type reportPart struct {
	head, counted string
	lines         []reportLine
}

// reportLine is a row of a report. badge is zero unless the row is about a verdict or a tender.
type reportLine struct {
	name   string
	badge  badge.Badge
	count  string
	amount money.Ariary
}

func reportRow(name string, count int64, amount money.Ariary) reportLine {
	return reportLine{name: name, count: strconv.FormatInt(count, 10), amount: amount}
}

// reportParts returns the outcomes and other sums, the hours and the articles of a report, in this
// order. orphans is the sum of the payments without an order.
func (a *app) reportParts(report drawer.Day, orphans money.Sum) []reportPart {
	words := a.Texts.Printed
	name, layout := a.Day(report.Period.From.Local()), "15:04"
	if first, last := days(report); first != last {
		name, layout = words.To.With(first, last), "2006-01-02 15:04"
	}
	outcomes := reportPart{head: name, counted: words.Orders}
	add := func(row reportLine) { outcomes.lines = append(outcomes.lines, row) }
	for _, verdict := range payments.Verdicts() {
		if sum := report.Verdicts[verdict]; sum.Count > 0 || verdict == payments.VerdictPaid {
			row := reportRow(a.VerdictOf(verdict), sum.Count, sum.Amount)
			row.badge = badge.Of(a.Texts, payments.Order{}, verdict)
			add(row)
		}
	}
	if report.Refunded != (money.Sum{}) {
		add(reportRow(words.GivenBack, report.Refunded.Count, -report.Refunded.Amount))
	}
	add(reportRow(words.Received, report.Received.Count, report.Received.Amount))
	if report.Later != (money.Sum{}) {
		add(reportRow(a.Texts.Account.CameLater, report.Later.Count, report.Later.Amount))
	}
	if report.AtCounter() != (money.Sum{}) || report.Voided != (money.Sum{}) || report.CashRefunded != (money.Sum{}) {
		for _, tender := range drawer.CounterTenders() {
			if sum := report.Tendered[tender]; sum != (money.Sum{}) || tender == drawer.TenderCash {
				row := reportRow(a.Texts.TenderKeys[string(tender)], sum.Count, sum.Amount)
				row.badge = badge.OfTender(a.Texts, tender)
				add(row)
			}
		}
		if report.CashRefunded != (money.Sum{}) {
			add(reportRow(words.GivenBack, report.CashRefunded.Count, -report.CashRefunded.Amount))
		}
		if report.Voided != (money.Sum{}) {
			add(reportRow(words.Voided, report.Voided.Count, -report.Voided.Amount))
		}
		add(reportRow(words.Taken, report.Taken().Count, report.Taken().Amount))
	}
	debts := a.Texts.Debts
	for _, row := range []reportLine{
		reportRow(debts.Paid, report.Debts.Count, report.Debts.Amount),
		reportRow(debts.WrittenOff, report.WrittenOff.Count, -report.WrittenOff.Amount),
		reportRow(debts.Owed, report.Owed.Count, report.Owed.Amount),
	} {
		if row.amount != 0 {
			add(row)
		}
	}
	if orphans.Count > 0 {
		add(reportRow(words.WithoutOrder, orphans.Count, orphans.Amount))
	}
	hours := reportPart{head: words.Hours, counted: words.Orders}
	for _, hour := range report.Hours {
		hours.lines = append(hours.lines, reportRow(hour.At.Local().Format(layout), hour.Count, hour.Amount))
	}
	articles := reportPart{head: words.Articles, counted: words.Quantity}
	for _, sold := range report.Sold {
		articles.lines = append(articles.lines, reportLine{name: sold.Label, count: wording.SoldQuantity(a.Texts, sold), amount: sold.Amount})
	}
	return []reportPart{outcomes, hours, articles}
}

func days(report drawer.Day) (first, last string) {
	// The period ends on the date after its last day.
	return report.Period.From.Local().Format(time.DateOnly), report.Period.To.Local().AddDate(0, 0, -1).Format(time.DateOnly)
}

func (a *app) reportTable(parts []reportPart) string {
	const labelWidth = 40
	var rows [][]string
	for _, part := range parts {
		if len(part.lines) == 0 {
			continue
		}
		if len(rows) > 0 {
			rows = append(rows, nil)
		}
		rows = append(rows, []string{part.head, fmt.Sprintf("%8s", part.counted), cli.Right(strings.ToUpper(a.Texts.Orders.Amount))})
		for _, line := range part.lines {
			rows = append(rows, []string{clean.Text(line.name, labelWidth), fmt.Sprintf("%8s", line.count), cli.Right(i18n.Money(line.amount))})
		}
	}
	return cli.Table(rows...)
}

// csvReport builds the CSV table of a report. The columns about a closing or an article are blank
// in other rows.
type csvReport struct {
	rows [][]any
	of   []any // Columns after the amount, for the next rows.
}

func (c *csvReport) row(section, name string, sum sumJSON) {
	c.rows = append(c.rows, append([]any{section, name, sum.Count, int64(sum.Amount)}, c.of...))
}

func writeReportCSV(out io.Writer, report reportJSON) error {
	table := csvReport{
		rows: [][]any{{"section", "name", "count", "amount", "day", "till", "by", "at", "quantity", "unit"}},
		of:   []any{"", "", "", "", "", ""},
	}
	for _, verdict := range payments.Verdicts() {
		table.row("verdict", string(verdict), report.Verdicts[verdict])
	}
	table.row("money", "received", report.Received)
	table.row("money", "refunded", report.Refunded)
	if report.AtCounter != (sumJSON{}) {
		table.row("money", "refunded_at_counter", report.AtCounter)
	}
	for _, tender := range drawer.CounterTenders() {
		table.row("money", string(tender), report.Tenders[tender])
	}
	table.row("money", "voided", report.Voided)
	table.row("money", "taken", report.Taken)
	table.row("money", "without_order", report.WithoutOrder)
	debts := []string{"debts_paid", "written_off", "owed"}
	for place, sum := range []sumJSON{report.Debts, report.WrittenOff, report.Owed} {
		if sum != (sumJSON{}) {
			table.row("money", debts[place], sum)
		}
	}
	for _, hour := range report.Hours {
		table.row("hour", hour.At.UTC().Format(time.RFC3339), hour.sumJSON)
	}
	for _, sold := range report.Sold {
		table.of = []any{"", "", "", "", payments.Decimal(sold.Thousandths, "."), sold.Unit}
		table.row("article", sold.Label, sumJSON{sold.Quantity, sold.Amount})
	}
	for _, closing := range report.Closings {
		table.closing(closing)
	}
	return catalog.WriteTable(out, ',', table.rows)
}

func (c *csvReport) closing(closing closingJSON) {
	const section = "closing"
	c.of = []any{closing.At.Local().Format(time.DateOnly), closing.Till, closing.By, closing.At.UTC().Format(time.RFC3339), "", ""}
	c.row(section, "received", closing.Received)
	c.row(section, "returned", closing.Returned)
	for _, tender := range drawer.CounterTenders() {
		if flow, found := closing.Tenders[tender]; found {
			c.row(section, string(tender)+"_taken", flow.Taken)
			c.row(section, string(tender)+"_returned", flow.Returned)
		}
	}
	for _, way := range drawer.Ways() {
		if sum, found := closing.Debts[way.Tender]; found {
			c.row(section, string(way.Tender)+"_debts_paid", sum)
		}
	}
	for _, kind := range drawer.Kinds() {
		if sum, found := closing.Moves[kind]; found {
			c.row(section, string(kind), sum)
		}
	}
	c.row(section, "expected", sumJSON{1, closing.Expected})
	if closing.Counted != nil {
		c.row(section, "counted", sumJSON{1, closing.Counted.Amount})
		c.row(section, "difference", sumJSON{1, *closing.Difference})
	}
}
