package order

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

// createOptions are the flags of "order create".
type createOptions struct {
	items                  []string
	file                   string
	description, reference string
	code, wait             bool
}

func (a *app) orderCreateCommand() *cobra.Command {
	var options createOptions
	var items []payments.Item
	command := a.JSON(&cobra.Command{
		Use: "create",
		Long: "Ask the payment service for an order and its link, once.\n\n" +
			"Exit code 3: the service refused the order. 4: nobody knows whether the service has it; its link was\n" +
			"shown to nobody, so a new order is safe. 1 with the order printed: it was not sent, and the same command\n" +
			"with its --reference sends it again.\n\n" +
			"With --wait the command receives the webhooks itself when nobody else does for this database. It ends\n" +
			"with 0 when the order is paid, with 5 when it ended unpaid, and with 1 when a person must look at it or\n" +
			"when no event came until two minutes after the link's end.",
		Example: "  till order create --item Vary:3500:2 --item Coca:2000 --qr --wait",
		Args:    a.Arguments(),
		PreRunE: func(*cobra.Command, []string) (err error) {
			items, err = a.items(options)
			return err
		},
		RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
			return a.createOrder(ctx, settings, items, options)
		}),
	})
	flags := command.Flags()
	flags.StringArrayVar(&options.items, "item", nil, "`LABEL:UNIT_PRICE[:QTY]`, read from the right; may be repeated")
	flags.StringVar(&options.file, "items", "", "`FILE` with the items as a JSON array of label, unit_price and quantity; - for standard input")
	flags.StringVar(&options.description, "description", "", "what the customer reads (default: made from the items)")
	flags.StringVar(&options.reference, "reference", "", "the shop's reference (default: till, day and a number)")
	flags.BoolVar(&options.code, "qr", false, "draw the link as a QR code")
	flags.BoolVar(&options.wait, "wait", false, "stay until the outcome")
	return command
}

// items returns the items of the command line, checked.
func (a *app) items(o createOptions) ([]payments.Item, error) {
	switch {
	case len(o.items) > 0 && o.file != "":
		return nil, cli.Misused("give the items by --item or by --items, not by both")
	case o.file != "":
		return a.readItems(o.file)
	case len(o.items) == 0:
		return nil, cli.Misused("say what is sold: --item LABEL:UNIT_PRICE[:QTY]")
	}
	items := make([]payments.Item, 0, len(o.items))
	for _, text := range o.items {
		item, err := parseItem(text)
		if err != nil {
			return nil, cli.Misused("%w", err)
		}
		items = append(items, item)
	}
	return items, nil
}

func (a *app) createOrder(ctx context.Context, settings settings.Settings, items []payments.Item, options createOptions) error {
	client, err := cli.NewClient(settings)
	if err != nil {
		return err
	}
	need := cli.Need{Caller: client}
	if options.wait {
		level := slog.LevelInfo
		if cli.IsTerminal(a.Err) {
			level = slog.LevelWarn // A person sees the outcome.
		}
		need.Logger = slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: level}))
	}
	return a.WithShop(ctx, settings, need, func(ctx context.Context, shop *cli.Shop) error {
		till := settings.Counter.Till
		terms := payments.Terms{
			Reference: options.reference, Sale: shop.Service.NewSale(till).ID,
			Till: till, Items: items, Description: options.description,
		}
		create := func(ctx context.Context) (payments.Order, error) { return shop.Service.Checkout(ctx, terms) }
		if options.wait {
			return a.createAndWait(ctx, shop, create, options)
		}
		order, err := create(ctx)
		return a.answer(order, err, options)
	})
}

// answer prints an order after its call and returns what the program ends with.
func (a *app) answer(order payments.Order, err error, options createOptions) error {
	if problem := misusedTerms(err); problem != nil {
		return problem
	}
	if order.Reference == "" {
		return err
	}
	if printErr := a.printOrder(order); printErr != nil {
		return errors.Join(err, printErr)
	}
	if errors.Is(err, payments.ErrNotSent) {
		return fmt.Errorf("%w; to send the same order again add --reference %s", err, order.Reference)
	}
	if err != nil {
		return err
	}
	if options.code && order.Link.URL != "" {
		return a.drawLink(order)
	}
	return nil
}

// misusedTerms tells whether the order could not be made of what the command
// line says.
func misusedTerms(err error) error {
	for _, cause := range []error{
		payments.ErrNoItems, payments.ErrInvalidItem, payments.ErrTooLarge, payments.ErrInvalidReference,
	} {
		if errors.Is(err, cause) {
			return cli.Misused("%w", err)
		}
	}
	return nil
}
