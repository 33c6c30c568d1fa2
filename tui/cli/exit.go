package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
	"checkout/till/storage/settings"
	"checkout/till/tui/wording/errortext"
)

type codeError struct {
	error
	code errortext.Exit
}

func (e *codeError) Unwrap() error { return e.error }

// Misused returns an error with the exit code for wrong usage.
func Misused(format string, arguments ...any) error {
	return &codeError{fmt.Errorf(format, arguments...), errortext.Usage}
}

// Unpaid gives an error the exit code for an order that ended unpaid during --wait.
func Unpaid(err error) error { return &codeError{err, errortext.Unpaid} }

func (a *App) exitCode(err error) errortext.Exit {
	if coded, ok := errors.AsType[*codeError](err); ok {
		return coded.code
	}
	value, _ := errors.AsType[*settings.ValueError](err)
	if !a.started || value != nil && value.FromFlag() {
		return errortext.Usage
	}
	return errortext.Find(a.rows(err), err).Exit
}

// UnsetError says that the required setting Name has no value. What is the key of an explanation in
// Texts.Rules of package i18n.
type UnsetError struct{ Name, What string }

func (e *UnsetError) Error() string { return e.Name + " is not set" }

// Explain returns the text of an error: in the till's language if there is a translation, otherwise
// in English.
func (a *App) Explain(err error) string {
	if errors.As(err, new(*codeError)) {
		return err.Error() // The command has written the text itself.
	}
	return errortext.Find(a.rows(err), err).Or(err.Error())
}

// Once adds the flag --id to a command that changes the drawer. Call the returned function for the
// service that makes the change; see [drawer.Service.Once].
func (a *App) Once(command *cobra.Command) func(shop *Shop) *drawer.Service {
	const most = 64
	var id string
	command.Flags().Func("id", "", func(text string) error {
		if id = text; len(id) > most || id != clean.Text(id, most) || strings.ContainsFunc(id, unicode.IsSpace) || id == "" {
			return Misused("%s", a.Texts.Shell.BadName)
		}
		return nil
	})
	var made *drawer.Service
	command.PostRun = func(*cobra.Command, []string) {
		if made != nil && made.Repeated() {
			a.Say("%s", a.Texts.Shell.Repeated)
		}
	}
	return func(shop *Shop) *drawer.Service {
		made = shop.Service.Once(id)
		return made
	}
}
