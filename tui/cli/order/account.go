package order

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/cli"
	"checkout/till/tui/entry"
	"checkout/till/tui/wording"
)

func (a *app) accountCommand() *cobra.Command {
	return a.Group(&cobra.Command{
		Use:     "account",
		Example: "  till account list\n  till account pay Rabe 5000\n  till account writeoff Rabe 2000 moved away",
	}, a.accountListCommand(), a.accountShowCommand(), a.accountPayCommand(), a.accountRenameCommand(),
		a.accountWriteOffCommand(), a.accountForgetCommand())
}

type debtorJSON struct {
	Name  string         `json:"name"`               // Empty after the customer was forgotten.
	Code  string         `json:"code"`               // The account is customer/CODE.
	Owed  money.Ariary   `json:"owed"`               // Below zero if the shop owes money to the customer.
	Since time.Time      `json:"since,omitzero"`     // When the customer began to owe; absent without a debt.
	Last  time.Time      `json:"last,omitzero"`      // When the balance last changed.
	Moved []transferJSON `json:"transfers,omitzero"` // Transfers of the account; absent except in "till account show".
}

func newDebtorJSON(debtor drawer.Debtor) debtorJSON {
	return debtorJSON{Name: debtor.Name, Code: debtor.Code, Owed: debtor.Owed, Since: debtor.Since, Last: debtor.Last}
}

func (a *app) debtor(ctx context.Context, shop *cli.Shop, name string) (drawer.Debtor, error) {
	all, err := shop.Service.Debtors(ctx)
	if err != nil {
		return drawer.Debtor{}, err
	}
	debtor, known := drawer.FindDebtor(all, name)
	if !known {
		return drawer.Debtor{}, drawer.ErrNoCustomer
	}
	return debtor, nil
}

// recordedJSON is printed if a change was recorded but its result cannot be read. It names what was
// changed.
type recordedJSON struct {
	Name      string `json:"name,omitzero"` // Name of a customer.
	Reference string `json:"reference,omitzero"`
	Cash      string `json:"cash,omitzero"` // Number of a sale at the counter.
}

// printUnread prints why the result of a recorded change cannot be read. It does not return err,
// because a script would then repeat the command.
func (a *app) printUnread(recorded recordedJSON, err error) error {
	a.Say("%s", a.Explain(err))
	return a.Print(recorded, "")
}

// printOwed prints how much a customer owes after a change. paid means that the change lowered the
// debt.
func (a *app) printOwed(ctx context.Context, shop *cli.Shop, name string, paid bool) error {
	debtor, err := a.debtor(ctx, shop, name)
	if err != nil {
		return a.printUnread(recordedJSON{Name: name}, err)
	}
	return a.Print(newDebtorJSON(debtor), wording.Owes(a.Texts, debtor, paid))
}

func (a *app) accountListCommand() *cobra.Command {
	command := a.JSON(&cobra.Command{Use: "list"})
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
		all, err := shop.Service.Debtors(ctx)
		if err != nil {
			return err
		}
		var list []debtorJSON
		words := a.Texts.Debts
		rows := [][]string{{words.Name, cli.Right(words.Sum), words.Since, words.Last}}
		for _, debtor := range all {
			list = append(list, newDebtorJSON(debtor))
			rows = append(rows, []string{debtor.Title(), cli.Right(i18n.Money(debtor.Owed)), day(debtor.Since), day(debtor.Last)})
		}
		if len(all) == 0 {
			return a.Print(list, words.None)
		}
		return a.Print(list, strings.TrimSuffix(cli.Table(rows...), "\n"))
	})
	return command
}

func day(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format(time.DateOnly)
}

func (a *app) accountShowCommand() *cobra.Command {
	command := a.JSON(&cobra.Command{Use: "show NAME"})
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		debtor, err := a.debtor(ctx, shop, arguments[0])
		if err != nil {
			return err
		}
		moved, err := shop.Service.Movements(ctx, debtor.Code)
		if err != nil {
			return err
		}
		made := newDebtorJSON(debtor)
		made.Moved = newTransfersJSON(moved)
		lines := []string{wording.Owes(a.Texts, debtor, false)}
		for _, t := range moved {
			lines = append(lines, strings.Join([]string{
				t.At.Local().Format("2006-01-02 15:04"), i18n.Signed(t.Into(debtor.Account())), wording.Movement(a.Texts, debtor.Account(), t), wording.MovementOf(t),
			}, "  "))
		}
		return a.Print(made, strings.Join(lines, "\n"))
	})
	return command
}

