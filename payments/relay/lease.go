package relay

import (
	"context"
	"net/http"
	"strings"
	"time"

	"checkout/till/payments/gateway"
)

const (
	// lease is how long, at least, a till keeps its box after the end of its last request.
	lease = 30 * time.Second
	// proof is how long a new process of a till waits for a request of the till's earlier process. Such
	// a request proves that the earlier process still runs.
	proof = 3 * time.Second
	// turn is how long a till waits for a box that another till holds, before it gets the answer 409.
	turn = 10 * time.Second
	// slowest is the speed of the slowest line, in bytes a second. The relay does not see when a
	// till has received an answer. So after an answer, a till also keeps its box for the time that
	// the answer takes on such a line.
	slowest = 500
)

// fetcher is a process of a till that fetches from a box, or wants to.
type fetcher struct {
	name     string // Name of the till and its machine.
	process  string // Random ID of the process; empty if any process of the till may fetch.
	listener string
}

func fetcherOf(r *http.Request) fetcher {
	name, process, _ := strings.Cut(r.Header.Get(headerFetcher), "/")
	return fetcher{name, process, r.Header.Get(gateway.ListenerHeader)}
}

func (f fetcher) is(other fetcher) bool { return f.name == other.name && f.process == other.process }

// held reports whether a till holds the box: it fetches now, or its lease has not ended.
func (b *state) held() bool { return b.holder.name != "" && time.Now().Before(b.until) }

// hold makes a process the holder of the box, and returns the number of its request. Requests with
// lower numbers then end. The zero fetcher releases the box.
func (b *state) hold(by fetcher) (number int) {
	b.holder = by
	b.until = time.Now().Add(pollLimit + lease)
	b.proving = false
	b.request++
	if by.name != "" {
		b.taken = b.taken || b.till != by.name
		b.till = by.name
		b.seen = time.Now()
	}
	b.wake()
	return b.request
}

// claim makes a process the holder of a box, unless another process holds it. Only the holder may
// fetch. claim returns the holder, and the number of the request, which is 0 if the process does
// not become the holder. first reports whether the process did not hold the box before.
//
// If waits is true, claim waits up to the time turn until the box is free. Otherwise, an earlier
// process of the same till gets the time proof to show that it still runs. So a copy of the till on
// another machine cannot take the box from a running till.
func (s *Server) claim(ctx context.Context, box string, asked fetcher, waits bool) (holder fetcher, number int, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.state(box)
	restarted := !waits && known.holder.name == asked.name && !known.holder.is(asked)
	patience := time.Duration(0)
	if waits {
		patience = turn
	}
	if restarted {
		patience = proof
		known.proving = true // Ends the request of the earlier process. If that process still runs, it sends another request, which clears proving.
		known.wake()
	}
	pairings := known.pairings
	for end := time.Now().Add(patience); ; {
		now := time.Now()
		if known.pairings != pairings {
			return known.holder, 0, false // The token of this request is invalid now.
		}
		ours := known.holder.is(asked) || known.holder.is(fetcher{name: asked.name})
		dead := restarted && known.proving && !now.Before(end)
		if ours || dead || !known.held() {
			first = !known.holder.is(asked)
			return asked, known.hold(asked), first
		}
		alive := restarted && !known.proving
		if alive || !now.Before(end) || ctx.Err() != nil {
			return known.holder, 0, false
		}
		news := known.news
		s.mu.Unlock()
		await(ctx, news, end.Sub(now))
		s.mu.Lock()
	}
}

func await(ctx context.Context, news <-chan struct{}, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-news:
	case <-ctx.Done():
	}
}

// take makes a till the holder of the box, even if another till fetches. Any process of the till
// may then fetch.
func (s *Server) take(w http.ResponseWriter, r *http.Request, box Box) {
	s.mu.Lock()
	s.state(box.ID).hold(fetcher{name: fetcherOf(r).name})
	s.mu.Unlock()
	s.finish(w, nil)
}

func (s *Server) leave(w http.ResponseWriter, r *http.Request, box Box) {
	s.acknowledge(r, box)
	s.mu.Lock()
	if known := s.state(box.ID); known.holder.is(fetcherOf(r)) {
		known.hold(fetcher{})
	}
	s.mu.Unlock()
	s.finish(w, nil)
}

// current reports whether the request with this number is still the last one of the box's holder.
// ends says that the request must end now. The holder then sends another request, which shows that
// the holder still runs. If the request need not end, it gets the sample, which is then kept no
// longer.
func (s *Server) current(box string, number int) (sample []byte, current, ends bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.state(box)
	if known.request != number || known.proving {
		return nil, known.request == number, known.proving
	}
	sample, known.sample = known.sample, nil
	return sample, true, false
}

// ended records that a request of the holder has ended. bytes is the size of its answer.
func (s *Server) ended(box string, number, bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.state(box); known.request == number {
		known.until = time.Now().Add(time.Duration(bytes)*time.Second/slowest + lease)
		known.seen = time.Now()
	}
}
