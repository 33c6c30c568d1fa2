package cli

import (
	"context"
	"log/slog"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/storage/settings"
	"checkout/till/tui"
)

// RunAll lets tests see in which order parts stop.
func RunAll(ctx context.Context, front func(context.Context) error, parts ...func(context.Context) error) error {
	var behind []part
	for _, running := range parts {
		behind = append(behind, running)
	}
	return runAll(ctx, front, behind...)
}

// ParseItem lets tests read items without a command line.
var ParseItem = parseItem

// PublicAddress lets tests see what links begin with.
var PublicAddress = publicAddress

// Articles lets tests sell what the demo sells.
var Articles = demoArticles

// Scripts lets tests see which demos play by themselves.
var Scripts = scriptNames

// Play lets tests play a script at a shop of their own.
func Play(
	name string, loop bool, pace float64, till string, service *payments.Service, box *sandbox.Sandbox, logger *slog.Logger,
) tui.Player {
	shop := &shop{settings: settings.Settings{Counter: settings.Counter{Till: till}}, service: service}
	return scriptOptions{name: name, loop: loop, pace: pace}.player(shop, box, logger)
}