func (a *app) accountPayCommand() *cobra.Command {
	var by string
	var given int64
	tender := string(drawer.TenderCash)
	command := a.JSON(&cobra.Command{Use: "pay NAME AMOUNT"})
	once := a.Once(command)
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		debtor, err := a.debtor(ctx, shop, arguments[0])
		if err != nil {
			return err
		}
		amount, err := money.ParseAriary(strings.Join(arguments[1:], " "))
		if err != nil {
			return drawer.ErrNotAmount
		}
		items := []payments.Item{{Label: a.Texts.Debts.Label, UnitPrice: amount, Quantity: 1}}
		return a.take(ctx, shop, once(shop), payments.Terms{By: by, Debt: debtor.Account(), Items: items},
			drawer.Paying{Tender: drawer.Tender(tender), Given: money.Ariary(given)})
	})
	flags := command.Flags()
	flags.Int64Var(&given, "given", 0, "")
	flags.StringVar(&by, "by", "", "")
	onAccount := func(tender drawer.Tender) bool { return tender == drawer.TenderAccount } // A debt cannot be paid on account.
	a.Choice(command, &tender, "tender", "", names(slices.DeleteFunc(drawer.CounterTenders(), onAccount))...)
	return command
}

func (a *app) printPaid(ctx context.Context, shop *cli.Shop, sale drawer.CounterSale) error {
	made, text := newCashJSON(sale), wording.Taken(a.Texts, sale)
	account := sale.Account
	if sale.Debt != "" {
		account = sale.Debt
	}
	if account.IsCustomer() {
		debtor, err := shop.Service.DebtorOf(ctx, account)
		if err != nil {
			a.Say("%s", a.Explain(err)) // The sale is recorded, so do not fail: a script would repeat the command.
		} else {
			customer := newDebtorJSON(debtor)
			made.Customer = &customer
			text += "\n" + wording.Owes(a.Texts, debtor, sale.Debt != "")
		}
	}
	return a.Print(made, text)
}

func (a *app) accountRenameCommand() *cobra.Command {
	var by string
	command := a.JSON(&cobra.Command{Use: "rename OLD NEW"})
	once := a.Once(command)
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		who, err := a.Identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		if err := once(shop).Rename(ctx, shop.Settings.Counter.Till, arguments[0], arguments[1], who); err != nil {
			return err
		}
		return a.printOwed(ctx, shop, arguments[1], false)
	})
	command.Flags().StringVar(&by, "by", "", "")
	return command
}

func (a *app) accountWriteOffCommand() *cobra.Command {
	var reason, by string
	command := a.JSON(&cobra.Command{Use: "writeoff NAME AMOUNT [WHY...]"})
	once := a.Once(command)
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		amount, words, err := entry.SplitArguments(arguments[1:])
		if err != nil {
			return err
		}
		who, err := a.Identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		if err := once(shop).WriteOff(ctx, shop.Settings.Counter.Till, arguments[0], amount, withReason(words, reason), who); err != nil {
			return err
		}
		return a.printOwed(ctx, shop, arguments[0], true)
	})
	command.Flags().StringVar(&reason, "reason", "", "")
	command.Flags().StringVar(&by, "by", "", "")
	return command
}

func (a *app) accountForgetCommand() *cobra.Command {
	var by string
	command := a.JSON(&cobra.Command{Use: "forget NAME"})
	once := a.Once(command)
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		who, err := a.Identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		debtor, unread := a.debtor(ctx, shop, arguments[0])
		if err := once(shop).Forget(ctx, arguments[0], who); err != nil {
			return err
		}
		if unread != nil { // A repeated --id finds no such name, because the first one removed it.
			return a.printUnread(recordedJSON{Name: arguments[0]}, unread)
		}
		debtor.Name = ""
		return a.Print(newDebtorJSON(debtor), a.Texts.Debts.Forgotten.With(string(ledger.Customer(debtor.Code))))
	})
	command.Flags().StringVar(&by, "by", "", "")
	return command
}
