package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/server"
	"checkout/till/payments/secret"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

const sandboxAddress = "127.0.0.1:8789"

type sandboxOptions struct {
	sandbox.Config
	listen, lan, scenario string
	webhookFor            []string
	json                  bool
}

func (a *app) sandboxCommand() *cobra.Command {
	var options sandboxOptions
	help := `Run the payment service on this machine: order call, hosted page, webhooks,
dashboard and fault lab. It moves no money, and serves any program that speaks
the service's specification. "till guide integrator" says how to point a program
at it.

What goes wrong on purpose, for --scenario:
`
	for _, scenario := range sandbox.Scenarios() {
		help += fmt.Sprintf("\n  %-22s %s", scenario.Name, scenario.Summary)
	}
	command := &cobra.Command{
		Use:  "sandbox",
		Long: help,
		RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, _ []string) error {
			return a.sandbox(ctx, settings, options)
		}),
	}
	flags := command.Flags()
	flags.StringVar(&options.listen, "listen", sandboxAddress, "address of the sandbox; port 0 picks one")
	flags.StringVar(&options.PublicURL, "public-url", "", "the address that links begin with, as customers reach it (default: the one that the order call asked)")
	flags.StringArrayVar(&options.AllowedHosts, "allow-host", nil,
		"a host `NAME` under which others reach the sandbox, its dashboard and its fault lab, as in a network of containers; may be repeated")
	flags.StringVar(&options.WebhookURL, "webhook-url", "", "where events go (default: the webhook address of the settings)")
	flags.StringArrayVar(&options.webhookFor, "webhook-for", nil,
		"a further access token and where the events of its orders go, as `TOKEN=URL`; may be repeated")
	flags.DurationVar(&options.Lifetime, "expires", sandbox.DefaultLifetime, "how `LONG` a link lives, as 90s or 10m")
	flags.StringVar(&options.SuccessURL, "success-url", "", "where the customer goes after a payment")
	flags.StringVar(&options.CancelURL, "cancel-url", "", "where the customer goes after canceling")
	flags.StringVar(&options.FailureURL, "failure-url", "", "where the customer goes after a failure")
	flags.StringArrayVar((*[]string)(&options.Targets), "allow-target", nil,
		"a `HOST` to which events may go beside this machine; may be repeated")
	a.Choice(command, (*string)(&options.Retry), "retry",
		"which deliveries are tried again: none, 5xx-only (408, 429 and no answer too) or all-non-2xx (default all-non-2xx)",
		string(sandbox.RetryNone), string(sandbox.RetryServerErrors), string(sandbox.RetryAll))
	flags.DurationSliceVar(&options.Pauses, "retry-pauses", sandbox.DefaultPauses(),
		"the `PAUSES`, as 1s,5s,1m, between the tries of a delivery, each shorter or longer by up to a fifth")
	flags.StringVar(&options.Data, "data", "", "a `FILE` that keeps orders and deliveries across a restart (default: none does)")
	flags.BoolVar(&options.Strict, "strict", false, "refuse fields of an order that the specification does not have")
	flags.BoolVar(&options.json, "json", false, "")
	lanFlag(flags, &options.lan)
	a.scenarioFlag(command, &options.scenario, "what goes wrong on purpose, by its `NAME` in the list above")
	command.AddCommand(a.labCommands()...)
	return command
}

func (a *app) checkLifetime(lifetime time.Duration) error {
	const longest = 24 * time.Hour
	if lifetime <= 0 || lifetime > longest {
		return cli.Misused("%s", a.Texts.Office.Lifetime.With(longest))
	}
	return nil
}

// sayRounded prints a warning if the lifetime of links must be rounded up to whole minutes.
func (a *app) sayRounded(say func(format string, arguments ...any), lifetime time.Duration) {
	if lifetime%time.Minute != 0 {
		say("%s", a.Texts.Office.Rounded.With(lifetime, int(lifetime/time.Minute)+1))
	}
}

