package sandbox_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/secret"
)

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
