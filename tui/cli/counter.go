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
	// is shown is certain.
	silenceLimit = 10 * time.Second
)

// OpenConsole opens the database of a console, and takes the till's name. One
// at a server is opened in the background, and beside it a file for the sales
// that are being entered: they can be entered while the server is away.
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
	open := func(ctx context.Context) (storage.Store, error) { return a.openClaimed(ctx, settings, logger) }
	shop := a.openApart(ctx, settings, caller, open, logger)
	shop.lock = lock
	if err := shop.late.begun(ctx, counterPatience); err != nil {
		shop.Close(&err)
		return nil, err
	}
	return shop, nil
}

// OpenDisplay opens the database for the customer's screen beside a console.
func (a *App) OpenDisplay(ctx context.Context, settings settings.Settings, logger *slog.Logger) (*Shop, error) {
	if !storage.Served(settings.Files.Database) {
		return a.OpenShop(ctx, settings, nil)
	}
	open := func(ctx context.Context) (storage.Store, error) {
		return a.openStore(ctx, settings, storage.WithLogger(logger))
	}
	shop := a.openApart(ctx, settings, nil, open, logger)
	if err := shop.late.begun(ctx, listenPatience); err != nil {
		shop.Close(&err)
		return nil, err
	}
	return shop, nil
}

// openApart opens a till's own sales, and its shop's database in the
// background. Where there is no place for the sales the database keeps them, as
// older versions did; whoever finds a place later takes them from there.
func (a *App) openApart(
	ctx context.Context, settings settings.Settings, caller payments.Gateway,
	open func(context.Context) (storage.Store, error), logger *slog.Logger,
) *Shop {
	late := openLate(ctx, open, logger)
	shop := &Shop{Settings: settings, store: late, late: late}
	var options []payments.Option
	drafts, err := openDrafts(ctx, settings)
	if err == nil {
		shop.drafts = drafts
		options = append(options, payments.WithDrafts(drafts))
	} else {
		logger.Error("no sale can be entered while the database is away", slog.String(LogFailure, err.Error()))
	}
	shop.Service = payments.New(late, caller, a.clockOf(late), options...)
	return shop
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

// claimed is a database with a till's name in it.
type claimed struct {
	storage.Store
	release func()
}

// Close gives the name back and closes the database.
func (c *claimed) Close() error {
	c.release()
	return c.Store.Close()
}

// Connection tells what [storage.ConnectionOf] does.
func (c *claimed) Connection() storage.Connection {
	connection, _ := storage.ConnectionOf(c.Store)
	return connection
}

// openClaimed opens a database and takes the till's name in it.
func (a *App) openClaimed(ctx context.Context, settings settings.Settings, logger *slog.Logger) (storage.Store, error) {
	store, err := a.openStore(ctx, settings, storage.WithLogger(logger))
	if err != nil {
		return nil, err
	}
	release, err := storage.ClaimTill(ctx, settings.Files.Database, settings.Counter.Till)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &claimed{store, release}, nil
}

// Health is what the console shows of the listener and the store. A database at
// a server that was not heard of for too long cannot be used, whatever it said
// before.
func (s *Shop) Health(listener *Listener) tui.Health {
	health := listener.health()
	if s.late == nil {
		return health
	}
	connection, heard := s.late.Connection(), s.store.Heard()
	health.Shared, health.Heard, health.Polls, health.Skew = true, heard, connection.Polls, connection.Skew
	if !heard.IsZero() {
		health.Heard = heard.Add(connection.Skew) // By the shop's clock.
	}
	if connection.Readable() {
		health.Readable = connection.SSLMode
	}
	if fault := s.late.away(); fault != nil && !storage.Away(fault) && !errors.Is(fault, errOpening) {
		health.Fault = payments.Clean(fault.Error(), MaxMessage)
	}
	health.StoreFailing = health.StoreFailing || time.Since(heard) > silenceLimit
	return health
}
