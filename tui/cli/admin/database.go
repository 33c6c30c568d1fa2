package admin

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"checkout/till/assets/i18n"
	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
	"checkout/till/payments/gateway"
	"checkout/till/payments/relay"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

func (a *app) backupCommand() *cobra.Command {
	var keep int
	command := a.JSON(&cobra.Command{Use: "backup FILE"})
	command.RunE = a.WithSettings(func(ctx context.Context, settings settings.Settings, arguments []string) error {
		if command.Flags().Changed("keep") && keep < 1 {
			return cli.Misused("%s", a.Texts.Shell.NoNumber.With("--keep"))
		}
		return a.backup(ctx, settings.Files.Database, arguments[0], keep)
	})
	command.Flags().IntVar(&keep, "keep", 0, "")
	return command
}

// backup copies the database to a file or into a folder. keep is the number of copies that remain
// in the folder; 0 keeps all.
func (a *app) backup(ctx context.Context, database, target string, keep int) error {
	words := a.Texts.Office
	about, missing := os.Stat(target)
	isFolder := missing == nil && about.IsDir()
	folder := filepath.Dir(target)
	_, absent := os.Stat(folder)
	switch {
	// Refuse a name that may be a missing folder, such as /media/usb without its disk: a file of
	// this name would not be on that disk.
	case !isFolder && (keep > 0 || !strings.EqualFold(filepath.Ext(target), ".db")):
		return errors.New(words.NoFolder.With(cli.CleanLabel(target)))
	case errors.Is(absent, fs.ErrNotExist):
		return errors.New(words.NoFolder.With(cli.CleanLabel(folder)))
	}
	var copied storage.BackupResult
	var err error
	if isFolder {
		copied, err = storage.BackupInto(ctx, database, target, a.Now().Local(), keep)
	} else {
		copied, err = storage.Backup(ctx, database, target, a.Now())
	}
	if err != nil {
		return err
	}
	if copied.SameDisk {
		a.Say("%s", words.SameDisk)
	}
	return a.Print(copied, words.Copied.With(
		i18n.Number(copied.Orders), i18n.Number(copied.Cash), i18n.Number(copied.Events), cli.Clean(copied.Path), i18n.Number(copied.Bytes)))
}

func (a *app) restoreCommand() *cobra.Command {
	var yes bool
	command := a.JSON(&cobra.Command{Use: "restore FILE"})
	command.RunE = a.WithSettings(func(ctx context.Context, settings settings.Settings, arguments []string) error {
		return a.restore(ctx, settings, arguments[0], yes)
	})
	command.Flags().BoolVar(&yes, "yes", false, "")
	return command
}

// confirmRestore asks for confirmation if the backup holds less than the database that it
// replaces. A missing or damaged database needs no confirmation.
func (a *app) confirmRestore(ctx context.Context, database string, there storage.Contents) error {
	words := a.Texts.Office
	here, err := storage.Count(ctx, database)
	if err != nil {
		return ctx.Err()
	}
	if !there.Less(here) {
		return nil
	}
	a.Say("%s", words.HasLess.With(
		i18n.Number(here.Orders), i18n.Number(here.Cash), i18n.Number(here.Events), cli.Moment(here.Newest),
		i18n.Number(there.Orders), i18n.Number(there.Cash), i18n.Number(there.Events), cli.Moment(there.Newest)))
	if !cli.IsTerminal(a.In) {
		return cli.Misused("%s", words.SayRestore)
	}
	return a.Confirm(ctx, words.AskRestore, words.NotRestored)
}

// restore replaces the database by a verified backup. First it asks the relay to deliver the last
// days' events again, because the backup may lack them. In the other order, a power cut in between
// would prevent the request.
func (a *app) restore(ctx context.Context, settings settings.Settings, backup string, yes bool) error {
	words := a.Texts.Office
	found, err := storage.Verify(ctx, backup, storage.Checks{Decode: gateway.DecodeEvent, Now: a.Now()})
	switch {
	case errors.Is(err, storage.ErrHeader): // More likely a wrong file than a damaged backup.
		return &fs.PathError{Op: "restore", Path: backup, Err: storage.ErrForeign}
	case err != nil:
		return err
	case found.Found > 0:
		return errors.New(words.Unsound.With(i18n.Number(found.Found)))
	}
	inside, err := storage.Count(ctx, backup)
	if err == nil && !yes {
		err = a.confirmRestore(ctx, settings.Files.Database, inside)
	}
	if err != nil {
		return err
	}
	asked := ""
	if settings.Webhook.Relay != "" {
		asked = "\n" + a.Texts.Relay.Asked
		if err := a.AskRelay(ctx, settings, (*relay.Fetcher).Replay); err != nil {
			asked = "\n" + a.Texts.Relay.NotAsked.With(cli.Clean(a.Explain(err)))
		}
	}
	restored, err := storage.Restore(ctx, settings.Files.Database, backup, settings.Counter.Till, a.Now().Local())
	if err != nil {
		return err
	}
	text := words.Restored.With(
		i18n.Number(restored.Orders), i18n.Number(restored.Cash), i18n.Number(restored.Events), cli.Clean(a.UnderHome(restored.Path)))
	if restored.Kept != "" {
		text += "\n" + words.KeptOld.With(cli.Clean(a.UnderHome(restored.Kept)))
	}
	if restored.Thousand {
		text += "\n" + words.NextThousand
	}
	if !inside.Newest.IsZero() {
		text += "\n" + words.Newest.With(cli.Moment(inside.Newest))
	}
	text += asked
	if settings.Account.None() {
		text += "\n" + words.NoSettings
	}
	return a.Print(restored, text)
}

