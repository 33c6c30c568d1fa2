//go:build linked

package main

import (
	"context"
	"os"
	"time"

	"checkout/till/tui/cli"
	"checkout/till/tui/cli/admin"
	"checkout/till/tui/cli/order"
	"checkout/till/tui/cli/serve"
)

// rest is the console, which nobody starts: it is there for its size.
func rest() int {
	return cli.Execute(context.Background(), cli.Process{
		Args: os.Args[2:], Env: os.Getenv, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now,
	}, serve.Console, serve.Commands, order.Commands, admin.Commands)
}
