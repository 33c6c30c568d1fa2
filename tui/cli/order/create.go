package order

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/money"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
	"checkout/till/tui/wording/errortext"
)

type createOptions struct {
	items                  []string
	file                   string
	description, reference string
	debt                   string // Name of the customer, if the order pays a customer's debt.
	code, wait             bool
}

func (a *app) createCommand() *cobra.Command {
	var options createOptions
	var items []payments.Item
	command := a.JSON(&cobra.Command{
		Use:     "create",
		Example: "  till order create --item Vary:3500:2 --item Coca:2000 --qr --wait",
		PreRunE: func(*cobra.Command, []string) (err error) {
			items, err = a.items(options.items, options.file)
			return err
		},
		RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
			client, err := cli.NewClient(settings)
			if err != nil {
				return err
			}
			need := cli.Need{Caller: client}
			if options.wait {
				level := slog.LevelInfo
				if cli.IsTerminal(a.Err) {
					level = slog.LevelWarn // On a terminal, the command itself prints the outcome.
				}
				need.Logger = slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: level}))
			}
			return a.WithShop(ctx, settings, need, func(ctx context.Context, shop *cli.Shop) error {
				till := settings.Counter.Till
				terms := payments.Terms{
					Reference: options.reference, Sale: shop.Service.NewSale(till).ID,
					Till: till, Items: items, Description: options.description,
				}
				if options.debt != "" {
					debtor, err := a.debtor(ctx, shop, options.debt)
					if err != nil {
						return err
					}
					terms.Debt = debtor.Account()
				}
				if options.wait {
					return a.createAndWait(ctx, shop, terms, options)
				}
				a.warn(ctx, shop)
				order, err := shop.Service.Checkout(ctx, terms)
				return a.answer(shop, order, err, options)
			})
		}),
	})
	flags := command.Flags()
	flags.StringArrayVar(&options.items, "item", nil, "")
	flags.StringVar(&options.file, "items", "", "")
	flags.StringVar(&options.description, "description", "", "")
	flags.StringVar(&options.reference, "reference", "", "")
	flags.StringVar(&options.debt, "debt", "", "")
	flags.BoolVar(&options.code, "qr", false, "")
	flags.BoolVar(&options.wait, "wait", false, "")
	return command
}

func (a *app) warn(ctx context.Context, shop *cli.Shop) {
	if !shop.FindReach(ctx) {
		a.Say("%s", a.Texts.Shell.NoListener.With(cli.Reachable(shop.Settings.Webhook.Listen)))
	}
	if reach := shop.Reach(); reach.Doubtful() {
		a.Say("%s", a.Texts.Charging[reach])
	}
}

// items returns the items of the --item flags or of the --items file, a JSON array like "metadata"
// in an order.
func (a *app) items(texts []string, file string) (items []payments.Item, err error) {
	switch {
	case len(texts) > 0 && file != "":
		return nil, cli.Misused("give the items by --item or by --items, not by both")
	case file != "":
		text, err := a.ReadInput(file)
		if err != nil {
			return nil, err
		}
		if items, err = gateway.DecodeItems(text); err != nil {
			return nil, cli.Misused("%w", err)
		}
		return items, nil
	case len(texts) == 0:
		return nil, cli.Misused("%s", a.Texts.Printed.SayItems)
	}
	for _, text := range texts {
		item, err := parseItem(text)
		if err != nil {
			return nil, a.wrongItem(text, err)
		}
		items = append(items, item)
	}
	return items, nil
}

func (a *app) answer(shop *cli.Shop, order payments.Order, err error, options createOptions) error {
	if order.Reference == "" {
		return err
	}
	if unstored, ok := errors.AsType[*payments.UnstoredError](err); ok {
		order = unstored.Order
	}
	if printErr := a.printOrder(shop, order); printErr != nil {
		return errors.Join(err, printErr)
	}
	switch {
	case order.Facts.NotSent:
		return fmt.Errorf("%w; to send the same order again add --reference %s", err, order.Reference)
	case err != nil || !options.code || order.Link.URL == "":
		return err
	}
	return a.drawLink(order)
}

// wrongItem returns the error for an --item that parseItem has refused. The errors' own texts are
// English.
func (a *app) wrongItem(text string, err error) error {
	if a.Language == "en" {
		return cli.Misused("item %q: %w", cli.CleanLabel(text), err)
	}
	says := errortext.Of(a.Texts, err, errortext.Place{Face: errortext.Commands}).Or(a.Texts.Printed.SayItems)
	return cli.Misused("%s", a.Texts.Frame.Labelled.With("--item "+cli.CleanLabel(text), says))
}

// parseItem parses LABEL:UNIT_PRICE[:QTY] from the right, because a label may contain colons.
func parseItem(text string) (payments.Item, error) {
	parts := strings.Split(text, ":")
	last := len(parts) - 1
	if last == 0 {
		return payments.Item{}, errors.New("write LABEL:UNIT_PRICE or LABEL:UNIT_PRICE:QTY")
	}
	price, quantity := parts[last], "1"
	// A part is a price if it has a digit and no letter except the e of an exponent and an O typed for
	// 0. So a mistyped price is an error and does not become part of the label.
	if before := parts[last-1]; last > 1 && strings.ContainsFunc(before, unicode.IsDigit) && !strings.ContainsFunc(before, isWordLetter) {
		last--
		price, quantity = parts[last], price
	}
	unitPrice, err := money.ParseAriary(price)
	if err != nil {
		return payments.Item{}, fmt.Errorf("unit price %q: %w", cli.CleanLabel(price), err)
	}
	count, err := money.ParseAriary(quantity)
	if err != nil {
		return payments.Item{}, fmt.Errorf("the quantity %q is not a whole number above zero", cli.CleanLabel(quantity))
	}
	return payments.NewItem(strings.Join(parts[:last], ":"), unitPrice, int64(count))
}

func isWordLetter(r rune) bool { return unicode.IsLetter(r) && !strings.ContainsRune("eEoO", r) }
