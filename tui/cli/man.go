package cli

import (
	"fmt"

	mango "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
)

// manCommand prints the manual page, for packages.
func (a *App) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man",
		Hidden: true,
		Args:   a.Arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			const userCommands = 1 // The section of the manual.
			page, err := mango.NewManPage(userCommands, command.Root())
			if err != nil {
				return fmt.Errorf("make the manual page: %w", err)
			}
			a.Tell("%s", page.Build(roff.NewDocument()))
			return nil
		},
	}
}
