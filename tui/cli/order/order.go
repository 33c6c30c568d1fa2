// Package order has the commands that make, list, show and resolve orders, and
// the one that sends an event for one.
package order

import (
	"github.com/spf13/cobra"

	"checkout/till/tui/cli"
)

type app struct{ *cli.App }

// Commands returns "order" and "trigger".
func Commands(a *cli.App) []*cobra.Command {
	made := &app{a}
	order := a.Group(&cobra.Command{Use: "order"},
		made.orderCreateCommand(), made.orderListCommand(), made.orderShowCommand(), made.orderResolveCommand())
	return []*cobra.Command{order, made.triggerCommand()}
}
