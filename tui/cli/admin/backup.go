package admin

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

// backupJSON is what "till backup" prints.
type backupJSON struct {
	File   string `json:"file"` // Absolute.
	Bytes  int64  `json:"bytes"`
	Orders int64  `json:"orders"`
	Events int64  `json:"events"`
}

func (a *app) backupCommand() *cobra.Command {
	return a.JSON(&cobra.Command{
		Use:  "backup FILE",
		Args: a.Arguments("FILE"),
		RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, arguments []string) error {
			copied, err := storage.Backup(ctx, settings.Files.Database, arguments[0])
			if err != nil {
				return err
			}
			return a.Print(backupJSON{copied.Path, copied.Bytes, copied.Orders, copied.Events}, a.Texts.Office.Copied.With(
				i18n.Number(copied.Orders), i18n.Number(copied.Events), cli.Clean(copied.Path), i18n.Number(copied.Bytes)))
		}),
	})
}

// verifyJSON is what "till verify" prints.
type verifyJSON struct {
	Database string `json:"database"` // Absolute.
	Check    string `json:"check"`    // "integrity" or "quick".
	OK       bool   `json:"ok"`
	Orders   int64  `json:"orders"`
	Events   int64  `json:"events"`
	// Found counts the differences, of which the first thousand are listed.
	Found       int64            `json:"found"`
	Differences []differenceJSON `json:"differences"`
	Error       string           `json:"error"` // Why it is not ok.
}

type differenceJSON struct {
	Table   string `json:"table"` // "file" when it is none of a table's.
	Row     string `json:"row"`
	Problem string `json:"problem"`
}

func (a *app) verifyCommand() *cobra.Command {
	var quick bool
	command := a.JSON(&cobra.Command{
		Use:  "verify",
		Args: a.Arguments(),
		RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
			found, err := storage.Verify(ctx, settings.Files.Database, quick, gateway.DecodeEvent)
			if err == nil && found.Found > 0 {
				err = errors.New(a.Texts.Office.Unsound.With(i18n.Number(found.Found)))
			}
			return errors.Join(a.printVerification(found, err), err)
		}),
	})
	command.Flags().BoolVar(&quick, "quick", false, "")
	return command
}

func (a *app) printVerification(found storage.Verification, err error) error {
	value := verifyJSON{
		Database: found.Path, Check: "integrity", OK: err == nil,
		Orders: found.Orders, Events: found.Events, Found: found.Found, Differences: []differenceJSON{},
	}
	if found.Quick {
		value.Check = "quick"
	}
	var lines []string
	for _, d := range found.Differences {
		value.Differences = append(value.Differences, differenceJSON{d.Table, cli.Clean(d.Row), cli.Clean(d.Problem)})
		lines = append(lines, cli.Clean(strings.Join([]string{d.Table, d.Row, d.Problem}, " ")))
	}
	if err != nil {
		value.Error = payments.Clean(err.Error(), cli.MaxMessage)
	} else {
		lines = append(lines, a.Texts.Office.Sound.With(i18n.Number(found.Orders), i18n.Number(found.Events)))
	}
	return a.Print(value, strings.Join(lines, "\n"))
}
