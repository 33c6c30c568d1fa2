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

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/drawer"
	"checkout/till/payments/gateway"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/outbox"
	"checkout/till/storage/settings"
	"checkout/till/tui/doctor"
)

// Shop is an open database with the services of a shop.
type Shop struct {
	Settings settings.Settings
	Service  *drawer.Service
	Logger   *slog.Logger
	// Parts that run as long as the listener and stop after it: the outbox, if the settings name
	// one.
	Background []Part
	machine    payments.Clock // This machine's clock.
	store      storage.Store
	client     *gateway.Client // Nil in a command without order calls.
	outbox     *outbox.Outbox
	listener   *Listener                      // Nil unless this process runs the listener.
	look       atomic.Pointer[look]           // Last check of the public address; nil before the first check.
	told       atomic.Pointer[payments.Reach] // Result of [Shop.FindReach] from a listener in another process; nil if unknown.
	closers    []func() error
}

// Need lists what a command needs from the shop. With the zero value, it needs only a database that
// is available at the start.
type Need struct {
	Caller payments.Gateway // Makes the order calls; nil in a command without order calls.
	Logger *slog.Logger     // Nil discards the log.
	// Console means that the command is a console. Its shop logs to a file, because the console
	// occupies the terminal. On a database server, the shop also refuses a second console of the till.
	Console bool
	// How long to wait for a database server at the start before the shop opens without it. If Lazy
	// is 0, an unavailable server is an error.
	Lazy time.Duration
	// Keeps unfinished sales in a local file, so that sales can be entered while the database
	// server is unavailable.
	Drafts bool
	// How far the clock of a new demo is ahead of this machine's clock; the demo's database stores
	// it.
	Ahead time.Duration
}

const (
	// CounterPatience is how long a console waits for its database server at the start. It is
	// short, because the cashier waits, too.
	CounterPatience = time.Second
	// ListenPatience is how long a listener waits for its database server at the start.
	ListenPatience = 15 * time.Second
	// silenceLimit is how long the database server may be silent before it counts as down. After at
	// most ten seconds of silence, the till must show payment results as unknown.
	silenceLimit = 9 * time.Second
)

// OpenShop opens the parts of the shop that a command needs. For a console on a database server it
// locks the local file with the till's unfinished sales. For a database in a file, call
// [Shop.LockAndRecover] to lock that file.
func (a *App) OpenShop(ctx context.Context, settings settings.Settings, need Need) (_ *Shop, err error) {
	shop := &Shop{Settings: settings, Logger: cmp.Or(need.Logger, slog.New(slog.DiscardHandler)), machine: a.Now}
	defer func() {
		if err != nil {
			err = errors.Join(err, shop.Close())
		}
	}()
	files := settings.Files
	served := storage.IsPostgres(files.Database)
	if need.Console {
		if err := shop.openLog(files.Log); err != nil {
			return nil, fmt.Errorf("open the log: %w", err)
		}
	}
	var where storage.Options
	where.Ahead = need.Ahead
	where.Server.Clock = a.Now
	where.Server.Lazy = need.Lazy
	where.Server.Logger = shop.Logger
	if need.Console && served {
		// The database server prevents two consoles with the same till name only while it is
		// available. The lock on the local drafts file prevents them on this machine.
		where.Server.Till = settings.Counter.Till
		if err := shop.lock(files.Drafts); err != nil {
			return nil, err
		}
	}
	// Marks records which databases were created, so that Open fails if one was deleted. The demo
	// has no marks: a person who deletes its database wants a new one.
	if files.Database != files.Demo {
		where.Marks = files.Marks
	}
	if shop.store, err = storage.Open(ctx, files.Database, where); err != nil {
		return nil, err
	}
	shop.closers = append(shop.closers, shop.store.Close)
	begun := a.Now()
	options := []payments.Option{
		payments.WithReach(shop.Reach), payments.WithTill(settings.Counter.Till),
		payments.WithStopwatch(func() time.Duration { return a.Now().Sub(begun) }), // Not [Shop.Now]: its offset changes.
	}
	if a.PINRounds > 0 {
		options = append(options, payments.WithPINIterations(a.PINRounds))
	}
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
	shop.Service = drawer.New(shop.store, payments.New(shop.store, need.Caller, shop.Now, options...))
	shop.Service.BlindCount = settings.Counter.BlindCount
	shop.Service.CreditLimit = money.Ariary(settings.Counter.CreditLimit)
	shop.Service.DayBegins = settings.Counter.DayBegins
	if need.Console {
		// Ignore any other error: each change that needs the till's name checks it, too.
		err = shop.Service.HoldTill(ctx, settings.Counter.Till)
		if _, refused := errors.AsType[*payments.TillError](err); refused {
			return nil, err
		}
	}
	return shop, nil
}

