package order

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/tui/cli"
)

// listOptions are the flags of "order list".
type listOptions struct {
	status, verdict, since, until, search string
	limit                                 int
}

// defaultLimit is how many orders are listed when nobody says.
const defaultLimit = 50

func (a *app) orderListCommand() *cobra.Command {
	var options listOptions
	var query payments.Query
	command := a.JSON(&cobra.Command{Use: "list", Args: a.Arguments()})
	command.PreRunE = func(*cobra.Command, []string) (err error) {
		query, err = a.query(options)
		return err
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		return a.listOrders(ctx, shop, query, payments.Verdict(options.verdict))
	})
	flags := command.Flags()
	flags.StringVar(&options.status, "status", "", strings.Join(names(payments.Statuses()), ", "))
	flags.StringVar(&options.verdict, "verdict", "", strings.Join(names(payments.Verdicts()), ", "))
	flags.StringVar(&options.since, "since", "", "")
	flags.StringVar(&options.until, "until", "", "")
	flags.StringVar(&options.search, "search", "", "")
	flags.IntVar(&options.limit, "limit", defaultLimit, "")
	cli.Complete(command, "status", names(payments.Statuses())...)
	cli.Complete(command, "verdict", names(payments.Verdicts())...)
	return command
}

// names returns the values of a kind as texts.
func names[T ~string](values []T) []string {
	all := make([]string, 0, len(values))
	for _, value := range values {
		all = append(all, string(value))
	}
	return all
}

// oneOf refuses a value of a flag that is none of those there are.
func (a *app) oneOf(flag, value string, choices []string) error {
	if value == "" || slices.Contains(choices, value) {
		return nil
	}
	return cli.Misused("%s", a.Texts.Shell.NoneOf.With(flag, cli.Shown(value), strings.Join(choices, ", ")))
}

// query reads the flags.
func (a *app) query(o listOptions) (payments.Query, error) {
	verdicts := names(payments.Verdicts())
	query := payments.Query{Status: payments.Status(o.status), Search: o.search, Limit: o.limit}
	err := a.oneOf("--status", o.status, names(payments.Statuses()))
	if err != nil && slices.Contains(verdicts, o.status) {
		err = cli.Misused("%s", a.Texts.Shell.IsVerdict.With(o.status, o.status))
	}
	err = cmp.Or(err, a.oneOf("--verdict", o.verdict, verdicts))
	if err == nil && o.limit < 1 {
		err = cli.Misused("%s", a.Texts.Shell.NoNumber.With("--limit"))
	}
	if err == nil {
		query.Since, err = a.parseMoment("--since", o.since, 0)
	}
	if err == nil {
		query.Until, err = a.parseMoment("--until", o.until, 1)
	}
	return query, err
}

// parseMoment reads a local day, of which it takes the beginning days later,
// or a moment.
func (a *app) parseMoment(flag, text string, days int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return day.AddDate(0, 0, days), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, cli.Misused("%s", a.Texts.Shell.NoMoment.With(flag, cli.Shown(text)))
	}
	return at, nil
}

func (a *app) listOrders(ctx context.Context, shop *cli.Shop, query payments.Query, verdict payments.Verdict) error {
	if a.Given("till") {
		query.Till = shop.Settings.Counter.Till
	}
	var fits func(payments.Order) bool
	if verdict != "" {
		fits = func(order payments.Order) bool { return order.Verdict(payments.Conditions{}, a.Now()) == verdict }
	}
	orders, err := shop.Orders(ctx, query, fits)
	if err != nil {
		return err
	}
	list := make([]orderJSON, 0, len(orders))
	for _, order := range orders {
		list = append(list, newOrderJSON(order, a.Now()))
	}
	if len(orders) == 0 && !a.AsJSON() {
		a.Say("%s", a.Texts.Printed.NoOrders)
		a.SayWhereDemo(shop.Settings)
	}
	return a.Print(list, a.OrderTable(orders))
}

func (a *app) orderShowCommand() *cobra.Command {
	return a.JSON(&cobra.Command{
		Use:  "show REF",
		Args: a.Arguments("REF"),
		RunE: a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
			order, records, err := a.find(ctx, shop, arguments[0])
			if err != nil {
				return err
			}
			return a.Print(newShownJSON(order, records, a.Now()), a.orderText(order, records))
		}),
	})
}

// find reads an order, and says which one there is none of.
func (a *app) find(ctx context.Context, shop *cli.Shop, ref string) (payments.Order, []payments.Record, error) {
	order, records, err := shop.Service.Order(ctx, ref)
	if errors.Is(err, payments.ErrNotFound) {
		err = errors.New(a.Texts.Shell.NoOrder.With(cli.Shown(ref)))
	}
	return order, records, err
}

// resolveOptions are the flags of "order resolve".
type resolveOptions struct {
	paid, unpaid bool
	note, by     string
}

func (a *app) orderResolveCommand() *cobra.Command {
	var options resolveOptions
	command := a.JSON(&cobra.Command{Use: "resolve REF", Args: a.Arguments("REF")})
	command.PreRunE = func(*cobra.Command, []string) error {
		if options.paid == options.unpaid {
			return cli.Misused("%s", a.Texts.Printed.SayFinding)
		}
		return nil
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		return a.resolveOrder(ctx, shop, arguments[0], options)
	})
	flags := command.Flags()
	flags.BoolVar(&options.paid, "paid", false, "")
	flags.BoolVar(&options.unpaid, "unpaid", false, "")
	flags.StringVar(&options.note, "note", "", "")
	flags.StringVar(&options.by, "by", "", "")
	return command
}

// resolveOrder records a finding about what the order was before anybody was
// asked for a PIN.
func (a *app) resolveOrder(ctx context.Context, shop *cli.Shop, ref string, options resolveOptions) error {
	order, _, err := a.find(ctx, shop, ref)
	if err != nil {
		return err
	}
	finding := payments.Finding{
		Paid: options.paid, By: cmp.Or(options.by, a.Operator()), Note: options.note,
		Seen: order.Verdict(payments.Conditions{}, a.Now()),
	}
	who, err := a.Identify(ctx, shop.Service, options.by)
	if err != nil {
		return err
	}
	order, err = shop.Service.Resolve(ctx, ref, finding, who)
	switch {
	case errors.Is(err, payments.ErrReasonNeeded):
		return cli.Misused("%s", a.Texts.Printed.SayReason)
	case err != nil:
		return fmt.Errorf("resolve: %w", err)
	}
	return a.printOrder(order)
}
