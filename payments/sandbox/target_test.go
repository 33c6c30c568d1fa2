package sandbox_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/secret"
)

func TestEventsGoOnlyToThisMachine(t *testing.T) {
	for _, test := range []struct {
		name, host string
		taken      bool
	}{
		{"loopback", "127.0.0.1", true},
		{"loopback by name", "localhost", true},
		{"loopback, version 6", "[::1]", true},
		{"the local network", "192.168.1.20", false},
		{"an address of the internet", "198.51.100.7", false},
		{"the metadata service of a cloud", "169.254.169.254", false},
		{"an address mapped to version 6", "[::ffff:127.0.0.1]", false},
		{"an address in the deprecated form of version 6", "[::127.0.0.1]", false},
		{"the metadata service within an address of NAT64", "[64:ff9b::a9fe:a9fe]", false},
		{"loopback within an address of 6to4", "[2002:7f00:1::]", false},
		{"the unspecified address", "0.0.0.0", false},
		{"the unspecified address, version 6", "[::]", false},
		{"a link-local address, version 6", "[fe80::1]", false},
		{"a name", "private.example.mg", false},
		{"a shortened address", "127.1", false},
		{"one decimal number", "2130706433", false},
		{"localhost with a dot at the end", "localhost.", false},
		{"no host", "", false},
		{"a user and a password", "user:word@127.0.0.1", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := settings("http://" + test.host + ":8788/webhook")
			_, err := sandbox.New(config)
			if (err == nil) != test.taken || (err != nil && !errors.Is(err, sandbox.ErrTarget)) {
				t.Errorf("got %v", err)
			}
			name := strings.NewReplacer("[", "", "]", "", "%25", "%").Replace(test.host)
			if name == "" || strings.Contains(name, "@") {
				return
			}
			config.Targets = []string{name}
			if _, err := sandbox.New(config); err != nil {
				t.Errorf("allowed by its name: %v", err)
			}
		})
	}
	for _, address := range []string{"ftp://127.0.0.1/webhook", "127.0.0.1:8788", "/webhook", "::", "http://[::1"} {
		mustFail(t, failure(sandbox.New(settings(address))), sandbox.ErrTarget)
	}
	if _, err := sandbox.New(settings("")); err != nil {
		t.Errorf("no address: got %v", err)
	}
}

func TestEventsGoToLocalhostAndAllowedTargets(t *testing.T) {
	shop := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(shop.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(shop.URL, "http://"), ":")
	for _, host := range []string{"LOCALHOST", "0.0.0.0"} {
		tried := sendTo(t, "http://"+host+":"+port+"/", func(config *sandbox.Config) { config.Targets = []string{"0.0.0.0"} })
		if len(tried) != 1 || tried[0].Status != http.StatusOK || tried[0].Failure != "" {
			t.Errorf("%s: got %+v", host, tried)
		}
	}
}

func TestTheTransportChecksTheAddress(t *testing.T) {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://169.254.169.254/", nil)
	must(t, err)
	_, err = sandbox.Targets(nil).Transport("localhost").RoundTrip(request)
	mustFail(t, err, sandbox.ErrTarget)
}

// sendTo sends an event to an address, and returns the tries after the first one has ended.
func sendTo(t *testing.T, address string, options ...option) []sandbox.Try {
	t.Helper()
	made := begin(t, append(options, withRetry(sandbox.RetryNone), func(config *sandbox.Config) { config.WebhookURL = address })...)
	acted(t, made, "T1-20261121-GT-0007", payments.PaymentSuccess)
	var tries []sandbox.Try
	made.Await(t.Context(), func() bool {
		tries = made.Deliveries()[0].Tries
		return len(tries) > 0
	})
	return tries
}

