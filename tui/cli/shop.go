package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage"
	"checkout/till/storage/spool"
)

// shop is an open database with the rules of money on top of it.
type shop struct {
	settings storage.Settings
	store    storage.Store
	service  *payments.Service
	spool    *spool.Spool // Of its listener; nil without one.
	late     *lateStore   // Of a database that was away at the start; nil otherwise.
}

// openShop opens the database. caller makes the order calls; it may be nil
// where none is made.
func (a *app) openShop(ctx context.Context, settings storage.Settings, caller payments.Gateway) (*shop, error) {
	store, err := openStore(ctx, settings)
	if err != nil {
		return nil, err
	}
	return &shop{settings: settings, store: store, service: payments.New(store, caller, a.Now)}, nil
}

func openStore(ctx context.Context, settings storage.Settings) (storage.Store, error) {
	var options []storage.Option
	// Who deletes the demo's database wants to begin anew.
	if settings.Files.Database != settings.Files.Demo {
		options = append(options, storage.WithMarks(settings.Files.Marks))
	}
	return storage.Open(ctx, settings.Files.Database, options...)
}

// openShopLate opens the database for a listener that makes no orders. One
// whose server is away is opened when the server is there: who receives events
// must be there first.
func (a *app) openShopLate(ctx context.Context, settings storage.Settings, logger *slog.Logger) (*shop, error) {
	opened, err := a.openShop(ctx, settings, nil)
	if err == nil || !storage.Away(err) {
		return opened, err
	}
	open := func(ctx context.Context) (storage.Store, error) { return openStore(ctx, settings) }
	late := newLateStore(open, err, logger)
	return &shop{settings: settings, store: late, service: payments.New(late, nil, a.Now), late: late}, nil
}

// recover settles the orders of this till that a crash left in the middle of
// their call, so that their events find them. Only who has the till to itself
// may: calls of another program may be under way.
func (s *shop) recover(ctx context.Context) error {
	_, err := s.service.Recover(ctx, s.settings.Counter.Till)
	return err
}

// close closes the database and the spool, and adds their errors to the one
// there is.
func (s *shop) close(err *error) {
	if s.spool != nil {
		*err = errors.Join(*err, s.spool.Close())
	}
	*err = errors.Join(*err, s.store.Close())
}

// newClient returns the order call of the payment service.
func newClient(settings storage.Settings) (*gateway.Client, error) {
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
	for _, key := range storage.Keys() {
		if key.Name == name {
			return fmt.Errorf("%s is not set (%s): set it in the settings file, or as %s in the environment", name, what, key.Env())
		}
	}
	return fmt.Errorf("%s is not set", name)
}

// scheme returns how webhooks are signed. The settings have checked it.
func scheme(settings storage.Settings) gateway.Scheme {
	return gateway.Scheme(settings.Webhook.SignatureScheme)
}

// currentSecret returns the secret that signs webhooks now.
func currentSecret(settings storage.Settings) (payments.Secret, error) {
	if len(settings.Webhook.Secrets) == 0 {
		return payments.Secret{}, unset("webhook_secret", "copy it from the merchant area")
	}
	return settings.Webhook.Secrets[0], nil
}
