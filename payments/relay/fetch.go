package relay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	// maxWait limits how long a fetch waits for the first line of the relay's answer. The relay sends
	// line breaks meanwhile to keep the connection alive; they do not extend this time.
	maxWait = 2 * time.Minute
	// maxAge limits the age of a request, as the relay states it: a larger age counts as maxAge.
	maxAge = 30 * 24 * time.Hour
)

// fetch acknowledges the letters (stored requests) with numbers up to after. Then it gets the next
// letters, and delivers each as soon as it has arrived. last is the number of the last delivered
// letter; 0 if there is none. more is true if more letters are waiting. If waits is true, the relay
// may wait for a letter before it answers.
//
// Pass each number only once, and 0 if the last fetch delivered no letter: after [Fetcher.Replay],
// an old number would acknowledge letters that the relay must deliver again. If a request with a
// number is lost, the relay sends the letters again.
func (f *Fetcher) fetch(ctx context.Context, after int64, waits bool) (last int64, more bool, err error) {
	started := f.config.Now()
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	late := time.AfterFunc(maxWait, cancel)
	defer late.Stop()
	response, err := f.poll(asking, after, waits)
	if err != nil {
		return 0, false, err
	}
	defer response.Body.Close()
	from := bufio.NewReaderSize(response.Body, maxHead)
	next, err := readBatch(from)
	late.Stop()
	if err != nil {
		return 0, false, err
	}
	now := f.config.Now()
	emptied := f.begin(next)
	if next.Sample != nil {
		if refused, err := f.config.Key.open(next.Sample); err == nil {
			_ = f.config.Deliver(ctx, refused, now) // Ignore an error: the relay does not keep the sample.
		}
	}
	for _, letter := range next.Letters {
		sealed, err := letter.read(from)
		if err != nil {
			return last, false, err
		}
		// The relay sends ages instead of times, because its clock may differ from the till's.
		age := min(max(0, letter.Age), maxAge.Milliseconds())
		came := now.Add(-time.Duration(age) * time.Millisecond)
		if came.Before(emptied) {
			came = emptied
		}
		if err := f.deliver(ctx, letter.Seq, sealed, came); err != nil {
			return last, false, err
		}
		last = letter.Seq
	}
	if !next.More {
		f.catchUp(started)
	}
	_, _ = from.Peek(1) // Reads the end of the answer, so that the connection can be used again.
	return last, next.More, nil
}

func (f *Fetcher) deliver(ctx context.Context, seq int64, sealed []byte, came time.Time) error {
	request, err := f.config.Key.open(sealed)
	if err == nil {
		err = f.config.Deliver(ctx, request, came)
		if err != nil {
			return fmt.Errorf("a webhook from the relay could not be stored: %w", err)
		}
	} else { // Skip the letter, because it would block the later letters forever.
		f.config.Logger.Error("a webhook from the relay cannot be opened", keySeq, seq, keyFailure, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.Waiting--
	return nil
}

// begin records the first line of a batch. It returns the earliest possible arrival of the letters
// in the batch, or the zero time if it is unknown.
func (f *Fetcher) begin(next batch) (emptied time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.Full = next.Full
	f.state.OtherKey = next.OtherKey
	f.state.Waiting = len(next.Letters)
	if next.Replayed {
		return time.Time{}
	}
	return f.emptied
}

// catchUp records that the till has handled every letter that the relay had at the time started.
func (f *Fetcher) catchUp(started time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.emptied = started
	f.state.Emptied = true
	f.settle.Do(func() { close(f.settled) })
}

// poll sends a fetch and returns the answer. The caller reads and closes its body. The error is
// errHeld while another till fetches from the box.
func (f *Fetcher) poll(ctx context.Context, after int64, waits bool) (*http.Response, error) {
	query := url.Values{}
	if after > 0 {
		query.Set("after", strconv.FormatInt(after, 10))
	}
	if waits {
		query.Set("wait", "1")
	}
	response, err := f.request(ctx, http.MethodGet, "/v1/events?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusConflict {
		defer response.Body.Close()
		by, err := held(response)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.state.HeldBy = by
		return nil, errors.Join(errHeld, err)
	}
	if err := statusError(response); err != nil {
		return nil, errors.Join(err, response.Body.Close())
	}
	return response, nil
}