func TestInvalidSettingsAreRefused(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*sandbox.Config)
		want   error
	}{
		{"no webhook secret", func(c *sandbox.Config) { c.WebhookSecret = secret.Text{} }, gateway.ErrWeakSecret},
		{"a short webhook secret", func(c *sandbox.Config) {
			c.WebhookSecret = secret.New("0123456789abcde")
		}, gateway.ErrWeakSecret},
		{"an unknown scheme", func(c *sandbox.Config) { c.Scheme = "md5" }, gateway.ErrUnknownScheme},
		{"no token", func(c *sandbox.Config) { c.Token = secret.Text{} }, sandbox.ErrConfig},
		{"a further token of another service", further("sk_live", webhookURL), sandbox.ErrConfig},
		{"the first token again", further(token, webhookURL), sandbox.ErrConfig},
		{"a further token without an address", further("TGP_second", ""), sandbox.ErrTarget},
		{"a further token's address on another machine", further("TGP_second", "http://192.168.1.20/webhook"), sandbox.ErrTarget},
		{"a negative lifetime", func(c *sandbox.Config) { c.Lifetime = -time.Second }, sandbox.ErrConfig},
		{"a lifetime of more than a day", func(c *sandbox.Config) { c.Lifetime = 25 * time.Hour }, sandbox.ErrConfig},
		{"an order path without a slash", func(c *sandbox.Config) { c.OrderPath = "order" }, sandbox.ErrConfig},
		{"an order path that is the dashboard's", func(c *sandbox.Config) { c.OrderPath = "/" }, sandbox.ErrConfig},
		{"a success page that is a script", func(c *sandbox.Config) { c.SuccessURL = "javascript:alert(1)" }, sandbox.ErrConfig},
		{"a page that would widen the policy", func(c *sandbox.Config) { c.CancelURL = "https://a;b/" }, sandbox.ErrConfig},
		{"a failure page without a host", func(c *sandbox.Config) { c.FailureURL = "/failed" }, sandbox.ErrConfig},
		{"a public address with a path", func(c *sandbox.Config) { c.PublicURL = "https://pay.example.mg/here" }, sandbox.ErrConfig},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := settings("")
			test.change(&config)
			mustFail(t, failure(sandbox.New(config)), test.want)
		})
	}
}

const (
	secondToken   = "TGP_second_not_a_real_token"
	secondAddress = "http://127.0.0.1:8799/webhook"
)

// further returns an option that adds a merchant with an access token and a webhook address.
func further(token, address string) option {
	return func(config *sandbox.Config) { config.Merchants = map[secret.Text]string{secret.New(token): address} }
}

// at returns the references of the events that were sent to an address, sorted.
func (i *inbox) at(address string) string {
	var references []string
	for _, one := range i.list() {
		if one.address == address {
			references = append(references, one.event.Reference.Text)
		}
	}
	slices.Sort(references)
	return strings.Join(references, " ")
}

// orderOf makes an order with an access token, and returns the order reference.
func orderOf(t *testing.T, made *sandbox.Sandbox, access, reference string) string {
	t.Helper()
	reply := call(t, made, strings.ReplaceAll(orderBody(reference), token, access))
	if reply.Status != http.StatusOK {
		t.Fatalf("%+v", reply)
	}
	return reply.Data.OrderReference
}

func TestEachTokenHasItsAddressAlsoAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "sandbox.json")
		transport, merchants := listen(t, always(http.StatusOK))
		made := kept(t, path, further(secondToken, secondAddress)) // The sandbox does not run, so it sends nothing.
		act(t, made, orderOf(t, made, token, "A-sent"), payments.PaymentSuccess)
		act(t, made, orderOf(t, made, secondToken, "B-sent"), payments.PaymentSuccess)
		firstOpen, secondOpen := orderOf(t, made, token, "A-open"), orderOf(t, made, secondToken, "B-open")
		if reply := call(t, made, strings.ReplaceAll(orderBody("C-1"), token, "TGP_third")); reply.Status != http.StatusUnauthorized {
			t.Errorf("an unknown token: got %+v", reply)
		}

		again := kept(t, path, further(secondToken, secondAddress), transport)
		run(t, again)
		act(t, again, firstOpen, payments.PaymentFailed)
		act(t, again, secondOpen, payments.PaymentFailed)
		act(t, again, orderOf(t, again, secondToken, "B-new"), payments.PaymentSuccess)
		synctest.Wait()
		if got, want := merchants.at(webhookURL), "A-open A-sent"; got != want {
			t.Errorf("the first program received %q, want %q", got, want)
		}
		if got, want := merchants.at(secondAddress), "B-new B-open B-sent"; got != want {
			t.Errorf("the second program received %q, want %q", got, want)
		}
	})
}

func TestARemovedAddressReceivesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "sandbox.json")
		transport, merchants := listen(t, always(http.StatusOK))
		made := kept(t, path, further(secondToken, secondAddress))
		act(t, made, orderOf(t, made, secondToken, "B-1"), payments.PaymentSuccess)

		again := kept(t, path, transport)
		run(t, again)
		synctest.Wait()
		sent := again.Deliveries()[0]
		if sent.Stage != sandbox.Abandoned || len(sent.Tries) != 1 || len(merchants.list()) > 0 {
			t.Errorf("the delivery is %+v; received %+v", sent, merchants.list())
		}
		if hint := again.Activities()[0].Hint; !strings.Contains(hint, "--webhook-for") {
			t.Errorf("the hint is %q", hint)
		}
	})
}