// Now returns the time on the shop's clock: the database server's clock, or else this machine's
// clock. A demo's clock keeps the [Need.Ahead] with which its database was created.
func (s *Shop) Now() time.Time {
	connection, _ := storage.ConnectionOf(s.store)
	return s.machine().Add(connection.Skew)
}

// Store returns the shop's database. The demo fills it with a sample day.
func (s *Shop) Store() drawer.Store { return s.store }

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

// Health returns the state of the listener and the store. A database server that was silent for too
// long counts as down.
func (s *Shop) Health() payments.Health {
	health := payments.Health{Listening: true} // Assume that a listener in another process runs.
	if listener := s.listener; listener != nil {
		health = listener.handler.Health()
		health.Listening, health.Address = !listener.closed.Load(), listener.server.Addr()
		if listener.fetches != nil {
			health.Relay = listener.fetches.state()
		}
	}
	if look := s.look.Load(); look != nil {
		health.Looked, health.LeadsHere = look.at, look.leadsHere
	}
	health.Outbox = s.outboxState()
	connection, served := storage.ConnectionOf(s.store)
	if s.client != nil && s.client.Ahead() != 0 {
		health.Ahead = s.client.Ahead() - connection.Skew
	}
	if !served {
		return health
	}
	health.Shared = true
	health.Listeners = connection.Listeners
	health.Polls = connection.Polls
	health.Skew = connection.Skew
	if !connection.Heard.IsZero() {
		health.Heard = connection.Heard.Add(connection.Skew) // Convert from this machine's clock to the shop's.
	}
	if connection.Readable() {
		health.Readable = connection.SSLMode
	}
	if fault := connection.Fault; fault != nil && (!storage.Away(fault) || errors.Is(fault, storage.ErrCrowded) || storage.Closed(fault)) {
		health.Fault = clean.Text(connection.Fault.Error(), MaxMessage)
	}
	health.StoreDown = health.StoreDown || time.Since(connection.Heard) > silenceLimit
	return health
}

// Calls returns the newest order calls since the start, oldest first, with times on the shop's
// clock.
func (s *Shop) Calls() []payments.Call {
	if s.client == nil {
		return nil
	}
	calls := s.client.Calls()
	connection, _ := storage.ConnectionOf(s.store)
	for i := range calls {
		calls[i].At = calls[i].At.Add(connection.Skew)
	}
	return calls
}

// Reach returns whether the shop would see a payment now.
func (s *Shop) Reach() payments.Reach {
	if told := s.told.Load(); told != nil && *told != "" {
		return *told
	}
	return s.Health().Reach(s.Now())
}

func (s *Shop) picture(ctx context.Context) doctor.Picture {
	picture := doctor.Picture{Health: s.Health(), Reach: s.Reach(), Now: s.Now(), Zone: time.Local}
	if !picture.Reach.Conditions().StoreDown {
		picture.Orphans, _ = s.Service.WithoutOrder(ctx, money.Period{})
	}
	return picture
}

// findings returns the problems of the shop for the listener's /healthz and /metrics.
func (s *Shop) findings(ctx context.Context) (problems []webhook.Finding) {
	const patience = time.Second // Time for the findings that need the database.
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	texts := i18n.Load("en") // The listener does not report the texts.
	found := append(doctor.Findings(texts, s.picture(ctx)), backupCheck(s)(ctx)(texts)...)
	for _, finding := range doctor.Join(texts, found) {
		if finding.Bad() {
			problems = append(problems, webhook.Finding{Code: string(finding.Code), Check: string(finding.Check), State: string(finding.State)})
		}
	}
	return problems
}

// LockAndRecover locks a database file until the shop is closed; a file that is already locked is a
// [*storage.LockedError]. For a database server, it runs [payments.Service.Recover] instead. An
// unavailable server is no error.
func (s *Shop) LockAndRecover(ctx context.Context) error {
	if database := s.Settings.Files.Database; !storage.IsPostgres(database) {
		return s.lock(database)
	}
	_, err := s.Service.Recover(ctx, s.Settings.Counter.Till)
	if connection, _ := storage.ConnectionOf(s.store); connection.Fault != nil {
		return nil //nolint:nilerr // The server is unavailable; the console retries.
	}
	return err
}

// Close closes what the shop has opened, in reverse order.
func (s *Shop) Close() (err error) {
	for _, closes := range slices.Backward(s.closers) {
		err = errors.Join(err, closes())
	}
	return err
}

// NewClient returns a client for the payment service with the account in the settings. If the
// address or the token is not set, it returns an [*UnsetError].
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

