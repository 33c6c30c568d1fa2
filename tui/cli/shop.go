package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage"
	"checkout/till/storage/outbox"
	"checkout/till/storage/settings"
)

// Shop is an open database with the rules of money on top of it.
type Shop struct {
	Settings settings.Settings
	store    storage.Store
	Service  *payments.Service
	Now      payments.Clock        // At a server it is the server's, by which tills and listeners judge together what is late.
	outbox   *outbox.Outbox        // Of its listener; nil without one.
	drafts   storage.Store         // Of the sales that are being entered; nil where the database has them.
	lock     *storage.ListenerLock // On the drafts; nil without any.
}

// OpenShop opens the database. caller makes the order calls; it may be nil
// where none is made.
func (a *App) OpenShop(ctx context.Context, settings settings.Settings, caller payments.Gateway) (*Shop, error) {
	store, err := a.openStore(ctx, settings, storage.Server{})
	if err != nil {
		return nil, err
	}
	return a.shopOf(settings, store, caller), nil
}

// shopOf returns a shop on a store, with the clock that all of it goes by.
func (a *App) shopOf(settings settings.Settings, store storage.Store, caller payments.Gateway, options ...payments.Option) *Shop {
	now := payments.Clock(a.Now)
	if _, served := storage.ConnectionOf(store); served {
		now = func() time.Time {
			connection, _ := storage.ConnectionOf(store)
			return a.Now().Add(connection.Skew)
		}
	}
	return &Shop{Settings: settings, store: store, Now: now, Service: payments.New(store, caller, now, options...)}
}

func (a *App) openStore(ctx context.Context, settings settings.Settings, server storage.Server) (storage.Store, error) {
	server.Clock = a.Now
	options := []storage.Option{storage.WithServer(server)}
	// Who deletes the demo's database wants to begin anew.
	if settings.Files.Database != settings.Files.Demo {
		options = append(options, storage.WithMarks(settings.Files.Marks))
	}
	return storage.Open(ctx, settings.Files.Database, options...)
}

// OpenListener opens the database for a listener that makes no orders. One at a
// server may be away: who receives events must be there first.
func (a *App) OpenListener(ctx context.Context, settings settings.Settings, logger *slog.Logger) (*Shop, error) {
	store, err := a.openStore(ctx, settings, storage.Server{Lazy: listenPatience, Logger: logger})
	if err != nil {
		return nil, err
	}
	return a.shopOf(settings, store, nil), nil
}

// Recover settles the orders of this till that a crash left in the middle of
// their call, so that their events find them, and closes its sales that were
// charged. Only who has the till to itself may: calls of another program
// may be under way. While the database is away the console does it later.
func (s *Shop) Recover(ctx context.Context) error {
	_, err := s.Service.Recover(ctx, s.Settings.Counter.Till)
	if storage.FaultOf(s.store) != nil {
		return nil //nolint:nilerr // The server is away, which is no fault of the till's.
	}
	return err
}

// Close closes the databases and the spool, and adds their errors to the one
// there is.
func (s *Shop) Close(err *error) {
	if s.outbox != nil {
		*err = errors.Join(*err, s.outbox.Close())
	}
	*err = errors.Join(*err, s.store.Close())
	if s.drafts != nil {
		*err = errors.Join(*err, s.drafts.Close())
	}
	if s.lock != nil {
		_ = s.lock.Release() // The system does it when the program ends.
	}
}

// NewClient returns the order call of the payment service.
func NewClient(settings settings.Settings) (*gateway.Client, error) {
	account := settings.Account
	switch {
	case account.BaseURL == "":
		return nil, Unset("base_url", "the address of the payment service")
	case account.AccessToken.Empty():
		return nil, Unset("access_token", "copy it from the merchant area")
	}
	return gateway.NewClient(account.BaseURL, account.OrderPath, account.AccessToken,
		gateway.WithCheckoutHosts(account.CheckoutHosts))
}

// Unset says that a setting is needed, and how it is set.
func Unset(name, what string) error {
	for _, key := range settings.Keys() {
		if key.Name == name {
			return fmt.Errorf("%s is not set (%s): set it in the settings file, or as %s in the environment", name, what, key.Env())
		}
	}
	return fmt.Errorf("%s is not set", name)
}

// Scheme returns how webhooks are signed. The settings have checked it.
func Scheme(settings settings.Settings) gateway.Scheme {
	return gateway.Scheme(settings.Webhook.SignatureScheme)
}

// CurrentSecret returns the secret that signs webhooks now.
func CurrentSecret(settings settings.Settings) (payments.Secret, error) {
	if len(settings.Webhook.Secrets) == 0 {
		return payments.Secret{}, Unset("webhook_secret", "copy it from the merchant area")
	}
	return settings.Webhook.Secrets[0], nil
}

// WithShop opens the shop of the settings for a command, and closes it.
func (a *App) WithShop(ctx context.Context, do func(ctx context.Context, shop *Shop) error) error {
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	return a.WithShopOf(ctx, settings, nil, do)
}

// WithShopOf is withShop with settings that were read, and with who makes the
// order calls; nil where none is made.
func (a *App) WithShopOf(
	ctx context.Context, settings settings.Settings, caller payments.Gateway, do func(ctx context.Context, shop *Shop) error,
) (err error) {
	shop, err := a.OpenShop(ctx, settings, caller)
	if err != nil {
		return err
	}
	defer shop.Close(&err)
	return do(ctx, shop)
}

// MaxPage is how many orders the store gives at once.
const MaxPage = 1000

// Orders reads as many orders as the query limits, page by page.
func (s *Shop) Orders(ctx context.Context, query payments.Query) ([]payments.Order, error) {
	var orders []payments.Order
	for left := query.Limit; left > 0; left = query.Limit - len(orders) {
		page := query
		page.Limit = min(left, MaxPage)
		if len(orders) > 0 {
			page.Before = orders[len(orders)-1].Reference
		}
		found, err := s.Service.Orders(ctx, page)
		if err != nil {
			return nil, fmt.Errorf("list orders: %w", err)
		}
		orders = append(orders, found...)
		if len(found) < page.Limit {
			break
		}
	}
	return orders, nil
}

// SayWhereDemo says where the demo's sales are, to who finds none in the shop's
// database: without an account till opens the demo, which has a database of its
// own.
func (a *App) SayWhereDemo(settings settings.Settings) {
	_, err := os.Stat(settings.Files.Demo)
	if err != nil || settings.Account.BaseURL != "" || settings.Files.Database == settings.Files.Demo {
		return
	}
	a.Say("the demo keeps its sales apart: add --database %s", a.UnderHome(settings.Files.Demo))
}

// UnderHome writes a path as a person would, from the home folder on.
func (a *App) UnderHome(path string) string {
	home := a.Env("HOME")
	if rest, under := strings.CutPrefix(path, home+string(filepath.Separator)); under && home != "" {
		return filepath.Join("~", rest)
	}
	return path
}

// WebhookURL returns the address that the payment service calls, or else the
// listener's on this machine.
func WebhookURL(settings settings.Settings) (string, error) {
	webhook := settings.Webhook
	if webhook.PublicURL != "" {
		return webhook.PublicURL + webhook.Path, nil
	}
	host, port, err := net.SplitHostPort(webhook.Listen)
	if err != nil || port == "0" {
		return "", fmt.Errorf("nobody knows the port of the listener when the setting is %s", webhook.Listen)
	}
	if address := net.ParseIP(host); host == "" || (address != nil && address.IsUnspecified()) {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + webhook.Path, nil
}
