package order

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/account"
	"checkout/till/tui/entry"
	"checkout/till/tui/wording"
)

func (a *app) cashCommand() *cobra.Command {
	command := a.Group(&cobra.Command{
		Use:     "cash",
		Example: "  till cash float 50000\n  till cash sale --item Vary:3500:2 --given 10000\n  till cash out 5000 bread\n  till cash count 52000",
	}, a.cashSaleCommand(), a.cashVoidCommand(), a.refundCommand(fromDrawer))
	for _, kind := range []drawer.Kind{drawer.Float, drawer.In, drawer.Out, drawer.Count} {
		command.AddCommand(a.moveCommand(kind))
	}
	command.AddCommand(a.openCommand())
	return command
}

type cashJSON struct {
	Number string        `json:"cash"`
	Amount money.Ariary  `json:"amount"`
	Total  money.Ariary  `json:"total,omitzero"`   // Price of the whole sale, if this payment is a part of it.
	RestOf string        `json:"rest_of,omitzero"` // Number of an earlier payment of the sale, if this is a later one.
	Given  money.Ariary  `json:"given"`
	Change money.Ariary  `json:"change"`
	Items  []itemJSON    `json:"items"`
	Tender drawer.Tender `json:"tender"`
	By     string        `json:"by"`
	At     time.Time     `json:"at"`
	Voided bool          `json:"voided"`
	// Sum of the refunds. A void is not a refund.
	Refunded money.Ariary `json:"refunded,omitzero"`
	// Customer of a sale on account, or of a paid debt.
	Customer *debtorJSON `json:"customer,omitempty"`
}

func newCashJSON(sale drawer.CounterSale) cashJSON {
	made := cashJSON{
		Number: sale.Number, Amount: sale.Amount, Given: sale.Given, Change: sale.Change(),
		Tender: sale.Tender(), By: sale.By, At: sale.At, Voided: sale.Voided(), Refunded: sale.Refunded, Items: newItemsJSON(sale.Items),
	}
	if sale.Amount < sale.Total {
		made.Total = sale.Total
		made.RestOf = sale.RestOf
	}
	return made
}

func (a *app) cashSaleCommand() *cobra.Command {
	var texts []string
	var items []payments.Item
	var given int64
	var description, by, customer string
	var fresh bool
	tender := string(drawer.TenderCash)
	command := a.JSON(&cobra.Command{Use: "sale"})
	once := a.Once(command)
	command.PreRunE = func(*cobra.Command, []string) (err error) {
		items, err = a.items(texts, "")
		return err
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		return a.take(ctx, shop, once(shop), payments.Terms{By: by, Items: items, Description: description}, drawer.Paying{
			Tender: drawer.Tender(tender), Given: money.Ariary(given), Customer: customer, New: fresh,
		})
	})
	flags := command.Flags()
	flags.StringArrayVar(&texts, "item", nil, "")
	flags.StringVar(&description, "description", "", "")
	flags.Int64Var(&given, "given", 0, "")
	flags.StringVar(&by, "by", "", "")
	flags.StringVar(&customer, "customer", "", "")
	flags.BoolVar(&fresh, "new", false, "")
	a.Choice(command, &tender, "tender", "", names(drawer.CounterTenders())...)
	return command
}

// take records a sale or a paid debt, opens the drawer if cash was paid, and prints the result. It
// refuses a tender that the settings do not list, except cash.
func (a *app) take(ctx context.Context, shop *cli.Shop, service *drawer.Service, terms payments.Terms, paying drawer.Paying) error {
	tender, counter := string(paying.Tender), shop.Settings.Counter
	if paying.Tender != drawer.TenderCash && !slices.Contains(counter.Tenders, tender) {
		return cli.Misused("%s", a.Texts.Shell.NotOffered.With(tender))
	}
	if terms.By != "" {
		who, err := a.Identify(ctx, shop.Service, terms.By)
		if err != nil {
			return err
		}
		paying.Who = &who
	}
	terms.Sale, terms.Till = shop.Service.NewSale(counter.Till).ID, counter.Till
	sale, err := service.Take(ctx, terms, paying)
	if err != nil {
		return err
	}
	if sale.Account.IsDrawer() {
		a.openDrawer(ctx, shop, service)
	}
	return a.printPaid(ctx, shop, sale)
}

