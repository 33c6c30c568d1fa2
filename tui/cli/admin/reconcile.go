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
	"checkout/till/tui/cli"
)

// statement is what the merchant area says of one order: all lines of its table
// that name it. The specification does not describe that table; the columns are
// known by their headings.
type statement struct {
	line   int // The one that says most: the payment, if there is one.
	name   string
	amount string // As it was written.
	status string // Blank where the table has no such column: every line is a payment then.
	paid   int    // How many lines say that it is paid.
}

// mismatch is an order of which the merchant area and the shop say different things.
type mismatch struct {
	Line      int             `json:"line"` // Of the file; 0 where it does not name the order.
	Name      string          `json:"name"` // The order, as the file names it.
	Reference string          `json:"reference"`
	Problem   string          `json:"problem"`
	Verdict   string          `json:"verdict"`
	Amount    payments.Ariary `json:"amount"`
	There     struct {
		Amount string `json:"amount"`
		Status string `json:"status"`
	} `json:"there"`
}

type reconciledJSON struct {
	Agree      int        `json:"agree"` // Orders of which both say the same.
	Mismatches []mismatch `json:"mismatches"`
}

func (a *app) reconcileCommand() *cobra.Command {
	var statements []statement
	command := a.JSON(&cobra.Command{Use: "reconcile FILE"})
	command.PreRunE = func(_ *cobra.Command, arguments []string) (err error) {
		statements, err = a.readStatements(arguments[0])
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
	return command
}

// readStatements reads the table in a file, or on standard input for "-". It finds
// the columns by their headings, the best first, and joins the lines of each order.
func (a *app) readStatements(path string) ([]statement, error) {
	text, err := a.ReadInput(path)
	if err != nil {
		return nil, err
	}
	lines, _, err := catalog.ReadCSV(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cli.Shown(path), err)
	}
	if broken := slices.IndexFunc(lines, func(line catalog.Line) bool { return line.Broken > 0 }); broken >= 0 {
		return nil, errors.New(a.Texts.Reconciled.Broken.With(strconv.Itoa(lines[broken].Number)))
	}
	var headings []string
	if len(lines) > 0 {
		headings = lines[0].Cells
	}
	column := func(names ...string) int {
		for _, name := range names {
			at := slices.IndexFunc(headings, func(heading string) bool {
				return strings.EqualFold(strings.ReplaceAll(cli.Shown(heading), "_", " "), name)
			})
			if at >= 0 {
				return at
			}
		}
		return -1
	}
	name := column("order reference", "référence de commande", "reference", "référence", "ref", "réf")
	amount, status := column("amount", "montant", "vola"), column("status", "statut", "état", "etat", "event")
	if name < 0 || amount < 0 {
		return nil, errors.New(a.Texts.Reconciled.Headings)
	}
	payment := []string{"success", "succeeded", "successful", "paid", "succès", "réussi", "réussie", "payé", "payée"}
	var statements []statement
	known := map[string]int{}
	for _, line := range lines[1:] {
		cell := func(at int) string {
			if at < 0 || at >= len(line.Cells) {
				return ""
			}
			return cli.Clean(line.Cells[at])
		}
		next := statement{line: line.Number, name: cell(name), amount: cell(amount), status: cell(status)}
		if status < 0 || slices.Contains(payment, strings.TrimPrefix(strings.ToLower(next.status), "payment.")) {
			next.paid = 1
		}
		at, found := known[next.name]
		switch {
		case !found:
			known[next.name] = len(statements)
			statements = append(statements, next)
		case next.paid > 0:
			next.paid += statements[at].paid
			statements[at] = next
		}
	}
	return statements, nil
}

// reconcile compares what the merchant area says with the shop's orders. Orders
// that were paid between the first and the last one that the file names shall
// stand there too.
func (a *app) reconcile(ctx context.Context, shop *cli.Shop, statements []statement) (reconciledJSON, error) {
	result, named := reconciledJSON{Mismatches: []mismatch{}}, map[string]bool{}
	var created []time.Time
	for _, said := range statements {
		order, _, err := shop.Service.Order(ctx, said.name)
		found := !errors.Is(err, payments.ErrNotFound)
		if err != nil && found {
			return result, err
		}
		if found {
			named[order.Reference] = true
			created = append(created, order.CreatedAt)
		}
		if problem := compare(said, order, found); problem != "" {
			made := a.newMismatch(order, problem)
			made.Line, made.Name, made.There.Amount, made.There.Status = said.line, said.name, said.amount, said.status
			result.Mismatches = append(result.Mismatches, made)
		} else if found {
			result.Agree++
		}
	}
	if len(created) == 0 {
		return result, nil
	}
	first, last := slices.MinFunc(created, time.Time.Compare), slices.MaxFunc(created, time.Time.Compare)
	query := payments.Query{Since: first, Until: last.Add(time.Nanosecond), Limit: math.MaxInt}
	missing, err := shop.Orders(ctx, query, func(o payments.Order) bool { return o.Received() && !named[o.Reference] })
	for _, order := range slices.Backward(missing) {
		result.Mismatches = append(result.Mismatches, a.newMismatch(order, problemMissing))
	}
	return result, err
}

// The problems, as scripts read them.
const (
	problemPaidThere = "paid_there" // The merchant area says paid, the shop does not.
	problemPaidHere  = "paid_here"  // The other way round.
	problemAmount    = "amount"     // They differ, or the file's cannot be read.
	problemTwice     = "paid_twice" // The file has two payments of one order.
	problemNoOrder   = "no_order"   // A payment of an order that the shop does not have.
	problemMissing   = "missing"    // Paid by the shop's orders, and not in the file.
)

// compare says what is wrong with an order; nothing where both say the same.
func compare(said statement, order payments.Order, found bool) (problem string) {
	// Without its currency, and without decimals that are zero, which ariary do not have.
	bare := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(said.amount, "Ar"), "MGA"))
	amount, err := payments.ParseAriary(strings.TrimSuffix(strings.TrimSuffix(bare, ".00"), ",00"))
	switch here := found && order.Received(); {
	case !found && said.paid > 0:
		return problemNoOrder
	case said.paid > 1:
		return problemTwice
	case said.paid > 0 && !here:
		return problemPaidThere
	case said.paid == 0 && here:
		return problemPaidHere
	case said.paid > 0 && (err != nil || amount != order.Amount):
		return problemAmount
	}
	return ""
}

// newMismatch describes an order, which may be one that the shop does not have.
func (a *app) newMismatch(order payments.Order, problem string) mismatch {
	made := mismatch{Reference: order.Reference, Name: order.OrderReference, Problem: problem, Amount: order.Amount}
	if order.Reference != "" {
		made.Verdict = string(order.Verdict(payments.Conditions{}, a.Now()))
	}
	return made
}

// mismatchTable is what was found, for people.
func (a *app) mismatchTable(result reconciledJSON) string {
	words := a.Texts.Reconciled
	problems := map[string]string{
		problemPaidThere: words.PaidThere, problemPaidHere: words.PaidHere, problemAmount: words.Amount,
		problemTwice: words.Twice, problemNoOrder: words.NoOrder, problemMissing: words.Missing,
	}
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
		rows = append(rows, []string{line, m.Name, m.Reference, here, there, problems[m.Problem]})
	}
	if len(rows) > 0 {
		rows = slices.Insert(rows, 0, []string{words.Line, words.Name, a.Texts.Printed.Reference, words.Here, words.There, words.Problem})
	}
	rows = append(rows, []string{words.Agree.With(i18n.Number(int64(result.Agree)))})
	return cli.Table(rows...)
}
