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

func (a *app) backupCommand() *cobra.Command {
	return a.JSON(&cobra.Command{
		Use: "backup FILE",
		RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, arguments []string) error {
			copied, err := storage.Backup(ctx, settings.Files.Database, arguments[0])
			if err != nil {
				return err
			}
			return a.Print(copied, a.Texts.Office.Copied.With(
				i18n.Number(copied.Orders), i18n.Number(copied.Events), cli.Clean(copied.Path), i18n.Number(copied.Bytes)))
		}),
	})
}

type verifyJSON struct {
	storage.Verification
	OK    bool   `json:"ok"`
	Error string `json:"error"` // Why it is not ok.
}

func (a *app) verifyCommand() *cobra.Command {
	words := a.Texts.Office
	return a.JSON(&cobra.Command{Use: "verify", RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
		found, err := storage.Verify(ctx, settings.Files.Database, gateway.DecodeEvent)
		if err == nil && found.Found > 0 {
			err = errors.New(words.Unsound.With(i18n.Number(found.Found)))
		}
		value := verifyJSON{Verification: found, OK: err == nil}
		var lines []string
		value.Differences = make([]storage.Difference, 0, len(found.Differences))
		for _, d := range found.Differences {
			d.Row, d.Problem = cli.Clean(d.Row), cli.Clean(d.Problem)
			value.Differences = append(value.Differences, d)
			lines = append(lines, strings.Join([]string{d.Table, d.Row, d.Problem}, " "))
		}
		if err != nil {
			value.Error = payments.Clean(err.Error(), cli.MaxMessage)
		} else {
			lines = append(lines, words.Sound.With(i18n.Number(found.Orders), i18n.Number(found.Events)))
		}
		return errors.Join(a.Print(value, strings.Join(lines, "\n")), err)
	})})
}
