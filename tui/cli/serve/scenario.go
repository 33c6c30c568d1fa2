package serve

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/tui/cli"
)

// scenarioFlag adds the flag that has something go wrong on purpose.
func scenarioFlag(command *cobra.Command, name *string, usage string) {
	command.Flags().StringVar(name, "scenario", "", usage)
	var choices []cobra.Completion
	for _, scenario := range sandbox.Scenarios() {
		choices = append(choices, cobra.CompletionWithDesc(scenario.Name, scenario.Summary))
	}
	cli.Complete(command, "scenario", choices...)
}

func scenarioNames() string {
	var names []string
	for _, scenario := range sandbox.Scenarios() {
		names = append(names, scenario.Name)
	}
	return strings.Join(names, ", ")
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
