package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"checkout/till/payments/clean"
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

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

// act makes the sandbox at site give an order an outcome, such as "failed". If outcome is blank,
// the sandbox sends the order's last event again.
func (a *app) act(ctx context.Context, site, reference, outcome string) error {
	path, body := "/act", fmt.Sprintf(`{"outcome": %q}`, outcome)
	said := outcome
	if outcome == "" {
		path, body = "/resend", ""
		said = "the last event is sent again"
	}
	answer, err := ask(ctx, http.MethodPost, strings.TrimRight(site, "/")+"/lab/orders/"+url.PathEscape(reference)+path, body)
	if err != nil {
		return err
	}
	return a.Print(answer, cli.CleanLabel(reference)+": "+said)
}

// healthCommand returns the command that a container without curl uses as its health check.
func (a *app) healthCommand() *cobra.Command {
	return a.JSON(&cobra.Command{
		Use: "health [URL]",
		RunE: a.WithSettings(func(ctx context.Context, settings settings.Settings, arguments []string) error {
			site := append(arguments, "http://"+cli.Reachable(settings.Webhook.Listen))[0]
			if err := cli.CheckURL("URL", site); err != nil {
				return err
			}
			answer, err := ask(ctx, http.MethodGet, strings.TrimRight(site, "/")+"/healthz", "")
			switch {
			case answer == nil:
				return err
			case err != nil:
				return errors.Join(a.Print(answer, clean.Text(string(answer), cli.MaxMessage)), err)
			}
			return a.Print(answer, "ok")
		}),
	})
}

// ask sends a request to a running sandbox or listener and returns the JSON of the answer. A status
// other than 200 is an error with the message in the answer.
func ask(ctx context.Context, method, address, body string) (jsontext.Value, error) {
	const patience, maxReply = 10 * time.Second, 16 << 20
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	request.Header.Set("Accept", "application/json")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // Uses no proxy.
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("nothing answers at %s://%s: start it there, or name its address", request.URL.Scheme, request.Host)
	}
	defer response.Body.Close()
	var answer jsontext.Value
	var refusal struct {
		Message string `json:"message"`
	}
	err = json.UnmarshalRead(io.LimitReader(response.Body, maxReply), &answer)
	if err == nil && response.StatusCode == http.StatusOK {
		return answer, nil
	}
	if err != nil {
		answer = nil
	}
	_ = json.Unmarshal(answer, &refusal) // If the body has no message, the error contains only the status.
	says := cmp.Or(refusal.Message, request.URL.Scheme+"://"+request.Host+" answers "+response.Status)
	return answer, errors.New(clean.Text(says, cli.MaxMessage))
}
