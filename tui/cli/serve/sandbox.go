package serve

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/delivery"
	"checkout/till/payments/sandbox/lab"
	"checkout/till/payments/sandbox/server"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

// sandboxOptions are the flags of "sandbox".
type sandboxOptions struct {
	listen, webhook, public  string
	success, cancel, failure string
	hosts, targets           []string
	expires                  time.Duration
	lan                      lanFlags
	scenario                 string
	retry, data              string
	strict, json             bool
}

// sandboxAddress is where the sandbox listens when nobody says.
const sandboxAddress = "127.0.0.1:8789"

func (a *app) sandboxCommand() *cobra.Command {
	var options sandboxOptions
	command := &cobra.Command{
		Use:  "sandbox",
		Long: sandboxGuide(),
		Args: a.Arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			if err := a.checkLifetime(options.expires); err != nil {
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
	flags.StringVar(&options.public, "public-url", "", "the address that links begin with, as customers reach it (default: the one that the order call asked)")
	flags.StringArrayVar(&options.hosts, "allow-host", nil,
		"a host `NAME` under which others reach the sandbox, its dashboard and its fault lab, as in a network of containers; may be repeated")
	flags.StringVar(&options.webhook, "webhook-url", "", "where events go (default: the webhook address of the settings)")
	flags.DurationVar(&options.expires, "expires", sandbox.DefaultLifetime, "lifetime of a link, as 90s or 10m")
	flags.StringVar(&options.success, "success-url", "", "where the customer goes after a payment")
	flags.StringVar(&options.cancel, "cancel-url", "", "where the customer goes after canceling")
	flags.StringVar(&options.failure, "failure-url", "", "where the customer goes after a failure")
	flags.StringArrayVar(&options.targets, "allow-target", nil,
		"a `HOST` to which events may go beside this machine and the local network; may be repeated")
	flags.StringVar(&options.retry, "retry", string(delivery.RetryAll),
		"which deliveries are tried again, with growing pauses: none, 5xx-only (408, 429 and no answer too) or all-non-2xx")
	flags.StringVar(&options.data, "data", "", "a `FILE` that keeps orders and deliveries across a restart (default: none does)")
	flags.BoolVar(&options.strict, "strict", false, "refuse fields of an order that the specification does not have")
	flags.BoolVar(&options.json, "json", false, "print a line of JSON for each order call, act and delivery, and nothing else")
	cli.Complete(command, "retry", string(delivery.RetryNone), string(delivery.RetryServerErrors), string(delivery.RetryAll))
	options.lan.flags(flags)
	scenarioFlag(command, &options.scenario, "what goes wrong on purpose, by its `NAME` in the list above")
	return command
}

// checkLifetime refuses a lifetime that no link can have.
func (a *app) checkLifetime(lifetime time.Duration) error {
	const longest = 24 * time.Hour
	if lifetime <= 0 || lifetime > longest {
		return cli.Misused("%s", a.Texts.Office.Lifetime.With(longest))
	}
	return nil
}

// statedMinutes is how a lifetime is stated, which the specification does in
// whole minutes.
func statedMinutes(lifetime time.Duration) int {
	return int((lifetime + time.Minute - 1) / time.Minute)
}

// sandbox runs the payment service until ctx ends.
func (a *app) sandbox(ctx context.Context, settings settings.Settings, options sandboxOptions) error {
	scenario, err := findScenario(options.scenario)
	if err != nil {
		return err
	}
	if err := delivery.Retry(options.retry).Check(); err != nil {
		return cli.Misused("--retry: %w", err)
	}
	served, err := bindListeners(ctx, "--listen", options.listen, options.lan)
	if err != nil {
		return err
	}
	defer served.close()
	made := makeAccount(&settings)
	config, err := a.sandboxConfig(ctx, settings, options, served)
	if err != nil {
		return err
	}
	service, err := sandbox.New(config)
	switch {
	case errors.Is(err, delivery.ErrTarget):
		return cli.Misused("--webhook-url: %w (--allow-target HOST allows one)", err)
	case errors.Is(err, sandbox.ErrConfig):
		return cli.Misused("%w", err)
	case err != nil:
		return err
	}
	service.SetFaults(scenario.Faults)
	a.tellSandbox(served, settings, config, scenario, made, options.json)
	// The service stops first: it ends the replies that it holds back.
	parts := served.parts(server.New(service))
	return cli.RunAll(ctx, service.Run, parts...)
}

// tellSandbox says where everything is, and how to try it. For a program that is
// a line of JSON. Secrets are said only where they were made here.
func (a *app) tellSandbox(served listeners, settings settings.Settings, config sandbox.Config, scenario sandbox.Scenario, made account, asJSON bool) {
	line := map[string]string{"kind": "listening", "url": served.url()}
	if made.token {
		line["access_token"] = settings.Account.AccessToken.Reveal()
	}
	if made.secret {
		line["webhook_secret"] = settings.Webhook.Secrets[0].Reveal()
	}
	if asJSON {
		a.tellLine(line)
		return
	}
	a.Tell("sandbox on %s", served.url())
	if config.WebhookURL == "" {
		a.Tell("events go nowhere but onto the dashboard: name an address with --webhook-url")
	} else {
		a.Tell("events go to %s", config.WebhookURL)
	}
	if config.PublicURL != "" && config.PublicURL != served.url() {
		a.Tell("phones on this network open %s", config.PublicURL)
	}
	a.Tell("dashboard on %s/", served.url())
	if scenario.Name != "" {
		a.Tell("scenario %s: %s", scenario.Name, scenario.Summary)
	}
	if config.Lifetime%time.Minute != 0 {
		a.Tell("%s", a.Texts.Office.Rounded.With(config.Lifetime, statedMinutes(config.Lifetime)))
	}
	if made.token {
		a.Tell("export TILL_ACCESS_TOKEN=%s", line["access_token"])
	}
	if made.secret {
		a.Tell("export TILL_WEBHOOK_SECRET=%s", line["webhook_secret"])
	}
	a.Tell("try it: TILL_BASE_URL=%s till order create --item Vary:3500:2", served.url())
}

// tellLine prints a value as one line of JSON.
func (a *app) tellLine(value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic("cli: " + err.Error()) // Texts, numbers and times always encode.
	}
	a.Tell("%s", lab.Printable(text))
}

// account is which secrets of an account were made.
type account struct{ token, secret bool }

// makeAccount makes an access token and a webhook secret where the settings have
// none.
func makeAccount(settings *settings.Settings) (made account) {
	if settings.Account.AccessToken.Empty() {
		settings.Account.AccessToken, made.token = payments.NewSecret(payments.TokenPrefix+"sandbox_"+rand.Text()), true
	}
	if len(settings.Webhook.Secrets) == 0 {
		settings.Webhook.Secrets, made.secret = []payments.Secret{payments.NewSecret("whsec_sandbox_" + rand.Text())}, true
	}
	return made
}

// sandboxConfig sets the sandbox up as the settings and the flags say.
func (a *app) sandboxConfig(
	ctx context.Context, settings settings.Settings, options sandboxOptions, served listeners,
) (sandbox.Config, error) {
	if options.webhook == "" {
		// Without a known address the events stay on the dashboard.
		options.webhook, _ = cli.WebhookURL(settings)
	}
	if options.public == "" {
		public, err := served.public(ctx, options.lan)
		if err != nil {
			return sandbox.Config{}, err
		}
		options.public = public
	}
	config := sandbox.Config{
		Token: settings.Account.AccessToken, WebhookSecret: settings.Webhook.Secrets[0], Scheme: cli.Scheme(settings),
		SignatureHeader: settings.Webhook.SignatureHeader, OrderPath: settings.Account.OrderPath,
		WebhookURL: options.webhook, PublicURL: options.public, AllowedHosts: options.hosts, Lifetime: options.expires,
		SuccessURL: options.success, CancelURL: options.cancel, FailureURL: options.failure,
		Strict: options.strict, Data: options.data,
		Retry: delivery.Retry(options.retry), Targets: delivery.Targets{Allowed: options.targets},
		Shop: settings.Counter.Shop, Now: a.Now, Logger: cli.NewLogger(a.Err),
	}
	if options.json {
		config.Observe = func(activity sandbox.Activity) { a.tellLine(activity) }
	}
	return config, nil
}

// scenarioFlag adds the flag that has something go wrong on purpose.
func scenarioFlag(command *cobra.Command, name *string, usage string) {
	command.Flags().StringVar(name, "scenario", "", usage)
	var choices []cobra.Completion
	for _, scenario := range sandbox.Scenarios() {
		choices = append(choices, cobra.CompletionWithDesc(scenario.Name, scenario.Summary))
	}
	cli.Complete(command, "scenario", choices...)
}

// findScenario returns the scenario with a name, and one without a name when
// none was chosen.
func findScenario(name string) (sandbox.Scenario, error) {
	if name == "" {
		return sandbox.Scenario{}, nil
	}
	scenario, err := sandbox.FindScenario(name)
	if err != nil {
		return sandbox.Scenario{}, cli.Misused("--scenario: %w", err)
	}
	return scenario, nil
}

// sandboxGuide tells whoever writes a merchant's program how to begin.
func sandboxGuide() string {
	const guide = `Run the payment service on this machine: order call, hosted page, webhooks,
dashboard and fault lab. It moves no money, and serves any program that speaks
the service's specification.

To point your program at it:

  1. Choose a token and a secret, and say where your program listens. They are
     access_token and webhook_secret of the settings; without, they are made and
     printed.

       export TILL_ACCESS_TOKEN=TGP_sandbox TILL_WEBHOOK_SECRET=a-secret-of-16-or-more
       till sandbox --webhook-url http://127.0.0.1:3000/webhook

  2. Make an order, and open the checkout_url that is answered.

       curl http://%[1]s%[2]s -d '{"access": "TGP_sandbox",
         "reference": "A-1", "description": "Table 4", "amount": 9000, "currency": "Ar",
         "metadata": [{"label": "Vary", "unit_price": 4500, "quantity": 2}]}'

  3. Pay on that page, be refused, cancel, or let the time run out (--expires
     1m): an event is posted to your program. Verify its header x-svc-signature,
     in constant time, against

       printf %%s "$TILL_WEBHOOK_SECRET" | openssl dgst -sha256 -hmac "$TILL_WEBHOOK_SECRET"

     or, with TILL_SIGNATURE_SCHEME=body, against that of the raw body. Answer
     2xx once the event is stored: anything else is sent again.

  4. The dashboard is http://%[1]s/ in a browser on this machine: orders,
     deliveries with request and reply, a button to send again, the fault lab.
     Tests do the same by JSON:

       curl http://%[1]s/lab/orders/REF_.../act -d '{"outcome": "failed"}'
       curl http://%[1]s/lab/scenario -d '{"name": "duplicate"}'
       curl 'http://%[1]s/lab/deliveries?wait=5s'

What goes wrong on purpose, for --scenario:

%[3]s`
	return fmt.Sprintf(guide, sandboxAddress, gateway.DefaultOrderPath, scenarioTable())
}

// scenarioTable is a line for each scenario.
func scenarioTable() string {
	var table strings.Builder
	for _, scenario := range sandbox.Scenarios() {
		_, _ = fmt.Fprintf(&table, "  %-22s %s\n", scenario.Name, scenario.Summary)
	}
	return strings.TrimRight(table.String(), "\n")
}