type verifyJSON struct {
	storage.Verification
	OK    bool   `json:"ok"`
	Error string `json:"error"` // Why the verification failed; blank if OK.
}

func (a *app) verifyCommand() *cobra.Command {
	var seal string
	command := a.JSON(&cobra.Command{Use: "verify"})
	command.RunE = a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
		seal = strings.ToLower(strings.ReplaceAll(seal, " ", ""))
		if digits, err := hex.DecodeString(seal); err != nil || len(digits) != 0 && len(digits) != drawer.SealBytes {
			return cli.Misused("%s", a.Texts.Frame.Labelled.With("--seal", a.Texts.Printed.SealDigits.With(2*drawer.SealBytes)))
		}
		return a.verify(ctx, settings, seal)
	})
	command.Flags().StringVar(&seal, "seal", "", "")
	return command
}

func (a *app) verify(ctx context.Context, settings settings.Settings, seal string) error {
	words := a.Texts.Office
	found, err := storage.Verify(ctx, settings.Files.Database, storage.Checks{Decode: gateway.DecodeEvent, Now: a.Now(), Seal: seal})
	if err == nil && found.Found > 0 {
		advice := words.Unsound.With(i18n.Number(found.Found))
		switch {
		case found.NoSeal && found.Found == 1: // The seal may be mistyped, so do not advise a restore.
			advice = words.NoSeal.With(2 * drawer.SealBytes)
		case storage.IsPostgres(settings.Files.Database):
			advice = words.UnsoundServer.With(i18n.Number(found.Found))
		}
		err = errors.New(advice)
	}
	var lines []string
	for i, d := range found.Differences {
		d.Row, d.Problem = cli.Clean(d.Row), cli.Clean(d.Problem)
		found.Differences[i] = d
		lines = append(lines, strings.Join([]string{d.Table, d.Row, d.Problem}, " "))
	}
	for i, remark := range found.Remarks {
		remark.Row, remark.Problem = cli.Clean(remark.Row), cli.Clean(remark.Problem)
		found.Remarks[i] = remark
		lines = append(lines, strings.Join([]string{"remark:", remark.Table, remark.Row, remark.Problem}, " "))
	}
	value := verifyJSON{Verification: found, OK: err == nil}
	if err != nil {
		value.Error = clean.Text(err.Error(), cli.MaxMessage)
	} else {
		lines = append(lines, words.Sound.With(i18n.Number(found.Orders), i18n.Number(found.Cash), i18n.Number(found.Events)))
	}
	return errors.Join(a.Print(value, strings.Join(lines, "\n")), err)
}

func (a *app) databaseCommand() *cobra.Command {
	return a.Group(&cobra.Command{Use: "database"},
		a.JSON(&cobra.Command{Use: "copy FROM TO", RunE: a.copyDatabase}),
		&cobra.Command{Use: "update", RunE: a.InShop(a.tellUpdated)},
		&cobra.Command{Use: "roles", RunE: a.tellRoles},
	)
}

func (a *app) tellRoles(*cobra.Command, []string) error {
	a.Tell("%s", strings.TrimSuffix(storage.Roles(), "\n"))
	return nil
}

func (a *app) tellUpdated(_ context.Context, shop *cli.Shop, _ []string) error {
	name, err := storage.Name(shop.Settings.Files.Database)
	if err == nil {
		a.Tell("the database %s is up to date: its schema is %d", cli.Clean(a.UnderHome(name)), storage.SchemaVersion)
	}
	return err
}

type copiedJSON struct {
	Tables  []storage.CopiedTable `json:"tables"`
	Written int64                 `json:"written"`
}

func (a *app) copyDatabase(command *cobra.Command, arguments []string) error {
	from, to := arguments[0], arguments[1]
	if from == to {
		return cli.Misused("FROM and TO are the same database")
	}
	copied, err := storage.Copy(command.Context(), from, to)
	if err != nil {
		return err
	}
	printed := copiedJSON{Tables: copied}
	var lines []string
	for _, table := range copied {
		printed.Written += table.Rows
		lines = append(lines, fmt.Sprintf("%-12s %12s rows, sha256 %x", table.Table, i18n.Number(table.Rows), table.SHA256[:8]))
	}
	lines = append(lines, fmt.Sprintf("both hold the same; %s rows were written", i18n.Number(printed.Written)))
	return a.Print(printed, strings.Join(lines, "\n"))
}
