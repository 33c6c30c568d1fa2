// Package order has the commands that make, list, show and resolve orders, and
// the one that sends an event for one.
package order

import (
	"github.com/spf13/cobra"

	"checkout/till/tui/cli"
)

// app is a run of the program, for the commands of this package.
type app struct{ *cli.App }

// Commands returns "order" and "trigger".
func Commands(a *cli.App) []*cobra.Command {
	made := &app{a}
	return []*cobra.Command{made.orderCommand(), made.triggerCommand()}
}

func (a *app) orderCommand() *cobra.Command {
	return a.Group(&cobra.Command{Use: "order"},
		a.orderCreateCommand(), a.orderListCommand(), a.orderShowCommand(), a.orderResolveCommand())
}
