package admin

import (
	"context"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/storage"
	"checkout/till/tui/cli"
)

func (a *app) backupCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database, also while the console runs",
		Long: "Copy the database into a new file, also while the console runs.\n\n" +
			"The copy is of one moment, is examined before it gets its name, and never takes another file's place. " +
			"To go back to it: end till, put it in the place of the database, " +
			"and move away the files beside that whose names end in -wal and -shm, if there are any.",
		Args: cli.Arguments("FILE"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return a.backup(command.Context(), arguments[0], asJSON)
		},
	}
	cli.JSONFlag(command, &asJSON)
	return command
}

// backupJSON is what "till backup" prints.
type backupJSON struct {
	File   string `json:"file"` // Absolute.
	Bytes  int64  `json:"bytes"`
	Orders int64  `json:"orders"`
	Events int64  `json:"events"`
}

func (a *app) backup(ctx context.Context, target string, asJSON bool) error {
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	copied, err := storage.Backup(ctx, settings.Files.Database, target)
	if err != nil {
		return err
	}
	if asJSON {
		return cli.WriteJSON(a.Out, backupJSON{copied.Path, copied.Bytes, copied.Orders, copied.Events})
	}
	a.Tell("copied %s orders and %s events into %s (%s bytes)",
		i18n.Number(copied.Orders), i18n.Number(copied.Events), cli.Clean(copied.Path), i18n.Number(copied.Bytes))
	return nil
}
