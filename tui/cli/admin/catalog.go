package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/storage"
	"checkout/till/tui/cli"
)

type importJSON struct {
	Imported  bool            `json:"imported"` // False when a wrong line kept all of them out.
	Added     int             `json:"added"`
	Changed   int             `json:"changed"`
	Unchanged int             `json:"unchanged"`
	Encoding  string          `json:"encoding"`
	Wrong     []catalog.Fault `json:"wrong"`
}

func (a *app) catalogImportCommand() *cobra.Command {
	var skipWrong bool
	var table catalog.Table
	words := a.Texts.Office
	command := a.JSON(&cobra.Command{Use: "import FILE"})
	command.PreRunE = func(_ *cobra.Command, arguments []string) (err error) {
		table, err = a.readTable(arguments[0])
		return err
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		articles, err := shop.Service.Articles(ctx)
		if err != nil {
			return err
		}
		plan := table.Plan(articles)
		report := importJSON{
			Imported: len(plan.Faults) == 0 || skipWrong, Encoding: "UTF-8", Wrong: plan.Faults,
		}
		if report.Imported {
			if err := shop.Service.SaveArticles(ctx, plan.Saves()); err != nil {
				return fmt.Errorf("import the articles: %w", err)
			}
			report.Added, report.Changed, report.Unchanged = len(plan.Added), len(plan.Changed), plan.Unchanged
		}
		if table.Windows1252 {
			report.Encoding = "Windows-1252"
			a.Say("%s", words.Encoding)
		}
		for _, fault := range plan.Faults {
			a.Say("%s", payments.Clean(fault.Error(), cli.MaxMessage))
		}
		number := func(n int) string { return i18n.Number(int64(n)) }
		err = a.Print(report, words.Imported.With(
			number(report.Added), number(report.Changed), number(report.Unchanged), number(len(report.Wrong))))
		if !report.Imported {
			err = errors.Join(err, errors.New(words.NoImport))
		}
		return err
	})
	command.Flags().BoolVar(&skipWrong, "skip-wrong", false, "")
	return command
}

// readTable reads the table in a file, or on standard input for "-".
func (a *app) readTable(path string) (catalog.Table, error) {
	text, err := a.ReadInput(path)
	if err != nil {
		return catalog.Table{}, err
	}
	table, err := catalog.Read(text)
	if err != nil && path != "-" {
		err = fmt.Errorf("%s: %w", cli.Shown(path), err)
	}
	return table, err
}

func (a *app) catalogExportCommand() *cobra.Command {
	words := a.Texts.Office
	return a.JSON(&cobra.Command{Use: "export [FILE]", RunE: a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		path := append(arguments, "-")[0]
		if a.AsJSON() && path != "-" {
			return cli.Misused("%s", words.JSONAlone)
		}
		articles, err := shop.Service.Articles(ctx)
		switch {
		case err != nil:
			return err
		case a.AsJSON():
			return a.Print(articles, "")
		case path == "-":
			return catalog.Write(a.Out, articles)
		}
		if _, err := os.Lstat(path); err == nil {
			return errors.New(words.IsThere.With(cli.Shown(path)))
		}
		if err := storage.Replace(path, func(out io.Writer) error { return catalog.Write(out, articles) }); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		a.Say("%s", words.Exported.With(i18n.Number(int64(len(articles))), cli.Shown(path)))
		return nil
	})})
}
