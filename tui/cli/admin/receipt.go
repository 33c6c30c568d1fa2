package admin

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments/drawer"
	"checkout/till/tui/cli"
	"checkout/till/tui/receipt"
	"checkout/till/tui/wording/errortext"
)

// receiptCommand returns the command that shows the receipt of a sale, and prints it on
// request.
func (a *app) receiptCommand() *cobra.Command {
	var prints bool
	command := a.JSON(&cobra.Command{Use: "receipt REF"})
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, args []string) error {
		config := cli.Receipts(shop.Settings)
		settled, err := shop.Service.IssueReceipt(ctx, args[0])
		if err != nil {
			return errortext.About(args[0], err)
		}
		paper := receipt.Of(a.Texts, config, time.Local, settled)
		switch {
		case prints && config.Printer == "":
			return errors.New(a.Texts.Receipt.NoPrinter)
		case prints:
			err = config.Printer.Print(ctx, paper.Bytes())
		}
		if err != nil {
			return err
		}
		var lines []string
		for _, line := range paper.Lines() {
			lines = append(lines, line.Text)
		}
		issued := settled.Receipt
		printed := receiptJSON{issued.Number, issued.Till, issued.Ref, issued.Kind, issued.At, settled.Copy}
		return a.Print(printed, strings.Join(lines, "\n"))
	})
	command.Flags().BoolVar(&prints, "print", false, "")
	return command
}

type receiptJSON struct {
	Number string            `json:"number"`
	Till   string            `json:"till"`
	Ref    string            `json:"reference"`
	Kind   drawer.Settlement `json:"kind"`
	At     time.Time         `json:"at"`
	Copy   bool              `json:"copy"` // The receipt was issued before; this is a copy of it.
}
