package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/catalog"
	"checkout/till/payments/gateway"
	"checkout/till/payments/relay"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/mailbox"
	"checkout/till/storage/outbox"
	"checkout/till/storage/settings"
	"checkout/till/tui/wording/errortext"
)

func (a *App) rows(err error) []errortext.Row {
	loaded, _ := a.Settings() // Ignore the error, which may be err itself. After an error, the paths are blank.
	return slices.Concat(
		a.settingsRows(), a.relayRows(),
		errortext.Rows(a.Texts, errortext.Place{Face: errortext.Commands}),
		a.fileRows(loaded.Files), a.databaseRows(loaded.Files, err),
		[]errortext.Row{errortext.Is(tea.ErrProgramPanic, errortext.Failed, a.Texts.Shell.Crashed)},
	)
}

func (a *App) settingsRows() []errortext.Row {
	words := a.Texts.Shell
	return []errortext.Row{
		errortext.As(errortext.Failed, func(e *UnsetError) string {
			return words.Unset.With(e.Name, a.Texts.Rules[e.What], settings.Key{Name: e.Name}.Env())
		}),
		errortext.As(errortext.Failed, func(e *settings.UnknownKeyError) string {
			return a.meant(words.NoSetting.With(e.File, e.Name), e.Nearest)
		}),
		errortext.As(errortext.Failed, func(e *settings.RightsError) string { return words.Loose.With(e.File, e.Mend) }),
		errortext.As(errortext.Failed, func(e *settings.SyntaxError) string { return words.Syntax.With(e.File, e.Line) }),
		errortext.As(errortext.Failed, a.valueText),
	}
}

// valueText returns the text for an invalid value of a setting, or "" to use the error's own text.
func (a *App) valueText(e *settings.ValueError) string {
	switch {
	case errors.As(e, new(*fs.PathError)):
		return a.Texts.Frame.Labelled.With(e.Where, a.Explain(e.Problem))
	case a.Language != "en":
		return a.Texts.Shell.WrongValue.With(e.Where, a.Problem(e))
	}
	return "" // The errors' own texts are English.
}

func (a *App) relayRows() []errortext.Row {
	return []errortext.Row{
		errortext.Is(relay.ErrCode, errortext.Failed, a.Texts.Relay.BadCode),
		errortext.Is(relay.ErrUnknownKey, errortext.Failed, a.Texts.Illness.UnknownTill),
		errortext.As(errortext.Failed, func(e *relay.StatusError) string {
			if e.Status == http.StatusTooManyRequests || e.Status >= http.StatusInternalServerError {
				return a.Texts.Shell.RelayBusy.With(e.Status)
			}
			return a.Texts.Shell.NoRelay.With(e.Status)
		}),
		errortext.When(isRelayAway, errortext.Failed, a.relayAway),
		errortext.Is(relay.ErrKey, errortext.Failed, a.Texts.Shell.BadRecovery),
		errortext.Named(mailbox.ErrNameTaken, errortext.Failed, a.Texts.Relay.NameTaken),
		errortext.Named(relay.ErrNoBox, errortext.Failed, a.Texts.Relay.NoBox),
	}
}

func isRelayAway(err error) bool { return errors.Is(err, relay.ErrUnreachable) }

// relayAway returns the text for a relay that does not answer. The address with which a
// [*url.Error] begins is left out.
func (a *App) relayAway(err error) string {
	fault := cmp.Or(gateway.Unreached(err), payments.ErrConnectionLost)
	detail := err
	if failed, ok := errors.AsType[*url.Error](err); ok {
		detail = failed.Err
	}
	return a.Texts.Shell.RelayAway.With(a.Texts.Reasons.Of(payments.Reason{Fault: fault, Detail: detail.Error()}))
}

