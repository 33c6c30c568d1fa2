// Package serve has the commands that run until they are ended: the console,
// the demo, the customer's screen, the webhook listener and the sandbox.
package serve

import (
	"github.com/spf13/cobra"

	"checkout/till/tui/cli"
)

type app struct{ *cli.App }

// Commands returns the commands of this package but for the console.
func Commands(a *cli.App) []*cobra.Command {
	made := &app{a}
	return []*cobra.Command{made.demoCommand(), made.displayCommand(), made.listenCommand(), made.sandboxCommand()}
}