// CurrentSecret returns the first webhook secret in the settings. If there is none, it returns an
// [*UnsetError].
func CurrentSecret(settings settings.Settings) (secret.Text, error) {
	if len(settings.Webhook.Secrets) == 0 {
		return secret.Text{}, &UnsetError{"webhook_secret", "needs merchant area"}
	}
	return settings.Webhook.Secrets[0], nil
}

// WithSettings returns a function for cobra that loads the settings and calls do.
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

// InShop returns a function for cobra that opens the shop, calls do and closes the shop.
func (a *App) InShop(do func(ctx context.Context, shop *Shop, arguments []string) error) func(*cobra.Command, []string) error {
	return a.WithSettings(func(ctx context.Context, settings settings.Settings, arguments []string) error {
		return a.WithShop(ctx, settings, Need{}, func(ctx context.Context, shop *Shop) error {
			return do(ctx, shop, arguments)
		})
	})
}

// WithShop opens a shop, calls do and closes the shop.
func (a *App) WithShop(
	ctx context.Context, settings settings.Settings, need Need, do func(ctx context.Context, shop *Shop) error,
) (err error) {
	shop, err := a.OpenShop(ctx, settings, need)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	return do(ctx, shop)
}

// Orders returns at most query.Limit orders that match query and that fits accepts. A nil fits
// accepts every order.
func (s *Shop) Orders(ctx context.Context, query payments.Query, fits func(payments.Order) bool) ([]payments.Order, error) {
	const page = 1000 // Maximum limit that the store accepts.
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

// SayWhereDemo prints the path of the demo's database in a shop without an account: the user may
// look for the demo's orders.
func (a *App) SayWhereDemo(settings settings.Settings) {
	_, err := os.Stat(settings.Files.Demo)
	if err != nil || settings.Account.BaseURL != "" || settings.Files.Database == settings.Files.Demo {
		return
	}
	a.Say("%s", a.Texts.Shell.DemoApart.With(a.UnderHome(settings.Files.Demo)))
}

// UnderHome abbreviates the home folder in a path to "~".
func (a *App) UnderHome(path string) string {
	home := a.Env("HOME")
	if rest, under := strings.CutPrefix(path, home+string(filepath.Separator)); under && home != "" {
		return filepath.Join("~", rest)
	}
	return path
}

// WebhookURL returns the address at which the shop receives webhooks. Without a relay and a public
// address, that is the local address; if its port is not fixed, WebhookURL returns an error.
func WebhookURL(settings settings.Settings) (string, error) {
	webhook := settings.Webhook
	if webhook.Relay != "" {
		return webhook.Relay, nil
	}
	if webhook.PublicURL != "" {
		return webhook.PublicURL + webhook.Path, nil
	}
	if _, port, err := net.SplitHostPort(webhook.Listen); err != nil || port == "0" {
		return "", fmt.Errorf("listen is %s: set a fixed port or public_url", webhook.Listen)
	}
	return "http://" + Reachable(webhook.Listen) + webhook.Path, nil
}

// CheckURL returns an error unless the value of a flag is blank or an address with http or https.
func CheckURL(flag, text string) error {
	address, err := url.Parse(text)
	if text != "" && (err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "") {
		return Misused("%s: %q is not an http or https address", flag, CleanLabel(text))
	}
	return nil
}

// Reachable returns the address at which clients reach a listen address: an unspecified host
// becomes 127.0.0.1.
func Reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if address := net.ParseIP(host); err == nil && (host == "" || address != nil && address.IsUnspecified()) {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return listen
}

// ReadInput reads the file that the command line names, or standard input for "-".
func (a *App) ReadInput(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(a.In)
	}
	return os.ReadFile(path)
}

// NewLogger returns a logger that writes lines of text or JSON to out.
func NewLogger(out io.Writer, log settings.Log) *slog.Logger {
	var options slog.HandlerOptions
	var level slog.Level
	_ = level.UnmarshalText([]byte(log.Level)) // Cannot fail: the setting was checked.
	options.Level = level
	if log.Format == "json" {
		return slog.New(slog.NewJSONHandler(out, &options))
	}
	return slog.New(slog.NewTextHandler(out, &options))
}

// Keys of the log's attributes.
const (
	LogFailure = "failure"
	logAddress = "address"
	logEvents  = "events"
	logOldest  = "oldest"
	logFile    = "file"
)

// openLog opens the console's log file. The file is rotated at 5 MiB, and one older file is kept.
// If path is blank, nothing is logged.
func (s *Shop) openLog(path string) error {
	if path == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := storage.Touch(path); err != nil {
		return err
	}
	file := &lumberjack.Logger{Filename: path, MaxSize: 5, MaxBackups: 1}
	if _, err := file.Write(nil); err != nil { // An empty write opens the file and reports an error now.
		return err
	}
	s.Logger, s.closers = NewLogger(file, s.Settings.Log), append(s.closers, file.Close)
	return nil
}
