package order

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/tui/cli"
)

// listOptions are the flags of "order list".
type listOptions struct {
	status, since, until, search string
	limit                        int
	asJSON                       bool
}

// defaultLimit is how many orders are listed when nobody says.
const defaultLimit = 50

func (a *app) orderListCommand() *cobra.Command {
	var options listOptions
	command := &cobra.Command{
		Use:   "list",
		Short: "List orders, newest first",
		Long: "List orders, newest first. With --till only that till's.\n" +
			"A day is the local one, and --until takes its last moment in.",
		Args: cli.NoArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			query, err := options.query()
			if err != nil {
				return err
			}
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				return a.listOrders(ctx, shop, query, options.asJSON)
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.status, "status", "", "only of this status: "+statuses())
	flags.StringVar(&options.since, "since", "", "only created since, as 2026-11-21 or 2026-11-21T09:00:00Z")
	flags.StringVar(&options.until, "until", "", "only created until, as 2026-11-21 or 2026-11-21T09:00:00Z")
	flags.StringVar(&options.search, "search", "", "only with this `TEXT` in a reference, the description or an item")
	flags.IntVar(&options.limit, "limit", defaultLimit, "at most so many")
	cli.JSONFlag(command, &options.asJSON)
	return command
}

func statuses() string {
	var names []string
	for _, status := range payments.Statuses() {
		names = append(names, string(status))
	}
	return strings.Join(names, ", ")
}

// query reads the flags.
func (o listOptions) query() (payments.Query, error) {
	query := payments.Query{Status: payments.Status(o.status), Search: o.search, Limit: o.limit}
	if o.status != "" && !slices.Contains(payments.Statuses(), query.Status) {
		return query, cli.Misused("--status: %q is none of %s", cli.Shown(o.status), statuses())
	}
	if o.limit < 1 {
		return query, cli.Misused("--limit: give a number above zero")
	}
	var err error
	if query.Since, err = parseMoment("--since", o.since, 0); err != nil {
		return query, err
	}
	query.Until, err = parseMoment("--until", o.until, 1)
	return query, err
}

// parseMoment reads a local day, of which it takes the beginning days later,
// or a moment.
func parseMoment(flag, text string, days int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return day.AddDate(0, 0, days), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, cli.Misused("%s: %q is neither a day as 2026-11-21 nor a moment as 2026-11-21T09:00:00Z", flag, cli.Shown(text))
	}
	return at, nil
}

func (a *app) listOrders(ctx context.Context, shop *cli.Shop, query payments.Query, asJSON bool) error {
	if a.Given("till") {
		query.Till = shop.Settings.Counter.Till
	}
	orders, err := shop.Orders(ctx, query)
	if err != nil {
		return err
	}
	if asJSON {
		list := make([]orderJSON, 0, len(orders))
		for _, order := range orders {
			list = append(list, newOrderJSON(order, shop.Now()))
		}
		return cli.WriteJSON(a.Out, list)
	}
	if len(orders) == 0 {
		a.Say("no orders")
		a.SayWhereDemo(shop.Settings)
	}
	return cli.WriteOrders(a.Out, orders, shop.Now())
}
