package admin

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/account"
)

// exportCommand returns the command that prints the journal: a row for each sale, or for
// each day.
func (a *app) exportCommand() *cobra.Command {
	r := &reporter{app: a}
	var days, sales, asCSV bool
	command := a.JSON(&cobra.Command{Use: "export", PreRunE: r.check})
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		switch {
		case asCSV && a.AsJSON():
			return cli.Misused("%s", a.Texts.Printed.OneForm)
		case days && sales:
			return cli.Misused("%s", a.Texts.Account.OneRow)
		case days:
			return a.exportDays(ctx, shop, r.day)
		}
		return a.exportSales(ctx, shop, r.day)
	})
	flags := command.Flags()
	flags.Func("from", "", a.day("--from", &r.first))
	flags.Func("to", "", a.day("--to", &r.last))
	flags.BoolVar(&sales, "sales", false, "")
	flags.BoolVar(&days, "days", false, "")
	flags.BoolVar(&asCSV, "csv", false, "")
	return command
}

type entryJSON struct {
	At       time.Time         `json:"at"`
	Receipt  string            `json:"receipt"` // Number of the receipt; empty without a receipt.
	Till     string            `json:"till"`
	By       string            `json:"by"`
	Ref      string            `json:"reference"`
	Articles string            `json:"articles"`
	Tender   drawer.Tender     `json:"tender"`
	Amount   payments.Ariary   `json:"amount"`
	Refunded payments.Ariary   `json:"refunded"`
	Outcome  drawer.Settlement `json:"outcome"`
}

func (a *app) exportSales(ctx context.Context, shop *cli.Shop, period payments.Period) error {
	entries, err := shop.Service.Journal(ctx, period)
	if err != nil {
		return fmt.Errorf("read the journal: %w", err)
	}
	var list []entryJSON
	for _, entry := range entries {
		list = append(list, entryJSON(entry))
	}
	if a.AsJSON() {
		return a.Print(list, "")
	}
	return account.WriteSales(a.Out, a.Texts, time.Local, entries)
}

type dayJSON struct {
	Day      string  `json:"day"`
	Received sumJSON `json:"received"`
	Refunded sumJSON `json:"refunded"`
	Cash     sumJSON `json:"cash"`
	Voided   sumJSON `json:"voided"`
	Taken    sumJSON `json:"taken"`
}

func (a *app) exportDays(ctx context.Context, shop *cli.Shop, period payments.Period) error {
	var list []dayJSON
	var rows [][]any
	for day := payments.Day(period.From.Local()); day.From.Before(period.To); day = payments.Day(day.To) {
		sums, err := shop.Service.Day(ctx, day)
		if err != nil {
			return fmt.Errorf("add up the takings: %w", err)
		}
		name, taken := day.From.Format(time.DateOnly), sums.Taken()
		list = append(list, dayJSON{name, sumJSON(sums.Received), sumJSON(sums.Refunds()), sumJSON(sums.Cash), sumJSON(sums.Voided), sumJSON(taken)})
		rows = append(rows, []any{
			name, taken.Count, sums.Received.Amount + sums.Refunded.Amount, sums.Refunds().Amount, sums.Cash.Amount, sums.Voided.Amount, taken.Amount,
		})
	}
	if a.AsJSON() {
		return a.Print(list, "")
	}
	return account.WriteTable(a.Out, a.Texts, a.Texts.Account.DayColumns[:], rows)
}
