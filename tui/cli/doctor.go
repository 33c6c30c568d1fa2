package cli

import (
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui/doctor"
	"checkout/till/tui/theme"
)

// openPatience is how long the doctor waits for the database.
const openPatience = 5 * time.Second

// Diagnose runs every check of the shop. It changes nothing, but that it makes a
// database that is not there, and that it listens for as long as nobody else does.
func (a *App) Diagnose(ctx context.Context) []doctor.Report {
	settings, err := a.Settings()
	reports := []doctor.Report{a.settingsReport(settings, err), a.terminalReport(settings)}
	if err != nil || demoOpens(settings) {
		return reports
	}
	account := !settings.Account.None()
	if account {
		reports = append(reports, a.tokenReport(settings))
	} else {
		settings.Webhook.Listens = true // They are those of till listen, as on a server.
	}
	reports = append(reports, a.secretReport(settings))
	var checks []doctor.Check
	client, err := NewClient(settings)
	switch {
	case err == nil:
		checks = append(checks, a.serviceCheck(client)) // By this machine's clock, which an open shop replaces.
	case account && settings.Account.BaseURL == "":
		reports = append(reports, a.missing(doctor.Service, err))
	}
	opening, cancel := context.WithTimeout(ctx, openPatience)
	shop, err := a.OpenShop(opening, settings, Need{})
	cancel()
	if err != nil {
		reports = append(reports, a.databaseReport(storage.Examination{}, err))
	} else {
		defer shop.Close(new(error)) // What it says was found out before.
		checks = append(checks, a.databaseCheck(shop))
	}
	checks = append(checks, a.listenerCheck(ctx, settings, shop))
	return append(reports, doctor.Run(ctx, checks...)...)
}

// demoOpens tells whether the settings are those of no shop: neither of a console nor
// of the listener of several.
func demoOpens(settings settings.Settings) bool {
	return settings.Account.None() && (len(settings.Webhook.Secrets) == 0 || !storage.Served(settings.Files.Database))
}

func (a *App) missing(check doctor.Kind, err error) doctor.Report {
	return doctor.NewReport(check, func(t i18n.Texts) (doctor.State, string, string) {
		return doctor.Fail, t.Doctor.Missing, a.explain(err)
	})
}

func (a *App) settingsReport(settings settings.Settings, err error) doctor.Report {
	loose := strings.Join(settings.Files.Loose(), "; ")
	file := Shown(a.UnderHome(settings.Files.Settings))
	_, absent := os.Stat(settings.Files.Settings)
	return doctor.NewReport(doctor.Settings, func(t i18n.Texts) (doctor.State, string, string) {
		words := t.Doctor
		switch {
		case err != nil:
			return doctor.Fail, words.Unusable, payments.Clean(a.explain(err), MaxMessage)
		case demoOpens(settings):
			return doctor.Fail, words.NoAccount, words.NoAccountTodo
		case loose != "":
			return doctor.Warn, words.Loose, words.Run.With(loose)
		case absent != nil:
			return doctor.OK, words.NoFile.With(file), ""
		}
		return doctor.OK, words.Private.With(file), ""
	})
}

func (a *App) tokenReport(settings settings.Settings) doctor.Report {
	if settings.Account.AccessToken.Empty() {
		return a.missing(doctor.Token, &UnsetError{"access_token", "needs merchant area"})
	}
	return doctor.NewReport(doctor.Token, func(t i18n.Texts) (doctor.State, string, string) {
		if settings.Account.Test() {
			return doctor.Warn, t.Doctor.TestToken, ""
		}
		return doctor.OK, t.Doctor.Given, ""
	})
}

