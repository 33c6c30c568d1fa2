package serve

import (
	"context"
	"os/exec"
	"time"

	"checkout/till/tui"
	"checkout/till/tui/cli"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/plain"
	"checkout/till/tui/sound"
)

// plain returns the line mode of a shop, which needs no terminal.
func (s *stage) plain(a *app, shop *cli.Shop, listener *cli.Listener) (cli.Part, error) {
	counter := shop.Settings.Counter
	texts, err := a.texts(counter.Language)
	if err != nil {
		return nil, err
	}
	theme := tui.ThemeFor(a.Out, a.spoken, counter.Theme)
	config := plain.Config{
		Service: shop.Service, Till: counter.Till, Shop: counter.Shop, Test: shop.Settings.Account.Test(), Texts: texts,
		Language: a.languages(shop.Settings),
		Health:   func() plain.Health { return shop.Health(listener) },
		Customer: s.demo.Customer,
		Zone:     time.Local,
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
	return func(ctx context.Context) error { return plain.Run(ctx, config) }, nil
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
