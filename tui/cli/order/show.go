package order

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/tui/cli"
)

func (a *app) orderShowCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "show REF",
		Short: "Show an order with its items and its events",
		Long:  "Show an order with its items and its events. REF is the shop's reference or the service's order_reference.",
		Args:  cli.Arguments("REF"),
		RunE: func(command *cobra.Command, arguments []string) error {
			ref := arguments[0]
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				order, records, err := shop.Service.Order(ctx, ref)
				switch {
				case err != nil:
					return named(err, ref)
				case asJSON:
					return cli.WriteJSON(a.Out, newShownJSON(order, records, shop.Now()))
				}
				return writeOrder(a.Out, order, records, shop.Now())
			})
		},
	}
	cli.JSONFlag(command, &asJSON)
	return command
}

// named says which order there is none of.
func named(err error, ref string) error {
	if errors.Is(err, payments.ErrNotFound) {
		return fmt.Errorf("%w: %s", err, cli.Shown(ref))
	}
	return err
}
