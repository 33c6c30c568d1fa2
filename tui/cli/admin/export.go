package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments/drawer"
	"checkout/till/payments/hledger"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/storage"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/account"
)

type exporter struct {
	*reporter
	sales, days, transfers, hledger bool
	output                          string // Path of the new file; empty or "-" for standard output.
}

func (a *app) exportCommand() *cobra.Command {
	e := &exporter{reporter: &reporter{app: a}}
	command := a.JSON(&cobra.Command{Use: "export", PreRunE: e.check, RunE: a.InShop(e.run)})
	flags := command.Flags()
	flags.StringVar(&e.from, "from", "", "")
	flags.StringVar(&e.to, "to", "", "")
	flags.BoolVar(&e.sales, "sales", false, "")
	flags.BoolVar(&e.days, "days", false, "")
	flags.BoolVar(&e.transfers, "transfers", false, "")
	flags.BoolVar(&e.hledger, "hledger", false, "")
	flags.BoolVar(&e.asCSV, "csv", false, "")
	flags.StringVar(&e.output, "output", "", "")
	return command
}

func (e *exporter) check(*cobra.Command, []string) error {
	rows := 0
	for _, chosen := range []bool{e.sales, e.days, e.transfers, e.hledger} {
		if chosen {
			rows++
		}
	}
	switch {
	case rows > 1:
		return cli.Misused("%s", e.Texts.Account.OneRow)
	case e.hledger && (e.asCSV || e.AsJSON()):
		return cli.Misused("%s", e.Texts.Account.OneJournal)
	}
	return nil
}

func (e *exporter) run(ctx context.Context, shop *cli.Shop, _ []string) error {
	if err := e.choose(shop); err != nil {
		return err
	}
	if e.output == "" || e.output == "-" {
		return e.export(ctx, shop)
	}
	err := e.writeFile(e.output, func(file io.Writer) error {
		e.Out = file
		return e.export(ctx, shop)
	})
	if err == nil {
		e.Say("%s", e.Texts.Office.Written.With(cli.CleanLabel(e.output)))
	}
	return err
}

// writeFile writes a new file atomically. The folder must exist, and the file must not.
func (a *app) writeFile(path string, write func(io.Writer) error) error {
	words, folder := a.Texts.Office, filepath.Dir(path)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return errors.New(words.NoFolder.With(cli.CleanLabel(folder)))
	}
	if _, err := os.Lstat(path); err == nil {
		return errors.New(words.IsThere.With(cli.CleanLabel(path)))
	}
	if err := storage.Replace(path, write); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

func (e *exporter) export(ctx context.Context, shop *cli.Shop) error {
	switch {
	case e.days:
		return e.exportDays(ctx, shop, e.day)
	case e.transfers:
		return e.exportTransfers(ctx, shop, e.day)
	case e.hledger:
		return e.exportJournal(ctx, shop, e.day)
	}
	return e.exportSales(ctx, shop, e.day)
}

// mobileMoney is the older name of [drawer.TenderLink], which the JSON keeps for scripts.
const mobileMoney drawer.Tender = "mobile_money"

func (a *app) exportSales(ctx context.Context, shop *cli.Shop, period money.Period) error {
	entries, err := shop.Service.Journal(ctx, period)
	if err != nil {
		return fmt.Errorf("read the journal: %w", err)
	}
	var list []account.Sale
	for _, entry := range entries {
		sale := account.NewSale(entry)
		if sale.Tender == drawer.TenderLink {
			sale.Tender = mobileMoney
		}
		list = append(list, sale)
	}
	if a.AsJSON() {
		return a.Print(list, "")
	}
	return account.WriteSales(a.Out, a.Texts, time.Local, entries)
}

type dayJSON struct {
	Day      string                    `json:"day"`
	Received sumJSON                   `json:"received"` // As in reportJSON, like the next two fields.
	Refunded sumJSON                   `json:"refunded"`
	Counter  sumJSON                   `json:"refunded_at_counter,omitzero"`
	Cash     sumJSON                   `json:"cash"`
	Voided   sumJSON                   `json:"voided"`
	Taken    sumJSON                   `json:"taken"`
	Tenders  map[drawer.Tender]sumJSON `json:"tenders"`
	Debts    sumJSON                   `json:"debts_paid,omitzero"`
	Waived   sumJSON                   `json:"written_off,omitzero"`
}

