package relay_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"checkout/till/payments/relay"
)

// A caller that waits for [relay.Fetcher.Settled] goes on as soon as the relay has refused the
// fetcher.
func TestAFetcherIsSettledWhenTheRelayRefusesIt(t *testing.T) {
	for name, status := range map[string]int{"an unknown key": http.StatusUnauthorized, "another till fetches": http.StatusConflict} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet && status == http.StatusConflict {
					return
				}
				w.WriteHeader(status)
				_, _ = io.WriteString(w, `{"error": "held", "by": "T2"}`)
			}))
			t.Cleanup(server.Close)
			key, err := relay.NewKey()
			if err != nil {
				t.Fatal(err)
			}
			fetcher, err := relay.NewFetcher(relay.FetcherConfig{
				Webhook: server.URL + "/w/BOX", Key: key, Name: "T1", Now: time.Now, Logger: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				fetcher.Run(ctx)
			}()
			select {
			case <-fetcher.Settled():
			case <-ended:
				t.Error("the fetcher is not settled")
			}
			stop()
			<-ended
		})
	}
}
