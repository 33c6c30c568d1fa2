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
	return cli.Group(&cobra.Command{
		Use:   "cashier",
		Short: "Say who records findings and closes days",
		Long: "Say who records findings and closes days, each with a name and a PIN. A shop without cashiers asks nobody.\n\n" +
			"The first cashier is an owner; owners add and remove others. A PIN is 4 to 12 digits, typed at the terminal or\n" +
			"given as a line of standard input: first the one of --by, then the new one. After three wrong ones each further\n" +
			"one costs a pause, from 30 seconds to an hour.",
		Example: "  till cashier add Hasina\n  till cashier add Soa --by Hasina",
	}, a.cashierAddCommand(), a.cashierListCommand(), a.cashierPINCommand(), a.cashierRemoveCommand())
}

// cashierChange makes a command that changes something about a cashier on an
// owner's behalf, or on the cashier's own where that is allowed.
func (a *app) cashierChange(
	use, short string, own bool, change func(ctx context.Context, service *payments.Service, name string, by payments.Identity) error,
) *cobra.Command {
	var by string
	command := &cobra.Command{
		Use: use + " NAME", Short: short, Args: cli.Arguments("NAME"),
		RunE: func(command *cobra.Command, arguments []string) error {
			if by == "" && own {
				by = arguments[0]
			}
			return a.WithShop(command.Context(), func(ctx context.Context, shop *cli.Shop) error {
				identity, err := a.Identify(ctx, shop.Service, by)
				if err == nil {
					err = change(ctx, shop.Service, arguments[0], identity)
				}
				return cli.Plainly(err)
			})
		},
	}
	usage := "the `OWNER` who does this"
	if own {
		usage += " (default: the cashier)"
	}
	command.Flags().StringVar(&by, "by", "", usage)
	return command
}

func (a *app) cashierAddCommand() *cobra.Command {
	var role string
	add := func(ctx context.Context, service *payments.Service, name string, by payments.Identity) error {
		pin, err := a.newPIN(ctx, name)
		if err != nil {
			return err
		}
		added, err := service.AddCashier(ctx, name, payments.Role(role), pin, by)
		if err == nil {
			a.Say("%s is a new %s", added.Name, added.Role)
		}
		return err
	}
	command := a.cashierChange("add", "Add a cashier", false, add)
	command.Flags().StringVar(&role, "role", "", "owner or cashier (default: owner for the first, else cashier)")
	return command
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
	remove := func(ctx context.Context, service *payments.Service, name string, by payments.Identity) error {
		err := service.DropCashier(ctx, name, by)
		if err == nil {
			a.Say("%s is no cashier any more", cli.Shown(name))
		}
		return err
	}
	return a.cashierChange("remove", "Remove a cashier; what was recorded under the name stays", false, remove)
}

func (a *app) cashierPINCommand() *cobra.Command {
	change := func(ctx context.Context, service *payments.Service, name string, by payments.Identity) error {
		pin, err := a.newPIN(ctx, name)
		if err == nil {
			err = service.ChangePIN(ctx, name, pin, by)
		}
		if err == nil {
			a.Say("%s has a new PIN", cli.Shown(name))
		}
		return err
	}
	return a.cashierChange("pin", "Change a cashier's PIN, and end a pause", true, change)
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
				return a.listCashiers(shop, cashiers, asJSON)
			})
		},
	}
	cli.JSONFlag(command, &asJSON)
	return command
}

func (a *app) listCashiers(shop *cli.Shop, cashiers []payments.Cashier, asJSON bool) error {
	list := make([]cashierJSON, 0, len(cashiers))
	for _, cashier := range cashiers {
		row := cashierJSON{Name: cashier.Name, Role: cashier.Role}
		if shop.Now().Before(cashier.Tries.Until) {
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
