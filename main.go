// Command till is the checkout console of a shop counter. See package
// checkout/till/tui/cli for its commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // Time zones for a system without zone files.

	// Before Bubble Tea, which would ask the terminal.
	_ "checkout/till/tui/background"
	"checkout/till/tui/cli"
	"checkout/till/tui/cli/admin"
	"checkout/till/tui/cli/order"
	"checkout/till/tui/cli/serve"
)

func main() {
	// A closed terminal ends the program as the other signals do: in order. A
	// second signal ends it at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Execute(ctx, &cli.App{
		Args: os.Args[1:], Env: os.Getenv, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now,
	}, serve.Console, serve.Commands, order.Commands, admin.Commands))
}
