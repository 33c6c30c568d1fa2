// Package cli is the command line: the console, the webhook listener, the
// sandbox, and the commands for scripts. It guarantees that a command that
// prints data puts one JSON value on standard output when it is asked for
// JSON, and nothing else there; that messages go to standard error; that text
// from outside is cleaned before it is printed; and that neither the access
// token nor a webhook secret nor a signature is ever printed or logged.
//
// # Exit codes
//
//   - 0: done. With --wait: the order is paid, or a person marked it as paid.
//   - 1: failed. With --wait also: a success was seen but a person must look at
//     the order, or no event came until two minutes after the link's end, for
//     then nobody knows that it is unpaid.
//   - 2: wrong usage; nothing was done.
//   - 3: the payment service refused the order.
//   - 4: nobody knows whether the payment service has the order.
//   - 5: with --wait, the order ended unpaid.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/storage/settings"
)

// The exit codes.
const (
	exitDone = iota
	exitFailed
	exitUsage
	exitRefused
	exitUnknown
	exitUnpaid
)

// Process is what a run of the program has of the world.
type Process struct {
	Args     []string            // Without the program's name.
	Env      func(string) string // Reads an environment variable.
	In       io.Reader
	Out, Err io.Writer
	Now      payments.Clock
}

// app is one run of the program.
type app struct {
	Process
	root    *cobra.Command
	config  string // --config.
	started bool   // The command line was understood.
}

// Execute runs the command that the arguments name until it is done or ctx
// ends, and returns the exit code.
func Execute(ctx context.Context, process Process) int {
	a := &app{Process: process}
	a.root = a.consoleCommand() //nolint:contextcheck // Each command has its context from cobra when it runs.
	a.root.SetArgs(append([]string{}, process.Args...))
	a.root.SetIn(process.In)
	a.root.SetOut(process.Out)
	a.root.SetErr(process.Err)
	command, err := a.root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	code := a.exitCode(err)
	a.say("till: %s", payments.Clean(err.Error(), maxMessage))
	if code == exitUsage {
		a.say("%s --help says how", command.CommandPath())
	}
	return code
}

// maxMessage bounds an error message, in columns.
const maxMessage = 2000

// say prints a message for people on standard error. The arguments must be
// clean.
func (a *app) say(format string, arguments ...any) {
	_, _ = fmt.Fprintf(a.Err, format+"\n", arguments...)
}

// tell prints a line of what the command is for on standard output. The
// arguments must be clean.
func (a *app) tell(format string, arguments ...any) {
	_, _ = fmt.Fprintf(a.Out, format+"\n", arguments...)
}

// codeError is an error that ends the program with a certain exit code.
type codeError struct {
	code int
	err  error
}

// Error returns the error's own text.
func (e *codeError) Error() string { return e.err.Error() }

// Unwrap returns the error itself.
func (e *codeError) Unwrap() error { return e.err }

// misused is an error about the command line.
func misused(format string, arguments ...any) error {
	return &codeError{exitUsage, fmt.Errorf(format, arguments...)}
}

// exitCode is the one table from errors to exit codes.
func (a *app) exitCode(err error) int {
	if coded, ok := errors.AsType[*codeError](err); ok {
		return coded.code
	}
	if value, ok := errors.AsType[*settings.ValueError](err); ok && value.FromFlag() {
		return exitUsage
	}
	if _, refused := errors.AsType[*payments.Refusal](err); refused {
		return exitRefused
	}
	if _, unknown := errors.AsType[*payments.AmbiguousError](err); unknown {
		return exitUnknown
	}
	if !a.started {
		return exitUsage
	}
	return exitFailed
}
