package admin

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/cli"
)

func (a *app) cashierCommand() *cobra.Command {
	return a.Group(&cobra.Command{
		Use:     "cashier",
		Example: "  till cashier add Hasina\n  till cashier add Soa --by Hasina",
	}, a.cashierAddCommand(), a.cashierListCommand(), a.cashierPINCommand(), a.cashierResetCommand(), a.cashierRemoveCommand())
}

func (a *app) cashierAddCommand() *cobra.Command {
	var by, role string
	command := &cobra.Command{Use: "add NAME"}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		name, words := arguments[0], a.Texts.Office
		identity, err := a.identify(ctx, shop.Service, by)
		if err != nil {
			return err
		}
		if by != "" { // Without cashiers, there is no PIN to check, and no name to compare.
			if err := shop.Service.CheckNewCashier(ctx, name, staff.Role(role), identity); err != nil {
				return err
			}
		}
		pin, err := a.NewPIN(ctx, name)
		if err != nil {
			return err
		}
		added, err := shop.Service.AddCashier(ctx, name, staff.Role(role), pin, identity)
		if err != nil {
			return err
		}
		if added.Role != staff.RoleOwner {
			a.Say("%s", words.NewCashier.With(cli.CleanLabel(name)))
			return nil
		}
		a.Say("%s", words.NewOwner.With(cli.CleanLabel(name)))
		if by == "" {
			a.Say("%s", words.SecondOwner.With(cli.CleanLabel(name)))
		}
		return nil
	})
	command.Flags().StringVar(&by, "by", "", "")
	a.Choice(command, &role, "role", "", string(staff.RoleOwner), string(staff.RoleCashier))
	return command
}

// cashierPINCommand returns the command for a new PIN. Without --by, it asks for the cashier's old
// PIN.
func (a *app) cashierPINCommand() *cobra.Command {
	var by string
	command := &cobra.Command{Use: "pin NAME"}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		name := arguments[0]
		identity, err := a.identify(ctx, shop.Service, cmp.Or(by, name), name)
		if err != nil {
			return err
		}
		pin, err := a.NewPIN(ctx, name)
		if err != nil {
			return err
		}
		if err := shop.Service.ChangePIN(ctx, name, pin, identity); err != nil {
			return err
		}
		a.Say("%s", a.Texts.Office.Changed.With(cli.CleanLabel(name)))
		return nil
	})
	command.Flags().StringVar(&by, "by", "", "")
	return command
}

// cashierResetCommand returns the command that sets a new PIN without asking for the old one.
func (a *app) cashierResetCommand() *cobra.Command {
	return &cobra.Command{Use: "reset NAME", RunE: a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		name := arguments[0]
		if err := a.Known(ctx, shop.Service, name); err != nil {
			return err
		}
		if err := a.mayReset(); err != nil {
			return err
		}
		pin, err := a.NewPIN(ctx, name)
		if err != nil {
			return err
		}
		if err := shop.Service.ResetPIN(ctx, name, pin); err != nil {
			return err
		}
		a.Say("%s", a.Texts.Office.Reset.With(cli.CleanLabel(name)))
		return nil
	})}
}

func (a *app) cashierRemoveCommand() *cobra.Command {
	var by string
	command := &cobra.Command{Use: "remove NAME"}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		name := arguments[0]
		identity, err := a.identify(ctx, shop.Service, by, name)
		if err != nil {
			return err
		}
		if err := shop.Service.DropCashier(ctx, name, identity); err != nil {
			return err
		}
		a.Say("%s", a.Texts.Office.Removed.With(cli.CleanLabel(name)))
		return nil
	})
	command.Flags().StringVar(&by, "by", "", "")
	return command
}

// identify first checks that names and by are cashiers of the shop; by may be blank. Then it calls
// [cli.App.Identify].
func (a *app) identify(ctx context.Context, service *drawer.Service, by string, names ...string) (staff.Identity, error) {
	if by != "" {
		names = append(names, by)
	}
	if err := a.Known(ctx, service, names...); err != nil {
		return staff.Identity{}, err
	}
	return a.Identify(ctx, service, by)
}

// mayReset checks that the user may write the settings file. Such a user may reset a PIN without
// knowing the old one.
func (a *app) mayReset() error {
	file, err := a.SettingsFile()
	if err != nil {
		return err
	}
	opened, err := os.OpenFile(file.Path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return opened.Close()
}

type cashierJSON struct {
	Name        string     `json:"name"`
	Role        staff.Role `json:"role"`
	PausedUntil time.Time  `json:"paused_until"`
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
			roles := map[staff.Role]i18n.Text{staff.RoleOwner: words.Owner, staff.RoleCashier: words.Cashier}
			var list []cashierJSON
			var rows [][]string
			for _, cashier := range cashiers {
				value := cashierJSON{Name: cashier.Name, Role: cashier.Role, PausedUntil: cashier.PausedUntil(shop.Now())}
				row := []string{cashier.Name, roles[cashier.Role]}
				if until := value.PausedUntil; !until.IsZero() {
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
