package admin

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/tui/cli"
)

func (a *app) cashierCommand() *cobra.Command {
	return a.Group(&cobra.Command{
		Use:     "cashier",
		Example: "  till cashier add Hasina\n  till cashier add Soa --by Hasina",
	}, a.cashierChange("add"), a.cashierListCommand(), a.cashierChange("pin"), a.cashierChange("reset"), a.cashierChange("remove"))
}

// cashierChange returns the command for a change: add, pin, reset or remove. The cashier in --by
// must give a PIN; for "pin" the default is the cashier NAME. "reset" asks for no old PIN, see
// mayReset.
func (a *app) cashierChange(change string) *cobra.Command {
	var by, role string
	words := a.Texts.Office
	command := &cobra.Command{Use: change + " NAME"}
	command.RunE = a.InShop(func(ctx context.Context, shop *cli.Shop, arguments []string) error {
		name, service := arguments[0], shop.Service
		if by == "" && change == "pin" {
			by = name
		}
		var names []string
		if change != "add" {
			names = append(names, name)
		}
		if by != "" {
			names = append(names, by)
		}
		if err := a.Known(ctx, service, names...); err != nil {
			return err
		}
		var identity staff.Identity
		var err error
		if change == "reset" {
			err = a.mayReset()
		} else {
			identity, err = a.Identify(ctx, service, by)
		}
		if err != nil {
			return err
		}
		var pin secret.Text
		if change != "remove" {
			if pin, err = a.NewPIN(ctx, name); err != nil {
				return err
			}
		}
		said := words.NewCashier
		switch change {
		case "add":
			var added staff.Cashier
			if added, err = service.AddCashier(ctx, name, staff.Role(role), pin, identity); added.Role == staff.RoleOwner {
				said = words.NewOwner
			}
		case "pin":
			said, err = words.Changed, service.ChangePIN(ctx, name, pin, identity)
		case "reset":
			said, err = words.Reset, service.ResetPIN(ctx, name, pin)
		default:
			said, err = words.Removed, service.DropCashier(ctx, name, identity)
		}
		if err == nil {
			a.Say("%s", said.With(cli.CleanLabel(name)))
		}
		if err == nil && said == words.NewOwner && by == "" {
			a.Say("%s", words.SecondOwner.With(cli.CleanLabel(name)))
		}
		return err
	})
	if change != "reset" {
		command.Flags().StringVar(&by, "by", "", "")
	}
	if change == "add" {
		a.Choice(command, &role, "role", "", string(staff.RoleOwner), string(staff.RoleCashier))
	}
	return command
}

// mayReset returns an error if the user may not write the settings file: then the user may not
// reset a PIN. It creates a missing file.
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
