package cli

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
	"checkout/till/tui/voice"
)

// openPatience is how long the doctor waits for the database, the printer or a running listener.
const openPatience = 5 * time.Second

func (a *App) doctorCommand() *cobra.Command {
	const says = "till" // Text of the QR code, for a test with a phone.
	var scanner bool
	command := a.JSON(&cobra.Command{
		Use: "doctor",
		RunE: func(command *cobra.Command, _ []string) error {
			if scanner {
				return a.testScanner(command.Context())
			}
			found := a.diagnose(command.Context())
			count := make(map[doctor.State]int)
			for _, finding := range found {
				count[finding.State]++
			}
			settings, _ := a.Settings() // Ignore the error: diagnose reports it, too.
			styles := theme.ForTerminal(a.Out, a.Env, theme.Mode(settings.Counter.Theme))
			var rows []string
			if IsTerminal(a.Out) { // Print the QR code first, so that the findings stay visible in a small window.
				code, _ := qr.New(says, styles) // New fails only for a much longer text.
				rows = []string{a.Texts.Doctor.Scan.With(says), code.SetSize(code.Needs()).View(), ""}
			}
			shown := slices.Clone(found)
			for i, finding := range shown {
				shown[i].Advice = a.withConfig(finding.Advice)
			}
			rows = append(rows, doctor.Rows(a.Texts, shown, styles, a.Columns())...)
			text := styles.Encode(strings.Join(rows, "\n"))
			summary := a.Texts.Doctor.Summary.With(count[doctor.Fail], count[doctor.Warn], count[doctor.OK])
			if count[doctor.Fail] == 0 {
				return a.Print(found, text+"\n\n"+summary)
			}
			return errors.Join(a.Print(found, text), errors.New(summary))
		},
	})
	command.Flags().BoolVar(&scanner, "scanner", false, "")
	return command
}

// diagnose runs the checks of the shop. It has effects: opening the database may create its file,
// and a listener that diagnose starts stores the events that arrive.
func (a *App) diagnose(ctx context.Context) []doctor.Finding {
	settings, err := a.Settings()
	// A machine that only runs the webhook listener has a webhook secret and a database server, but
	// no access token.
	listens := settings.Account.AccessToken.Empty() && len(settings.Webhook.Secrets) > 0 && storage.IsPostgres(settings.Files.Database)
	demo := settings.Account.None() && !listens
	found := append(a.zoneFinding(a.Texts), a.settingsFinding(settings, demo, err), a.terminalFinding(settings))
	if settings.Counter.Voice {
		found = append(found, a.voiceFinding())
	}
	if printer := Receipts(settings).Printer; !printer.None() {
		found = append(found, printerCheck(printer)(ctx)(a.Texts)...)
	}
	if err == nil {
		found = append(found, a.storedFinding(a.Texts, settings))
	}
	if err != nil || demo {
		return doctor.Join(a.Texts, found)
	}
	var checks []doctor.Check
	client, err := NewClient(settings)
	switch {
	case err == nil:
		checks = append(checks, serviceCheck(client, a.Now))
	case !listens && settings.Account.BaseURL == "":
		found = append(found, a.missing(doctor.Service, doctor.ServiceMissing, err))
	}
	opening, cancel := context.WithTimeout(ctx, openPatience)
	shop, err := a.OpenShop(opening, settings, Need{})
	cancel()
	now := a.Now
	var orders []payments.Order
	if err != nil {
		found = append(found, a.databaseFinding(storage.Examination{}, err))
	} else {
		defer func() { _ = shop.Close() }() // Ignore the error: the checks report problems of the database.
		now = shop.Now
		orders = newestOrders(ctx, shop)
		checks = append(checks, func(ctx context.Context) doctor.Report {
			examined, err := storage.Examine(ctx, shop.store)
			if err == nil {
				err = startable(settings.Files)
			}
			picture := shop.picture(ctx)
			return func(t i18n.Texts) []doctor.Finding {
				known := doctor.Findings(t, picture)
				found := append([]doctor.Finding{a.databaseFinding(examined, err)}, doctor.Only(known, doctor.Database, doctor.Clock)...)
				return append(found, doctor.Coded(known, doctor.NoOrder)...)
			}
		}, backupCheck(shop))
	}
	if listens {
		settings.Webhook.Listens = true // Without a token, the settings are for "till listen".
		found = append(found, doctor.New(doctor.Token, doctor.Skipped, "", a.Texts.Doctor.OnlyListens, ""))
	} else {
		found = append(found, a.tokenFinding(settings, orders))
	}
	found = append(found, a.secretFinding(settings, orders))
	of, more := a.listenerChecks(ctx, settings, shop, now)
	return doctor.Join(a.Texts, append(found, of...), doctor.Run(ctx, append(checks, more...)...)...)
}

