package serve

import (
	"context"
	"errors"

	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/archive"
	"checkout/till/tui/cli"
)

// openSandbox makes the sandbox, with what its data file holds when there is
// one. What it returns beside closes that file.
func openSandbox(
	ctx context.Context, config sandbox.Config, options sandboxOptions,
) (*sandbox.Sandbox, func() error, error) {
	retry, err := sandbox.ParseRetry(options.retry)
	if err != nil {
		return nil, nil, cli.Misused("--retry: %w", err)
	}
	choices := []sandbox.Option{sandbox.WithAllowedTargets(options.targets...), sandbox.WithRetry(retry)}
	if options.data == "" {
		service, err := sandbox.New(config, choices...)
		return service, func() error { return nil }, err
	}
	file, err := archive.Open(ctx, options.data)
	if err != nil {
		return nil, nil, err
	}
	service, err := sandbox.Reopen(ctx, file, config, choices...)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return service, file.Close, nil
}
