package serve

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments/sandbox"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

// sandboxOptions are the flags of "sandbox".
type sandboxOptions struct {
	listen, webhook          string
	success, cancel, failure string
	targets                  []string
	expires                  time.Duration
	reach                    reach
	scenario                 string
	retry, data              string
}

// sandboxAddress is where the sandbox listens when nobody says.
const sandboxAddress = "127.0.0.1:8789"

func (a *app) sandboxCommand() *cobra.Command {
	var options sandboxOptions
	command := &cobra.Command{
		Use:   "sandbox",
		Short: "Run the payment service on this machine: order call, hosted page, webhooks, dashboard",
		Long:  sandboxGuide(),
		Args:  cli.NoArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := checkLifetime(options.expires); err != nil {
				return err
			}
			settings, err := a.Settings()
			if err != nil {
				return err
			}
			return a.sandbox(command.Context(), settings, options)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.listen, "listen", sandboxAddress, "address of the sandbox; port 0 picks one")
	flags.StringVar(&options.webhook, "webhook-url", "", "where events go (default: the webhook address of the settings)")
	flags.DurationVar(&options.expires, "expires", sandbox.DefaultLifetime, "lifetime of a link, as 90s or 10m")
	flags.StringVar(&options.success, "success-url", "", "where the customer goes after a payment")
	flags.StringVar(&options.cancel, "cancel-url", "", "where the customer goes after canceling")
	flags.StringVar(&options.failure, "failure-url", "", "where the customer goes after a failure")
	flags.StringArrayVar(&options.targets, "allow-target", nil,
		"a `HOST` to which events may go beside this machine and the local network; may be repeated")
	flags.StringVar(&options.retry, "retry", string(sandbox.RetryAll),
		"which deliveries are tried again, with growing pauses: none, 5xx-only (408, 429 and no answer too) or all-non-2xx")
	flags.StringVar(&options.data, "data", "", "a `FILE` that keeps orders and deliveries across a restart (default: none does)")
	cli.Complete(command, "retry", string(sandbox.RetryNone), string(sandbox.RetryServerErrors), string(sandbox.RetryAll))
	options.reach.flags(flags)
	scenarioFlag(command, &options.scenario, "what goes wrong on purpose, by its `NAME` in the list above")
	return command
}

// checkLifetime refuses a lifetime that no link can have.
func checkLifetime(lifetime time.Duration) error {
	const longest = 24 * time.Hour
	if lifetime <= 0 || lifetime > longest {
		return cli.Misused("--expires: a link lives for more than 0s and at most %s", longest)
	}
	return nil
}

// sandbox runs the payment service until ctx ends.
func (a *app) sandbox(ctx context.Context, settings settings.Settings, options sandboxOptions) (err error) {
	scenario, err := findScenario(options.scenario)
	if err != nil {
		return err
	}
	sites, err := bindSites(ctx, options.listen, options.reach)
	if err != nil {
		return err
	}
	defer sites.close()
	config, err := a.sandboxConfig(ctx, settings, options, sites)
	if err != nil {
		return err
	}
	service, closeData, err := openSandbox(ctx, config, options)
	if errors.Is(err, sandbox.ErrTarget) {
		return cli.Misused("--webhook-url: %w (--allow-target HOST allows one)", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeData()) }()
	if options.scenario != "" {
		service.SetFaults(scenario.Faults)
	}
	a.tellSandbox(sites, config, scenario)
	// The sites stop before what their requests lead to.
	front, behind := sites.parts(service), []cli.Part{service.Run}
	return cli.RunAll(ctx, front[0], append(behind, front[1:]...)...)
}

// tellSandbox says where everything is.
func (a *app) tellSandbox(sites sites, config sandbox.Config, scenario sandbox.Scenario) {
	a.Tell("sandbox on %s", sites.local.nearURL())
	if config.WebhookURL == "" {
		a.Tell("events go nowhere but onto the dashboard: name an address with --webhook-url")
	} else {
		a.Tell("events go to %s", config.WebhookURL)
	}
	if config.PublicURL != "" && config.PublicURL != sites.local.nearURL() {
		a.Tell("phones on this network open %s", config.PublicURL)
	}
	a.Tell("dashboard on %s/", sites.local.nearURL())
	if scenario.Name != "" {
		a.Tell("scenario %s: %s", scenario.Name, scenario.Summary)
	}
	a.Tell("try it: TILL_BASE_URL=%s till order create --item Vary:3500:2", sites.local.nearURL())
}

// sandboxConfig sets the sandbox up as the settings and the flags say.
func (a *app) sandboxConfig(
	ctx context.Context, settings settings.Settings, options sandboxOptions, sites sites,
) (sandbox.Config, error) {
	if settings.Account.AccessToken.Empty() {
		return sandbox.Config{}, cli.Unset("access_token", "the sandbox accepts it alone; any text that begins with TGP_ will do")
	}
	secret, err := cli.CurrentSecret(settings)
	if err != nil {
		return sandbox.Config{}, cli.Unset("webhook_secret", "the sandbox signs with it; any 16 characters or more will do")
	}
	if options.webhook == "" {
		// Without a known address the events stay on the dashboard.
		options.webhook, _ = cli.WebhookURL(settings)
	}
	public, err := sites.public(ctx, options.reach)
	if err != nil {
		return sandbox.Config{}, err
	}
	return sandbox.Config{
		Token: settings.Account.AccessToken, WebhookSecret: secret, Scheme: cli.Scheme(settings),
		SignatureHeader: settings.Webhook.SignatureHeader, OrderPath: settings.Account.OrderPath,
		WebhookURL: options.webhook, PublicURL: public, Lifetime: options.expires,
		SuccessURL: options.success, CancelURL: options.cancel, FailureURL: options.failure,
		Shop: settings.Counter.Shop, Now: a.Now, Logger: cli.NewLogger(a.Err),
	}, nil
}