func (a *app) sandbox(ctx context.Context, settings settings.Settings, options sandboxOptions) error {
	if err := cmp.Or(a.checkLifetime(options.Lifetime), cli.CheckURL("--webhook-url", options.WebhookURL)); err != nil {
		return err
	}
	var err error
	if options.Merchants, err = merchants(options.webhookFor); err != nil {
		return err
	}
	served, err := a.bindListeners(ctx, "--listen", options.listen, options.lan)
	if err != nil {
		return err
	}
	defer served.close()
	if settings.Account.Remote != "" { // A live shop's secret must not sign the sandbox's events.
		settings.Account.AccessToken, settings.Webhook.Secrets = secret.Text{}, nil
	} else if options.WebhookURL == "" {
		// Without a webhook address, the sandbox would only show its events on the dashboard.
		if known, err := cli.WebhookURL(settings); err == nil && options.Targets.Check(known) == nil {
			options.WebhookURL = known
		}
	}
	if options.PublicURL == "" && options.AllowedHosts == nil {
		options.PublicURL = served.public
	}
	options.Logger = cli.NewLogger(a.Err, settings.Log)
	if options.json {
		options.Observe = func(activity sandbox.Activity) { a.tellLine(activity) }
	}
	var token, webhookSecret string // Secrets to print, because they are made for this run.
	if settings.Account.AccessToken.Empty() {
		token = payments.TokenPrefix + "sandbox_" + rand.Text()
		settings.Account.AccessToken = secret.New(token)
	}
	if len(settings.Webhook.Secrets) == 0 {
		webhookSecret = "whsec_sandbox_" + rand.Text()
		settings.Webhook.Secrets = []secret.Text{secret.New(webhookSecret)}
	}
	service, err := a.newSandbox(settings, options.scenario, options.Config)
	if err != nil {
		return err
	}
	a.tellSandbox(served, options, token, webhookSecret)
	// RunAll stops service.Run first. That ends the sandbox's delayed replies, for which the
	// servers would otherwise wait.
	return cli.RunAll(ctx, service.Run, served.sandbox(service))
}

// merchants parses the values of --webhook-for into a webhook address for each token. The errors
// contain no token.
func merchants(values []string) (map[secret.Text]string, error) {
	addresses := make(map[secret.Text]string)
	for _, value := range values {
		text, address, _ := strings.Cut(value, "=")
		token := secret.New(text)
		if !payments.IsToken(token) || address == "" || cli.CheckURL("", address) != nil {
			return nil, cli.Misused("--webhook-for: write TOKEN=URL, with a token that begins with %s or %s and an http or https address",
				payments.TokenPrefix, payments.TestTokenPrefix)
		}
		if addresses[token] != "" {
			return nil, cli.Misused("--webhook-for: a token has two addresses")
		}
		addresses[token] = address
	}
	return addresses, nil
}

func (a *app) newSandbox(settings settings.Settings, scenario string, config sandbox.Config) (*sandbox.Sandbox, error) {
	config.Token, config.WebhookSecret = settings.Account.AccessToken, settings.Webhook.Secrets[0]
	config.Scheme, config.SignatureHeader = gateway.Scheme(settings.Webhook.SignatureScheme), settings.Webhook.SignatureHeader
	config.OrderPath = settings.Account.OrderPath
	config.Shop = settings.Counter.Shop
	if config.Now == nil {
		config.Now = a.Now
	}
	service, err := sandbox.New(config)
	if err == nil {
		chosen, _ := sandbox.FindScenario(scenario) // A blank name gives the zero scenario, without faults.
		service.SetFaults(chosen.Faults)
	}
	return service, err
}

func (a *app) tellSandbox(served listeners, options sandboxOptions, token, webhookSecret string) {
	local := served.url()
	if options.json {
		a.tellLine(struct {
			Kind          string `json:"kind"`
			URL           string `json:"url"`
			AccessToken   string `json:"access_token,omitempty"`
			WebhookSecret string `json:"webhook_secret,omitempty"`
		}{"listening", local, token, webhookSecret})
		return
	}
	a.Tell("sandbox on %s", local)
	if options.WebhookURL == "" {
		a.Tell("events go nowhere but onto the dashboard: name an address with --webhook-url")
	} else {
		a.Tell("events go to %s", options.WebhookURL)
	}
	for _, address := range slices.Sorted(maps.Values(options.Merchants)) {
		a.Tell("events of a further token go to %s", address)
	}
	if options.PublicURL != "" && options.PublicURL != local {
		a.Tell("phones on this network open %s", options.PublicURL)
	}
	a.Tell("dashboard on %s/", local)
	if scenario, err := sandbox.FindScenario(options.scenario); err == nil {
		a.Tell("scenario %s: %s", scenario.Name, scenario.Summary)
	}
	a.sayRounded(a.Tell, options.Lifetime)
	if token != "" {
		a.Tell("export TILL_ACCESS_TOKEN=%s", token)
	}
	if webhookSecret != "" {
		a.Tell("export TILL_WEBHOOK_SECRET=%s", webhookSecret)
	}
	a.Tell("try it: TILL_BASE_URL=%s till order create --item Vary:3500:2", local)
}

func (a *app) tellLine(value any) {
	text, err := json.Marshal(value)
	if err != nil {
		panic("cli: " + err.Error()) // Cannot fail: the value has only texts, numbers and times.
	}
	a.Tell("%s", server.Printable(text))
}

func (a *app) scenarioFlag(command *cobra.Command, name *string, usage string) {
	var choices []cobra.Completion
	for _, scenario := range sandbox.Scenarios() {
		choices = append(choices, cobra.CompletionWithDesc(scenario.Name, scenario.Summary))
	}
	a.Choice(command, name, "scenario", usage, choices...)
}
