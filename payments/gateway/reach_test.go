package gateway_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

func TestTheWayToTheServiceIsTriedWithoutACall(t *testing.T) {
	asked := make(chan string, 8)
	front := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	t.Cleanup(front.Close)
	secured := httptest.NewTLSServer(front.Config.Handler)
	t.Cleanup(secured.Close)
	nobody, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + nobody.Addr().String()
	if err := nobody.Close(); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		address string
		reached bool
	}{
		"a program that listens":                {front.URL, true},
		"nobody there":                          {closed, false},
		"a certificate that nobody vouches for": {secured.URL, false},
		"no such host":                          {"https://no-such-host.invalid", false},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := gateway.NewClient(tt.address, gateway.DefaultOrderPath, payments.NewSecret("TGP_test_not_a_real_token"))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			if err := client.Reach(ctx); (err == nil) != tt.reached {
				t.Errorf("%v", err)
			}
		})
	}
	front.Close()
	if len(asked) > 0 {
		t.Errorf("asked for %s", <-asked)
	}
}
