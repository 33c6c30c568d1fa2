// Package serve contains the commands that run until they are stopped, such as the console, the
// webhook listener, the relay and the sandbox, and the commands that control a running one.
package serve

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox/sample"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui"
	"checkout/till/tui/cli"
	"checkout/till/tui/live"
	"checkout/till/tui/plain"
	"checkout/till/tui/sound"
	"checkout/till/tui/theme"
	"checkout/till/tui/voice"
)

type app struct{ *cli.App }

// Commands returns the commands of this package except the console, for [cli.Execute].
func Commands(a *cli.App) []*cobra.Command {
	made := &app{a}
	return []*cobra.Command{
		made.demoCommand(), made.displayCommand(),
		{Use: "listen", RunE: a.WithSettings(made.listen)},
		made.relayCommand(), made.sandboxCommand(), made.healthCommand(),
	}
}

// Console returns the command that runs the console, or the demo if the settings have no account.
func Console(a *cli.App) *cobra.Command {
	made := &app{a}
	return &cobra.Command{Use: "till", RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
		if settings.Account.None() {
			return made.demo(ctx, settings, demoOptions{welcome: a.UnderHome(settings.Files.Settings)})
		}
		client, err := cli.NewClient(settings)
		if err != nil {
			return err
		}
		need := cli.Need{Caller: client, Console: true, Lazy: cli.CounterPatience, Drafts: true}
		err = a.WithShop(ctx, settings, need, func(ctx context.Context, shop *cli.Shop) error {
			if err := shop.LockAndRecover(ctx); err != nil {
				return err
			}
			if settings.Webhook.Listens {
				if _, err := shop.Listen(ctx, nil); err != nil {
					return err
				}
			}
			front, err := made.front(shop, client, tui.Demo{})
			if err != nil {
				return err
			}
			return cli.RunAll(ctx, front, shop.BehindConsole()...)
		})
		if errors.Is(err, context.Canceled) {
			return nil // A signal has canceled ctx.
		}
		return err
	})}
}

// front returns the part that the cashier uses: the screens or, if the settings say so, the line
// mode.
func (a *app) front(shop *cli.Shop, client *gateway.Client, demo tui.Demo) (cli.Part, error) {
	counter := shop.Settings.Counter
	console := live.Console{
		Service: shop.Service, Till: counter.Till, Tenders: offered(counter.Tenders), Shared: storage.IsPostgres(shop.Settings.Files.Database), Zone: time.Local,
		Theme: theme.ForTerminal(a.Out, a.Env, theme.Mode(counter.Theme)), Texts: a.Texts,
		Motion: counter.Motion && a.Env("NO_COLOR") == "", Receipts: cli.Receipts(shop.Settings),
	}
	var speaks *voice.Voice
	if counter.Voice {
		speaks = voice.New(voice.Find(runtime.GOOS).Speak)
	}
	if counter.Plain {
		config := a.plain(shop, console)
		config.Customer, config.Voice = demo.Customer, speaks
		return func(ctx context.Context) error { return plain.Run(ctx, config) }, nil
	}
	if err := a.OnTerminal(); err != nil {
		return nil, err
	}
	calls := shop.Calls
	if demo.Sample {
		started := shop.Now()
		calls = func() []payments.Call { return append(sample.Calls(started), shop.Calls()...) }
	}
	config := tui.Config{
		Console: console, Shop: counter.Shop, Test: shop.Settings.Account.Test(), KeepLanguage: cli.KeepLanguage(shop.Settings.Files),
		Health: shop.Health, Calls: calls, Checks: a.HealthChecks(shop, client), ServiceURL: shop.Settings.Account.BaseURL, PublicURL: shop.Settings.Webhook.PublicURL,
		Browse: browser(runtime.GOOS, a.Env), Voice: speaks, Demo: demo, Input: a.In, Output: a.Out,
	}
	if counter.Sound {
		config.Sound = sound.New(a.Out, exec.LookPath)
	}
	return func(ctx context.Context) error { return tui.Run(ctx, config) }, nil
}

func offered(names []string) []drawer.Tender {
	return slices.DeleteFunc(drawer.CounterTenders(), func(tender drawer.Tender) bool { return !slices.Contains(names, string(tender)) })
}

func (a *app) plain(shop *cli.Shop, console live.Console) plain.Config {
	counter := shop.Settings.Counter
	console.Theme = theme.ForTerminal(a.Out, a.terminalVariable, theme.Mode(counter.Theme))
	config := plain.Config{
		Console: console, Shop: counter.Shop, Test: shop.Settings.Account.Test(), Health: shop.Health,
		Ticks: time.Tick(time.Second), Input: a.In, Output: a.Out, Echoes: cli.IsTerminal(a.In), Light: counter.Theme == "light",
	}
	if counter.Sound {
		config.Sound = sound.New(a.Out, nil)
	}
	return config
}

// terminalVariable returns an environment variable. It hides TERM=dumb if a locale is set, because
// a dumb terminal can still show the locale's characters.
func (a *app) terminalVariable(name string) string {
	value := a.Env(name)
	if name == "TERM" && value == "dumb" && a.Env("LC_ALL")+a.Env("LC_CTYPE")+a.Env("LANG") != "" {
		return ""
	}
	return value
}

// browser returns a function that opens a page in this machine's browser. It returns nil if
// the user would not see the page, for example over SSH.
func browser(system string, env func(string) string) func(link string) error {
	command := browserCommand(system, env)
	if command == nil {
		return nil
	}
	return func(link string) error {
		opened := exec.Command(command[0], append(command[1:], link)...) //nolint:gosec,noctx // A checked link; the page outlives the console.
		if err := opened.Start(); err != nil {
			return err
		}
		go func() { _ = opened.Wait() }()
		return nil
	}
}

// browserCommand returns the program that opens a link, and its arguments. No shell parses the
// link.
func browserCommand(system string, env func(string) string) []string {
	switch {
	case env("SSH_CONNECTION") != "" || env("SSH_TTY") != "":
		return nil
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case system == "darwin":
		return []string{"open"}
	case env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "":
		return []string{"xdg-open"}
	}
	return nil
}
