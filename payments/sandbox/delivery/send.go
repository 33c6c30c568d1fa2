package delivery

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"checkout/till/payments"
)

const (
	// tryTimeout bounds one try, beside what [Request.Slow] takes.
	tryTimeout = 10 * time.Second
	// maxReply is how much of a reply is read, in bytes.
	maxReply = 64 << 10
	// maxKeptReply is how much of a reply is kept, in bytes.
	maxKeptReply = 2 << 10
)

// Request is what is sent to the merchant.
type Request struct {
	URL        string // Of the webhook; empty: nothing is sent.
	Body       []byte
	Signatures http.Header
	Slow       time.Duration // How late the body follows the header.
}

// Send posts a request once, by a transport and without following a redirect.
func Send(ctx context.Context, transport http.RoundTripper, now payments.Clock, sent Request) Try {
	tried := Try{At: now().UTC()}
	if sent.URL == "" {
		tried.Failure = "no webhook address is set"
		return tried
	}
	timeout := tryTimeout + sent.Slow
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := sent.exchange(ctx, transport, &tried)
	tried.Took = now().Sub(tried.At)
	if errors.Is(err, context.DeadlineExceeded) {
		tried.Failure = "no reply within " + timeout.String()
	} else if err != nil {
		if outer, ok := errors.AsType[*url.Error](err); ok {
			err = outer.Err // Without the webhook address: its path may be a secret.
		}
		tried.Failure = payments.Clean(err.Error(), payments.MaxShownWidth)
	}
	return tried
}

// exchange posts the body, and reads the reply to a bound. A merchant may echo
// what it was sent: the signatures are taken out.
func (sent Request) exchange(ctx context.Context, transport http.RoundTripper, tried *Try) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, sent.URL, bytes.NewReader(sent.Body))
	if err != nil {
		return err
	}
	request.Header = sent.Signatures.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "till-sandbox")
	if sent.Slow > 0 {
		reader, writer := io.Pipe()
		late := time.AfterFunc(sent.Slow, func() {
			_, err := writer.Write(sent.Body)
			_ = writer.CloseWithError(err)
		})
		defer func() {
			late.Stop()
			_ = reader.Close()
		}()
		request.Body = reader
	}
	client := http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	reply, err := io.ReadAll(io.LimitReader(response.Body, maxReply))
	if err != nil {
		return err
	}
	for _, values := range sent.Signatures {
		for _, value := range values {
			reply = bytes.ReplaceAll(reply, []byte(value), []byte("(not shown)"))
		}
	}
	tried.Status = response.StatusCode
	tried.Reply = payments.Clean(string(reply[:min(len(reply), maxKeptReply)]), maxKeptReply)
	return nil
}
