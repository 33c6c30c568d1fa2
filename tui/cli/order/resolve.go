package order

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/tui/cli"
)

// resolveOptions are the flags of "order resolve".
type resolveOptions struct {
	paid, unpaid, asJSON bool
	note, by             string
}

func (a *app) orderResolveCommand() *cobra.Command {
	var options resolveOptions
	command := &cobra.Command{
		Use:   "resolve REF",
		Short: "Record what a person found out in the merchant area",
		Long: "Record what a person found out in the merchant area. The order leaves the \"to check\" list;\n" +
			"its status and the proof of payment stay as they are.\n\n" +
			"In a shop that has cashiers the PIN of --by is asked for, or read as a line of standard input.",
		Args: cli.Arguments("REF"),
		RunE: func(command *cobra.Command, arguments []string) error {
			if options.paid == options.unpaid {
				return cli.Misused("say what was found: --paid or --unpaid")
			}
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				return a.resolveOrder(ctx, shop, arguments[0], options)
			})
		},
	}
	flags := command.Flags()
	flags.BoolVar(&options.paid, "paid", false, "the merchant area shows the payment")
	flags.BoolVar(&options.unpaid, "unpaid", false, "the merchant area shows no payment")
	flags.StringVar(&options.note, "note", "", "why, for whoever looks later; --unpaid of a payment that is proven needs it")
	flags.StringVar(&options.by, "by", "", "who found out (default: the user of this machine; a shop that has cashiers wants one of them)")
	cli.JSONFlag(command, &options.asJSON)
	return command
}

// resolveOrder records a finding about what the order was before anybody was
// asked for a PIN.
func (a *app) resolveOrder(ctx context.Context, shop *cli.Shop, ref string, options resolveOptions) error {
	order, _, err := shop.Service.Order(ctx, ref)
	if err != nil {
		return named(err, ref)
	}
	finding := payments.Finding{
		Paid: options.paid, By: cmp.Or(options.by, a.Operator()), Note: options.note,
		Seen: order.Verdict(payments.Conditions{}, shop.Now()),
	}
	who, err := a.Identify(ctx, shop.Service, options.by)
	if err != nil {
		return err
	}
	order, err = shop.Service.Resolve(ctx, ref, finding, who)
	switch {
	case errors.Is(err, payments.ErrReasonNeeded):
		return cli.Misused("%w, with --note", err)
	case err != nil:
		return cli.Plainly(err)
	}
	return a.printOrder(shop, order, options.asJSON)
}
