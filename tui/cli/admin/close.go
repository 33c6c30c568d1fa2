package admin

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cli"
)

// closeOptions are the flags of "close".
type closeOptions struct {
	date, by            string
	listed, yes, asJSON bool
}

func (a *app) closeCommand() *cobra.Command {
	var options closeOptions
	command := &cobra.Command{
		Use:   "close",
		Short: "Close the day: keep what it came to",
		Long: "Close today, or another day (--date): keep what the shop took, by whom and when. A day is closed once, at\n" +
			"one till. What it comes to and what is still open is shown first, and then asked whether to close it; a script\n" +
			"says --yes. What comes to it later is shown by till report as a difference. --list shows all closings.\n\n" +
			"In a shop that has cashiers the PIN of --by is asked for, or read as a line of standard input.",
		Args: cli.NoArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			day, err := parseDay("--date", options.date, a.Now())
			switch {
			case err != nil:
				return err
			case !options.listed && !options.yes && !a.AtTerminal():
				return cli.Misused("a day is closed for good, and nobody can be asked here: say --yes")
			}
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				if options.listed {
					return a.listClosings(ctx, shop.Service, options.asJSON)
				}
				return a.closeDay(ctx, shop, day, options)
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.date, "date", "", "the `DAY`, as 2026-11-21 (default today)")
	flags.StringVar(&options.by, "by", "", "who closes it (default: the user of this machine; a shop that has cashiers wants one of them)")
	flags.BoolVar(&options.listed, "list", false, "list all closings instead")
	flags.BoolVar(&options.yes, "yes", false, "do not ask, for scripts")
	cli.JSONFlag(command, &options.asJSON)
	return command
}

// closeDay shows what a day comes to and what is open, asks, and closes it.
func (a *app) closeDay(ctx context.Context, shop *cli.Shop, day payments.Period, options closeOptions) error {
	name := day.From.Format(time.DateOnly)
	earlier, err := shop.Service.Closings(ctx, name, name)
	switch {
	case err != nil:
		return fmt.Errorf("read closings: %w", err)
	case len(earlier) > 0:
		return cli.Plainly(&payments.ClosedError{Closing: earlier[0]})
	case day.From.After(shop.Now()):
		return payments.ErrNotBegun
	}
	who, err := a.Identify(ctx, shop.Service, options.by)
	if err != nil {
		return err
	}
	if err := a.showDay(ctx, shop, day); err != nil {
		return err
	}
	if !options.yes {
		agreed, err := a.Agrees(ctx, "Close "+name+" for good?")
		if err != nil {
			return err
		}
		if !agreed {
			return fmt.Errorf("%s was not closed", name)
		}
	}
	till := shop.Settings.Counter.Till
	closing, err := shop.Service.Close(ctx, day.From, till, cmp.Or(options.by, a.Operator()), who)
	switch {
	case err != nil:
		return cli.Plainly(err)
	case options.asJSON:
		return cli.WriteJSON(a.Out, newClosingJSON(closed{Closing: closing}))
	}
	return writeClosing(a.Out, closed{Closing: closing})
}

// showDay says what a day comes to, and names the orders of which nobody knows
// yet how they end.
func (a *app) showDay(ctx context.Context, shop *cli.Shop, day payments.Period) error {
	const listed = 20
	report, err := shop.Service.Report(ctx, day)
	if err != nil {
		return fmt.Errorf("add up the takings: %w", err)
	}
	if err := writeReport(a.Err, report); err != nil {
		return err
	}
	var open []string
	for _, verdict := range []payments.Verdict{
		payments.VerdictCheck, payments.VerdictUnknown, payments.VerdictWaiting, payments.VerdictTimeOver,
	} {
		if count := report.Verdicts[verdict].Count; count > 0 {
			open = append(open, fmt.Sprintf("%d %s", count, verdict))
		}
	}
	if len(open) == 0 {
		return nil
	}
	a.Say("still open: %s", strings.Join(open, ", "))
	orders, err := shop.Orders(ctx, payments.Query{Since: day.From, Until: day.To, Open: true, Limit: cli.MaxPage})
	if err != nil {
		return err
	}
	var undecided []payments.Order
	for _, order := range orders {
		switch order.Verdict(payments.Conditions{}, shop.Now()) {
		case payments.VerdictCheck, payments.VerdictUnknown, payments.VerdictWaiting, payments.VerdictTimeOver:
			undecided = append(undecided, order)
		}
	}
	return cli.WriteOrders(a.Err, undecided[:min(len(undecided), listed)], shop.Now())
}