func (a *App) fileRows(files settings.Files) []errortext.Row {
	words := a.Texts.Shell
	return []errortext.Row{
		errortext.As(errortext.Failed, func(e *webhook.PortTakenError) string { return words.PortTaken.With(CleanLabel(e.Address)) }),
		errortext.Is(catalog.ErrEncoding, errortext.Failed, words.NotUTF8),
		errortext.Is(catalog.ErrEmpty, errortext.Failed, words.NoArticles),
		errortext.Is(catalog.ErrTooLarge, errortext.Failed, words.LargeFile),
		errortext.As(errortext.Failed, func(e *catalog.HeadingsError) string {
			return a.Texts.Office.NoHeading.With(a.articleColumn(e.Column), e.Found)
		}),
		errortext.Is(sandbox.ErrTarget, errortext.Usage, ""),
		errortext.Is(sandbox.ErrConfig, errortext.Usage, ""),
		errortext.Is(outbox.ErrInUse, errortext.Failed, words.OutboxInUse, CleanLabel(a.UnderHome(files.Outbox))),
		errortext.As(errortext.Failed, func(e *storage.LockedError) string { return words.Locked.With(e.PID) }),
		errortext.When(isMissing, errortext.Failed, func(err error) string { return words.NoFile.With(CleanLabel(pathOf(err))) }),
		errortext.When(isFolder, errortext.Failed, func(err error) string { return words.IsFolder.With(CleanLabel(pathOf(err))) }),
		errortext.When(isUnreadable, errortext.Failed, func(err error) string { return words.NoAccess.With(CleanLabel(pathOf(err))) }),
	}
}

// articleColumn returns the name that catalog export gives to a column of the articles.
func (a *App) articleColumn(name string) string {
	english := i18n.Load("en").Office.ArticleColumns
	if at := slices.Index(english[:], name); at >= 0 {
		return a.Texts.Office.ArticleColumns[at]
	}
	return name
}

func pathOf(err error) string {
	if file, ok := errors.AsType[*fs.PathError](err); ok {
		return file.Path
	}
	return ""
}

func isMissing(err error) bool    { return pathOf(err) != "" && errors.Is(err, fs.ErrNotExist) }
func isFolder(err error) bool     { return pathOf(err) != "" && errors.Is(err, syscall.EISDIR) }
func isUnreadable(err error) bool { return pathOf(err) != "" && errors.Is(err, fs.ErrPermission) }

// databaseRows returns the rows for errors of a database. A text names the path in err, or else
// the database in the settings.
func (a *App) databaseRows(files settings.Files, err error) []errortext.Row {
	words, name := a.Texts.Shell, CleanLabel(a.UnderHome(cmp.Or(pathOf(err), files.Database)))
	return []errortext.Row{
		errortext.As(errortext.Failed, func(e *storage.OldSchemaError) string { return words.OldSchema.With(e.Version, e.Needed) }),
		errortext.Is(storage.ErrCrowded, errortext.Failed, words.ServerCrowded),
		errortext.When(storage.Closed, errortext.Failed, func(error) string { return words.ServerClosed }),
		errortext.When(storage.Forbidden, errortext.Failed, func(err error) string { return words.ServerForbids.With(err) }),
		errortext.When(isServerAway, errortext.Failed, func(err error) string { return words.ServerAway.With(err) }),
		errortext.Is(storage.ErrHeader, errortext.Failed, words.NoDatabase, name), // ErrHeader wraps ErrDamaged, so its row must come first.
		errortext.Is(storage.ErrDamaged, errortext.Failed, words.Damaged, name),
		errortext.Is(storage.ErrFull, errortext.Failed, words.DiskFull, name),
		errortext.Is(syscall.ENOSPC, errortext.Failed, words.DiskFull, name),
		errortext.Is(storage.ErrIO, errortext.Failed, words.DiskFails, name),
		errortext.Is(syscall.EIO, errortext.Failed, words.DiskFails, name),
		errortext.Is(syscall.EROFS, errortext.Failed, words.DiskFails, name),
		errortext.Is(storage.ErrForeign, errortext.Failed, words.Foreign, name),
		errortext.Is(storage.ErrGone, errortext.Failed, words.Gone, name, CleanLabel(a.UnderHome(files.Marks))),
		errortext.Is(storage.ErrNewer, errortext.Failed, words.Newer),
		errortext.Is(storage.ErrOlder, errortext.Failed, words.Older),
		errortext.Is(storage.ErrExists, errortext.Failed, words.Exists),
		errortext.Is(storage.ErrDemo, errortext.Failed, words.IsDemo),
		errortext.Is(storage.ErrPostgres, errortext.Failed, words.ServerTools),
		errortext.Is(storage.ErrVisible, errortext.Usage, ""),
	}
}

// isServerAway reports whether an error means that the database server is unavailable. An error of
// an HTTP call may look the same, but is not about the database.
func isServerAway(err error) bool {
	_, called := errors.AsType[*url.Error](err)
	return !called && storage.Away(err)
}

func (a *App) meant(message, suggestion string) string {
	if suggestion == "" {
		return message
	}
	return a.Texts.Shell.Meant.With(message, suggestion)
}

// Problem returns what is wrong with the value of a setting, without the place where it is set.
// For any other error, it returns the text of [App.Explain].
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
