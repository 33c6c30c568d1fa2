package order

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/cli"
	"checkout/till/tui/entry"
	"checkout/till/tui/wording/errortext"
)

// Values of --from. All other values are tenders.
const (
	fromDrawer = "drawer"
	fromArea   = "merchant-area"
)

type refundOptions struct {
	from, reason, by string
	all              bool
	seen, takeBack   int64
}

// refundCommand returns the command that records a refund, or takes one back. If from is empty, a
// flag --from sets it.
func (a *app) refundCommand(from string) *cobra.Command {
	options := refundOptions{from: from}
	command := a.JSON(&cobra.Command{Use: "refund REF [AMOUNT] [WHY...]"})
	once := a.Once(command)
	flags := command.Flags()
	if from == "" {
		inCash := func(tender drawer.Tender) bool { return tender == drawer.TenderCash }
		others := names(slices.DeleteFunc(drawer.CounterTenders(), inCash))
		a.Choice(command, &options.from, "from", "", append([]string{fromDrawer, fromArea}, others...)...)
	}
	flags.BoolVar(&options.all, "all", false, "")
	flags.Int64Var(&options.seen, "seen", 0, "")
	flags.Int64Var(&options.takeBack, "take-back", 0, "")
	flags.StringVar(&options.reason, "reason", "", "")
	flags.StringVar(&options.by, "by", "", "")
	command.PreRunE = func(_ *cobra.Command, arguments []string) error {
		if !flags.Changed("take-back") && !options.all {
			return nil
		}
		_, _, err := entry.SplitArguments(arguments[1:])
		takesBack := options.takeBack > 0 && !options.all && !flags.Changed("from") && !flags.Changed("seen")
		if err == nil || flags.Changed("take-back") && !takesBack {
			return cli.Misused("%s", a.Texts.Printed.SayRefund)
		}
		return nil
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		given, err := a.given(ctx, shop, options, arguments)
		if err != nil {
			return err
		}
		if flags.Changed("seen") {
			seen := money.Ariary(options.seen)
			given.Seen = &seen
		}
		who, err := a.Identify(ctx, shop.Service, options.by)
		if err != nil {
			return err
		}
		till := shop.Settings.Counter.Till
		service := once(shop)
		if options.takeBack != 0 {
			err = service.TakeBack(ctx, till, given.Ref, options.takeBack, given.Note, who)
		} else {
			err = service.Refund(ctx, till, given, who)
		}
		if err != nil {
			return err
		}
		if given.InCash && options.takeBack == 0 {
			a.openDrawer(ctx, shop, service)
		}
		return a.printRefunded(ctx, shop, given, options.takeBack)
	})
	return command
}

// given returns the refund that the command line describes. Its Amount stays 0 with --all and
// --take-back.
func (a *app) given(
	ctx context.Context, shop *cli.Shop, options refundOptions, arguments []string,
) (given drawer.Given, err error) {
	words := strings.Join(arguments[1:], " ")
	given = drawer.Given{Ref: arguments[0], InCash: options.from == "" || options.from == fromDrawer, All: options.all}
	from, err := shop.Service.Refundable(ctx, given.Ref, given.InCash)
	if err != nil {
		return given, errortext.AboutSale(given.Ref, err)
	}
	order, sale, err := shop.Service.Sale(ctx, given.Ref)
	if err != nil {
		return given, err
	}
	given.Ref = cmp.Or(order.Reference, sale.Number)
	if order.Reference != "" { // Read the verdict now, because it may change during the PIN prompt.
		given.Verdict = order.Verdict(payments.Conditions{}, shop.Now())
	}
	// A refund of a cash sale and --take-back need no --from: the money can go only one way.
	single := options.takeBack != 0 || sale.Account.IsDrawer()
	way := fromArea
	if sale.Number != "" {
		way = string(sale.Tender())
	}
	if !single && options.from == "" || !given.InCash && options.from != way {
		return given, cli.Misused("%s", a.Texts.Printed.SaySource)
	}
	if options.takeBack == 0 && !options.all {
		if given.Amount, words, err = entry.SplitArguments(arguments[1:]); err != nil {
			return given, cli.Misused("%s", a.Texts.Printed.SayRefund)
		}
	}
	given.Note, given.Net = withReason(words, options.reason), from.Net
	return given, nil
}

// printRefunded prints the order or the sale at the counter after the change. takeBack is the
// number of the refund that was taken back, or 0.
func (a *app) printRefunded(ctx context.Context, shop *cli.Shop, given drawer.Given, takeBack int64) error {
	order, _, err := shop.Service.Order(ctx, given.Ref)
	switch isOrder := given.Verdict != ""; {
	case err == nil:
		return a.printOrder(shop, order)
	case isOrder:
		return a.printUnread(recordedJSON{Reference: given.Ref}, err)
	}
	sale, err := shop.Service.CounterSale(ctx, given.Ref)
	if err != nil {
		return a.printUnread(recordedJSON{Cash: given.Ref}, err)
	}
	amount := given.Amount
	if refunds := ledger.Standing(sale.Refunds); given.All && len(refunds) > 0 {
		amount = refunds[len(refunds)-1].Amount
	}
	text := a.Texts.Cash.GivenBack.With(given.Ref, i18n.Money(amount), i18n.Money(sale.Refunded))
	if takeBack != 0 {
		text = a.Texts.Frame.Labelled.With(a.Texts.Account.Reversal, "#"+i18n.Number(takeBack))
	}
	return a.Print(newCashJSON(sale), text)
}
