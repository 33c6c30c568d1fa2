package sandbox

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"time"
)

// maxPieces is into how many pieces a body is cut that is sent slowly.
const maxPieces = 100

// parcel is what a delivery carries: an event, and how a fault has it sent.
type parcel struct {
	body    []byte        // The event.
	padding int           // Bytes of white space after it.
	slow    time.Duration // How long the sending takes.
}

// load makes the parcel the body of a request, and returns its bytes as they
// are sent. White space is put to it for the request alone: a thousand
// deliveries may wait.
func (p parcel) load(request *http.Request) []byte {
	sent := p.body
	if p.padding > 0 {
		sent = append(slices.Clip(sent), bytes.Repeat([]byte(" "), p.padding)...)
	}
	request.ContentLength = int64(len(sent))
	request.GetBody = func() (io.ReadCloser, error) { return p.read(request.Context(), sent), nil }
	request.Body = p.read(request.Context(), sent)
	return sent
}

// read returns a reader of the bytes that takes as long as the parcel shall.
func (p parcel) read(ctx context.Context, sent []byte) io.ReadCloser {
	if p.slow <= 0 || len(sent) == 0 {
		return io.NopCloser(bytes.NewReader(sent))
	}
	return io.NopCloser(&drip{
		left: sent, piece: (len(sent) + maxPieces - 1) / maxPieces,
		pause: float64(p.slow) / float64(len(sent)), done: ctx.Done(),
	})
}

// client returns the client to send the parcel by: for a slow one, a client
// that sends each piece at once instead of gathering them.
func (p parcel) client(usual *http.Client) *http.Client {
	buffered, ok := usual.Transport.(*http.Transport)
	if p.slow <= 0 || !ok {
		return usual
	}
	direct := buffered.Clone()
	direct.WriteBufferSize, direct.DisableKeepAlives = 1, true
	client := *usual
	client.Transport = direct
	return &client
}

// drip reads bytes piece by piece, with a pause before each, until done.
type drip struct {
	left  []byte
	piece int     // How much is given at once, at most.
	pause float64 // In nanoseconds a byte.
	done  <-chan struct{}
}

// Read waits, and gives the next piece, or [context.Canceled] when it is done.
func (d *drip) Read(into []byte) (int, error) {
	if len(d.left) == 0 {
		return 0, io.EOF
	}
	size := min(len(into), d.piece, len(d.left))
	select {
	case <-time.After(time.Duration(d.pause * float64(size))):
	case <-d.done:
		return 0, context.Canceled
	}
	copy(into, d.left[:size])
	d.left = d.left[size:]
	return size, nil
}
