// Package order contains the commands for orders, cash, refunds and customers' accounts, and the
// command that sends an event for an order.
package order

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/money"
	"checkout/till/tui/cli"
	"checkout/till/tui/wording/errortext"
)

type app struct{ *cli.App }

// Commands returns the commands for [cli.Execute].
func Commands(a *cli.App) []*cobra.Command {
	made := &app{a}
	order := a.Group(&cobra.Command{Use: "order"},
		made.createCommand(), made.listCommand(), made.showCommand(), made.resolveCommand())
	return []*cobra.Command{order, made.cashCommand(), made.accountCommand(), made.refundCommand(""), made.triggerCommand()}
}

func (a *app) listCommand() *cobra.Command {
	var query payments.Query
	command := a.JSON(&cobra.Command{Use: "list"})
	command.PreRunE = func(*cobra.Command, []string) error {
		if query.Limit < 1 {
			return cli.Misused("%s", a.Texts.Shell.NoNumber.With("--limit"))
		}
		return nil
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		if a.Given("till") {
			query.Till = shop.Settings.Counter.Till
		}
		orders, err := shop.Orders(ctx, query, nil)
		if err != nil {
			return err
		}
		now := shop.Now()
		var list []orderJSON
		for _, order := range orders {
			list = append(list, newOrderJSON(order, nil, now))
		}
		if len(orders) == 0 && !a.AsJSON() {
			a.Say("%s", a.Texts.Printed.NoOrders)
			a.SayWhereDemo(shop.Settings)
		}
		return errors.Join(a.Print(list, a.OrderTable(orders, now)), a.sayWithoutOrder(ctx, shop))
	})
	flags := command.Flags()
	a.Choice(command, (*string)(&query.Status), "status", "", names(payments.Statuses())...)
	flags.Func("since", "", a.moment("--since", &query.Since, 0))
	flags.Func("until", "", a.moment("--until", &query.Until, 1))
	flags.StringVar(&query.Search, "search", "", "")
	flags.IntVar(&query.Limit, "limit", 50, "")
	return command
}

func (a *app) sayWithoutOrder(ctx context.Context, shop *cli.Shop) error {
	sum, err := shop.Service.WithoutOrder(ctx, money.Period{})
	if sum.Count > 0 {
		words := a.Texts.Alarms
		a.Say("%s. %s", words.WithoutOrder.With(sum.Count, i18n.Money(sum.Amount)), words.WithoutOrderTodo)
	}
	return err
}

func names[T ~string](values []T) []string {
	all := make([]string, 0, len(values))
	for _, value := range values {
		all = append(all, string(value))
	}
	return all
}

// moment returns a parser for a flag with an RFC 3339 time or a local day, such as 2026-11-21. A
// day gives its beginning, plus the given number of days.
func (a *app) moment(flag string, at *time.Time, days int) func(text string) error {
	return func(text string) error {
		day, err := time.ParseInLocation(time.DateOnly, text, time.Local)
		if *at = day.AddDate(0, 0, days); err != nil {
			*at, err = time.Parse(time.RFC3339, text)
		}
		if err != nil {
			err = cli.Misused("%s", a.Texts.Shell.NoMoment.With(flag, cli.CleanLabel(text)))
		}
		return err
	}
}

func (a *app) showCommand() *cobra.Command {
	return a.JSON(&cobra.Command{
		Use: "show REF",
		RunE: a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
			order, records, err := a.find(ctx, shop, arguments[0])
			if err != nil {
				return err
			}
			now := shop.Now()
			customer, err := shop.Service.CustomerOf(ctx, order)
			if err != nil {
				return err
			}
			return a.Print(newOrderJSON(order, append([]payments.Record{}, records...), now), a.orderText(order, customer, records, now))
		}),
	})
}

func (a *app) find(ctx context.Context, shop *cli.Shop, ref string) (payments.Order, []payments.Record, error) {
	order, records, err := shop.Service.Order(ctx, ref)
	return order, records, errortext.About(ref, err)
}

func (a *app) resolveCommand() *cobra.Command {
	var paid, unpaid bool
	var note, by, seen string
	command := a.JSON(&cobra.Command{Use: "resolve REF"})
	command.PreRunE = func(*cobra.Command, []string) error {
		if paid == unpaid {
			return cli.Misused("%s", a.Texts.Printed.SayFinding)
		}
		return nil
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		order, _, err := a.find(ctx, shop, arguments[0])
		if err != nil {
			return err
		}
		// Read the verdict now, because it may change during the PIN prompt.
		finding := payments.Finding{
			Kind: payments.FoundUnpaid, By: cmp.Or(by, a.Operator()), Note: note,
			Seen: cmp.Or(payments.Verdict(seen), order.Verdict(payments.Conditions{}, shop.Now())), Net: order.Net(),
		}
		if paid {
			finding.Kind = payments.FoundPaid
		}
		who, err := a.Identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		order, err = shop.Service.Resolve(ctx, arguments[0], finding, who)
		if err != nil {
			return fmt.Errorf("resolve: %w", err)
		}
		return a.printOrder(shop, order)
	})
	flags := command.Flags()
	flags.BoolVar(&paid, "paid", false, "")
	flags.BoolVar(&unpaid, "unpaid", false, "")
	a.Choice(command, &seen, "seen", "", names(payments.Verdicts())...)
	flags.StringVar(&note, "note", "", "")
	flags.StringVar(&by, "by", "", "")
	return command
}
