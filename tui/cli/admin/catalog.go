package admin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/tui/cli"
)

func (a *app) catalogCommand() *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:   "catalog",
		Short: "Import and export the shop's articles",
		Long: "Import and export the shop's articles as a table (CSV): label,unit_price,code.\n\n" +
			"A line of headings may stand above, and then the columns in any order. Commas, semicolons and tabs " +
			"part the cells. A fourth column, favourite, holds the place among the favourites, 1 to 9, or 0 for none; " +
			"it is written when an article has one. A code or a place that is missing or blank stays as it is.",
	}, a.catalogImportCommand(), a.catalogExportCommand())
}

// importOptions are the flags of "till catalog import".
type importOptions struct{ skipWrong, asJSON bool }

func (a *app) catalogImportCommand() *cobra.Command {
	var options importOptions
	command := &cobra.Command{
		Use:   "import FILE",
		Short: "Add articles from a table, and change those that exist",
		Long: "Add the articles of a table (CSV), and change those that exist: the article of the same code, " +
			"or else of the same label. None is deleted. - reads standard input.\n\n" +
			"When a line is wrong it is named, and nothing is imported; with --skip-wrong all other lines are.",
		Args: cli.Arguments("FILE"),
		RunE: func(command *cobra.Command, arguments []string) error {
			table, err := a.readTable(arguments[0])
			if err != nil {
				return fmt.Errorf("import %s: %w", cli.Shown(arguments[0]), err)
			}
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				return a.importCatalog(ctx, shop.Service, table, options)
			})
		},
	}
	command.Flags().BoolVar(&options.skipWrong, "skip-wrong", false, "import the other lines when some are wrong")
	cli.JSONFlag(command, &options.asJSON)
	return command
}

// importJSON is what "till catalog import" prints.
type importJSON struct {
	Imported  bool        `json:"imported"` // False when a wrong line kept all of them out.
	Added     int         `json:"added"`
	Changed   int         `json:"changed"`
	Unchanged int         `json:"unchanged"`
	Encoding  string      `json:"encoding"`
	Wrong     []wrongJSON `json:"wrong"`
}

// wrongJSON is a line that cannot be imported.
type wrongJSON struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	Problem string `json:"problem"`
}

func (a *app) importCatalog(ctx context.Context, service *payments.Service, table catalog.Table, options importOptions) error {
	articles, err := service.Articles(ctx)
	if err != nil {
		return err
	}
	plan := table.Plan(articles)
	imports := len(plan.Faults) == 0 || options.skipWrong
	if imports {
		if _, err := service.SaveArticles(ctx, plan.Saves()); err != nil {
			return fmt.Errorf("import the articles: %w", err)
		}
	}
	return a.tellImport(table, plan, imports, options)
}

// readTable reads the table in a file, or on standard input for "-".
func (a *app) readTable(path string) (catalog.Table, error) {
	if path == "-" {
		return catalog.Read(a.In)
	}
	file, err := os.Open(path)
	if err != nil {
		return catalog.Table{}, err
	}
	defer func() { _ = file.Close() }()
	return catalog.Read(file)
}

// tellImport says what was imported, and what was wrong.
func (a *app) tellImport(table catalog.Table, plan catalog.Plan, imported bool, options importOptions) error {
	report := importJSON{
		Imported: imported, Added: len(plan.Added), Changed: len(plan.Changed), Unchanged: plan.Unchanged,
		Encoding: "UTF-8", Wrong: []wrongJSON{},
	}
	if table.Windows1252 {
		report.Encoding = "Windows-1252"
		a.Say("the file is in Windows-1252: look at the accents in the catalogue")
	}
	for _, fault := range plan.Faults {
		report.Wrong = append(report.Wrong, wrongJSON{fault.Line, fault.Text, fault.Problem})
		a.Say("%s", payments.Clean(fault.Error(), cli.MaxMessage))
	}
	if !imported {
		report.Added, report.Changed, report.Unchanged = 0, 0, 0
	}
	number := func(n int) string { return i18n.Number(int64(n)) }
	if options.asJSON {
		if err := cli.WriteJSON(a.Out, report); err != nil {
			return err
		}
	} else {
		a.Tell("%s added, %s changed, %s unchanged, %s wrong",
			number(report.Added), number(report.Changed), number(report.Unchanged), number(len(report.Wrong)))
	}
	if !imported {
		return errors.New("nothing was imported: correct the lines above, or leave them out with --skip-wrong")
	}
	return nil
}

// exportOptions are the flags of "till catalog export".
type exportOptions struct{ force, asJSON bool }

func (a *app) catalogExportCommand() *cobra.Command {
	var options exportOptions
	command := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the articles as a table",
		Long: "Write the articles as a table (CSV) that \"till catalog import\" reads back: into a file that only you " +
			"may read, or on standard output.\n\n" +
			"An apostrophe stands before a label that a spreadsheet would take for a formula; import takes it off.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, arguments []string) error {
			if options.asJSON && len(arguments) > 0 && arguments[0] != "-" {
				return cli.Misused("--json prints on standard output: leave FILE away")
			}
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				articles, err := shop.Service.Articles(ctx)
				if err != nil {
					return err
				}
				return a.exportCatalog(articles, arguments, options)
			})
		},
	}
	command.Flags().BoolVar(&options.force, "force", false, "write over a file that exists")
	cli.JSONFlag(command, &options.asJSON)
	return command
}

// articleJSON is one article of "till catalog export --json".
type articleJSON struct {
	Label     string          `json:"label"`
	UnitPrice payments.Ariary `json:"unit_price"`
	Code      string          `json:"code"`
	Favourite int             `json:"favourite"` // 0 for none.
	Uses      int64           `json:"uses"`
}

func (a *app) exportCatalog(articles []payments.Article, target []string, options exportOptions) error {
	switch {
	case options.asJSON:
		rows := make([]articleJSON, 0, len(articles))
		for _, article := range articles {
			rows = append(rows, articleJSON{article.Label, article.UnitPrice, article.Code, article.Favourite, article.Uses})
		}
		return cli.WriteJSON(a.Out, rows)
	case len(target) == 0 || target[0] == "-":
		return catalog.Write(a.Out, articles)
	}
	if err := writeTable(target[0], articles, options.force); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	a.Say("wrote %s articles into %s", i18n.Number(int64(len(articles))), cli.Shown(target[0]))
	return nil
}

// writeTable writes the articles into a file of their own. The file gets its
// name when it is whole, so that none is lost when the disk is full.
func writeTable(path string, articles []payments.Article, force bool) error {
	switch info, err := os.Lstat(path); {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s is there and is no file: name another one", cli.Shown(path))
	case err == nil && !force:
		return fmt.Errorf("%s is there already: name another one, or write over it with --force", cli.Shown(path))
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".till-*.csv") // Its mode is 0600.
	if err != nil {
		return err
	}
	err = catalog.Write(part, articles)
	err = errors.Join(err, part.Sync(), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}
