package admin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage"
	"checkout/till/tui/cli"
)

func (a *app) verifyCommand() *cobra.Command {
	var quick, asJSON bool
	command := &cobra.Command{
		Use:   "verify",
		Short: "Examine the database row by row, also while the console runs",
		Long: "Examine the database row by row, also while the console runs, and change nothing.\n\n" +
			"The file's structure is checked; each event is compared with the body in which it came, and that with its hash; " +
			"each order is computed anew from its events, and the sums of the reports from the orders. " +
			"A row that differs is named, and the exit code is 1. --database names another file, as a backup.",
		Args: cli.NoArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			return a.verify(command.Context(), quick, asJSON)
		},
	}
	command.Flags().BoolVar(&quick, "quick", false, "do not compare the indexes with their tables")
	cli.JSONFlag(command, &asJSON)
	return command
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

func (a *app) verify(ctx context.Context, quick, asJSON bool) error {
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	found, err := storage.Verify(ctx, settings.Files.Database, quick, gateway.DecodeEvent)
	if err == nil && found.Found > 0 {
		err = fmt.Errorf("%s of the database's rows are not as they should be: keep the file, "+
			"and put the latest backup that is sound in its place", i18n.Number(found.Found))
	}
	if asJSON {
		return errors.Join(cli.WriteJSON(a.Out, newVerifyJSON(found, err)), err)
	}
	for _, difference := range found.Differences {
		a.Tell("%s", cli.Clean(strings.Join([]string{difference.Table, difference.Row, difference.Problem}, " ")))
	}
	if err == nil {
		a.Tell("%s orders and %s events are as they were stored", i18n.Number(found.Orders), i18n.Number(found.Events))
	}
	return err
}

func newVerifyJSON(found storage.Verification, err error) verifyJSON {
	printed := verifyJSON{
		Database: found.Path, Check: "integrity", OK: err == nil,
		Orders: found.Orders, Events: found.Events, Found: found.Found, Differences: []differenceJSON{},
	}
	if found.Quick {
		printed.Check = "quick"
	}
	if err != nil {
		printed.Error = payments.Clean(err.Error(), cli.MaxMessage)
	}
	for _, difference := range found.Differences {
		printed.Differences = append(printed.Differences, differenceJSON{
			difference.Table, cli.Clean(difference.Row), cli.Clean(difference.Problem),
		})
	}
	return printed
}
