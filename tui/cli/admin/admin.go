// Package admin has the commands for who answers for a shop: its settings, reports,
// closings, cashiers, articles and databases.
package admin

import (
	"github.com/spf13/cobra"

	"checkout/till/tui/cli"
)

type app struct{ *cli.App }

// Commands returns the commands of this package.
func Commands(a *cli.App) []*cobra.Command {
	made := &app{a}
	return []*cobra.Command{
		made.setupCommand(), made.reportCommand(), made.closeCommand(), made.cashierCommand(), made.catalogCommand(),
		made.reconcileCommand(), made.backupCommand(), made.verifyCommand(), made.databaseCommand(), made.guideCommand(), made.doctorCommand(),
	}
}
