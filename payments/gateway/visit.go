package gateway

import (
	"context"
	"fmt"
	"net/http"

	"checkout/till/payments"
)

// ListenerHeader is the header in which a listener of till's tells which one it
// is, so that a look at the public address finds out where that leads.
const ListenerHeader = "Till-Listener"

// Visit looks at the address of the order call without making an order.
func (c *Client) Visit(ctx context.Context, now payments.Clock) (payments.Visit, error) {
	return visit(ctx, c.http, now, c.address)
}

// Visit looks at an address: it asks for the header of what is there (HEAD). Its
// error is the [payments.Fault] that says what is in the way.
func Visit(ctx context.Context, now payments.Clock, address string) (payments.Visit, error) {
	return visit(ctx, newHTTPClient(), now, address)
}

func visit(ctx context.Context, client *http.Client, now payments.Clock, address string) (payments.Visit, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return payments.Visit{}, fmt.Errorf("look at an address: %w", err)
	}
	request.Header.Set("User-Agent", "till")
	asked := now()
	response, err := client.Do(request)
	if err != nil {
		if fault := unreached(err); fault != "" {
			return payments.Visit{}, fault
		}
		return payments.Visit{}, lost(err)
	}
	_ = response.Body.Close() // There is none.
	came := now()
	found := payments.Visit{
		Status:   response.StatusCode,
		Listener: payments.Clean(response.Header.Get(ListenerHeader), payments.MaxLabelWidth),
	}
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		found.Ahead = date.Sub(asked.Add(came.Sub(asked) / 2))
	}
	if response.TLS != nil && len(response.TLS.PeerCertificates) > 0 {
		found.Expires = response.TLS.PeerCertificates[0].NotAfter
	}
	return found, nil
}
