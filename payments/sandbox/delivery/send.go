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

func newClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// send posts a delivery once.
func (q *Queue) send(ctx context.Context, sent Delivery) Try {
	tried := Try{At: q.config.Now().UTC()}
	timeout := tryTimeout + sent.Slow
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	body := append([]byte(sent.Body), bytes.Repeat([]byte(" "), sent.Padding)...)
	signature := http.Header{}
	tried.Signature = q.config.Sign(sent.Order, body, signature)
	if q.config.URL == "" {
		tried.Failure, tried.final = "no webhook address is set", true
		return tried
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, q.config.URL, nil)
	if err == nil {
		request.Header = signature.Clone()
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("User-Agent", "till-sandbox")
		request.ContentLength = int64(len(body))
		request.GetBody = func() (io.ReadCloser, error) { return slowReader(ctx, body, sent.Slow), nil }
		request.Body = slowReader(ctx, body, sent.Slow)
		err = q.exchange(request, sent.Slow > 0, signature, &tried)
	}
	tried.Took = q.config.Now().Sub(tried.At)
	if err != nil {
		tried.Failure, tried.final = explain(err, timeout), errors.Is(err, ErrTarget)
	}
	return tried
}

// exchange sends a request and reads the reply to a bound. A merchant may echo
// what it was sent: the signatures are taken out.
func (q *Queue) exchange(request *http.Request, slow bool, signature http.Header, tried *Try) error {
	response, err := q.clientFor(slow).Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	reply, err := io.ReadAll(io.LimitReader(response.Body, maxReply))
	if err != nil {
		return err
	}
	for _, values := range signature {
		for _, value := range values {
			reply = bytes.ReplaceAll(reply, []byte(value), []byte("(not shown)"))
		}
	}
	tried.Status = response.StatusCode
	tried.Reply = payments.Clean(string(reply[:min(len(reply), maxKeptReply)]), maxKeptReply)
	return nil
}

// clientFor returns the client, or one without a write buffer, which would
// gather the pieces of a slow body.
func (q *Queue) clientFor(slow bool) *http.Client {
	buffered, ok := q.config.Transport.(*http.Transport)
	if !slow || !ok {
		return q.client
	}
	direct := buffered.Clone()
	direct.WriteBufferSize, direct.DisableKeepAlives = 1, true
	return newClient(direct)
}

// explain says why no reply came. The webhook address is left out: its path may
// be a secret.
func explain(err error, timeout time.Duration) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "no reply within " + timeout.String()
	}
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	return payments.Clean(err.Error(), payments.MaxShownWidth)
}

// slowReader reads a body piece by piece over a span of time, until ctx ends.
func slowReader(ctx context.Context, body []byte, span time.Duration) io.ReadCloser {
	left := bytes.NewReader(body)
	if span <= 0 {
		return io.NopCloser(left)
	}
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
