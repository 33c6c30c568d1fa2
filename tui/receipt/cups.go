package receipt

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
)

// run runs a program of CUPS with input as its standard input. An error contains what the program
// wrote to its standard error.
func run(ctx context.Context, input []byte, program string, arguments ...string) error {
	var said bytes.Buffer
	command := exec.CommandContext(ctx, program, arguments...) //nolint:gosec // lp or lpstat, run without a shell.
	command.Stdin, command.Stderr = bytes.NewReader(input), &said
	command.WaitDelay = time.Second // Do not wait longer if a child of the program keeps the pipes open.
	err := command.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", ErrStuck, ctx.Err())
	}
	return fmt.Errorf("%w: %w: %s", ErrUnreachable, err, clean.Text(said.String(), payments.MaxShownWidth))
}
