package admin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/tui/cli"
)

func (a *app) cashierCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "cashier",
		Short: "Say who records findings and closes days",
		Long: "Say who records findings and closes days, each with a name and a PIN. A shop without cashiers asks nobody.\n\n" +
			"The first cashier is an owner; owners add and remove others. A PIN is 4 to 12 digits, typed at the terminal or\n" +
			"given as a line of standard input: first the one of --by, then the new one. After three wrong ones each further\n" +
			"one costs a pause, from 30 seconds to an hour.",
		Example: "  till cashier add Hasina\n  till cashier add Soa --by Hasina",
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			return cli.Misused("say what to do with cashiers: add, list, pin or remove")
		},
	}
	command.AddCommand(a.cashierAddCommand(), a.cashierListCommand(), a.cashierPINCommand(), a.cashierRemoveCommand())
	return command
}

func byFlag(command *cobra.Command, by *string) {
	command.Flags().StringVar(by, "by", "", "the `OWNER` who does this")
}

func (a *app) cashierAddCommand() *cobra.Command {
	var role, by string
	command := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a cashier",
		Args:  cli.OneArgument("NAME"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				return a.addCashier(ctx, shop.Service, arguments[0], payments.Role(role), by)
			})
		},
	}
	command.Flags().StringVar(&role, "role", "", "owner or cashier (default: owner for the first, else cashier)")
	byFlag(command, &by)
	return command
}

func (a *app) addCashier(ctx context.Context, service *payments.Service, name string, role payments.Role, by string) error {
	owner, err := a.Identify(ctx, service, by)
	if err != nil {
		return err
	}
	pin, err := a.newPIN(ctx, name)
	if err != nil {
		return err
	}
	added, err := service.AddCashier(ctx, name, role, pin, owner)
	if err != nil {
		return cli.Plainly(err)
	}
	a.Say("%s is a new %s", added.Name, added.Role)
	return nil
}

// newPIN asks for a new PIN, at a terminal twice.
func (a *app) newPIN(ctx context.Context, name string) (payments.Secret, error) {
	pin, err := a.AskPIN(ctx, "New PIN of "+cli.Shown(name))
	if err != nil || !a.AtTerminal() {
		return pin, err
	}
	again, err := a.AskPIN(ctx, "The same again")
	if err == nil && again != pin {
		err = errors.New("these are two different PINs: nothing was changed")
	}
	return pin, err
}

func (a *app) cashierRemoveCommand() *cobra.Command {
	var by string
	command := &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a cashier; what was recorded under the name stays",
		Args:  cli.OneArgument("NAME"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				owner, err := a.Identify(ctx, shop.Service, by)
				if err != nil {
					return err
				}
				if err := shop.Service.DropCashier(ctx, arguments[0], owner); err != nil {
					return cli.Plainly(err)
				}
				a.Say("%s is no cashier any more", cli.Shown(arguments[0]))
				return nil
			})
		},
	}
	byFlag(command, &by)
	return command
}

func (a *app) cashierPINCommand() *cobra.Command {
	var by string
	command := &cobra.Command{
		Use:   "pin NAME",
		Short: "Change a cashier's PIN, and end a pause",
		Args:  cli.OneArgument("NAME"),
		RunE: func(command *cobra.Command, arguments []string) error {
			if by == "" {
				by = arguments[0]
			}
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				return a.changePIN(ctx, shop.Service, arguments[0], by)
			})
		},
	}
	byFlag(command, &by)
	command.Flags().Lookup("by").Usage = "the `OWNER` who does this (default: the cashier)"
	return command
}

func (a *app) changePIN(ctx context.Context, service *payments.Service, name, by string) error {
	identity, err := a.Identify(ctx, service, by)
	if err != nil {
		return err
	}
	pin, err := a.newPIN(ctx, name)
	if err != nil {
		return err
	}
	if err := service.ChangePIN(ctx, name, pin, identity); err != nil {
		return cli.Plainly(err)
	}
	a.Say("%s has a new PIN", cli.Shown(name))
	return nil
}

// cashierJSON is a cashier as scripts see one.
type cashierJSON struct {
	Name        string        `json:"name"`
	Role        payments.Role `json:"role"`
	PausedUntil *string       `json:"paused_until"`
}

func (a *app) cashierListCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "list",
		Short: "List the cashiers",
		Args:  cli.NoArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				cashiers, err := shop.Service.Cashiers(ctx)
				if err != nil {
					return fmt.Errorf("list cashiers: %w", err)
				}
				return a.listCashiers(cashiers, asJSON)
			})
		},
	}
	cli.JSONFlag(command, &asJSON)
	return command
}

func (a *app) listCashiers(cashiers []payments.Cashier, asJSON bool) error {
	list := make([]cashierJSON, 0, len(cashiers))
	for _, cashier := range cashiers {
		row := cashierJSON{Name: cashier.Name, Role: cashier.Role}
		if a.Now().Before(cashier.Tries.Until) {
			row.PausedUntil = cli.Stamp(cashier.Tries.Until)
		}
		list = append(list, row)
	}
	switch {
	case asJSON:
		return cli.WriteJSON(a.Out, list)
	case len(list) == 0:
		a.Say("no cashiers: nobody is asked for a PIN")
		return nil
	}
	table := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	for i, row := range list {
		text := row.Name + "\t" + string(row.Role)
		if row.PausedUntil != nil {
			text += "\tpaused until " + cli.Moment(cashiers[i].Tries.Until)
		}
		fmt.Fprintln(table, strings.TrimSpace(text))
	}
	return table.Flush()
}
