package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments/gateway"
	"checkout/till/payments/webhook"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/plain"
	"checkout/till/tui/sound"
)

// Console returns the command that opens the console.
func Console(a *cli.App) *cobra.Command {
	return &cobra.Command{Use: "till", Args: a.Arguments(), RunE: (&app{a}).runConsole}
}

// runConsole opens the shop's console, or the demo where there is no account.
func (a *app) runConsole(command *cobra.Command, _ []string) error {
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	if settings.Account.BaseURL == "" && settings.Account.AccessToken.Empty() {
		return a.demo(command.Context(), settings, demoOptions{welcome: a.UnderHome(settings.Files.Settings)})
	}
	return a.console(command.Context(), settings)
}

// console runs the console of the shop until the cashier leaves.
func (a *app) console(ctx context.Context, settings settings.Settings) error {
	client, err := cli.NewClient(settings)
	if err != nil {
		return err
	}
	listens := settings.Webhook.Listens
	if _, err := cli.CurrentSecret(settings); listens && err != nil {
		return err // Told before the terminal is taken.
	}
	setup, err := a.setUp(settings)
	if err != nil {
		return err
	}
	defer setup.close()
	setup.reach = client.Reach
	var bound net.Listener
	if listens {
		if bound, err = webhook.Bind(ctx, settings.Webhook.Listen); err != nil {
			return err
		}
		defer func() { _ = bound.Close() }() // Its server may have done it.
	}
	if err := a.counter(ctx, settings, client, bound, setup); !errors.Is(err, context.Canceled) {
		return err // Otherwise nobody waited for it.
	}
	return nil
}

// counter opens the shop and runs its console. It listens at a bound address, or
// nowhere when that is nil: a shop with several tills has its listener elsewhere.
func (a *app) counter(
	ctx context.Context, settings settings.Settings, client *gateway.Client, bound net.Listener, setup *consoleSetup,
) (err error) {
	shop, err := a.OpenShop(ctx, settings, cli.Need{
		Caller: client, Logger: setup.logger, Lazy: cli.CounterPatience, Drafts: true, Till: true,
	})
	if err != nil {
		return err
	}
	defer shop.Close(&err)
	if err := shop.Recover(ctx); err != nil {
		return err
	}
	var listener *cli.Listener
	if bound != nil {
		if listener, err = shop.ListenAt(ctx, bound, webhook.Config{Logger: setup.logger}); err != nil {
			return err
		}
	}
	front, err := setup.front(a, shop, listener)
	if err != nil {
		return err
	}
	parts := shop.Background()
	if listener != nil {
		parts = append(parts, listener.ServeQuietly(setup.logger))
	}
	return cli.RunAll(ctx, front, parts...)
}

// consoleSetup is what a console needs before its shop is open: the right to be
// the only one, and a log.
type consoleSetup struct {
	logger *slog.Logger
	lock   *storage.FileLock
	file   io.Closer                       // The log.
	reach  func(ctx context.Context) error // Of the payment service.
	demo   tui.Demo                        // Zero in a shop.
}

// setUp prepares a console on the database of the settings. Whoever gets it
// closes it.
func (a *app) setUp(settings settings.Settings) (*consoleSetup, error) {
	lock, err := storage.Lock(settings.Files.Database)
	if err != nil {
		return nil, err
	}
	file, err := cli.OpenLog(settings.Files.Log)
	if err != nil {
		return nil, errors.Join(errors.New("open the log"), err, lock.Release())
	}
	return &consoleSetup{logger: cli.NewLogger(file), lock: lock, file: file}, nil
}

func (s *consoleSetup) close() {
	_ = s.file.Close()
	_ = s.lock.Release()
}

// front is what the cashier has before them: the screens, or the line mode.
func (s *consoleSetup) front(a *app, shop *cli.Shop, listener *cli.Listener) (cli.Part, error) {
	counter, opened := shop.Settings.Counter, time.Now()
	health := func() tui.Health { return shop.Health(listener) }
	if counter.Plain {
		config := s.plain(a, shop, health)
		return func(ctx context.Context) error { return plain.Run(ctx, config) }, nil
	}
	if err := a.OnTerminal(); err != nil {
		return nil, err
	}
	config := tui.Config{
		Service: shop.Service,
		Place:   tui.Place{Till: counter.Till, Shop: counter.Shop, Shared: storage.Served(shop.Settings.Files.Database), Test: shop.Settings.Account.Test()},
		Texts:   a.Texts, Language: a.Languages(shop.Settings.Files), Theme: tui.ThemeFor(a.Out, a.Env, counter.Theme),
		Health: health, Reach: s.reach, Ran: func() time.Duration { return time.Since(opened) },
		Browse: browser(runtime.GOOS, a.Env), Demo: s.demo, Zone: time.Local, Input: a.In, Output: a.Out,
	}
	if counter.Sound {
		config.Sound = sound.New(a.Out, exec.LookPath).Play
	}
	return func(ctx context.Context) error { return tui.Run(ctx, config) }, nil
}

// plain says what the line mode of a shop needs; a terminal is none of it.
func (s *consoleSetup) plain(a *app, shop *cli.Shop, health func() tui.Health) plain.Config {
	counter := shop.Settings.Counter
	theme := tui.ThemeFor(a.Out, a.spoken, counter.Theme)
	config := plain.Config{
		Service: shop.Service, Till: counter.Till, Shop: counter.Shop, Test: shop.Settings.Account.Test(), Texts: a.Texts,
		Language: a.Languages(shop.Settings.Files), Health: health, Customer: s.demo.Customer, Zone: time.Local,
		Terminal: plain.Terminal{
			Input: a.In, Output: a.Out, Echoes: cli.IsTerminal(a.In),
			Encode: theme.Encode,
			Code: func(link string) (string, error) {
				code, err := qr.New(link)
				if err != nil {
					return "", err
				}
				return code.Text(theme.ASCII(), counter.Theme == "light"), nil
			},
		},
	}
	if counter.Sound {
		config.Sound = sound.New(a.Out, exec.LookPath, sound.WithBell()).Play
	}
	return config
}

// spoken is the environment as the line mode reads it: a dumb terminal moves no
// cursor, but where a locale says that it reads UTF-8 it does.
func (a *app) spoken(name string) string {
	value := a.Env(name)
	if name == "TERM" && value == "dumb" && a.Env("LC_ALL")+a.Env("LC_CTYPE")+a.Env("LANG") != "" {
		return ""
	}
	return value
}
