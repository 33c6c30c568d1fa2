// Command till is the checkout console of a shop counter. Package checkout/till/tui/cli
// describes its commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // Time zones for a system without zone files.

	"github.com/spf13/cobra"

	// This package keeps Bubble Tea from asking the terminal for its background colour.
	_ "checkout/till/tui/background"
	"checkout/till/tui/cli"
	"checkout/till/tui/cli/admin"
	"checkout/till/tui/cli/order"
	"checkout/till/tui/cli/serve"
)

func main() {
	// With a text here, a program that is started by a double click on Windows would only print the
	// text and exit.
	cobra.MousetrapHelpText = ""
	// The first signal ends the program cleanly; a second one kills it. SIGHUP means that the
	// terminal was closed.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	os.Exit(cli.Execute(ctx, &cli.App{
		Args: os.Args[1:], Env: os.Getenv, Environ: os.Environ(), In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now,
	}, serve.Console, serve.Commands, order.Commands, admin.Commands))
}
