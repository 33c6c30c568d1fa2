package sandbox_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/secret"
)

const secondToken = "TGP_second_not_a_real_token"

// further returns an option that adds a merchant with an access token and a webhook address.
func further(token, address string) option {
	return func(config *sandbox.Config) { config.Merchants = map[secret.Text]string{secret.New(token): address} }
}

// shopProgram is a merchant's program with a listener.
type shopProgram struct {
	address    string
	mu         sync.Mutex
	references []string // References of the received events.
}

func newShopProgram(t *testing.T) *shopProgram {
	t.Helper()
	p := &shopProgram{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		event, invalid := gateway.DecodeEvent(body)
		if err != nil || invalid != nil {
			t.Errorf("%v, %v: %s", err, invalid, body)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.references = append(p.references, event.Reference.Text)
	}))
	t.Cleanup(server.Close)
	p.address = server.URL + "/webhook"
	return p
}

// received returns the references of the received events, sorted.
func (p *shopProgram) received() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(slices.Sorted(slices.Values(p.references)), " ")
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

// settle waits until all deliveries are done.
func settle(t *testing.T, made *sandbox.Sandbox) {
	t.Helper()
	made.Await(t.Context(), func() bool {
		return !slices.ContainsFunc(made.Deliveries(), func(d sandbox.Delivery) bool { return !d.Done() })
	})
}

func TestEachTokenHasItsAddressAlsoAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sandbox.json")
	first, second := newShopProgram(t), newShopProgram(t)
	config := settings(first.address)
	config.Data = path
	made := newSandbox(t, config, further(secondToken, second.address)) // The sandbox does not run, so it sends nothing.
	act(t, made, orderOf(t, made, token, "A-sent"), payments.PaymentSuccess)
	act(t, made, orderOf(t, made, secondToken, "B-sent"), payments.PaymentSuccess)
	firstOpen, secondOpen := orderOf(t, made, token, "A-open"), orderOf(t, made, secondToken, "B-open")
	if reply := call(t, made, strings.ReplaceAll(orderBody("C-1"), token, "TGP_third")); reply.Status != http.StatusUnauthorized {
		t.Errorf("an unknown token: got %+v", reply)
	}

	again := newSandbox(t, config, further(secondToken, second.address))
	run(t, again)
	act(t, again, firstOpen, payments.PaymentFailed)
	act(t, again, secondOpen, payments.PaymentFailed)
	act(t, again, orderOf(t, again, secondToken, "B-new"), payments.PaymentSuccess)
	settle(t, again)
	if got, want := first.received(), "A-open A-sent"; got != want {
		t.Errorf("the first program received %q, want %q", got, want)
	}
	if got, want := second.received(), "B-new B-open B-sent"; got != want {
		t.Errorf("the second program received %q, want %q", got, want)
	}
}

func TestARemovedAddressReceivesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sandbox.json")
	first, second := newShopProgram(t), newShopProgram(t)
	config := settings(first.address)
	config.Data = path
	made := newSandbox(t, config, further(secondToken, second.address))
	act(t, made, orderOf(t, made, secondToken, "B-1"), payments.PaymentSuccess)

	again := newSandbox(t, config)
	run(t, again)
	settle(t, again)
	sent := again.Deliveries()[0]
	if sent.Stage != sandbox.Abandoned || len(sent.Tries) != 1 || first.received()+second.received() != "" {
		t.Errorf("the delivery is %+v; received %q and %q", sent, first.received(), second.received())
	}
	if hint := again.Activities()[0].Hint; !strings.Contains(hint, "--webhook-for") {
		t.Errorf("the hint is %q", hint)
	}
}
