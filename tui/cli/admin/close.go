package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cli"
)

func (a *app) closeCommand() *cobra.Command {
	var by string
	var listed, yes bool
	var day payments.Period
	words := a.Texts.Printed
	command := a.JSON(&cobra.Command{Use: "close"})
	command.PreRunE = func(*cobra.Command, []string) error {
		day = cmp.Or(day, payments.Day(a.Now().Local()))
		if !listed && !yes && !cli.IsTerminal(a.In) {
			return cli.Misused("%s", words.SayYes)
		}
		return nil
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		if listed {
			return a.listClosings(ctx, shop.Service)
		}
		name := day.From.Format(time.DateOnly)
		earlier, err := shop.Service.Closings(ctx, name, name)
		switch {
		case err != nil:
			return fmt.Errorf("read closings: %w", err)
		case len(earlier) > 0:
			return &payments.ClosedError{Closing: earlier[0]}
		case day.From.After(shop.Now()):
			return payments.ErrNotBegun
		}
		who, err := a.Identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		if err := a.showDay(ctx, shop, day); err != nil {
			return err
		}
		if !yes {
			agreed, err := a.Agrees(ctx, words.AskClose.With(a.Day(day.From)))
			if err == nil && !agreed {
				err = errors.New(words.NotClosed.With(a.Day(day.From)))
			}
			if err != nil {
				return err
			}
		}
		closing, err := shop.Service.Close(ctx, day.From, shop.Settings.Counter.Till, cmp.Or(by, a.Operator()), who)
		if err != nil {
			return err
		}
		return a.Print(newClosingJSON(closing, nil), a.closingText(closing, nil))
	})
	flags := command.Flags()
	flags.Func("date", "", a.day("--date", &day))
	flags.StringVar(&by, "by", "", "")
	flags.BoolVar(&listed, "list", false, "")
	flags.BoolVar(&yes, "yes", false, "")
	return command
}

func (a *app) showDay(ctx context.Context, shop *cli.Shop, day payments.Period) error {
	const listed = 20
	report, err := shop.Service.Report(ctx, day)
	if err != nil {
		return fmt.Errorf("add up the takings: %w", err)
	}
	resets, err := a.resets(ctx, shop.Service, day)
	if err != nil {
		return err
	}
	a.Say("%s", a.reportTable(report)+resets)
	var counts []string
	for _, verdict := range payments.Verdicts() {
		if count := report.Verdicts[verdict].Count; count > 0 && verdict.Undecided() {
			counts = append(counts, fmt.Sprintf("%d %s", count, a.VerdictOf(verdict)))
		}
	}
	if len(counts) == 0 {
		return nil
	}
	a.Say("%s", a.Texts.Printed.Open.With(strings.Join(counts, ", ")))
	now := shop.Now()
	query := payments.Query{Since: day.From, Until: day.To, Open: true, Limit: listed}
	orders, err := shop.Orders(ctx, query, func(order payments.Order) bool {
		return order.Verdict(payments.Conditions{}, now).Undecided()
	})
	if err != nil {
		return err
	}
	a.Say("%s", a.OrderTable(orders, now))
	return nil
}

func (a *app) listClosings(ctx context.Context, service *payments.Service) error {
	found, err := service.Closings(ctx, "", "9999-12-31")
	if err != nil {
		return fmt.Errorf("list closings: %w", err)
	}
	var list []closingJSON
	var texts []string
	for _, closing := range found {
		list = append(list, newClosingJSON(closing, nil))
		texts = append(texts, a.closingText(closing, nil))
	}
	if len(found) == 0 && !a.AsJSON() {
		a.Say("%s", a.Texts.Printed.NoneYet)
	}
	return a.Print(list, strings.Join(texts, "\n"))
}

// closingText formats a closing for people. since has the differences, by verdict,
// between the closing and now. It may be nil.
func (a *app) closingText(closing payments.Closing, since map[payments.Verdict]payments.Sum) string {
	words := a.Texts.Printed
	var rows [][]string
	add := func(name func(payments.Verdict) string, sums map[payments.Verdict]payments.Sum) {
		for _, verdict := range payments.Verdicts() {
			if sum, found := sums[verdict]; found {
				rows = append(rows, []string{"  " + name(verdict), cli.Count(sum.Count), cli.Right(i18n.Money(sum.Amount))})
			}
		}
	}
	add(a.VerdictOf, closing.Verdicts)
	add(func(verdict payments.Verdict) string { return words.Since.With(a.VerdictOf(verdict)) }, since)
	return a.ClosingText(words.Closed, closing) + "\n" + cli.Table(rows...)
}
