package relay

import (
	"context"
	"net/http"
	"strings"
	"time"
)

const (
	// lease is how long a till keeps its box after its last request has ended.
	lease = 30 * time.Second
	// proof is how long a new process of a till waits for a sign of life of its former process.
	proof = 3 * time.Second
	// turn is how long a till waits for the box of another till before it is told again who has it.
	turn = 10 * time.Second
	// slowest is the speed of the slowest line, in bytes a second. A till keeps its box for as long as
	// this line needs for an answer, because the relay does not see when the till has received it.
	slowest = 500
)

// fetcher is a process that fetches, or wants to.
type fetcher struct {
	name     string // Name of the till and its machine.
	process  string // Random ID of the process; empty if any process of the till may fetch.
	listener string // ID of the till's webhook listener.
}

func fetcherOf(r *http.Request) fetcher {
	name, process, _ := strings.Cut(r.Header.Get(headerFetcher), "/")
	return fetcher{name, process, r.Header.Get(headerListener)}
}

// is reports whether both are the same process.
func (f fetcher) is(other fetcher) bool { return f.name == other.name && f.process == other.process }

// held reports whether a till fetches from the box.
func (b *state) held() bool { return b.holder.name != "" && time.Now().Before(b.until) }

// hold makes a process the fetcher of the box. It ends the earlier request of a fetcher, and returns
// the number of the new one.
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

// claim makes a process the fetcher of a box, unless another process fetches from it. It returns who
// fetches now and, if it is the process that asked, the number of its request.
//
// A new process of the same till, for example after a power cut, waits for a sign of life of the
// former process, and replaces it if there is none. So a till does not lose its box to a copy of it
// on another machine. If waits is true, the process waits a while for the box.
//
// The result first says that the process did not fetch from the box before.
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
		known.proving = true // A process that is alive asks again when its request ends, and ends the proof.
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

// await waits for news, but not longer than limit or until ctx ends.
func await(ctx context.Context, news <-chan struct{}, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-news:
	case <-ctx.Done():
	}
}

// take gives the box to a till, even if another till fetches. Any process of the till may then
// fetch.
func (s *Server) take(w http.ResponseWriter, r *http.Request, box Box) {
	s.mu.Lock()
	s.state(box.ID).hold(fetcher{name: fetcherOf(r).name})
	s.mu.Unlock()
	s.finish(w, nil)
}

// leave acknowledges letters, and takes the box from a till that ends.
func (s *Server) leave(w http.ResponseWriter, r *http.Request, box Box) {
	s.acknowledge(r, box)
	s.mu.Lock()
	if known := s.state(box.ID); known.holder.is(fetcherOf(r)) {
		known.hold(fetcher{})
	}
	s.mu.Unlock()
	s.finish(w, nil)
}

// current reports whether a request is still the last one of the box's fetcher. ends says that the request must
// end now: the fetcher then shows by its next request that it is alive.
func (s *Server) current(box string, number int) (current, ends bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.state(box)
	return known.request == number, known.proving
}

// ended records the end of a fetcher's request, with an answer of some bytes.
func (s *Server) ended(box string, number, bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.state(box); known.request == number {
		known.until = time.Now().Add(time.Duration(bytes)*time.Second/slowest + lease)
		known.seen = time.Now()
	}
}
