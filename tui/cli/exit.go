package cli

import (
	"errors"
	"fmt"

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

// codeError is an error that ends the program with a certain exit code.
type codeError struct {
	code int
	err  error
}

// Error returns the error's own text.
func (e *codeError) Error() string { return e.err.Error() }

// Unwrap returns the error itself.
func (e *codeError) Unwrap() error { return e.err }

// Misused is an error about the command line.
func Misused(format string, arguments ...any) error {
	return &codeError{exitUsage, fmt.Errorf(format, arguments...)}
}

// Unpaid is the error of an order that ended unpaid while it was waited for.
func Unpaid(err error) error { return &codeError{exitUnpaid, err} }

// exitCode is the one table from errors to exit codes.
func (a *App) exitCode(err error) int {
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
