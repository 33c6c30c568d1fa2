package sandbox_test

import (
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
)

func TestEventsGoToThisMachineAndItsNetworkOnly(t *testing.T) {
	tests := []struct {
		name, webhook string
		allowed       []string
		taken         bool
	}{
		{"loopback", "http://127.0.0.1:8788/webhook", nil, true},
		{"loopback by name", "http://localhost:8788/webhook", nil, true},
		{"loopback, version 6", "http://[::1]:8788/webhook", nil, true},
		{"the local network", "http://192.168.1.20:8788/webhook", nil, true},
		{"the local network, version 6", "http://[fd00::7]/webhook", nil, true},
		{"no address", "", nil, true},
		{"X4 the metadata service of a cloud", "http://169.254.169.254/latest", nil, false},
		{"X4 an address in the form of version 6", "http://[::ffff:127.0.0.1]:8788/webhook", nil, false},
		{"an address of the internet", "http://198.51.100.7/webhook", nil, false},
		{"an address of the internet, allowed", "http://198.51.100.7/webhook", []string{"198.51.100.7"}, true},
		{"X4 the metadata service, allowed", "http://169.254.169.254/latest", []string{"169.254.169.254"}, true},
		{"no web address", "ftp://127.0.0.1/webhook", nil, false},
		{"no host", "http:///webhook", nil, false},
		{"a password in it", "http://user:word@127.0.0.1/webhook", nil, false},
		{"no address at all", "::", nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := sandbox.New(settings(test.webhook), sandbox.WithAllowedTargets(test.allowed...))
			if (err == nil) != test.taken || (err != nil && !errors.Is(err, sandbox.ErrTarget)) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestANameIsJudgedByWhatItResolvesTo(t *testing.T) {
	shop := newMerchant(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(shop.URL, "http://"), ":")
	t.Run("localhost", func(t *testing.T) {
		desk := newDesk(t, func(config *sandbox.Config) { config.WebhookURL = "http://LOCALHOST:" + port + "/" })
		desk.press(t, desk.order(t).Data.CheckoutURL, "success")
		shop.next(t)
	})
	t.Run("X4 another name is refused when it is connected to", func(t *testing.T) {
		// The machine's own name stands for one that somebody pointed at it.
		name, err := os.Hostname()
		if err != nil {
			t.Skip(err)
		}
		said := make(chan string, 100)
		desk := newDesk(t, func(config *sandbox.Config) {
			config.WebhookURL = "http://" + name + ":" + port + "/"
			config.Logger = slog.New(slog.NewTextHandler(lines(said), nil))
		})
		desk.press(t, desk.order(t).Data.CheckoutURL, "success")
		if line := <-said; !strings.Contains(line, "allow any other host") && !strings.Contains(line, "lookup") {
			t.Errorf("the log says %s", line)
		}
		shop.quiet(t)
	})
}

// lines hands each line that is written to a channel.
type lines chan<- string

func (l lines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

func TestNoWebhookAddressIsNoMistake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, err := sandbox.New(settings(""))
		if err != nil {
			t.Fatal(err)
		}
		run(t, made)
		_, reference := localOrder(t, made, "a")
		if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if page := dashboard(made); !contains(page, "no webhook address is set") || !contains(page, "given up") {
			t.Errorf("the dashboard shows %s", page.Body)
		}
	})
}

func TestUnsoundSettingsAreRefused(t *testing.T) {
	tests := []struct {
		name   string
		change func(*sandbox.Config)
		want   error
	}{
		{"W29 no webhook secret", func(c *sandbox.Config) { c.WebhookSecret = payments.Secret{} }, gateway.ErrWeakSecret},
		{"W29 a short webhook secret", func(c *sandbox.Config) { c.WebhookSecret = payments.NewSecret("whsec_demo_0123") }, gateway.ErrWeakSecret},
		{"an unknown scheme", func(c *sandbox.Config) { c.Scheme = "md5" }, gateway.ErrUnknownScheme},
		{"no token", func(c *sandbox.Config) { c.Token = payments.Secret{} }, sandbox.ErrConfig},
		{"another token", func(c *sandbox.Config) { c.Token = payments.NewSecret("SK_test") }, sandbox.ErrConfig},
		{"a lifetime below nothing", func(c *sandbox.Config) { c.Lifetime = -time.Second }, sandbox.ErrConfig},
		{"a lifetime of more than a day", func(c *sandbox.Config) { c.Lifetime = 25 * time.Hour }, sandbox.ErrConfig},
		{"an order path without a slash", func(c *sandbox.Config) { c.OrderPath = "order" }, sandbox.ErrConfig},
		{"an order path that is the dashboard's", func(c *sandbox.Config) { c.OrderPath = "/" }, sandbox.ErrConfig},
		{"a success page that is a script", func(c *sandbox.Config) { c.SuccessURL = "javascript:alert(1)" }, sandbox.ErrConfig},
		{"a page that would widen the policy", func(c *sandbox.Config) { c.CancelURL = "https://a;b/" }, sandbox.ErrConfig},
		{"a failure page without a host", func(c *sandbox.Config) { c.FailureURL = "/failed" }, sandbox.ErrConfig},
		{"a public address with a path", func(c *sandbox.Config) { c.PublicURL = "https://pay.example.mg/here" }, sandbox.ErrConfig},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			config := settings("")
			test.change(&config)
			if _, err := sandbox.New(config); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}
