package admin

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments/drawer"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
	"checkout/till/tui/receipt"
	"checkout/till/tui/wording/errortext"
)

func (a *app) receiptCommand() *cobra.Command {
	var prints, tests bool
	command := a.JSON(&cobra.Command{Use: "receipt [REF]"})
	show := a.InShop(func(ctx context.Context, shop *cli.Shop, args []string) error {
		config := cli.Receipts(shop.Settings)
		settled, err := shop.Service.IssueReceipt(ctx, args[0])
		if err != nil {
			return errortext.AboutSale(args[0], err)
		}
		if prints {
			return a.printReceipt(ctx, shop, config, settled)
		}
		return a.Print(newReceiptJSON(settled), a.receiptText(config, settled))
	})
	test := a.WithSettings(func(ctx context.Context, loaded settings.Settings, _ []string) error {
		return a.printTestPage(ctx, cli.Receipts(loaded))
	})
	command.RunE = func(command *cobra.Command, args []string) error {
		switch {
		case tests != (len(args) == 0):
			return cli.Misused("%s", a.Texts.Receipt.SayReceipt)
		case tests:
			return test(command, args)
		}
		return show(command, args)
	}
	command.Flags().BoolVar(&prints, "print", false, "")
	command.Flags().BoolVar(&tests, "test", false, "")
	return command
}

func (a *app) printTestPage(ctx context.Context, config receipt.Config) error {
	if config.Printer.None() {
		return errors.New(a.Texts.Receipt.NoPrinter)
	}
	page := receipt.NewTestPage(a.Texts, config)
	outcome, err := config.Printer.Print(ctx, page.Bytes())
	if err != nil {
		return err
	}
	a.Say("%s", outcome.In(a.Texts))
	return a.Print(testPageJSON{outcome.Name(), page.Lines()}, strings.Join(page.Lines(), "\n"))
}

type testPageJSON struct {
	Print string   `json:"print"` // The word "sent" or "printed".
	Lines []string `json:"lines"`
}

func (a *app) printReceipt(ctx context.Context, shop *cli.Shop, config receipt.Config, settled drawer.Settled) error {
	if config.Printer.None() {
		return errors.New(a.Texts.Receipt.NoPrinter)
	}
	outcome, err := receipt.Print(ctx, shop.Service, a.Texts, config, time.Local, settled)
	if err != nil {
		return err
	}
	a.Say("%s", outcome.In(a.Texts))
	made := newReceiptJSON(settled)
	made.Print = outcome.Name()
	return a.Print(made, a.receiptText(config, settled))
}

func (a *app) receiptText(config receipt.Config, settled drawer.Settled) string {
	var lines []string
	for _, line := range receipt.Of(a.Texts, config, time.Local, settled).Lines() {
		lines = append(lines, line.Text)
	}
	return strings.Join(lines, "\n")
}

func newReceiptJSON(settled drawer.Settled) receiptJSON {
	issued := settled.Receipt
	return receiptJSON{Number: issued.Number, Till: issued.Till, Ref: issued.Ref, Kind: issued.Kind, At: issued.At, Copy: settled.Copy}
}

type receiptJSON struct {
	Number string            `json:"number"`
	Till   string            `json:"till"`
	Ref    string            `json:"reference"`
	Kind   drawer.Settlement `json:"kind"`
	At     time.Time         `json:"at"`
	Copy   bool              `json:"copy"`            // The receipt was printed before.
	Print  string            `json:"print,omitempty"` // The word "sent" or "printed"; absent without --print.
}