func (a *app) listClosings(ctx context.Context, service *payments.Service, asJSON bool) error {
	found, err := service.Closings(ctx, "", "9999-12-31")
	if err != nil {
		return fmt.Errorf("list closings: %w", err)
	}
	list := make([]closingJSON, 0, len(found))
	for _, closing := range found {
		list = append(list, newClosingJSON(closed{Closing: closing}))
	}
	switch {
	case asJSON:
		return cli.WriteJSON(a.Out, list)
	case len(list) == 0:
		a.Say("no day was closed")
	}
	for _, closing := range found {
		if err := writeClosing(a.Out, closed{Closing: closing}); err != nil {
			return err
		}
	}
	return nil
}

// closed is a closing and what came since.
type closed struct {
	payments.Closing
	since map[payments.Verdict]payments.Sum
}

// closings returns the closings of a report's days, each with what came since.
func closings(ctx context.Context, service *payments.Service, period payments.Period) ([]closed, error) {
	last := period.To.Local().Add(-time.Nanosecond).Format(time.DateOnly)
	found, err := service.Closings(ctx, period.From.Local().Format(time.DateOnly), last)
	if err != nil {
		return nil, fmt.Errorf("read closings: %w", err)
	}
	var all []closed
	for _, closing := range found {
		report, err := service.Report(ctx, closing.Period)
		if err != nil {
			return nil, fmt.Errorf("add up the takings since a closing: %w", err)
		}
		all = append(all, closed{closing, closing.Since(report)})
	}
	return all, nil
}

// writeClosing writes a closing for people, and what came since.
func writeClosing(out io.Writer, closing closed) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	rows := func(prefix string, sums map[payments.Verdict]payments.Sum) {
		for _, verdict := range payments.Verdicts() {
			if sum, found := sums[verdict]; found {
				fmt.Fprintf(table, "  %s%s\t%8d\t%15s\n", prefix, verdict, sum.Count, i18n.Money(sum.Amount))
			}
		}
	}
	fmt.Fprintf(table, "%s closed by %s at till %s, %s\n", closing.Day, closing.By, closing.Till, cli.Moment(closing.At))
	rows("", closing.Verdicts)
	rows("since then ", closing.since)
	return table.Flush()
}

// closingJSON is a closing as scripts see it.
type closingJSON struct {
	Day      string                       `json:"day"`
	Till     string                       `json:"till"`
	By       string                       `json:"by"`
	At       *string                      `json:"at"`
	Orders   int64                        `json:"orders"`
	Verdicts map[payments.Verdict]sumJSON `json:"verdicts"`
	Since    map[payments.Verdict]sumJSON `json:"since,omitempty"`
}

func newClosingJSON(closing closed) closingJSON {
	return closingJSON{
		Day: closing.Day, Till: closing.Till, By: closing.By, At: cli.Stamp(closing.At), Orders: closing.Orders,
		Verdicts: sumsJSON(closing.Verdicts), Since: sumsJSON(closing.since),
	}
}

func sumsJSON(sums map[payments.Verdict]payments.Sum) map[payments.Verdict]sumJSON {
	made := make(map[payments.Verdict]sumJSON, len(sums))
	for verdict, sum := range sums {
		made[verdict] = sumJSON(sum)
	}
	return made
}
