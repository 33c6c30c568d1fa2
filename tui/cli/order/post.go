package order

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/cli"
)

// poster posts events to one address. It follows no redirect: the signature is
// a password, and is for this address alone.
type poster struct {
	client                 *http.Client
	url, header, signature string
}

func newPoster(address, header, signature string) poster {
	const patience = 30 * time.Second
	return poster{
		client: &http.Client{
			Timeout:       patience,
			Transport:     &http.Transport{DisableKeepAlives: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		url: address, header: header, signature: signature,
	}
}

// maxReply bounds what is read of a reply, in bytes.
const maxReply = 64 << 10

// post sends the body once and returns the reply, cleaned.
func (p poster) post(ctx context.Context, body []byte) (replyJSON, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return replyJSON{}, fmt.Errorf("post the event: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	if p.signature != "" {
		request.Header.Set(p.header, p.signature)
	}
	response, err := p.client.Do(request)
	if err != nil {
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err
		}
		return replyJSON{}, fmt.Errorf("post the event to %s: %w", p.url, err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxReply))
	if err != nil {
		return replyJSON{}, fmt.Errorf("read the reply of %s: %w", p.url, err)
	}
	return replyJSON{Status: response.StatusCode, Body: payments.Clean(string(text), cli.MaxMessage)}, nil
}

// printReplies prints the replies; one that is not 2xx is an error.
func (a *app) printReplies(result triggerJSON, asJSON bool) error {
	if asJSON {
		if err := cli.WriteJSON(a.Out, result); err != nil {
			return err
		}
	}
	refused := 0
	for _, reply := range result.Replies {
		if !asJSON {
			a.Tell("%d %s", reply.Status, reply.Body)
		}
		if reply.Status < 200 || reply.Status > 299 {
			refused++
		}
	}
	if refused > 0 {
		return fmt.Errorf("%d of %d events were refused by %s", refused, len(result.Replies), result.URL)
	}
	return nil
}
