package cli

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"checkout/till/payments"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui"
)

const (
	// counterPatience is how long a console waits for its database before the
	// cashier can begin.
	counterPatience = time.Second
	// listenPatience is the same for who has nobody waiting.
	listenPatience = 15 * time.Second
	// silenceLimit is how long a database may be unheard of before nothing that
	// is shown is certain: what was paid for is to be unknown within ten.
	silenceLimit = 9 * time.Second
)

// OpenConsole opens the database of a console, and takes the till's name. One
// at a server may be away, and beside it is a file for the sales that are being
// entered: they can be entered meanwhile.
func (a *App) OpenConsole(
	ctx context.Context, settings settings.Settings, caller payments.Gateway, logger *slog.Logger,
) (*Shop, error) {
	if !storage.Served(settings.Files.Database) {
		return a.OpenShop(ctx, settings, caller)
	}
	lock, err := lockDrafts(settings)
	if err != nil {
		return nil, err
	}
	server := storage.Server{Till: settings.Counter.Till, Lazy: counterPatience, Logger: logger}
	shop, err := a.openShared(ctx, settings, caller, server)
	if err != nil {
		_ = lock.Release() // The system does it when the program ends.
		return nil, err
	}
	shop.lock = lock
	return shop, nil
}

// OpenDisplay opens the database for the customer's screen beside a console.
func (a *App) OpenDisplay(ctx context.Context, settings settings.Settings, logger *slog.Logger) (*Shop, error) {
	if !storage.Served(settings.Files.Database) {
		return a.OpenShop(ctx, settings, nil)
	}
	return a.openShared(ctx, settings, nil, storage.Server{Lazy: listenPatience, Logger: logger})
}

// openShared opens a till's own sales and its shop's database at a server. Where
// there is no place for the sales none can be entered while that is away.
func (a *App) openShared(
	ctx context.Context, settings settings.Settings, caller payments.Gateway, server storage.Server,
) (*Shop, error) {
	store, err := a.openStore(ctx, settings, server)
	if err != nil {
		return nil, err
	}
	drafts, err := openDrafts(ctx, settings)
	if err != nil {
		server.Logger.Error("no sale can be entered while the database is away", slog.String(LogFailure, err.Error()))
		return a.shopOf(settings, store, caller), nil
	}
	shop := a.shopOf(settings, store, caller, payments.WithDrafts(drafts))
	shop.drafts = drafts
	return shop, nil
}

// errNoPlace says that the machine names no folder for a till's own files.
var errNoPlace = errors.New("there is no folder for the till's own files: set HOME")

func openDrafts(ctx context.Context, settings settings.Settings) (storage.Store, error) {
	if settings.Files.Drafts == "" {
		return nil, errNoPlace
	}
	return storage.Open(ctx, settings.Files.Drafts)
}

// lockDrafts keeps a second console of the same name off this machine, also
// while the database is away and cannot.
func lockDrafts(settings settings.Settings) (*storage.ListenerLock, error) {
	if settings.Files.Drafts == "" {
		return &storage.ListenerLock{}, nil
	}
	return storage.Lock(settings.Files.Drafts)
}

// Health is what the console shows of the listener and the store. A database at
// a server that was not heard of for too long cannot be used, whatever it said
// before.
func (s *Shop) Health(listener *Listener) tui.Health {
	health := listener.health()
	connection, served := storage.ConnectionOf(s.store)
	if !served {
		return health
	}
	heard := s.store.Heard()
	health.Shared, health.Heard, health.Polls, health.Skew = true, heard, connection.Polls, connection.Skew
	if !heard.IsZero() {
		health.Heard = heard.Add(connection.Skew) // By the shop's clock.
	}
	if connection.Readable() {
		health.Readable = connection.SSLMode
	}
	if fault := storage.FaultOf(s.store); fault != nil && !storage.Away(fault) {
		health.Fault = payments.Clean(fault.Error(), MaxMessage)
	}
	health.StoreFailing = health.StoreFailing || time.Since(heard) > silenceLimit
	return health
}
