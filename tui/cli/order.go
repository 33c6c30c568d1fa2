package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) orderCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "order",
		Short: "Create, list, show and resolve orders",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			return misused("say what to do with orders: create, list, show or resolve")
		},
	}
	command.AddCommand(a.orderCreateCommand(), a.orderListCommand(), a.orderShowCommand(), a.orderResolveCommand())
	return command
}