// startable returns an error if a console could not start: if the user may not write to the log
// file, or if the database cannot be locked. A database that another program has locked is no
// error.
func startable(files settings.Files) error {
	log, err := os.OpenFile(files.Log, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_ = log.Close()
	} else if errors.Is(err, fs.ErrPermission) {
		return err
	}
	release, err := storage.Lock(files.Database)
	if err == nil {
		release()
	}
	// A server has no lock file. A locked file means that a console or listener is running.
	if errors.Is(err, storage.ErrPostgres) || errors.As(err, new(*storage.LockedError)) {
		return nil
	}
	return err
}

func (a *App) missing(check doctor.Kind, code doctor.Code, err error) doctor.Finding {
	return doctor.New(check, doctor.Fail, code, a.Texts.Doctor.Missing, a.Explain(err))
}

func (a *App) settingsFinding(settings settings.Settings, demo bool, err error) doctor.Finding {
	words := a.Texts.Doctor
	loose := strings.Join(settings.Files.Loose(), "; ")
	file := CleanLabel(a.UnderHome(settings.Files.Settings))
	_, absent := os.Stat(settings.Files.Settings)
	switch {
	case err != nil:
		return doctor.New(doctor.Settings, doctor.Fail, doctor.SettingsUnusable, words.Unusable, clean.Text(a.Explain(err), MaxMessage))
	case demo:
		return doctor.New(doctor.Settings, doctor.Fail, doctor.SettingsDemo, words.NoAccount, words.NoAccountTodo)
	case loose != "":
		return doctor.New(doctor.Settings, doctor.Warn, doctor.SettingsLoose, words.Loose, words.Run.With(loose))
	case absent != nil:
		return doctor.New(doctor.Settings, doctor.OK, "", words.NoFile.With(file), "")
	}
	return doctor.New(doctor.Settings, doctor.OK, "", words.Private.With(file), "")
}

func (a *App) databaseFinding(examined storage.Examination, err error) doctor.Finding {
	const megabyte = 1e6
	words := a.Texts.Doctor
	switch {
	case err != nil:
		reach := payments.ReachStoreDown
		if storage.Away(err) {
			reach = payments.ReachCutOff
		}
		found := doctor.Down(a.Texts, reach, "")
		found.Advice = clean.Text(a.Explain(err), MaxMessage)
		return found
	case examined.Owner:
		return doctor.New(doctor.Database, doctor.Warn, doctor.StoreOwner, words.Owner, words.OwnerTodo)
	case examined.Version != "":
		return doctor.New(doctor.Database, doctor.OK, "", words.Server.With(examined.Version), "")
	case examined.Free > 0:
		return doctor.New(doctor.Database, doctor.OK, "", words.Room.With(i18n.Number(examined.Free/megabyte)), "")
	}
	return doctor.New(doctor.Database, doctor.OK, "", a.Texts.Health.Writing, "")
}

// storedFinding names the shop's database. Its advice names the flags and environment variables
// that set the database or the account in place of the settings file.
func (a *App) storedFinding(t i18n.Texts, settings settings.Settings) doctor.Finding {
	name, err := storage.Name(settings.Files.Database)
	if err == nil && !storage.IsPostgres(name) {
		if whole, err := filepath.Abs(name); err == nil {
			name = a.UnderHome(whole)
		}
	}
	advice := ""
	if outside := settings.Files.Outside; outside != "" {
		advice = t.Doctor.Outside.With(outside)
	}
	return doctor.New(doctor.Stored, doctor.OK, "", CleanLabel(name), advice)
}

func (a *App) terminalFinding(settings settings.Settings) doctor.Finding {
	const columns, rows = 80, 24
	words := a.Texts.Doctor
	file, is := a.Out.(*os.File)
	if !is || !IsTerminal(file) {
		return doctor.New(doctor.Terminal, doctor.Skipped, "", words.NoTerminal, "")
	}
	styles := theme.ForTerminal(a.Out, a.Env, theme.Mode(settings.Counter.Theme))
	width, height, _ := term.GetSize(int(file.Fd())) // Ignore the error: the file is a terminal.
	text := words.Window.With(width, height, i18n.Number(styles.Colours))
	switch {
	case styles.ASCII():
		return doctor.New(doctor.Terminal, doctor.Warn, doctor.TerminalASCII, text, words.NoUTF8)
	case !styles.HalfBlocks():
		return doctor.New(doctor.Terminal, doctor.Warn, doctor.TerminalBlocks, text, words.HalfBlocks)
	case width < columns || height < rows:
		return doctor.New(doctor.Terminal, doctor.Warn, doctor.TerminalSmall, text, words.Narrow)
	}
	return doctor.New(doctor.Terminal, doctor.OK, "", text, "")
}

