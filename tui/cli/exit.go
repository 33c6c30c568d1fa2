package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
	"checkout/till/payments/gateway"
	"checkout/till/payments/relay"
	"checkout/till/payments/staff"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/outbox"
	"checkout/till/storage/settings"
)

const (
	exitDone = iota
	exitFailed
	exitUsage
	exitRefused
	exitUnknown
	exitUnpaid
)

// codeError is an error with its own exit code.
type codeError struct {
	error
	code int
}

func (e *codeError) Unwrap() error { return e.error }

// Misused returns an error about the command line. It has the exit code for wrong usage.
func Misused(format string, arguments ...any) error {
	return &codeError{fmt.Errorf(format, arguments...), exitUsage}
}

// Unpaid gives an error the exit code for an order that ended unpaid during --wait.
func Unpaid(err error) error { return &codeError{err, exitUnpaid} }

func (a *App) exitCode(err error) int {
	if coded, ok := errors.AsType[*codeError](err); ok {
		return coded.code
	}
	value, _ := errors.AsType[*settings.ValueError](err)
	switch {
	case errors.As(err, new(*payments.Refusal)):
		return exitRefused
	case errors.Is(err, payments.ErrAmbiguous), errors.Is(err, payments.ErrCommitUnknown):
		return exitUnknown
	case errors.Is(err, drawer.ErrIDTaken), !a.started || value != nil && value.FromFlag():
		return exitUsage
	}
	return exitFailed
}

// UnsetError reports that the required setting Name has no value. The field What is the key of the
// setting's explanation in the map Texts.Rules of package i18n.
type UnsetError struct{ Name, What string }

func (e *UnsetError) Error() string { return e.Name + " is not set" }

// Explain returns the text of an error. The text is in the till's language if the error can happen
// to a shop's user. Errors for programmers are in English.
func (a *App) Explain(err error) string {
	words := a.Texts.Shell
	if text := cmp.Or(a.explainSettings(err), a.explainRelay(err), a.explainUnknown(err)); text != "" {
		return text
	}
	if taken, ok := errors.AsType[*webhook.PortTakenError](err); ok {
		return words.PortTaken.With(CleanLabel(taken.Address))
	}
	if paused, ok := errors.AsType[*staff.PausedError](err); ok {
		return words.Paused.With(Moment(paused.Until))
	}
	if refused, ok := errors.AsType[*payments.TillError](err); ok {
		return words.TillTaken.With(CleanLabel(refused.Name), CleanLabel(refused.Other), refused.Code)
	}
	if unseen, ok := errors.AsType[*payments.UnseenError](err); ok {
		return a.Texts.Charging[unseen.Reach]
	}
	if locked, ok := errors.AsType[*storage.LockedError](err); ok && !errors.Is(err, outbox.ErrInUse) {
		return words.Locked.With(locked.PID)
	}
	if old, ok := errors.AsType[*storage.OldSchemaError](err); ok {
		return words.OldSchema.With(old.Version, old.Needed)
	}
	loaded, _ := a.Settings()
	database := loaded.Files.Database
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		database = file.Path // The error may be about another file, such as a backup or the outbox.
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return words.NoFile.With(CleanLabel(file.Path))
		case errors.Is(err, fs.ErrPermission):
			return words.NoAccess.With(CleanLabel(file.Path))
		}
	}
	database = CleanLabel(a.UnderHome(database))
	if text := a.explainServer(err); text != "" {
		return text
	}
	if errors.Is(err, storage.ErrHeader) { // This error is also an ErrDamaged.
		return words.NoDatabase.With(database)
	}
	for cause, text := range map[error]string{
		storage.ErrFull: words.DiskFull.With(database), syscall.ENOSPC: words.DiskFull.With(database),
		storage.ErrDamaged:  words.Damaged.With(database),
		storage.ErrForeign:  words.Foreign.With(database),
		storage.ErrNewer:    words.Newer,
		storage.ErrOlder:    words.Older,
		storage.ErrExists:   words.Exists,
		storage.ErrDemo:     words.IsDemo,
		storage.ErrGone:     words.Gone.With(database, CleanLabel(a.UnderHome(loaded.Files.Marks))),
		storage.ErrPostgres: words.ServerTools,
		outbox.ErrInUse:     words.OutboxInUse.With(CleanLabel(a.UnderHome(loaded.Files.Outbox))),
		catalog.ErrEncoding: words.NotUTF8, catalog.ErrEmpty: words.NoArticles, catalog.ErrTooLarge: words.LargeFile,
		staff.ErrWrongPIN: words.WrongPIN, staff.ErrNotOwner: words.NotOwner, staff.ErrNeedsOwner: words.OneOwner,
		staff.ErrInvalidPIN: words.BadPIN, staff.ErrCashierTaken: words.CashierTaken, staff.ErrNoCashier: words.NoCashier,
		payments.ErrOutdated: a.Texts.Hints.Outdated, payments.ErrNoRoom: a.Texts.Hints.NoRoom,
		relay.ErrKey: words.BadRecovery, drawer.ErrIDTaken: words.OtherChange,
	} {
		if errors.Is(err, cause) {
			return text
		}
	}
	return err.Error()
}

