package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"time"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/storage"
	"checkout/till/storage/settings"
	"checkout/till/tui"
	"checkout/till/tui/cli"
	"checkout/till/tui/sound"
)

// errNoTerminal says that the console was started where nobody can see it.
var errNoTerminal = errors.New("the console needs a terminal: to receive webhooks on a server run till listen; in a pipe: --plain")

// stage is what a console needs before its shop is open: the right to be the
// only one, and a log.
type stage struct {
	logger *slog.Logger
	lock   *storage.ListenerLock
	file   io.Closer                       // The log.
	reach  func(ctx context.Context) error // Of the payment service.
	demo   tui.Demo                        // Zero in a shop.
}

// stage prepares a console on the database of the settings. Whoever gets it
// closes it.
func (a *app) stage(settings settings.Settings) (*stage, error) {
	lock, err := storage.Lock(settings.Files.Database)
	if err != nil {
		return nil, err
	}
	file, err := cli.OpenLog(settings.Files.Log)
	if err != nil {
		return nil, errors.Join(errors.New("open the log"), err, lock.Release())
	}
	return &stage{logger: cli.NewLogger(file), lock: lock, file: file}, nil
}

func (s *stage) close() {
	_ = s.file.Close()
	_ = s.lock.Release()
}

// front is what the cashier has before them: the screens, or the line mode.
func (s *stage) front(a *app, shop *cli.Shop, listener *cli.Listener) (cli.Part, error) {
	if shop.Settings.Counter.Plain {
		return s.plain(a, shop, listener)
	}
	config, err := s.console(a, shop, listener)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) error { return tui.Run(ctx, config) }, nil
}

// console says what the console of a shop shows and how.
func (s *stage) console(a *app, shop *cli.Shop, listener *cli.Listener) (tui.Config, error) {
	if err := a.seen(); err != nil {
		return tui.Config{}, err
	}
	counter, opened := shop.Settings.Counter, time.Now()
	texts, err := a.texts(counter.Language)
	if err != nil {
		return tui.Config{}, err
	}
	return tui.Config{
		Service: shop.Service,
		Place:   tui.Place{Till: counter.Till, Shop: counter.Shop, Shared: storage.Served(shop.Settings.Files.Database), Test: shop.Settings.Account.Test()},
		Texts:   texts, Language: a.languages(shop.Settings), Theme: tui.ThemeFor(a.Out, a.Env, counter.Theme), Sound: a.sound(counter.Sound),
		Health: func() tui.Health { return shop.Health(listener) }, Reach: s.reach, Ran: func() time.Duration { return time.Since(opened) },
		Demo: s.demo, Zone: time.Local, Input: a.In, Output: a.Out,
	}, nil
}

// seen returns why nobody would see the console.
func (a *app) seen() error {
	for _, end := range []any{a.In, a.Out} {
		if _, ok := end.(*os.File); ok && !cli.IsTerminal(end) {
			return errNoTerminal
		}
	}
	return nil
}

// language returns the language of the console: the setting's, or the
// locale's.
func (a *app) language(setting string) string {
	if setting != "" {
		return setting
	}
	return i18n.Choose(a.Env("LC_ALL"), a.Env("LC_MESSAGES"), a.Env("LANG"))
}

// texts are those of the console's language.
func (a *app) texts(setting string) (i18n.Texts, error) {
	return i18n.Load(assets.Locales, a.language(setting))
}

// languages are those of the console, and which of them it begins in.
func (a *app) languages(settings settings.Settings) tui.Language {
	return tui.Language{
		Code: a.language(settings.Counter.Language),
		Load: func(code string) (i18n.Texts, error) { return i18n.Load(assets.Locales, code) },
		Save: cli.SaveLanguage(settings.Files),
	}
}

// sound returns how the console sounds, nil when it is to be silent.
func (a *app) sound(wanted bool) func(ctx context.Context, tune sound.Tune) {
	if !wanted {
		return nil
	}
	return sound.New(a.Out, exec.LookPath).Play
}
