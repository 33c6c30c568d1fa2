package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"checkout/till/payments"
	"checkout/till/tui/cli"
)

// labCommands returns the commands that act in a running sandbox.
func (a *app) labCommands() []*cobra.Command {
	var commands []*cobra.Command
	for _, act := range []struct{ name, outcome string }{
		{"pay", "success"}, {"fail", "failed"}, {"cancel", "canceled"}, {"expire", "expired"}, {"resend", ""},
	} {
		var address string
		command := a.JSON(&cobra.Command{Use: act.name + " REF"})
		command.PreRunE = func(*cobra.Command, []string) error { return cli.CheckURL("--url", address) }
		command.RunE = func(command *cobra.Command, arguments []string) error {
			return a.act(command.Context(), address, arguments[0], act.outcome)
		}
		command.Flags().StringVar(&address, "url", "http://"+sandboxAddress, "address of the sandbox")
		commands = append(commands, command)
	}
	return commands
}

// act performs an outcome of an order, or sends its last event again if outcome is blank.
// reference is the merchant's reference or the order_reference.
func (a *app) act(ctx context.Context, site, reference, outcome string) error {
	path, body, said := "/act", fmt.Sprintf(`{"outcome": %q}`, outcome), outcome
	if outcome == "" {
		path, body, said = "/resend", "", "the last event is sent again"
	}
	answer, err := askLab(ctx, strings.TrimRight(site, "/")+"/lab/orders/"+url.PathEscape(reference)+path, body)
	if err != nil {
		return err
	}
	return a.Print(answer, cli.CleanLabel(reference)+": "+said)
}

// askLab makes a POST to the fault lab of a running sandbox and returns the JSON of the
// answer. Its error is the message of a refusal.
func askLab(ctx context.Context, address, body string) (jsontext.Value, error) {
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("ask the sandbox: %w", err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // Uses no proxy.
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("no sandbox answers at http://%s: start it with till sandbox, or name its address with --url", request.Host)
	}
	defer func() { _ = response.Body.Close() }()
	var answer jsontext.Value
	var refusal struct {
		Message string `json:"message"`
	}
	err = json.UnmarshalRead(response.Body, &answer)
	if err == nil && response.StatusCode != http.StatusOK {
		err = json.Unmarshal(answer, &refusal)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("http://%s is not a sandbox: it answers %s", request.Host, response.Status)
	case refusal.Message != "":
		return nil, errors.New(payments.Clean(refusal.Message, cli.MaxMessage))
	}
	return answer, nil
}
