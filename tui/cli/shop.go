package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage"
	"checkout/till/storage/outbox"
	"checkout/till/storage/settings"
	"checkout/till/tui"
)

// Shop is an open database with the rules of money on top of it.
type Shop struct {
	Settings settings.Settings
	Service  *payments.Service
	store    storage.Store
	outbox   *outbox.Outbox    // Of its listener; nil without one.
	drafts   storage.Store     // Of the sales that are being entered; nil where the database has them.
	lock     *storage.FileLock // On the drafts; nil without any.
}

// Need is what a command needs of the shop that it opens. The zero value is a
// database that answers at once.
type Need struct {
	Caller payments.Gateway // Makes the order calls; nil where none is made.
	Logger *slog.Logger
	// Lazy is how long a database at a server is waited for, which may be away
	// when it is over. Zero where it must answer.
	Lazy time.Duration
	// Drafts says that sales are entered, also while the server is away: they are
	// in a file beside it then.
	Drafts bool
	// Till says that the till's name is taken: no other console may have it.
	Till bool
}

const (
	// CounterPatience is how long a console waits for its database before the
	// cashier can begin.
	CounterPatience = time.Second
	// ListenPatience is the same for who has nobody waiting.
	ListenPatience = 15 * time.Second
	// silenceLimit is how long a database may be unheard of before nothing that
	// is shown is certain: what was paid for is to be unknown within ten.
	silenceLimit = 9 * time.Second
)

// OpenShop opens the database of the settings.
func (a *App) OpenShop(ctx context.Context, settings settings.Settings, need Need) (*Shop, error) {
	shop := &Shop{Settings: settings}
	server := storage.Server{Clock: a.Now, Lazy: need.Lazy, Logger: need.Logger}
	served := storage.Served(settings.Files.Database)
	if need.Till && served {
		server.Till = settings.Counter.Till
		if err := shop.lockDrafts(); err != nil {
			return nil, err
		}
	}
	storeOptions := []storage.Option{storage.WithServer(server)}
	// Who deletes the demo's database wants to begin anew.
	if settings.Files.Database != settings.Files.Demo {
		storeOptions = append(storeOptions, storage.WithMarks(settings.Files.Marks))
	}
	store, err := storage.Open(ctx, settings.Files.Database, storeOptions...)
	if err != nil {
		shop.unlock()
		return nil, err
	}
	shop.store = store
	var options []payments.Option
	if need.Drafts && served {
		if shop.drafts, err = openDrafts(ctx, settings); err != nil {
			need.Logger.Error("no sale can be entered while the database is away", slog.String(LogFailure, err.Error()))
		} else {
			options = append(options, payments.WithDrafts(shop.drafts))
		}
	}
	a.followClock(store)
	shop.Service = payments.New(store, need.Caller, a.Now, options...)
	return shop, nil
}

// openDrafts opens the file of the sales that are being entered.
func openDrafts(ctx context.Context, settings settings.Settings) (storage.Store, error) {
	if settings.Files.Drafts == "" {
		return nil, errors.New("there is no folder for the till's own files: set HOME")
	}
	return storage.Open(ctx, settings.Files.Drafts)
}

// lockDrafts keeps a second console of the same name off this machine, also
// while the database is away and cannot.
func (s *Shop) lockDrafts() (err error) {
	if s.Settings.Files.Drafts != "" {
		s.lock, err = storage.Lock(s.Settings.Files.Drafts)
	}
	return err
}

func (s *Shop) unlock() {
	if s.lock != nil {
		_ = s.lock.Release() // The system does it when the program ends.
	}
}

// followClock makes the shop's clock that of the program: at a server the
// server's, for the tills and the listeners of the shop judge by it together what
// is late.
func (a *App) followClock(store storage.Store) {
	machine := a.Now
	if _, served := storage.ConnectionOf(store); served {
		a.Now = func() time.Time {
			connection, _ := storage.ConnectionOf(store)
			return machine().Add(connection.Skew)
		}
	}
}

// Health is what the console shows of the listener, nil for none, and the store.
// A database at a server that was not heard of for too long cannot be used,
// whatever it said before.
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
	health.StoreDown = health.StoreDown || time.Since(heard) > silenceLimit
	return health
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
	s.unlock()
}

// NewClient returns the order call of the payment service.
func NewClient(settings settings.Settings) (*gateway.Client, error) {
	account := settings.Account
	switch {
	case account.BaseURL == "":
		return nil, unset("base_url", "needs base_url")
	case account.AccessToken.Empty():
		return nil, unset("access_token", "needs merchant area")
	}
	return gateway.NewClient(account.BaseURL, account.OrderPath, account.AccessToken,
		gateway.WithCheckoutHosts(account.CheckoutHosts))
}

// Scheme returns how webhooks are signed. The settings have checked it.
func Scheme(settings settings.Settings) gateway.Scheme {
	return gateway.Scheme(settings.Webhook.SignatureScheme)
}

// CurrentSecret returns the secret that signs webhooks now.
func CurrentSecret(settings settings.Settings) (payments.Secret, error) {
	if len(settings.Webhook.Secrets) == 0 {
		return payments.Secret{}, unset("webhook_secret", "needs merchant area")
	}
	return settings.Webhook.Secrets[0], nil
}

// InShop makes of what a command does in the shop of the settings what cobra
// runs: the database is opened before and closed after it.
func (a *App) InShop(do func(ctx context.Context, shop *Shop, arguments []string) error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, arguments []string) error {
		settings, err := a.Settings()
		if err != nil {
			return err
		}
		return a.WithShop(command.Context(), settings, Need{}, func(ctx context.Context, shop *Shop) error {
			return do(ctx, shop, arguments)
		})
	}
}

// WithShop opens a shop, does something in it and closes it.
func (a *App) WithShop(
	ctx context.Context, settings settings.Settings, need Need, do func(ctx context.Context, shop *Shop) error,
) (err error) {
	shop, err := a.OpenShop(ctx, settings, need)
	if err != nil {
		return err
	}
	defer shop.Close(&err)
	return do(ctx, shop)
}

// MaxPage is how many orders the store gives at once.
const MaxPage = 1000

// Orders reads as many orders as the query limits, page by page, of those that
// fit; nil fits all.
func (s *Shop) Orders(ctx context.Context, query payments.Query, fits func(payments.Order) bool) ([]payments.Order, error) {
	var orders []payments.Order
	limit := query.Limit
	for query.Limit = MaxPage; len(orders) < limit; {
		if fits == nil {
			query.Limit = min(limit-len(orders), MaxPage)
		}
		found, err := s.Service.Orders(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("list orders: %w", err)
		}
		for _, order := range found {
			if fits == nil || fits(order) {
				orders = append(orders, order)
			}
		}
		if len(found) < query.Limit {
			break
		}
		query.Before = found[len(found)-1].Reference
	}
	return orders[:min(len(orders), limit)], nil
}

// SayWhereDemo says where the demo's sales are, to who finds none in the shop's
// database: without an account till opens the demo, which has a database of its
// own.
func (a *App) SayWhereDemo(settings settings.Settings) {
	_, err := os.Stat(settings.Files.Demo)
	if err != nil || settings.Account.BaseURL != "" || settings.Files.Database == settings.Files.Demo {
		return
	}
	a.Say("%s", a.Texts.Shell.DemoApart.With(a.UnderHome(settings.Files.Demo)))
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

// OpenFile opens a file that somebody named on the command line; one that is not
// there is an error with advice.
func (a *App) OpenFile(path string) (*os.File, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New(a.Texts.Shell.NoFile.With(Shown(path)))
	}
	return file, err
}
