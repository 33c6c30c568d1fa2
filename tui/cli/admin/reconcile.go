package admin

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/payments/money"
	"checkout/till/tui/cli"
)

// statement is what a table from the merchant area says about one order, compared with the shop's
// order. The specification does not describe the table.
type statement struct {
	// Number of the order's last line with a payment, or else of its first line; 0 if the file
	// lacks the order.
	Line      int          `json:"line"`
	Name      string       `json:"name"` // Text that identifies the order in the file.
	Reference string       `json:"reference"`
	Problem   string       `json:"problem"` // Code of the mismatch; blank if shop and table agree.
	Verdict   string       `json:"verdict"`
	Amount    money.Ariary `json:"amount"`
	There     struct {
		Amount string `json:"amount"`
		Status string `json:"status"`
	} `json:"there"`
	paid   int          // Number of lines with a payment of the order.
	amount money.Ariary // Amount of the payment in the file; 0 without a payment.
}

type reconciledJSON struct {
	Agree      int         `json:"agree"`
	Mismatches []statement `json:"mismatches"`
	// Creation times of the first and the last order that both the file and the shop have; null
	// without such an order.
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Sum of the shop's paid orders that were created after To.
	After sumJSON `json:"after"`
}

func (a *app) reconcileCommand() *cobra.Command {
	var statements []statement
	var paid, unpaid []string
	command := a.JSON(&cobra.Command{Use: "reconcile FILE"})
	command.PreRunE = func(_ *cobra.Command, arguments []string) (err error) {
		statements, err = a.readStatements(arguments[0], newStatusWords(paid, unpaid))
		return err
	}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		result, err := a.reconcile(ctx, shop, statements)
		if err != nil {
			return err
		}
		err = a.Print(result, a.mismatchTable(result))
		if count := len(result.Mismatches); err == nil && count > 0 {
			err = errors.New(a.Texts.Reconciled.Differ.With(i18n.Number(int64(count))))
		}
		return err
	})
	command.Flags().StringSliceVar(&paid, "paid", nil, "")
	command.Flags().StringSliceVar(&unpaid, "unpaid", nil, "")
	return command
}

// statusWords maps each word for a status to whether it means paid. The words have the form of
// [catalog.Fold]. An unknown word is an error, because it may mean a payment.
type statusWords map[string]bool

// newStatusWords returns the known words. The user's words take precedence.
func newStatusWords(paid, unpaid []string) statusWords {
	words := make(statusWords)
	for _, known := range []struct {
		words []string
		paid  bool
	}{
		{[]string{"success", "succeeded", "successful", "paid", "succes", "reussi", "reussie", "paye", "payee", "voaloa"}, true},
		{[]string{
			"failed", "failure", "canceled", "cancelled", "expired", "pending", "unpaid", "not paid", "rejected", "refused",
			"echoue", "echouee", "echec", "annule", "annulee", "expire", "expiree", "en attente", "impaye", "impayee", "non paye",
			"non payee", "refuse", "refusee", "tsy voaloa", "nolavina", "nofoanana", "miandry",
		}, false},
		{paid, true},
		{unpaid, false},
	} {
		for _, word := range known.words {
			words[catalog.Fold(word)] = known.paid
		}
	}
	return words
}

func (w statusWords) means(status string) (paid, known bool) {
	paid, known = w[strings.TrimPrefix(catalog.Fold(status), "payment ")]
	return paid, known
}

// readStatements merges the lines of each order into one statement. An unknown status is an error,
// and so is a payment without a readable amount.
func (a *app) readStatements(path string, words statusWords) ([]statement, error) {
	text, err := a.ReadInput(path)
	if err != nil {
		return nil, err
	}
	lines, _, err := catalog.ReadCSV(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cli.CleanLabel(path), err)
	}
	if broken := slices.IndexFunc(lines, isBroken); broken >= 0 {
		return nil, errors.New(a.Texts.Reconciled.Broken.With(strconv.Itoa(lines[broken].Number)))
	}
	var at columns
	lines = catalog.SkipTitles(lines, func(cells []string) bool { return newColumns(cells).complete() })
	if len(lines) > 0 {
		at = newColumns(lines[0].Cells)
	}
	if len(lines) == 0 || !at.complete() {
		return nil, errors.New(a.Texts.Reconciled.Headings)
	}
	var statements []statement
	var unknown []string
	known := map[string]int{}
	for _, line := range lines[1:] {
		next, statusKnown := at.read(line, words)
		switch status := strconv.Quote(next.There.Status); {
		case !statusKnown && !slices.Contains(unknown, status):
			unknown = append(unknown, status)
		case next.paid > 0 && next.amount == 0:
			return nil, errors.New(a.Texts.Reconciled.NotAmount.With(strconv.Itoa(line.Number), next.There.Amount))
		}
		earlier, found := known[next.Name]
		switch {
		case !found:
			known[next.Name] = len(statements)
			statements = append(statements, next)
		case next.paid > 0:
			next.paid += statements[earlier].paid
			statements[earlier] = next
		}
	}
	if len(unknown) > 0 {
		return nil, errors.New(a.Texts.Reconciled.UnknownStatus.With(strings.Join(unknown, ", ")))
	}
	return statements, nil
}

