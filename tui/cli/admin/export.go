package admin

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/payments/drawer"
	"checkout/till/tui/cli"
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
	Receipt  int64             `json:"receipt"` // 0 if none was issued.
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
	rows := [][]any{cells(a.Texts.Account.SaleColumns[:])}
	tenders := map[drawer.Tender]string{drawer.TenderCash: a.Texts.Cash.Title, drawer.TenderMoney: a.Texts.Cash.Link}
	for _, entry := range entries {
		list = append(list, entryJSON(entry))
		at, receipt := entry.At.Local(), any(entry.Receipt)
		if entry.Receipt == 0 {
			receipt = ""
		}
		rows = append(rows, []any{
			at.Format(time.DateOnly), i18n.Clock(at), receipt, entry.Till, entry.By, entry.Ref, entry.Articles,
			tenders[entry.Tender], entry.Amount, entry.Refunded, a.outcome(entry.Outcome),
		})
	}
	return a.printTable(list, rows)
}

// outcome returns how a sale was settled, in words.
func (a *app) outcome(settled drawer.Settlement) string {
	switch settled {
	case drawer.ByCash:
		return strings.ToLower(a.Texts.Cash.Word)
	case drawer.Voided:
		return strings.ToLower(a.Texts.Account.VoidedWord)
	}
	return a.VerdictOf(payments.Verdict(settled))
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
	rows := [][]any{cells(a.Texts.Account.DayColumns[:])}
	for day := payments.Day(period.From.Local()); day.From.Before(period.To); day = payments.Day(day.To) {
		sums, err := shop.Service.Day(ctx, day)
		if err != nil {
			return fmt.Errorf("add up the takings: %w", err)
		}
		name, taken := day.From.Format(time.DateOnly), sums.Taken()
		list = append(list, dayJSON{name, sumJSON(sums.Received), sumJSON(sums.Refunded), sumJSON(sums.Cash), sumJSON(sums.Voided), sumJSON(taken)})
		rows = append(rows, []any{
			name, taken.Count, sums.Received.Amount + sums.Refunded.Amount, sums.Refunded.Amount, sums.Cash.Amount, sums.Voided.Amount, taken.Amount,
		})
	}
	return a.printTable(list, rows)
}

func cells(texts []i18n.Text) (row []any) {
	for _, text := range texts {
		row = append(row, text)
	}
	return row
}

// printTable prints a table as JSON, or as the CSV that the spreadsheets of the till's
// language expect.
func (a *app) printTable(list any, rows [][]any) error {
	if a.AsJSON() {
		return a.Print(list, "")
	}
	if a.Language == "en" {
		return catalog.WriteCSV(a.Out, rows)
	}
	var table strings.Builder
	if err := catalog.WriteTable(&table, ';', rows); err != nil {
		return err
	}
	_, err := io.WriteString(a.Out, "\ufeff"+table.String()) // The byte order mark says that it is UTF-8.
	return err
}
