package serve

import (
	"cmp"
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
	"checkout/till/storage/settings"
	"checkout/till/tui/cli"
)

// labPatience is the limit for an answer of a running sandbox.
const labPatience = 10 * time.Second

// labCommands returns the commands that act in a running sandbox.
func (a *app) labCommands() []*cobra.Command {
	var commands []*cobra.Command
	for _, act := range []struct{ name, outcome string }{
		{"pay", "success"}, {"fail", "failed"}, {"cancel", "canceled"}, {"expire", "expired"}, {"resend", ""},
	} {
		var address string
		command := a.JSON(&cobra.Command{Use: act.name + " REF"})
		command.PreRunE = func(*cobra.Command, []string) error { return cli.CheckURL("--url", address) }
		command.RunE = a.WithSettings(func(ctx context.Context, settings settings.Settings, arguments []string) error {
			site := cmp.Or(address, "http://"+sandboxAddress)
			if address == "" && settings.Account.Local() {
				site = settings.Account.BaseURL
			}
			return a.act(ctx, lab{site}, arguments[0], act.outcome)
		})
		command.Flags().StringVar(&address, "url", "", "address of the sandbox (default: base_url if it is on this machine, otherwise http://"+sandboxAddress+")")
		commands = append(commands, command)
	}
	return commands
}

// act performs an outcome of an order, or sends its last event again if outcome is blank.
// reference is the merchant's reference or the order_reference.
func (a *app) act(ctx context.Context, lab lab, reference, outcome string) error {
	var orders []struct {
		Name string `json:"order_reference"`
	}
	if err := lab.ask(ctx, http.MethodGet, "/lab/orders?reference="+url.QueryEscape(reference), "", &orders); err != nil {
		return err
	}
	order := reference
	if len(orders) > 0 {
		order = orders[0].Name
	}
	path, body := "/lab/orders/"+url.PathEscape(order)+"/act", fmt.Sprintf(`{"outcome": %q}`, outcome)
	said := outcome
	if outcome == "" {
		var sent []struct {
			ID    int64  `json:"id"`
			Event string `json:"event"`
		}
		if err := lab.ask(ctx, http.MethodGet, "/lab/deliveries?order="+url.QueryEscape(order), "", &sent); err != nil {
			return err
		}
		if len(sent) == 0 {
			return fmt.Errorf("the sandbox has no event of order %s", cli.CleanLabel(reference))
		}
		path, body = fmt.Sprintf("/lab/deliveries/%d/resend", sent[0].ID), ""
		said = sent[0].Event + " is sent again"
	}
	var answer jsontext.Value
	if err := lab.ask(ctx, http.MethodPost, path, body, &answer); err != nil {
		return err
	}
	return a.Print(answer, order+": "+said)
}

// lab is the fault lab of a running sandbox.
type lab struct{ site string }

// ask makes a request and decodes the answer. Its error is the message of a refusal.
func (l lab) ask(ctx context.Context, method, path, body string, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, labPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(l.site, "/")+path, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask the sandbox: %w", err)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // Uses no proxy.
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("no sandbox answers at %s: start it with till sandbox, or name its address with --url", l.site)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusOK {
		err = json.UnmarshalRead(response.Body, answer)
	} else {
		var refusal struct {
			Message string `json:"message"`
		}
		if err = json.UnmarshalRead(response.Body, &refusal); err == nil {
			return errors.New(payments.Clean(refusal.Message, cli.MaxMessage))
		}
	}
	if err != nil {
		return fmt.Errorf("%s is not a sandbox: it answers %s", l.site, response.Status)
	}
	return nil
}
