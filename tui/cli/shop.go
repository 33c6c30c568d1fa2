package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"gopkg.in/natefinch/lumberjack.v2"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/storage"
	"checkout/till/storage/outbox"
	"checkout/till/storage/settings"
)

// Shop is an open database with the rules of money on top of it.
type Shop struct {
	Settings settings.Settings
	Service  *payments.Service
	Logger   *slog.Logger
	// Background is what runs behind the listener and ends after it: sending what
	// waits in the outbox.
	Background []Part
	machine    payments.Clock // This machine's; see [Shop.Now].
	store      storage.Store
	client     *gateway.Client      // Makes its order calls; nil where none is made.
	outbox     *outbox.Outbox       // Of its listener; nil without one.
	listener   *Listener            // Nil without one.
	look       atomic.Pointer[look] // At the public address, the last one; nil for none.
	told       payments.Reach       // By a listener of another process; see [Shop.FindReach].
	closers    []func() error       // In the order in which things were opened.
}

// Need is what a command needs of the shop that it opens. The zero value is a
// database that answers at once.
type Need struct {
	Caller payments.Gateway // Makes the order calls; nil where none is made.
	Logger *slog.Logger     // Nil discards.
	// Console says that the terminal is taken, so that what is logged goes to the
	// file of the settings, and the till's name: no other console may have it.
	Console bool
	// Lazy is how long a database at a server is waited for, which may be away
	// when it is over. Zero where it must answer.
	Lazy time.Duration
	// Drafts says that sales are entered, also while the server is away: they are
	// in a file beside it then.
	Drafts bool
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

// OpenShop opens what a command needs of the shop of the settings, and locks the
// till's drafts beside a server. [Shop.Claim] locks the database's file.
func (a *App) OpenShop(ctx context.Context, settings settings.Settings, need Need) (_ *Shop, err error) {
	shop := &Shop{Settings: settings, Logger: cmp.Or(need.Logger, slog.New(slog.DiscardHandler)), machine: a.Now}
	defer func() {
		if err != nil {
			shop.Close(&err)
		}
	}()
	files := settings.Files
	served := storage.Served(files.Database)
	if need.Console {
		if err := shop.openLog(files.Log); err != nil {
			return nil, fmt.Errorf("open the log: %w", err)
		}
	}
	var where storage.Options
	where.Server.Clock = a.Now
	where.Server.Lazy = need.Lazy
	where.Server.Logger = shop.Logger
	if need.Console && served {
		// The drafts' lock keeps a second console of the same name off this machine,
		// also while the database is away and cannot.
		where.Server.Till = settings.Counter.Till
		if err := shop.lock(files.Drafts); err != nil {
			return nil, err
		}
	}
	// Who deletes the demo's database wants to begin anew.
	if files.Database != files.Demo {
		where.Marks = files.Marks
	}
	if shop.store, err = storage.Open(ctx, files.Database, where); err != nil {
		return nil, err
	}
	shop.closers = append(shop.closers, shop.store.Close)
	options := []payments.Option{payments.WithReach(shop.Reach)}
	if need.Drafts && served && files.Drafts != "" {
		drafts, err := storage.Open(ctx, files.Drafts, storage.Options{})
		if err != nil {
			shop.Logger.Error("no sale can be entered while the database is away", slog.String(LogFailure, err.Error()))
		} else {
			shop.closers = append(shop.closers, drafts.Close)
			options = append(options, payments.WithDrafts(drafts))
		}
	}
	shop.client, _ = need.Caller.(*gateway.Client)
	shop.Service = payments.New(shop.store, need.Caller, shop.Now, options...)
	return shop, nil
}

// Now returns the time by the shop's clock. All tills and listeners of a database
// server use the server's clock, so that they agree on what is late.
func (s *Shop) Now() time.Time {
	connection, _ := storage.ConnectionOf(s.store)
	return s.machine().Add(connection.Skew)
}

// lock keeps other consoles and listeners off a file until the shop is closed. A
// blank path is none.
func (s *Shop) lock(path string) error {
	if path == "" {
		return nil
	}
	release, err := storage.Lock(path)
	if err == nil {
		s.closers = append(s.closers, func() error { release(); return nil })
	}
	return err
}

// Health is what the console shows of the listener and the store. A database at
// a server that was not heard of for too long cannot be used, whatever it said
// before.
func (s *Shop) Health() payments.Health {
	health := payments.Health{Listening: true} // A console without a listener has nothing to say against it.
	if listener := s.listener; listener != nil {
		health = listener.handler.Health()
		health.Listening, health.Address = !listener.closed.Load(), listener.server.Addr()
	}
	if look := s.look.Load(); look != nil {
		health.Looked, health.LeadsHere = look.at, look.leadsHere
	}
	connection, served := storage.ConnectionOf(s.store)
	if s.client != nil && s.client.Ahead() != 0 {
		health.Ahead = s.client.Ahead() - connection.Skew
	}
	if !served {
		return health
	}
	health.Shared = true
	health.Polls = connection.Polls
	health.Skew = connection.Skew
	if !connection.Heard.IsZero() {
		health.Heard = connection.Heard.Add(connection.Skew) // By the shop's clock.
	}
	if connection.Readable() {
		health.Readable = connection.SSLMode
	}
	if connection.Fault != nil && !storage.Away(connection.Fault) {
		health.Fault = payments.Clean(connection.Fault.Error(), MaxMessage)
	}
	health.StoreDown = health.StoreDown || time.Since(connection.Heard) > silenceLimit
	return health
}

// Reach says whether a payment would be seen now.
func (s *Shop) Reach() payments.Reach {
	return cmp.Or(s.told, s.Health().Reach(s.Now()))
}

// Claim takes the database's file for itself until the shop is closed: a
// [*storage.LockedError] says that another console or listener has it. Then no call
// of this till is under way, and it settles the orders that a crash left in the
// middle of theirs, so that their events find them, and closes the sales that were
// charged. While the database is away the console does that later.
func (s *Shop) Claim(ctx context.Context) error {
	till := s.Settings.Counter.Till
	if database := s.Settings.Files.Database; !storage.Served(database) { // At a server it is shared.
		if err := s.lock(database); err != nil {
			return err
		}
		till = "" // It is the only till, and may have had another name.
	}
	_, err := s.Service.Recover(ctx, till)
	if connection, _ := storage.ConnectionOf(s.store); connection.Fault != nil {
		return nil //nolint:nilerr // The server is away, which is no fault of the till's.
	}
	return err
}

// Close closes what was opened, the last first, and adds the errors to the one
// there is.
func (s *Shop) Close(err *error) {
	for _, closes := range slices.Backward(s.closers) {
		*err = errors.Join(*err, closes())
	}
}

// NewClient returns the order call of the payment service.
func NewClient(settings settings.Settings) (*gateway.Client, error) {
	account := settings.Account
	switch {
	case account.BaseURL == "":
		return nil, &UnsetError{"base_url", "needs base_url"}
	case account.AccessToken.Empty():
		return nil, &UnsetError{"access_token", "needs merchant area"}
	}
	return gateway.NewClient(account.BaseURL, account.OrderPath, account.AccessToken, account.CheckoutHosts...)
}

// CurrentSecret returns the secret that signs webhooks now.
func CurrentSecret(settings settings.Settings) (payments.Secret, error) {
	if len(settings.Webhook.Secrets) == 0 {
		return payments.Secret{}, &UnsetError{"webhook_secret", "needs merchant area"}
	}
	return settings.Webhook.Secrets[0], nil
}

// WithSettings makes of what a command does what cobra runs: the settings are
// loaded before it.
func (a *App) WithSettings(
	do func(ctx context.Context, settings settings.Settings, arguments []string) error,
) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, arguments []string) error {
		settings, err := a.Settings()
		if err != nil {
			return err
		}
		return do(command.Context(), settings, arguments)
	}
}

