package admin

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cli"
)

func (a *app) cashierCommand() *cobra.Command {
	var role string
	words := a.Texts.Office
	add := a.cashierChange("add", true, func(ctx context.Context, service *payments.Service, name string, pin payments.Secret, by payments.Identity) (string, error) {
		added, err := service.AddCashier(ctx, name, payments.Role(role), pin, by)
		if added.Role == payments.RoleOwner {
			return words.NewOwner.With(added.Name), err
		}
		return words.NewCashier.With(added.Name), err
	})
	a.Choice(add, &role, "role", "", string(payments.RoleOwner), string(payments.RoleCashier))
	change := a.cashierChange("pin", true, func(ctx context.Context, service *payments.Service, name string, pin payments.Secret, by payments.Identity) (string, error) {
		return words.Changed.With(cli.Shown(name)), service.ChangePIN(ctx, name, pin, by)
	})
	remove := a.cashierChange("remove", false, func(ctx context.Context, service *payments.Service, name string, _ payments.Secret, by payments.Identity) (string, error) {
		return words.Removed.With(cli.Shown(name)), service.DropCashier(ctx, name, by)
	})
	return a.Group(&cobra.Command{
		Use:     "cashier",
		Example: "  till cashier add Hasina\n  till cashier add Soa --by Hasina",
	}, add, a.cashierListCommand(), change, remove)
}

// cashierChange makes a command that changes something about a cashier on an
// owner's behalf, with a new PIN when it needs one. For another PIN the cashier
// answers where nobody else is named.
func (a *app) cashierChange(
	name string, needsPIN bool,
	change func(ctx context.Context, service *payments.Service, name string, pin payments.Secret, by payments.Identity) (done string, err error),
) *cobra.Command {
	var by string
	command := &cobra.Command{Use: name + " NAME"}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		if by == "" && name == "pin" {
			by = arguments[0]
		}
		identity, err := a.Identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		var pin payments.Secret
		if needsPIN {
			if pin, err = a.NewPIN(ctx, arguments[0]); err != nil {
				return err
			}
		}
		done, err := change(ctx, shop.Service, arguments[0], pin, identity)
		if err == nil {
			a.Say("%s", done)
		}
		return err
	})
	command.Flags().StringVar(&by, "by", "", "")
	return command
}

type cashierJSON struct {
	Name        string        `json:"name"`
	Role        payments.Role `json:"role"`
	PausedUntil *string       `json:"paused_until"`
}

func (a *app) cashierListCommand() *cobra.Command {
	return a.JSON(&cobra.Command{
		Use: "list",
		RunE: a.InShop(func(ctx context.Context, shop *cli.Shop, _ []string) error {
			cashiers, err := shop.Service.Cashiers(ctx)
			if err != nil {
				return fmt.Errorf("list cashiers: %w", err)
			}
			words := a.Texts.Office
			roles := map[payments.Role]i18n.Text{payments.RoleOwner: words.Owner, payments.RoleCashier: words.Cashier}
			list, rows := make([]cashierJSON, 0, len(cashiers)), make([][]string, 0, len(cashiers))
			for _, cashier := range cashiers {
				value := cashierJSON{Name: cashier.Name, Role: cashier.Role}
				row := []string{cashier.Name, roles[cashier.Role]}
				if until := cashier.Tries.Until; a.Now().Before(until) {
					value.PausedUntil = cli.Stamp(until)
					row = append(row, words.Pausing.With(cli.Moment(until)))
				}
				list, rows = append(list, value), append(rows, row)
			}
			if len(rows) == 0 && !a.AsJSON() {
				a.Say("%s", words.NoCashiers)
			}
			return a.Print(list, cli.Table(rows...))
		}),
	})
}