func (a *App) secretReport(settings settings.Settings) doctor.Report {
	_, err := CurrentSecret(settings)
	if settings.Webhook.Listens && err != nil {
		return a.missing(doctor.Secret, err)
	}
	padded := func(secret payments.Secret) bool { return strings.TrimSpace(secret.Reveal()) != secret.Reveal() }
	return doctor.NewReport(doctor.Secret, func(t i18n.Texts) (doctor.State, string, string) {
		switch {
		case slices.ContainsFunc(settings.Webhook.Secrets, padded):
			return doctor.Warn, t.Doctor.Given, t.Causes[payments.CauseOurWhiteSpace]
		case settings.Webhook.Listens:
			return doctor.OK, t.Doctor.Given, ""
		case err == nil:
			return doctor.Warn, t.Doctor.SpareSecret, t.Doctor.SpareSecretTodo
		}
		return doctor.OK, t.Doctor.SpareSecret, ""
	})
}

// serviceCheck looks at the payment service, without making an order, and at its
// clock.
func (a *App) serviceCheck(client *gateway.Client) doctor.Check {
	now := a.Now
	return func(ctx context.Context) []doctor.Report {
		visit, err := client.Visit(ctx, now)
		return doctor.OfService(visit, err, now())
	}
}

func (a *App) databaseCheck(shop *Shop) doctor.Check {
	return func(ctx context.Context) []doctor.Report {
		found, err := storage.Examine(ctx, shop.store)
		health, now := shop.Health(), a.Now()
		reports := []doctor.Report{a.databaseReport(found, err), doctor.OfClock(health, now, 0, time.Local)}
		if health.Shared {
			reports = append(reports, doctor.OfStore(health, now))
		}
		return reports
	}
}

func (a *App) databaseReport(found storage.Examination, err error) doctor.Report {
	const megabyte = 1e6
	return doctor.NewReport(doctor.Database, func(t i18n.Texts) (doctor.State, string, string) {
		switch {
		case err != nil:
			return doctor.Fail, t.Illness.Failing, payments.Clean(a.explain(err), MaxMessage)
		case found.Owner:
			return doctor.Warn, t.Doctor.Owner, t.Doctor.OwnerTodo
		case found.Version != "":
			return doctor.OK, t.Doctor.Server.With(found.Version), ""
		case found.Free > 0:
			return doctor.OK, t.Doctor.Room.With(i18n.Number(found.Free / megabyte)), ""
		}
		return doctor.OK, t.Health.Writing, ""
	})
}

// listenerCheck looks for the shop's listener on this machine: the one that runs, or
// else one of its own. That is a whole one: an event that comes must not be lost.
// Then it looks at the public address, which must lead there.
func (a *App) listenerCheck(ctx context.Context, settings settings.Settings, shop *Shop) doctor.Check {
	address := settings.Webhook.Listen
	if !settings.Webhook.Listens {
		return func(ctx context.Context) []doctor.Report {
			return append(a.publicCheck(settings, address, "")(ctx), doctor.OfListener(payments.Health{Listening: true}))
		}
	}
	bound, err := webhook.Bind(ctx, address)
	var listener *Listener
	switch {
	case err != nil:
	case shop != nil && len(settings.Webhook.Secrets) > 0:
		listener, err = shop.Listen(ctx, bound)
	default:
		_ = bound.Close()
	}
	return func(ctx context.Context) (reports []doctor.Report) {
		switch {
		case errors.As(err, new(*webhook.PortTakenError)):
			return a.askListener(ctx, settings, err)
		case listener == nil:
			return deaf(address, err)
		}
		_ = RunAll(ctx, func(ctx context.Context) error { // The parts say nothing that the checks do not.
			public := a.publicCheck(settings, listener.server.Addr(), listener.handler.ID())
			reports = slices.Concat(deaf(listener.server.Addr(), nil)[:2], public(ctx))
			return nil
		}, shop.BehindConsole()...)
		return reports
	}
}

