package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/storage/spool"
)

// shop is an open database with the rules of money on top of it.
type shop struct {
	settings settings.Settings
	store    storage.Store
	service  *payments.Service
	spool    *spool.Spool          // Of its listener; nil without one.
	late     *lateStore            // Of a database that may be away at the start; nil otherwise.
	drafts   storage.Store         // Of the sales that are being entered; nil where the database has them.
	lock     *storage.ListenerLock // On the drafts; nil without any.
}

// openShop opens the database. caller makes the order calls; it may be nil
// where none is made.
func (a *app) openShop(ctx context.Context, settings settings.Settings, caller payments.Gateway) (*shop, error) {
	store, err := a.openStore(ctx, settings)
	if err != nil {
		return nil, err
	}
	return &shop{settings: settings, store: store, service: payments.New(store, caller, a.clockOf(store))}, nil
}

// clockOf returns a shop's clock. At a server it is the server's, for the tills
// and the listeners of the shop judge by it together what is late.
func (a *app) clockOf(store storage.Store) payments.Clock {
	return func() time.Time {
		connection, _ := storage.ConnectionOf(store)
		return a.Now().Add(connection.Skew)
	}
}

func (a *app) openStore(ctx context.Context, settings settings.Settings, options ...storage.Option) (storage.Store, error) {
	options = append(options, storage.WithClock(a.Now))
	// Who deletes the demo's database wants to begin anew.
	if settings.Files.Database != settings.Files.Demo {
		options = append(options, storage.WithMarks(settings.Files.Marks))
	}
	return storage.Open(ctx, settings.Files.Database, options...)
}

// openShopLate opens the database for a listener that makes no orders. One
// whose server is away is opened when the server is there: who receives events
// must be there first.
func (a *app) openShopLate(ctx context.Context, settings settings.Settings, logger *slog.Logger) (*shop, error) {
	if !storage.Served(settings.Files.Database) {
		return a.openShop(ctx, settings, nil)
	}
	open := func(ctx context.Context) (storage.Store, error) {
		return a.openStore(ctx, settings, storage.WithLogger(logger))
	}
	late := openLate(ctx, open, logger)
	if err := late.begun(ctx, listenPatience); err != nil {
		return nil, errors.Join(err, late.Close())
	}
	return &shop{settings: settings, store: late, service: payments.New(late, nil, a.clockOf(late)), late: late}, nil
}

// recover settles the orders of this till that a crash left in the middle of
// their call, so that their events find them, and makes its sales and the
// database agree. Only who has the till to itself may: calls of another program
// may be under way. While the database is away the console does it later.
func (s *shop) recover(ctx context.Context) error {
	if s.late != nil && s.late.away() != nil {
		return nil //nolint:nilerr // It is no fault of the till's.
	}
	_, err := s.service.Recover(ctx, s.settings.Counter.Till)
	if err == nil {
		_, err = s.service.Gather(ctx, s.settings.Counter.Till)
	}
	if s.late != nil && storage.Away(err) {
		return nil
	}
	return err
}

// close closes the databases and the spool, and adds their errors to the one
// there is.
func (s *shop) close(err *error) {
	if s.spool != nil {
		*err = errors.Join(*err, s.spool.Close())
	}
	*err = errors.Join(*err, s.store.Close())
	if s.drafts != nil {
		*err = errors.Join(*err, s.drafts.Close())
	}
	if s.lock != nil {
		_ = s.lock.Release() // The system does it when the program ends.
	}
}

// newClient returns the order call of the payment service.
func newClient(settings settings.Settings) (*gateway.Client, error) {
	account := settings.Account
	switch {
	case account.BaseURL == "":
		return nil, unset("base_url", "the address of the payment service")
	case account.AccessToken.Empty():
		return nil, unset("access_token", "copy it from the merchant area")
	}
	return gateway.NewClient(account.BaseURL, account.OrderPath, account.AccessToken,
		gateway.WithCheckoutHosts(account.CheckoutHosts))
}

// unset says that a setting is needed, and how it is set.
func unset(name, what string) error {
	for _, key := range settings.Keys() {
		if key.Name == name {
			return fmt.Errorf("%s is not set (%s): set it in the settings file, or as %s in the environment", name, what, key.Env())
		}
	}
	return fmt.Errorf("%s is not set", name)
}

// scheme returns how webhooks are signed. The settings have checked it.
func scheme(settings settings.Settings) gateway.Scheme {
	return gateway.Scheme(settings.Webhook.SignatureScheme)
}

// currentSecret returns the secret that signs webhooks now.
func currentSecret(settings settings.Settings) (payments.Secret, error) {
	if len(settings.Webhook.Secrets) == 0 {
		return payments.Secret{}, unset("webhook_secret", "copy it from the merchant area")
	}
	return settings.Webhook.Secrets[0], nil
}
