package sandbox

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
	// tryTimeout bounds one try, beside what webhookRequest.slow takes.
	tryTimeout = 10 * time.Second
	// maxReply is how much of a reply is read, in bytes.
	maxReply = 64 << 10
	// maxKeptReply is how much of a reply is kept, in bytes.
	maxKeptReply = 2 << 10
)

// webhookRequest is what is sent to the merchant.
type webhookRequest struct {
	body       []byte
	signatures http.Header
	slow       time.Duration // How late the body follows the header.
}

// send posts a request once, without following a redirect.
func (c Config) send(ctx context.Context, sent webhookRequest) Try {
	tried := Try{At: c.Now().UTC()}
	if c.WebhookURL == "" {
		tried.Failure = "no webhook address is set"
		return tried
	}
	timeout := tryTimeout + sent.slow
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := c.exchange(ctx, sent, &tried)
	tried.Took = c.Now().Sub(tried.At)
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
func (c Config) exchange(ctx context.Context, sent webhookRequest, tried *Try) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.WebhookURL, bytes.NewReader(sent.body))
	if err != nil {
		return err
	}
	request.Header = sent.signatures.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "till-sandbox")
	if sent.slow > 0 {
		reader, writer := io.Pipe()
		late := time.AfterFunc(sent.slow, func() {
			_, err := writer.Write(sent.body)
			_ = writer.CloseWithError(err)
		})
		defer func() {
			late.Stop()
			_ = reader.Close()
		}()
		request.Body = reader
	}
	client := http.Client{
		Transport:     c.Transport,
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
	for _, values := range sent.signatures {
		for _, value := range values {
			reply = bytes.ReplaceAll(reply, []byte(value), []byte("(not shown)"))
		}
	}
	tried.Status = response.StatusCode
	tried.Reply = payments.Clean(string(reply[:min(len(reply), maxKeptReply)]), maxKeptReply)
	return nil
}
