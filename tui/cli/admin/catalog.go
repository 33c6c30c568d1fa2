package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/payments/clean"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/account"
)

type importer struct {
	*app
	skipWrong, dryRun, yes bool
	table                  catalog.Table
}

func (a *app) catalogImportCommand() *cobra.Command {
	i := &importer{app: a}
	command := a.JSON(&cobra.Command{Use: "import FILE", PreRunE: i.read, RunE: a.InShop(i.run)})
	flags := command.Flags()
	flags.BoolVar(&i.skipWrong, "skip-wrong", false, "")
	flags.BoolVar(&i.dryRun, "dry-run", false, "")
	flags.BoolVar(&i.yes, "yes", false, "")
	return command
}

func (i *importer) read(_ *cobra.Command, arguments []string) (err error) {
	i.table, err = i.readTable(arguments[0])
	return err
}

func (i *importer) run(ctx context.Context, shop *cli.Shop, _ []string) error {
	articles, err := shop.Service.Articles(ctx)
	if err != nil {
		return err
	}
	words := i.Texts.Office
	plan := i.table.Plan(articles)
	report := importJSON{Encoding: "UTF-8"}
	if i.table.Windows1252 {
		report.Encoding = "Windows-1252"
		i.Say("%s", words.Encoding)
	}
	if unknown := i.table.Units; len(unknown) > 0 {
		i.Say("%s", words.UnknownUnits.With(quotedUnits(unknown)))
	}
	for _, fault := range plan.Faults {
		report.Wrong = append(report.Wrong, lineJSON{fault.Line, fault.Column, fault.Text, fault.Says})
		i.Say("%s", clean.Text(i.lineText(fault), cli.MaxMessage))
	}
	refused := len(plan.Faults) > 0 && !i.skipWrong || len(plan.Changes())+plan.Unchanged == 0
	text := ""
	switch {
	case i.dryRun:
		for _, change := range plan.Changes() {
			report.Changes = append(report.Changes, changeJSON{newArticleJSON(change.From), newArticleJSON(change.To)})
		}
		text = i.changeTable(plan.Changes())
	case !refused:
		if err := i.confirmPrices(ctx, plan); err != nil {
			return err
		}
		if err := saveInBatches(ctx, shop.Service.Service, plan.Changes()); err != nil {
			return err
		}
		report.Imported = true
	}
	if report.Imported || i.dryRun {
		report.Added = len(plan.Added)
		report.Changed = len(plan.Changed)
		report.Unchanged = plan.Unchanged
	}
	err = i.Print(report, text+words.Imported.With(
		count(report.Added), count(report.Changed), count(report.Unchanged), count(len(report.Wrong))))
	switch {
	case refused:
		err = errors.Join(err, errors.New(words.NoImport))
	case i.dryRun:
		i.Say("%s", words.DryRun)
	}
	return err
}

// quotedUnits lists the first units, because a table may have a different text in each line.
func quotedUnits(units []string) string {
	const most = 5
	var quoted []string
	for _, unit := range units[:min(most, len(units))] {
		quoted = append(quoted, strconv.Quote(unit))
	}
	if len(units) > most {
		quoted = append(quoted, "…")
	}
	return strings.Join(quoted, ", ")
}

func (a *app) lineText(fault catalog.LineError) string {
	words, text := a.Texts.Office, a.Texts.Rules["line "+fault.Kind]
	if a.Language == "en" || text == "" {
		return fault.Error()
	}
	where := words.AtLine.With(fault.Line)
	if fault.Column != "" {
		where += ", " + words.AtColumn.With(fault.Column)
	}
	if fault.Text != "" {
		where += ", " + strconv.Quote(fault.Text)
	}
	return a.Texts.Frame.Labelled.With(where, strings.Replace(text, "%s", fault.Detail, 1))
}

func count(n int) string { return i18n.Number(int64(n)) }

