package cli

import (
	"context"
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