// InShop makes of what a command does in the shop of the settings what cobra
// runs: the database is opened before and closed after it.
func (a *App) InShop(do func(ctx context.Context, shop *Shop, arguments []string) error) func(*cobra.Command, []string) error {
	return a.WithSettings(func(ctx context.Context, settings settings.Settings, arguments []string) error {
		return a.WithShop(ctx, settings, Need{}, func(ctx context.Context, shop *Shop) error {
			return do(ctx, shop, arguments)
		})
	})
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

// Orders returns the first orders of a query for which fits returns true, at most as
// many as the query's limit. A nil fits accepts all. It reads page by page.
func (s *Shop) Orders(ctx context.Context, query payments.Query, fits func(payments.Order) bool) ([]payments.Order, error) {
	const page = 1000 // The store returns at most so many at once.
	var orders []payments.Order
	limit := query.Limit
	query.Limit = min(limit, page)
	for {
		found, err := s.Service.Orders(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("list orders: %w", err)
		}
		for _, order := range found {
			if fits == nil || fits(order) {
				orders = append(orders, order)
			}
			if len(orders) == limit {
				return orders, nil
			}
		}
		if len(found) < query.Limit {
			return orders, nil
		}
		query.Before = found[len(found)-1].Reference
	}
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
	if _, port, err := net.SplitHostPort(webhook.Listen); err != nil || port == "0" {
		return "", fmt.Errorf("nobody knows the port of the listener when the setting is %s", webhook.Listen)
	}
	return "http://" + Reachable(webhook.Listen) + webhook.Path, nil
}

// CheckURL refuses the value of a flag that is no address of HTTP. A blank one is
// none.
func CheckURL(flag, text string) error {
	address, err := url.Parse(text)
	if text != "" && (err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "") {
		return Misused("%s: %q is not an http or https address", flag, Shown(text))
	}
	return nil
}

// Reachable returns an address to listen on as one to connect to: every address of
// the machine becomes loopback.
func Reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if address := net.ParseIP(host); err == nil && (host == "" || address != nil && address.IsUnspecified()) {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return listen
}

// ReadInput reads a file that somebody named on the command line, or standard
// input for "-".
func (a *App) ReadInput(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(a.In)
	}
	return os.ReadFile(path)
}

// NewLogger returns a logger that writes lines of text.
func NewLogger(out io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(out, nil)) }

// The keys of the log.
const (
	LogFailure = "failure" // Its text.
	logAddress = "address"
	logEvents  = "events"
	logOldest  = "oldest"
	logFile    = "file"
)

// openLog opens the file into which the console logs, for the terminal is
// taken: at most 5 MiB, and one older file beside it. Without a place for it
// nothing is logged.
func (s *Shop) openLog(path string) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file := &lumberjack.Logger{Filename: path, MaxSize: 5, MaxBackups: 1}
	if _, err := file.Write(nil); err != nil { // It is opened by the first write.
		return err
	}
	s.Logger, s.closers = NewLogger(file), append(s.closers, file.Close)
	return nil
}
