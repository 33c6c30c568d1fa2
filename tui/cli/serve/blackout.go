package serve

import (
	"cmp"
	"context"
	"log/slog"
	"path/filepath"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/relay"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/sample"
	"checkout/till/payments/secret"
	"checkout/till/payments/webhook"
	"checkout/till/storage/mailbox"
	"checkout/till/storage/settings"
	"checkout/till/tui"
	"checkout/till/tui/cli"
)

const blackoutScript = "blackout"

// powerCut is a demo of a power cut: the console ends, two customers pay, and the console starts
// again. A relay keeps the events of the payments meanwhile.
type powerCut struct {
	*app
	settings settings.Settings
	options  demoOptions
	client   *gateway.Client
	service  *sandbox.Sandbox
	address  string
	ahead    time.Duration    // How far the demo's clock is ahead of the machine's.
	made     []payments.Order // Orders that are paid while the console is off; nil before the power cut.
}

func (a *app) blackout(ctx context.Context, settings settings.Settings, options demoOptions, served listeners, client *gateway.Client) error {
	ahead := sample.Now(a.Now()).Sub(a.Now())
	clock := func() time.Time { return a.Now().Add(ahead) }
	box, err := mailbox.Open(ctx, filepath.Join(filepath.Dir(settings.Files.Demo), "relay"), mailbox.DefaultRoom, clock)
	if err != nil {
		return err
	}
	defer func() { _ = box.Close() }()
	bound, err := webhook.Bind(ctx, "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { _ = bound.Close() }() // The server may have closed bound already.
	key, err := relay.NewKey()
	if err != nil {
		return err
	}
	code, codeHash := relay.NewCode()
	id, err := box.Add(ctx, demoShop, codeHash)
	if err != nil {
		return err
	}
	quiet := slog.New(slog.DiscardHandler)
	address := "http://" + bound.Addr().String()
	kept := relay.NewServer(relay.Config{Store: box, URL: address, Logger: quiet})
	settings.Webhook.Relay = address + "/w/" + id
	settings.Webhook.RelayKey = secret.New(key.Text())
	cut := &powerCut{
		app: a, settings: settings, options: options, client: client, ahead: ahead, address: cmp.Or(served.public, served.url()),
	}
	cut.service, err = a.newSandbox(settings, "", sandbox.Config{
		WebhookURL: settings.Webhook.Relay, PublicURL: served.public, Lifetime: options.expires, Logger: quiet,
		Now: clock, Reasons: a.Texts.Failures,
	})
	if err != nil {
		return err
	}
	play := func(ctx context.Context) error {
		if _, err := relay.Pair(ctx, address, code, key, cli.RelayTerms(settings)); err != nil {
			return err
		}
		return cut.play(ctx)
	}
	parts := []cli.Part{served.sandbox(cut.service), webhook.NewServer(bound, kept, webhook.DefaultLimits(), quiet).Serve, cut.service.Run}
	return cli.RunAll(ctx, play, parts...)
}

func (p *powerCut) play(ctx context.Context) error {
	waits := keys(shortPause, "esc", "enter")
	lit, off := context.WithCancel(ctx)
	defer off()
	over := false
	before := sequence(sale("2*romaz"), waits, sale("4*koba", "203"), pause(longPause), func(_ context.Context, played *player) error {
		p.made = played.made
		over = true
		off()
		return nil
	})
	if err := p.console(lit, before); err != nil && lit.Err() == nil || !over || ctx.Err() != nil {
		return err
	}
	if err := p.night(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	after := sequence(pause(longPause), becomes(0, payments.VerdictPaid), becomes(1, payments.VerdictPaid),
		keys(longPause, "F2"), done(0), keys(shortPause, "F2"), done(1))
	return p.console(ctx, after)
}

func (p *powerCut) console(ctx context.Context, script step) error {
	return p.WithShop(ctx, p.settings, cli.Need{Caller: p.client, Console: true, Ahead: p.ahead}, func(ctx context.Context, shop *cli.Shop) error {
		if err := shop.LockAndRecover(ctx); err != nil {
			return err
		}
		if p.made == nil {
			if err := p.morning(ctx, shop); err != nil {
				return err
			}
		}
		if _, err := shop.Listen(ctx, nil); err != nil {
			return err
		}
		played := func(ctx context.Context, send func(tea.KeyMsg)) {
			one := &player{send: send, shop: shop, service: p.service, pace: p.options.pace, made: p.made}
			_ = one.play(ctx, script) // play logs the error.
		}
		front, err := p.front(shop, p.client, tui.Demo{Customer: p.service.Act, Script: played})
		if err != nil {
			return err
		}
		return cli.RunAll(ctx, front, shop.BehindConsole()...)
	})
}

func (p *powerCut) morning(ctx context.Context, shop *cli.Shop) error {
	if err := shop.Service.AddArticles(ctx, sample.Articles()); err != nil {
		return err
	}
	day := sample.Day{
		Till: p.settings.Counter.Till, Reached: sample.Now(p.Now()), Sandbox: p.service, Address: p.address, Settled: true,
	}
	return day.Fill(ctx, shop.Store())
}
