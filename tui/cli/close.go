package cli

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

func (a *app) closeCommand() *cobra.Command {
	var date, by string
	var listed, asJSON bool
	command := &cobra.Command{
		Use:   "close",
		Short: "Close the day: keep what it came to",
		Long: "Close today, or another day (--date): keep what the shop took, by whom and when. A day is closed once, at\n" +
			"one till. What comes to it later is shown by till report as a difference. --list shows all closings.\n\n" +
			"In a shop that has cashiers the PIN of --by is asked for, or read as a line of standard input.",
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			day, err := parseDay("--date", date, a.Now())
			if err != nil {
				return err
			}
			return a.withShop(command.Context(), func(ctx context.Context, shop *shop) error {
				if listed {
					return a.listClosings(ctx, shop.service, asJSON)
				}
				return a.closeDay(ctx, shop, day.From, by, asJSON)
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&date, "date", "", "the `DAY`, as 2026-11-21 (default today)")
	flags.StringVar(&by, "by", "", "who closes it (default: the user of this machine; a shop that has cashiers wants one of them)")
	flags.BoolVar(&listed, "list", false, "list all closings instead")
	jsonFlag(command, &asJSON)
	return command
}

func (a *app) closeDay(ctx context.Context, shop *shop, day time.Time, by string, asJSON bool) error {
	who, err := a.identify(ctx, shop.service, by)
	if err != nil {
		return err
	}
	till := shop.settings.Counter.Till
	var closing payments.Closing
	if who == (payments.Identity{}) {
		if by == "" {
			by = a.operator()
		}
		closing, err = shop.service.Close(ctx, day, till, by)
	} else {
		closing, err = shop.service.CloseAs(ctx, day, till, who)
	}
	if err != nil {
		return plainly(err)
	}
	if asJSON {
		return writeJSON(a.Out, newClosingJSON(closing, nil))
	}
	return writeClosing(a.Out, closing, nil)
}

func (a *app) listClosings(ctx context.Context, service *payments.Service, asJSON bool) error {
	closings, err := service.Closings(ctx, "", "9999-12-31")
	if err != nil {
		return fmt.Errorf("list closings: %w", err)
	}
	list := make([]closingJSON, 0, len(closings))
	for _, closing := range closings {
		list = append(list, newClosingJSON(closing, nil))
	}
	switch {
	case asJSON:
		return writeJSON(a.Out, list)
	case len(list) == 0:
		a.say("no day was closed")
	}
	for _, closing := range closings {
		if err := writeClosing(a.Out, closing, nil); err != nil {
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
func (s *shop) closings(ctx context.Context, period payments.Period) ([]closed, error) {
	last := period.To.Local().Add(-time.Nanosecond).Format(time.DateOnly)
	found, err := s.service.Closings(ctx, period.From.Local().Format(time.DateOnly), last)
	if err != nil {
		return nil, fmt.Errorf("read closings: %w", err)
	}
	var all []closed
	for _, closing := range found {
		report, err := s.service.Report(ctx, closing.Period)
		if err != nil {
			return nil, fmt.Errorf("add up the takings since a closing: %w", err)
		}
		all = append(all, closed{closing, closing.Since(report)})
	}
	return all, nil
}

// writeClosing writes a closing for people, and what came since.
func writeClosing(out io.Writer, closing payments.Closing, since map[payments.Verdict]payments.Sum) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name string, sum payments.Sum) {
		fmt.Fprintf(table, "%s\t%8d\t%15s\n", name, sum.Count, i18n.Money(sum.Amount))
	}
	fmt.Fprintf(table, "%s closed by %s at till %s, %s\n", closing.Day, closing.By, closing.Till, moment(closing.At))
	for _, verdict := range payments.Verdicts() {
		if sum, found := closing.Verdicts[verdict]; found {
			row("  "+string(verdict), sum)
		}
	}
	for _, verdict := range payments.Verdicts() {
		if sum, differs := since[verdict]; differs {
			row("  since then "+string(verdict), sum)
		}
	}
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

func newClosingJSON(closing payments.Closing, since map[payments.Verdict]payments.Sum) closingJSON {
	return closingJSON{
		Day: closing.Day, Till: closing.Till, By: closing.By, At: stamp(closing.At), Orders: closing.Orders,
		Verdicts: sumsJSON(closing.Verdicts), Since: sumsJSON(since),
	}
}

func sumsJSON(sums map[payments.Verdict]payments.Sum) map[payments.Verdict]sumJSON {
	made := make(map[payments.Verdict]sumJSON, len(sums))
	for verdict, sum := range sums {
		made[verdict] = sumJSON(sum)
	}
	return made
}
