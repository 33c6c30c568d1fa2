package gateway_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

func TestVisitSendsOnlyAHeadRequest(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	asked := make(chan string, 8)
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method + " " + r.URL.Path
		w.Header().Set("Date", now.Add(2*time.Minute).Format(http.TimeFormat))
		w.Header().Set(gateway.ListenerHeader, "ABC\u202e")
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
	front, secured := httptest.NewServer(answer), httptest.NewTLSServer(answer)
	t.Cleanup(front.Close)
	t.Cleanup(secured.Close)
	found := payments.Visit{Status: http.StatusMethodNotAllowed, Listener: "ABC", Ahead: 2 * time.Minute}
	for _, tt := range []struct {
		name, address string
		want          payments.Visit
		fault         error
	}{
		{"a program that listens", front.URL, found, nil},
		{"an untrusted certificate", secured.URL, payments.Visit{}, payments.ErrUntrusted},
		{"no listener", "http://127.0.0.1:1", payments.Visit{}, payments.ErrNobody},
		{"no such host", "https://no-such-host.invalid", payments.Visit{}, payments.ErrNoHost},
	} {
		t.Run(tt.name, func(t *testing.T) {
			visit, err := client(t, tt.address).Visit(t.Context(), func() time.Time { return now })
			if visit != tt.want || !errors.Is(err, tt.fault) {
				t.Errorf("found %+v, %v", visit, err)
			}
		})
	}
	found.Expires = secured.Certificate().NotAfter
	if visit, err := gateway.VisitWith(t.Context(), secured.Client(), func() time.Time { return now }, secured.URL+gateway.DefaultOrderPath); err != nil || visit != found {
		t.Errorf("with a trusted certificate: found %+v, %v", visit, err)
	}
	for len(asked) > 0 {
		if call := <-asked; call != "HEAD "+gateway.DefaultOrderPath {
			t.Errorf("asked for %s", call)
		}
	}
}

func TestAheadUsesTheDateOfTheLastReply(t *testing.T) {
	ahead := 3 * time.Hour
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Date"] = nil
		if ahead != 0 {
			w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
		}
		w.WriteHeader(http.StatusBadRequest)
	}))
	t.Cleanup(service.Close)
	client := client(t, service.URL)
	expect := func(want time.Duration) {
		t.Helper()
		if got := client.Ahead(); (got - want).Abs() > time.Minute {
			t.Errorf("got %v ahead, want %v", got, want)
		}
	}
	expect(0)
	refusal := new(payments.Refusal)
	if _, err := client.Create(t.Context(), payments.Order{Amount: 1}); !errors.As(err, &refusal) {
		t.Fatal(err)
	}
	expect(3 * time.Hour)
	ahead = 0 // A reply without a date changes nothing.
	must(t, failure(client.Visit(t.Context(), time.Now)))
	expect(3 * time.Hour)
	ahead = -5 * time.Minute
	must(t, failure(client.Visit(t.Context(), time.Now)))
	expect(-5 * time.Minute)
	// Ahead compares with this machine's clock, even if the shop's clock is different.
	must(t, failure(client.Visit(t.Context(), func() time.Time { return time.Now().Add(-8 * time.Hour) })))
	expect(-5 * time.Minute)
}

func TestErrorsOfTheSystemSayWhyNoServerWasReached(t *testing.T) {
	for cause, want := range map[syscall.Errno]payments.CallError{
		syscall.ENETUNREACH: payments.ErrNoNetwork, syscall.EHOSTUNREACH: payments.ErrNoNetwork,
		10051: payments.ErrNoNetwork, 10065: payments.ErrNoNetwork, 10061: payments.ErrNobody, // Windows.
	} {
		if got := gateway.Unreached(&net.OpError{Op: "dial", Err: cause}); got != want {
			t.Errorf("%d gives %q, want %q", int(cause), got, want)
		}
	}
}
