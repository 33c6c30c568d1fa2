package admin

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/money"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/account"
)

func (a *app) closeCommand() *cobra.Command {
	var by string
	var listed, yes bool
	words := a.Texts.Printed
	command := a.JSON(&cobra.Command{Use: "close"})
	command.PreRunE = func(*cobra.Command, []string) error {
		if !listed && !yes && !cli.IsTerminal(a.In) {
			return cli.Misused("%s", words.SayYes)
		}
		return nil
	}
	once := a.Once(command)
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		if listed {
			return a.listClosings(ctx, shop.Service)
		}
		till := shop.Settings.Counter.Till
		who, err := a.Identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		if err := a.showAccount(ctx, shop, till); err != nil {
			return err
		}
		if !yes {
			if err := a.Confirm(ctx, a.Texts.Account.AskClose.With(till), words.NotClosed.With(till)); err != nil {
				return err
			}
		}
		closing, err := once(shop).Close(ctx, till, cmp.Or(by, a.Operator()), int64(shop.Settings.Receipt.VAT), who)
		if err != nil {
			return err
		}
		return a.Print(newClosingJSON(closing), a.closingText(closing))
	})
	flags := command.Flags()
	flags.StringVar(&by, "by", "", "")
	flags.BoolVar(&listed, "list", false, "")
	flags.BoolVar(&yes, "yes", false, "")
	return command
}

// showAccount prints a till's account since its last closing, the PIN resets since then, and the
// newest undecided orders.
func (a *app) showAccount(ctx context.Context, shop *cli.Shop, till string) error {
	const listed = 20
	open, err := shop.Service.Account(ctx, till)
	if err != nil {
		return fmt.Errorf("read the account: %w", err)
	}
	now := shop.Now()
	resets, err := a.resets(ctx, shop.Service, money.Period{From: open.Since, To: never()}) // Include a reset that was recorded while the clock was ahead.
	if err != nil {
		return err
	}
	lines := account.Lines(a.Texts, now.Local(), open, account.Width)
	a.Say("%s\n%s", account.OpenTitle(a.Texts, now.Local()), strings.Join(lines, "\n")+resets)
	orders, err := shop.Orders(ctx, payments.Query{Till: till, Open: true, Limit: listed}, func(order payments.Order) bool {
		return order.Verdict(payments.Conditions{}, now).Undecided()
	})
	if err != nil || len(orders) == 0 {
		return err
	}
	a.Say("%s\n%s", a.Texts.Printed.Open, a.OrderTable(orders, now))
	return nil
}

// never returns a time after all stored times.
func never() time.Time { return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC) }

func (a *app) listClosings(ctx context.Context, service *drawer.Service) error {
	found, err := service.Closings(ctx, money.Period{To: never()})
	if err != nil {
		return fmt.Errorf("list closings: %w", err)
	}
	if len(found) == 0 && !a.AsJSON() {
		a.Say("%s", a.Texts.Printed.NoneYet)
	}
	return a.Print(newClosingsJSON(found), a.closingsText(found))
}

func (a *app) closingsText(closings []drawer.Closing) string {
	var texts []string
	for _, closing := range closings {
		texts = append(texts, a.closingText(closing))
	}
	return strings.Join(texts, "\n\n")
}

func (a *app) closingText(closing drawer.Closing) string {
	lines := account.Closing(a.Texts, closing, account.Width)
	return account.Title(a.Texts, closing) + "\n" + strings.Join(lines, "\n")
}
