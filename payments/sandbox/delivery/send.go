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
	// tryTimeout bounds one try, beside what [Delivery.Slow] takes.
	tryTimeout = 10 * time.Second
	// maxReply is how much of a reply is read, in bytes.
	maxReply = 64 << 10
	// maxKeptReply is how much of a reply is kept, in bytes.
	maxKeptReply = 2 << 10
	// maxPieces is the number of pieces of a body that is sent slowly.
	maxPieces = 100
)

// send posts a delivery once.
func (q *Queue) send(ctx context.Context, sent Delivery) Try {
	tried, header := Try{At: q.config.Now().UTC()}, http.Header{}
	body := append([]byte(sent.Body), bytes.Repeat([]byte(" "), sent.Padding)...)
	tried.Signature = q.config.Sign(sent.Order, body, header)
	if q.config.URL == "" {
		tried.Failure, tried.final = "no webhook address is set", true
		return tried
	}
	timeout := tryTimeout + sent.Slow
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := q.exchange(ctx, body, header, sent.Slow, &tried)
	tried.Took = q.config.Now().Sub(tried.At)
	if errors.Is(err, context.DeadlineExceeded) {
		tried.Failure = "no reply within " + timeout.String()
	} else if err != nil {
		tried.Failure, tried.final = explain(err), errors.Is(err, ErrTarget)
	}
	return tried
}

// exchange posts a body with its signatures, and reads the reply to a bound. A
// merchant may echo what it was sent: the signatures are taken out.
func (q *Queue) exchange(ctx context.Context, body []byte, signatures http.Header, slow time.Duration, tried *Try) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, q.config.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = signatures.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "till-sandbox")
	if slow > 0 {
		request.Body = slowReader(ctx, body, slow)
	}
	response, err := q.client(slow).Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	reply, err := io.ReadAll(io.LimitReader(response.Body, maxReply))
	if err != nil {
		return err
	}
	for _, values := range signatures {
		for _, value := range values {
			reply = bytes.ReplaceAll(reply, []byte(value), []byte("(not shown)"))
		}
	}
	tried.Status = response.StatusCode
	tried.Reply = payments.Clean(string(reply[:min(len(reply), maxKeptReply)]), maxKeptReply)
	return nil
}

// client returns a client that follows no redirect. For a slow body it has no
// write buffer, which would gather the pieces.
func (q *Queue) client(slow time.Duration) *http.Client {
	transport := q.config.Transport
	if buffered, ok := transport.(*http.Transport); ok && slow > 0 {
		direct := buffered.Clone()
		direct.WriteBufferSize, direct.DisableKeepAlives = 1, true
		transport = direct
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// explain says why no reply came, without the webhook address: its path may be a
// secret.
func explain(err error) string {
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	return payments.Clean(err.Error(), payments.MaxShownWidth)
}

// slowReader reads a body piece by piece over a span of time, until ctx ends.
func slowReader(ctx context.Context, body []byte, span time.Duration) io.ReadCloser {
	left := bytes.NewReader(body)
	piece := (len(body) + maxPieces - 1) / maxPieces
	return io.NopCloser(readFunc(func(into []byte) (int, error) {
		count, err := left.Read(into[:min(len(into), piece)])
		select {
		case <-time.After(span * time.Duration(count) / time.Duration(len(body))):
			return count, err
		case <-ctx.Done():
			return 0, context.Canceled
		}
	}))
}

// readFunc is an io.Reader.
type readFunc func(into []byte) (int, error)

// Read calls the function.
func (f readFunc) Read(into []byte) (int, error) { return f(into) }