func (a *App) voiceFinding() doctor.Finding {
	words, speaker := a.Texts.Doctor, voice.Find(runtime.GOOS)
	if speaker == "" {
		return doctor.New(doctor.Voice, doctor.Warn, doctor.VoiceMissing, words.NoSpeaker, words.NoSpeakerTodo)
	}
	return doctor.New(doctor.Voice, doctor.OK, "", words.Speaker.With(speaker), "")
}

// backupCheck returns a check of the age of the last backup. There is no finding for the demo, or
// for a database server, whose backups other programs make.
func backupCheck(shop *Shop) doctor.Check {
	return func(ctx context.Context) doctor.Report {
		times, known, _ := storage.LastBackup(ctx, shop.store) // Ignore the error: another finding reports a database that cannot be read.
		now, files := shop.Now(), shop.Settings.Files
		return func(t i18n.Texts) []doctor.Finding {
			if !known || files.Database == files.Demo {
				return nil
			}
			return []doctor.Finding{doctor.OfBackup(t, times.Last, times.First, now, time.Local)}
		}
	}
}

// zoneFinding returns a warning if TZ names a time zone that Go does not know. Go then uses UTC
// without a message.
func (a *App) zoneFinding(t i18n.Texts) []doctor.Finding {
	name := a.Env("TZ")
	if utc := strings.TrimPrefix(name, ":"); utc == "" || utc == "UTC" || time.Local.String() != "UTC" {
		return nil
	}
	return []doctor.Finding{doctor.New(doctor.Clock, doctor.Warn, doctor.ClockZone, t.Doctor.Zone.With(CleanLabel(name)), t.Doctor.ZoneTodo)}
}

// HealthChecks returns the checks of the Health screen. They create no order and print nothing.
func (a *App) HealthChecks(shop *Shop, client *gateway.Client) []doctor.Check {
	stored := func(t i18n.Texts) []doctor.Finding { return []doctor.Finding{a.storedFinding(t, shop.Settings)} }
	checks := []doctor.Check{
		known(a.zoneFinding), known(stored), serviceCheck(client, shop.Now), backupCheck(shop),
	}
	if printer := Receipts(shop.Settings).Printer; !printer.None() {
		checks = append(checks, printerCheck(printer))
	}
	listener := shop.listener
	if listener != nil && (listener.way.URL != "" || !shop.Settings.Account.Local()) {
		checks = append(checks, publicCheck(shop.Now, listener.way, shop.Health))
	}
	return checks
}

func known(report doctor.Report) doctor.Check {
	return func(context.Context) doctor.Report { return report }
}

// serviceCheck checks the payment service and its clock. It creates no order.
func serviceCheck(client *gateway.Client, now payments.Clock) doctor.Check {
	return func(ctx context.Context) doctor.Report {
		visit, err := client.Visit(ctx, now)
		return func(t i18n.Texts) []doctor.Finding { return doctor.OfService(t, visit, err, now()) }
	}
}

// publicCheck checks whether the public address leads to a listener of the shop. health names the
// other listeners that may answer.
func publicCheck(now payments.Clock, way doctor.Way, health func() payments.Health) doctor.Check {
	return func(ctx context.Context) doctor.Report {
		known := health()
		if known.Relay.HeldBy != "" || known.Relay.Unknown { // The relay gives this till no events. The finding about the listener says so.
			return func(t i18n.Texts) []doctor.Finding {
				return []doctor.Finding{doctor.New(doctor.Public, doctor.Skipped, "", t.Doctor.Untried, "")}
			}
		}
		way.Others = known.Listeners
		visit, err := gateway.Visit(ctx, now, way.URL+way.Path) // Without a public address, Visit fails immediately.
		return func(t i18n.Texts) []doctor.Finding {
			return []doctor.Finding{doctor.OfPublic(t, way, visit, err, now())}
		}
	}
}