// confirmPrices asks for confirmation if many prices would change, because the file may be the
// wrong one.
func (i *importer) confirmPrices(ctx context.Context, plan catalog.Plan) error {
	const unasked = 10
	words := i.Texts.Office
	priced := slices.DeleteFunc(slices.Clone(plan.Changed), samePrice)
	switch {
	case i.yes || len(priced) <= unasked:
		return nil
	case !cli.IsTerminal(i.In):
		return cli.Misused("%s", words.SayPrices.With(count(len(priced))))
	}
	i.Say("%s…", i.changeTable(priced[:unasked]))
	return i.Confirm(ctx, words.AskPrices.With(count(len(priced))), words.NotImported)
}

func samePrice(c payments.ArticleChange) bool { return c.From.UnitPrice == c.To.UnitPrice }

// saveInBatches saves the articles in short transactions with pauses, so that another process can
// store events. The pause is 25 ms, because SQLite's first retries of a lock are at most 25 ms
// apart.
func saveInBatches(ctx context.Context, service *payments.Service, changes []payments.ArticleChange) error {
	const size, pause = 500, 25 * time.Millisecond
	saved := 0
	for batch := range slices.Chunk(changes, size) {
		if err := service.ChangeArticles(ctx, batch); err != nil {
			return fmt.Errorf("import the articles: %w (%d of %d are imported: import the file again)", err, saved, len(changes))
		}
		if saved += len(batch); saved < len(changes) {
			<-time.After(pause)
		}
	}
	return nil
}

func (a *app) changeTable(changes []payments.ArticleChange) string {
	words := a.Texts.Catalog
	var rows [][]string
	for _, change := range changes {
		from, to := change.From, change.To
		if from.Label == "" {
			rows = append(rows, []string{to.Label, words.New, "", "→ " + i18n.Money(to.UnitPrice)})
			continue
		}
		for _, fact := range [][3]string{
			{words.Label, from.Label, to.Label},
			{a.Texts.Sale.Price, i18n.Money(from.UnitPrice), i18n.Money(to.UnitPrice)},
			{words.Code, cmp.Or(from.Code, "-"), cmp.Or(to.Code, "-")},
			{words.Unit, cmp.Or(from.Unit, "-"), cmp.Or(to.Unit, "-")},
			{words.Favourite, strconv.Itoa(from.Favourite), strconv.Itoa(to.Favourite)},
		} {
			if fact[1] != fact[2] {
				rows = append(rows, []string{from.Label, fact[0], fact[1], "→ " + fact[2]})
			}
		}
	}
	return cli.Table(append(rows, nil)...)
}

func (a *app) readTable(path string) (catalog.Table, error) {
	text, err := a.ReadInput(path)
	if err != nil {
		return catalog.Table{}, err
	}
	table, err := catalog.Read(text)
	if err != nil && path != "-" {
		err = fmt.Errorf("%s: %w", cli.CleanLabel(path), err)
	}
	return table, err
}

func (a *app) exportCatalog(ctx context.Context, shop *cli.Shop, arguments []string) error {
	words := a.Texts.Office
	path := append(arguments, "-")[0]
	if a.AsJSON() && path != "-" {
		return cli.Misused("%s", words.JSONAlone)
	}
	articles, err := shop.Service.Articles(ctx)
	switch {
	case err != nil:
		return err
	case a.AsJSON():
		var list []articleJSON
		for _, article := range articles {
			list = append(list, newArticleJSON(article))
		}
		return a.Print(list, "")
	case path == "-":
		return a.writeArticles(a.Out, articles)
	}
	if err := a.writeFile(path, func(file io.Writer) error { return a.writeArticles(file, articles) }); err != nil {
		return err
	}
	a.Say("%s", words.Exported.With(count(len(articles)), cli.CleanLabel(path)))
	return nil
}

func (a *app) writeArticles(to io.Writer, articles []payments.Article) error {
	return account.WriteTable(to, a.Texts, a.Texts.Office.ArticleColumns[:], catalog.Rows(articles))
}