// explainServer returns the text of an error of a database server, or "" for another error.
func (a *App) explainServer(err error) string {
	words := a.Texts.Shell
	_, http := errors.AsType[*url.Error](err) // An HTTP call has nothing to do with the database.
	switch {
	case errors.Is(err, storage.ErrCrowded):
		return words.ServerCrowded
	case storage.Closed(err):
		return words.ServerClosed
	case storage.Forbidden(err):
		return words.ServerForbids.With(err)
	case !http && storage.Away(err):
		return words.ServerAway.With(err)
	}
	return ""
}

// explainUnknown returns the text for a change that may be stored, or "" for another error.
func (a *App) explainUnknown(err error) string {
	unknown, named := errors.AsType[*drawer.UnknownError](err)
	switch {
	case named:
		return a.Texts.Shell.NotKnown.With(CleanLabel(unknown.ID))
	case errors.As(err, new(*payments.UnstoredError)):
		return a.Texts.Attention.UnknownOutcome
	case errors.Is(err, payments.ErrCommitUnknown):
		return a.Texts.Shell.MaybeStored
	}
	return ""
}

// Once adds the flag --id to a command that changes the drawer. The returned function returns the
// service that makes the change, as [drawer.Service.Once] does. If the change was made before, the
// command says so at the end.
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

// explainRelay returns the text of an error of a call to the relay, or "" for another error.
func (a *App) explainRelay(err error) string {
	words := a.Texts.Shell
	status, answered := errors.AsType[*relay.StatusError](err)
	switch {
	case errors.Is(err, relay.ErrCode):
		return a.Texts.Relay.BadCode
	case errors.Is(err, relay.ErrUnknownKey):
		return a.Texts.Illness.UnknownTill
	case answered && (status.Status == http.StatusTooManyRequests || status.Status >= http.StatusInternalServerError):
		return words.RelayBusy.With(status.Status)
	case answered:
		return words.NoRelay.With(status.Status)
	case errors.Is(err, relay.ErrUnreachable):
		fault := cmp.Or(gateway.Unreached(err), payments.ErrConnectionLost)
		detail := err
		if failed, ok := errors.AsType[*url.Error](err); ok {
			detail = failed.Err // Without the address, which the user has just typed.
		}
		return words.RelayAway.With(a.Texts.Reasons.Of(payments.Reason{Fault: fault, Detail: detail.Error()}))
	}
	return ""
}

// explainSettings returns the text of an error about the settings, or "" for another error.
func (a *App) explainSettings(err error) string {
	words := a.Texts.Shell
	if missing, ok := errors.AsType[*UnsetError](err); ok {
		return words.Unset.With(missing.Name, a.Texts.Rules[missing.What], settings.Key{Name: missing.Name}.Env())
	}
	if unknown, ok := errors.AsType[*settings.UnknownKeyError](err); ok {
		return a.meant(words.NoSetting.With(unknown.File, unknown.Name), unknown.Nearest)
	}
	if value, ok := errors.AsType[*settings.ValueError](err); ok && errors.As(err, new(*fs.PathError)) { // The variable names a file that cannot be read.
		return a.Texts.Frame.Labelled.With(value.Where, a.Explain(value.Problem))
	}
	if loose, ok := errors.AsType[*settings.RightsError](err); ok {
		return words.Loose.With(loose.File, loose.Mend)
	}
	if unreadable, ok := errors.AsType[*settings.SyntaxError](err); ok {
		return words.Syntax.With(unreadable.File, unreadable.Line)
	}
	if value, ok := errors.AsType[*settings.ValueError](err); ok && a.Language != "en" {
		return words.WrongValue.With(value.Where, a.Problem(err))
	}
	return ""
}

// meant adds the suggestion of a similar name to an error message. A blank suggestion adds nothing.
func (a *App) meant(message, suggestion string) string {
	if suggestion == "" {
		return message
	}
	return a.Texts.Shell.Meant.With(message, suggestion)
}

// Problem returns what is wrong with a setting's value, without the place where it is set. In
// English it returns the error's own text, in other languages a text of the locale.
func (a *App) Problem(err error) string {
	value, ok := errors.AsType[*settings.ValueError](err)
	hidden, isHidden := errors.AsType[*settings.InvisibleError](err)
	switch {
	case !ok:
		return a.Explain(err)
	case a.Language != "en" && isHidden:
		return strings.Replace(a.Texts.Rules["invisible"], "%s", hidden.Character, 1)
	case a.Language != "en" && a.Texts.Rules[value.Rule] != "":
		return a.Texts.Rules[value.Rule]
	}
	return value.Problem.Error()
}
