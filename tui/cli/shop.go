package cli

import (
	"context"
	"errors"
	"fmt"

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
}

// openShop opens the database. caller makes the order calls; it may be nil
// where none is made.
func (a *app) openShop(ctx context.Context, settings storage.Settings, caller payments.Gateway) (*shop, error) {
	var options []storage.Option
	// Who deletes the demo's database wants to begin anew.
	if settings.Files.Database != settings.Files.Demo {
		options = append(options, storage.WithMarks(settings.Files.Marks))
	}
	store, err := storage.Open(ctx, settings.Files.Database, options...)
	if err != nil {
		return nil, err
	}
	return &shop{settings: settings, store: store, service: payments.New(store, caller, a.Now)}, nil
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
