package sandbox

import (
	"io"
	"net/http"
	"time"
)

const (
	// streamPause is the least time between two words to one page: changes
	// that come in a rush are one.
	streamPause = 300 * time.Millisecond
	// streamBeat is how often a page is told that the line is up.
	streamBeat = 15 * time.Second
	// streamPatience is how long a page may take nothing before it is let go.
	streamPatience = 10 * time.Second
	// maxStreams is how many pages may listen at once.
	maxStreams = 64
)

// serveLive tells a page, as server-sent events, which version of the
// dashboard there is to see: at once, and after every change. The page fetches
// what it shows by itself, so that nothing is lost when words are: the next one
// says all there is to say. It ends with the page, the server, or the sandbox.
func (s *Sandbox) serveLive(w http.ResponseWriter, r *http.Request) {
	if !s.allow(w, r, http.MethodGet) {
		return
	}
	select {
	case s.board.streams <- struct{}{}:
		defer func() { <-s.board.streams }()
	default:
		s.refuse(w, r, http.StatusServiceUnavailable, "too many pages listen already")
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	control := http.NewResponseController(w)
	// The server's limit is for requests that are to arrive; this one has.
	_ = control.SetReadDeadline(time.Time{})
	say := func(line string) bool {
		_ = control.SetWriteDeadline(time.Now().Add(streamPatience))
		_, err := io.WriteString(w, line+"\n\n")
		return err == nil && control.Flush() == nil
	}
	stops := s.board.stops.of(r)
	changes := s.Watch(r.Context())
	beat := time.NewTicker(streamBeat)
	defer beat.Stop()
	for alive := say("retry: 1000"); alive; {
		alive = say("data: " + s.watchers.version())
		select {
		case <-time.After(streamPause):
		case <-r.Context().Done():
			return
		case <-stops:
			return
		}
		for waiting := alive; waiting && alive; {
			select {
			case _, alive = <-changes:
				waiting = false
			case <-stops:
				return
			case <-beat.C:
				alive = say(":")
			}
		}
	}
}