// listenerChecks returns findings about the shop's listener, and the checks to run next. If the
// listener's port is free, the checks may run a listener, which stores the events that arrive.
func (a *App) listenerChecks(ctx context.Context, settings settings.Settings, shop *Shop, now payments.Clock) ([]doctor.Finding, []doctor.Check) {
	words, address := a.Texts.Doctor, Reachable(settings.Webhook.Listen)
	noTill := doctor.New(doctor.Events, doctor.Skipped, "", words.NoTill, "")
	untried := doctor.New(doctor.Public, doctor.Skipped, "", words.Untried, "")
	if !settings.Webhook.Listens {
		health, reach := payments.Health{Listening: true}, payments.ReachListens
		if shop != nil {
			health, reach = shop.Health(), shop.Reach()
		}
		elsewhere := doctor.New(doctor.Public, doctor.Skipped, "", words.Elsewhere, "")
		known := doctor.Findings(a.Texts, doctor.Picture{Health: health, Reach: reach, Now: now(), Zone: time.Local})
		return append(doctor.Only(known, doctor.Listener), elsewhere), nil
	}
	bound, err := webhook.Bind(ctx, settings.Webhook.Listen)
	if errors.As(err, new(*webhook.PortTakenError)) {
		return a.runningListener(ctx, settings, shop, now)
	}
	var listener *Listener
	var known payments.Health // State before the doctor itself starts a listener.
	if shop != nil {
		known = shop.Health()
	}
	switch {
	case err != nil:
	case shop != nil && len(settings.Webhook.Secrets) > 0:
		listener, err = shop.Listen(ctx, bound)
	default:
		_ = bound.Close()
	}
	if err != nil {
		broken := doctor.New(doctor.Listener, doctor.Fail, doctor.CannotListen, words.NoListen.With(address), clean.Text(err.Error(), MaxMessage))
		return []doctor.Finding{broken, noTill, untried}, nil
	}
	free := doctor.New(doctor.Listener, doctor.OK, "", words.Free.With(address), "")
	free = doctor.NameSilent(a.Texts, free, known)
	if listener == nil {
		return []doctor.Finding{free, noTill, untried}, nil
	}
	// Do not record in the database that this listener runs: the record would hide that the shop's
	// usual listener does not.
	listener.lives = func(context.Context) error { return nil }
	return []doctor.Finding{free, noTill}, []doctor.Check{func(ctx context.Context) (public doctor.Report) {
		_ = RunAll(ctx, func(ctx context.Context) error { // Neither this function nor a part of BehindConsole returns an error.
			if listener.fetches != nil {
				listener.fetches.wait(ctx, fetchPatience) // The relay learns the listener's ID from the first fetches.
			}
			leads := publicCheck(now, listener.way, shop.Health)(ctx)
			picture := doctor.Picture{Health: shop.Health(), Reach: shop.Reach(), Now: now(), Zone: time.Local}
			public = func(t i18n.Texts) []doctor.Finding {
				found, known := leads(t), doctor.Findings(t, picture)
				switch picture.Reach {
				case payments.ReachRelayLocked, payments.ReachNoRelay, payments.ReachRelayHeld:
					found = append(found, doctor.Only(known, doctor.Listener)...)
				}
				if picture.Health.Suspicious() {
					found = append(found, doctor.Only(known, doctor.Events)...)
				}
				return found
			}
			return nil
		}, shop.BehindConsole()...)
		return public
	}}
}

// runningListener returns findings about the program that uses the listener's port. A check of the
// public address follows only if that program is a listener of the shop.
func (a *App) runningListener(
	ctx context.Context, settings settings.Settings, shop *Shop, now payments.Clock,
) ([]doctor.Finding, []doctor.Check) {
	words, address := a.Texts.Doctor, Reachable(settings.Webhook.Listen)
	ctx, cancel := context.WithTimeout(ctx, openPatience)
	defer cancel()
	visit, err := gateway.Visit(ctx, now, "http://"+address+settings.Webhook.Path)
	health, reach, unread := webhook.ReadHealth(ctx, address)
	if err != nil || unread != nil || visit.Listener == "" || visit.Status != http.StatusOK {
		by, state := words.Taken, doctor.Fail
		if settings.Webhook.Relay != "" { // A till with a relay can use another port.
			state = doctor.Warn
		}
		if visit.Listener != "" {
			by = words.OtherTill
		}
		return []doctor.Finding{
			doctor.New(doctor.Listener, state, doctor.PortTaken, by.With(address), words.TakenTodo),
			doctor.New(doctor.Events, doctor.Skipped, "", words.NoTill, ""),
			doctor.New(doctor.Public, doctor.Skipped, "", words.Untried, ""),
		}, nil
	}
	if shop != nil {
		health.Listeners = shop.Health().Listeners
	}
	known := doctor.Findings(a.Texts, doctor.Picture{Health: health, Reach: reach, Now: now(), Zone: time.Local})
	found := doctor.Only(known, doctor.Listener, doctor.Events)
	way := publicWay(settings, address, visit.Listener)
	return found, []doctor.Check{publicCheck(now, way, func() payments.Health { return health })}
}