func (a *app) exportDays(ctx context.Context, shop *cli.Shop, period money.Period) error {
	var list []dayJSON
	var rows [][]any
	for day := shop.Service.DayOf(period.From.Local()); day.From.Before(period.To); day = shop.Service.DayOf(day.To) {
		sums, err := shop.Service.Day(ctx, day)
		if err != nil {
			return fmt.Errorf("add up the takings: %w", err)
		}
		name, taken := day.From.Format(time.DateOnly), sums.Taken()
		list = append(list, dayJSON{name, sumJSON(sums.Received), sumJSON(sums.Refunds()), sumJSON(sums.CashRefunded), sumJSON(sums.Tendered[drawer.TenderCash]), sumJSON(sums.Voided), sumJSON(taken), tendered(sums), sumJSON(sums.Debts), sumJSON(sums.WrittenOff)})
		row := []any{name, taken.Count, sums.Received.Amount + sums.Refunded.Amount, sums.Refunds().Amount}
		for _, tender := range drawer.CounterTenders() {
			row = append(row, sums.Tendered[tender].Amount)
		}
		rows = append(rows, append(row, sums.Voided.Amount, taken.Amount, sums.Debts.Amount, sums.WrittenOff.Amount))
	}
	if a.AsJSON() {
		return a.Print(list, "")
	}
	const before = 4 // Number of columns before those of the tenders.
	columns := slices.Clone(a.Texts.Account.DayColumns[:before])
	for _, tender := range drawer.CounterTenders() {
		columns = append(columns, a.Texts.TenderTitles[string(tender)])
	}
	return account.WriteTable(a.Out, a.Texts, append(columns, a.Texts.Account.DayColumns[before:]...), rows)
}

type transferJSON struct {
	ID       int64              `json:"id"`
	At       time.Time          `json:"at"`
	Booked   time.Time          `json:"booked"`
	Kind     ledger.Kind        `json:"kind"`
	From     ledger.Account     `json:"from"`
	To       ledger.Account     `json:"to"`
	Amount   money.Ariary       `json:"amount"`
	Till     string             `json:"till"`
	By       string             `json:"by"`
	Payment  ledger.PaymentKind `json:"payment"`
	Ref      string             `json:"reference"`
	Corrects int64              `json:"corrects"` // ID of the transfer that this one reverses; else 0.
	Note     string             `json:"note"`
}

// exportTransfers prints the transfers of a period. Kinds and accounts are not translated, because
// scripts compare them.
func (a *app) exportTransfers(ctx context.Context, shop *cli.Shop, period money.Period) error {
	transfers, _, err := shop.Service.Transfers(ctx, period)
	if err != nil {
		return fmt.Errorf("read the transfers: %w", err)
	}
	var list []transferJSON
	var rows [][]any
	for _, t := range transfers {
		list = append(list, transferJSON{
			t.ID, t.At, t.Booked, t.Kind, t.From, t.To, t.Amount, t.Till, t.By, t.Payment.Kind, t.Payment.Ref, t.Corrects, t.Note,
		})
		corrects := ""
		if t.Corrects != 0 {
			corrects = strconv.FormatInt(t.Corrects, 10)
		}
		rows = append(rows, []any{
			t.ID, t.At.Local().Format(time.RFC3339), t.Booked.Local().Format(time.RFC3339), string(t.Kind), string(t.From), string(t.To), t.Amount,
			t.Till, t.By, string(t.Payment.Kind), t.Payment.Ref, corrects, t.Note,
		})
	}
	if a.AsJSON() {
		return a.Print(list, "")
	}
	return account.WriteTable(a.Out, a.Texts, a.Texts.Account.TransferColumns[:], rows)
}

func (a *app) exportJournal(ctx context.Context, shop *cli.Shop, period money.Period) error {
	transfers, articles, err := shop.Service.Transfers(ctx, period)
	if err != nil {
		return fmt.Errorf("read the transfers: %w", err)
	}
	debtors, err := shop.Service.Debtors(ctx)
	if err != nil {
		return err
	}
	names := make(map[ledger.Account]string)
	for _, debtor := range debtors {
		names[debtor.Account()] = debtor.Name
	}
	return hledger.Write(a.Out, time.Local, transfers, articles, names)
}