// columns are the indexes of the columns of a table; -1 for a missing one.
type columns struct{ name, amount, status int }

func newColumns(headings []string) columns {
	return columns{
		catalog.Column(headings, "order reference", "reference de commande", "reference", "ref"),
		catalog.Column(headings, "amount", "montant", "vola"),
		catalog.Column(headings, "status", "statut", "etat", "event"),
	}
}

func (c columns) complete() bool { return c.name >= 0 && c.amount >= 0 }

// read returns the statement of a line, and whether its status is known. Without a status column,
// every line counts as paid.
func (c columns) read(line catalog.Line, words statusWords) (said statement, known bool) {
	cell := func(at int) string {
		if at < 0 || at >= len(line.Cells) {
			return ""
		}
		return cli.Clean(catalog.Unwrap(line.Cells[at]))
	}
	said = statement{Line: line.Number, Name: cell(c.name)}
	said.There.Amount, said.There.Status = cell(c.amount), cell(c.status)
	paid, known := words.means(said.There.Status)
	if c.status < 0 {
		paid, known = true, true
	}
	if paid {
		said.paid = 1
		said.amount, _ = catalog.ParseAmount(said.There.Amount) // 0 after an error.
	}
	return said, known
}

func isBroken(line catalog.Line) bool { return line.Broken > 0 }

// reconcile compares the merchant area's table with the shop's orders. A paid order that the file
// lacks is a mismatch if it was created between the file's first and last order; a later one is
// only counted.
func (a *app) reconcile(ctx context.Context, shop *cli.Shop, statements []statement) (reconciledJSON, error) {
	now := shop.Now()
	var result reconciledJSON
	named := map[string]bool{}
	var created []time.Time
	for _, said := range statements {
		order, _, err := shop.Service.Order(ctx, said.Name)
		found := err == nil
		if found {
			named[order.Reference] = true
			created = append(created, order.CreatedAt)
		} else if !errors.Is(err, payments.ErrNotFound) {
			return result, err
		}
		said = about(said, order, compare(said, order, found), now)
		if said.Problem != "" {
			result.Mismatches = append(result.Mismatches, said)
		} else if found {
			result.Agree++
		}
	}
	if len(created) == 0 {
		return result, nil
	}
	result.From, result.To = slices.MinFunc(created, time.Time.Compare), slices.MaxFunc(created, time.Time.Compare)
	query := payments.Query{Since: result.From, Limit: math.MaxInt}
	missing, err := shop.Orders(ctx, query, func(o payments.Order) bool { return o.Collected() > 0 && !named[o.Reference] })
	for _, order := range slices.Backward(missing) {
		if order.CreatedAt.After(result.To) {
			result.After.Count++
			result.After.Amount += order.Collected()
			continue
		}
		result.Mismatches = append(result.Mismatches, about(statement{Name: order.OrderReference}, order, "missing", now))
	}
	return result, err
}

// compare returns the code of the mismatch between a statement and the shop's order, or "". A
// payment in the file also agrees with an order that the shop has refunded.
func compare(said statement, order payments.Order, found bool) (problem string) {
	switch {
	case !found && said.paid > 0:
		return "no_order"
	case said.paid > 1:
		return "paid_twice"
	case said.paid > 0 && order.Gross() == 0:
		return "paid_there"
	case said.paid == 0 && order.Collected() > 0:
		return "paid_here"
	case said.paid > 0 && said.amount != order.Amount:
		return "amount"
	}
	return ""
}

// about adds the problem and the values of the shop's order to a statement.
func about(said statement, order payments.Order, problem string, now time.Time) statement {
	said.Problem = problem
	said.Reference = order.Reference
	said.Amount = order.Amount
	if order.Reference != "" {
		said.Verdict = string(order.Verdict(payments.Conditions{}, now))
	}
	return said
}

func (a *app) mismatchTable(result reconciledJSON) string {
	words := a.Texts.Reconciled
	var rows [][]string
	for _, m := range result.Mismatches {
		line, here := "", ""
		if m.Line > 0 {
			line = strconv.Itoa(m.Line)
		}
		if m.Verdict != "" {
			here = a.VerdictOf(payments.Verdict(m.Verdict)) + " " + i18n.Money(m.Amount)
		}
		there := strings.TrimSpace(m.There.Status + " " + m.There.Amount)
		rows = append(rows, []string{line, m.Name, m.Reference, here, there, a.Texts.Problems[m.Problem]})
	}
	if len(rows) > 0 {
		rows = slices.Insert(rows, 0, []string{words.Line, words.Name, a.Texts.Printed.Reference, words.Here, words.There, words.Problem})
	}
	rows = append(rows, []string{words.Agree.With(i18n.Number(int64(result.Agree)))})
	if !result.From.IsZero() {
		rows = append(rows, []string{words.Reaches.With(cli.Moment(result.From), cli.Moment(result.To))})
	}
	if result.After.Count > 0 {
		rows = append(rows, []string{words.After.With(i18n.Number(result.After.Count), i18n.Money(result.After.Amount))})
	}
	return cli.Table(rows...)
}