func (a *app) cashVoidCommand() *cobra.Command {
	var reason, by string
	command := a.JSON(&cobra.Command{Use: "void NUMBER [WHY...]"})
	once := a.Once(command)
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		who, err := a.Identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		service := once(shop)
		sale, err := service.VoidSale(ctx, shop.Settings.Counter.Till, arguments[0], withReason(strings.Join(arguments[1:], " "), reason), who)
		if err != nil {
			return err
		}
		if sale.Account.IsDrawer() {
			a.openDrawer(ctx, shop, service)
		}
		return a.Print(newCashJSON(sale), wording.Voided(a.Texts, sale))
	})
	command.Flags().StringVar(&reason, "reason", "", "")
	command.Flags().StringVar(&by, "by", "", "")
	return command
}

func withReason(words, reason string) string { return strings.TrimSpace(words + " " + reason) }

type moveJSON struct {
	Till   string       `json:"till"`
	Kind   drawer.Kind  `json:"kind"`
	Amount money.Ariary `json:"amount"`
	By     string       `json:"by"`
	At     time.Time    `json:"at"`
	Note   string       `json:"note"`
}

func (a *app) moveCommand(kind drawer.Kind) *cobra.Command {
	var reason, by string
	command := a.JSON(&cobra.Command{Use: string(kind) + " AMOUNT"})
	once := a.Once(command)
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		amount, words, err := entry.SplitArguments(arguments)
		if err != nil {
			return err
		}
		who, err := a.Identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		service := once(shop)
		move, err := service.Move(ctx, shop.Settings.Counter.Till, kind, amount, withReason(words, reason), who)
		if err != nil {
			return err
		}
		if kind != drawer.Count {
			a.openDrawer(ctx, shop, service)
		}
		text := ""
		open, err := shop.Service.Account(ctx, move.Till)
		if err != nil {
			a.Say("%s", a.Explain(err)) // The move is recorded, so do not fail: a script would repeat the command.
		} else {
			text = strings.Join(account.Lines(a.Texts, shop.Now().Local(), open, account.Width), "\n")
		}
		return a.Print(moveJSON{move.Till, move.Kind, move.Amount, move.By, move.At, move.Note}, text)
	})
	if kind == drawer.In || kind == drawer.Out {
		command.Use += " [WHY...]"
		command.Flags().StringVar(&reason, "reason", "", "")
	}
	command.Flags().StringVar(&by, "by", "", "")
	return command
}

func (a *app) openCommand() *cobra.Command {
	var by string
	command := a.JSON(&cobra.Command{Use: "open"})
	once := a.Once(command)
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		config := cli.Receipts(shop.Settings)
		if config.Printer.None() {
			return errors.New(a.Texts.Receipt.NoPrinter)
		}
		who, err := a.Identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		service := once(shop)
		move, err := service.Move(ctx, shop.Settings.Counter.Till, drawer.Open, 0, "", who)
		if err != nil {
			return err
		}
		if !service.Repeated() { // Each opening is recorded, and a repeat records nothing.
			err = config.OpenDrawer(ctx)
		}
		if err != nil {
			return err
		}
		return a.Print(moveJSON{move.Till, move.Kind, move.Amount, move.By, move.At, move.Note}, a.Texts.Account.Opened)
	})
	command.Flags().StringVar(&by, "by", "", "")
	return command
}

// openDrawer opens the drawer after a change that moved cash. It does nothing for a repeated --id,
// because the drawer was opened the first time.
func (a *app) openDrawer(ctx context.Context, shop *cli.Shop, service *drawer.Service) {
	if !service.Repeated() {
		a.OpenDrawer(ctx, shop)
	}
}