// askListener asks the program that has the listener's port, as taken says: a till
// with the webhook's path, or another program.
func (a *App) askListener(ctx context.Context, settings settings.Settings, taken error) []doctor.Report {
	address := reachable(settings.Webhook.Listen)
	visit, err := gateway.Visit(ctx, a.Now, "http://"+address+settings.Webhook.Path)
	if err != nil || visit.Listener == "" || visit.Status != http.StatusOK {
		return deaf(address, taken)
	}
	health, err := webhook.ReadHealth(ctx, address)
	if err != nil {
		return deaf(address, taken)
	}
	reports := a.publicCheck(settings, address, visit.Listener)(ctx)
	return append(reports, doctor.OfListener(health), doctor.OfEvents(health, a.Now(), time.Local))
}

// deaf are the reports where no till listens: because of err, or because none runs.
func deaf(address string, err error) []doctor.Report {
	skipped := func(kind doctor.Kind, text func(t i18n.Texts) string) doctor.Report {
		return doctor.NewReport(kind, func(t i18n.Texts) (doctor.State, string, string) { return doctor.Skipped, text(t), "" })
	}
	listener := doctor.NewReport(doctor.Listener, func(t i18n.Texts) (doctor.State, string, string) {
		switch words := t.Doctor; {
		case errors.As(err, new(*webhook.PortTakenError)):
			return doctor.Fail, words.Taken.With(address), words.TakenTodo
		case err != nil:
			return doctor.Fail, words.NoListen.With(address), payments.Clean(err.Error(), MaxMessage)
		default:
			return doctor.OK, words.Free.With(address), ""
		}
	})
	return []doctor.Report{
		listener, skipped(doctor.Events, func(t i18n.Texts) string { return t.Doctor.NoTill }),
		skipped(doctor.Public, func(t i18n.Texts) string { return t.Doctor.Untried }),
	}
}

// publicCheck looks at the public address, if there is one: it must lead to a
// listener at an address of this machine, see [doctor.Way].
func (a *App) publicCheck(settings settings.Settings, address, listener string) doctor.Check {
	webhook := settings.Webhook
	way := doctor.Way{URL: webhook.PublicURL, Path: webhook.Path, Target: address, Listener: listener}
	return func(ctx context.Context) []doctor.Report {
		if way.URL == "" {
			return []doctor.Report{doctor.NewReport(doctor.Public, func(t i18n.Texts) (doctor.State, string, string) {
				return doctor.Warn, t.Doctor.NoPublic, t.Doctor.NoPublicTodo
			})}
		}
		visit, err := gateway.Visit(ctx, a.Now, way.URL+way.Path)
		return []doctor.Report{doctor.OfPublic(way, visit, err, a.Now())}
	}
}

// HealthChecks are the checks behind the screen Health, beside what the console
// knows of itself. A service on this machine needs no public address.
func (a *App) HealthChecks(shop *Shop, client *gateway.Client) []doctor.Check {
	checks := []doctor.Check{a.serviceCheck(client)}
	listener := shop.listener
	if listener != nil && (shop.Settings.Webhook.PublicURL != "" || !shop.Settings.Account.Local()) {
		checks = append(checks, a.publicCheck(shop.Settings, listener.server.Addr(), listener.handler.ID()))
	}
	return checks
}

func (a *App) terminalReport(settings settings.Settings) doctor.Report {
	const columns, rows = 80, 24
	styles := theme.ForTerminal(a.Out, a.Env, theme.Mode(settings.Counter.Theme))
	return doctor.NewReport(doctor.Terminal, func(t i18n.Texts) (doctor.State, string, string) {
		file, is := a.Out.(*os.File)
		if !is || !IsTerminal(file) {
			return doctor.Skipped, t.Doctor.NoTerminal, ""
		}
		width, height, err := term.GetSize(int(file.Fd()))
		text := t.Doctor.Window.With(width, height, i18n.Number(styles.Colours))
		switch {
		case err != nil:
			return doctor.Warn, err.Error(), ""
		case styles.ASCII():
			return doctor.Warn, text, t.Doctor.NoUTF8
		case width < columns || height < rows:
			return doctor.Warn, text, t.Doctor.Narrow
		}
		return doctor.OK, text, ""
	})
}
