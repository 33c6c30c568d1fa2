package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"checkout/till/payments"
)

const (
	beat      = 5 * time.Second  // Pause between the line breaks that are sent to a waiting till.
	pollLimit = 25 * time.Second // Longest time that a fetch waits for a request.
	// A sample is a refused request that the relay sends to the till, so that the till can find the
	// cause. samplePause is the shortest time between two samples. sampleSpeed is how many bytes a
	// second the samples of a box may have, so that a flood of wrong requests leaves most of a slow
	// line to the events. maxSample is the largest body of a sample; the service's events are smaller.
	samplePause = 10 * time.Second
	sampleSpeed = 100
	maxSample   = 4 << 10
	// fullFor is how long a box counts as full after a request that did not fit. A till makes no
	// orders while its box is full, so perhaps no request comes that would end this state.
	fullFor    = time.Minute
	maxHeaders = 4 << 10 // Maximum size of the stored headers of a request, in bytes.
)

// The names of the relay's own headers.
const (
	headerFetcher  = "Till-Fetcher"  // Name of the fetching till, a slash, and the ID of its process.
	headerListener = "Till-Listener" // ID of the fetching till's webhook listener.
)

// Attribute keys of log messages.
const (
	keyBox     = "box"
	keyFailure = "failure"
	keySeq     = "seq"
)

// Config configures a [Server]. All fields are required.
type Config struct {
	Store  Store
	URL    string // The relay's public address, without a path.
	Logger *slog.Logger
	// Proxied says that a reverse proxy forwards all requests; the sender is then the last
	// address in X-Forwarded-For.
	Proxied bool
}

// Server is a relay. It answers the payment service at /w/BOX, and the tills under /v1/.
type Server struct {
	http.Handler
	config Config
	limits *limits

	mu    sync.Mutex
	boxes map[string]*state // States by box ID; created when a box is first used.
	count map[string]int    // Number of answers to webhooks by result: "stored", or the status.
}

// state is the state of a box in memory, which a restart of the relay resets.
type state struct {
	news     chan struct{} // Closed and replaced by wake, to end the fetcher's wait.
	holder   fetcher       // The process that fetches; see [Server.claim].
	request  int           // Number of the fetcher's last request.
	until    time.Time     // End of the lease.
	proving  bool          // Whether the fetcher must show that it is alive.
	pairings int           // Number of pairings since the start of the relay.
	sample   []byte        // A refused request, encrypted, until it is sent to the till.
	sampled  time.Time     // When the next sample may be kept.
	replayed bool          // Whether there was a replay since the last answer to a fetch.
	full     time.Time     // When a request last did not fit; zero after a request was stored or acknowledged.
}

// NewServer returns a relay.
func NewServer(config Config) *Server {
	s := &Server{config: config, limits: newLimits(), boxes: map[string]*state{}, count: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /w/{box}", s.receive)
	mux.HandleFunc("GET /w/{box}", s.find)
	mux.HandleFunc("POST /v1/pair", s.pair)
	mux.HandleFunc("GET /v1/events", s.withBox(s.fetch))
	mux.HandleFunc("PUT /v1/box", s.withBox(s.setTerms))
	mux.HandleFunc("POST /v1/replay", s.withBox(s.replay))
	mux.HandleFunc("POST /v1/take", s.withBox(s.take))
	mux.HandleFunc("POST /v1/leave", s.withBox(s.leave))
	s.Handler = mux
	return s
}

// state returns the state of a box. The caller holds s.mu.
func (s *Server) state(id string) *state {
	if s.boxes[id] == nil {
		s.boxes[id] = &state{news: make(chan struct{})}
	}
	return s.boxes[id]
}

// wake ends the fetcher's wait when the box has something new, such as a letter. The caller holds
// s.mu.
func (b *state) wake() {
	close(b.news)
	b.news = make(chan struct{})
}

// receive stores a webhook request for the till and answers it, or answers why it is not stored.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) {
	address := s.sender(r)
	box, ok := s.box(w, r, address)
	if !ok {
		return
	}
	stamped := box.stamped(r.Header)
	switch {
	case !s.limits.box(box.ID, address, stamped):
		s.answer(w, http.StatusTooManyRequests, "Too Many Requests")
		return
	case box.Key == nil:
		s.answer(w, http.StatusServiceUnavailable, "No till is paired")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	header := kept(r.Header, box.Header)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		s.answer(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
		return
	case err != nil, len(body) == 0, len(header) == 0:
		s.answer(w, http.StatusBadRequest, "Bad Request")
		return
	}
	request := Request{Header: header, Body: body, Address: address}
	if !stamped {
		s.refuse(box, request)
		s.answer(w, http.StatusUnauthorized, "Invalid signature")
		return
	}
	sealed, err := seal(box.Key, request)
	if err == nil {
		// Store the request even if the sender hangs up.
		err = s.config.Store.Keep(context.WithoutCancel(r.Context()), box, senderIP(address), sealed)
	}
	s.mu.Lock()
	known := s.state(box.ID)
	known.full = time.Time{}
	if errors.Is(err, ErrFull) {
		known.full = time.Now()
	}
	known.wake()
	s.mu.Unlock()
	if err != nil {
		s.fail(w, "store a request for the box "+box.Name, err)
		return
	}
	s.tally("stored")
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"received":true,"status":"`+statusOf(body)+`"}`)
}

// statusOf returns the status that the specification gives to this kind of event. For an unknown
// kind it returns "received".
func statusOf(body []byte) string {
	var event struct {
		Event payments.EventKind `json:"event"`
	}
	_ = json.Unmarshal(body, &event) // Ignore an error: the till decides about malformed events.
	if status, known := event.Event.Status(); known {
		return string(status)
	}
	return "received"
}

// stamped reports whether a request may be stored: the box has no stamps, or one of them is the
// hash of the request's signature header.
func (b Box) stamped(header http.Header) bool {
	sum := hash(strings.Join(header.Values(b.Header), "\n"))
	return len(b.Stamps) == 0 || slices.ContainsFunc(b.Stamps, func(stamp []byte) bool { return bytes.Equal(stamp, sum) })
}

// Stamp returns the hash of a signature header's value, for the list Stamps of [Terms].
func Stamp(header string) []byte { return hash(header) }

// refuse keeps a refused request as a sample for the till, unless there was one a moment ago.
func (s *Server) refuse(box Box, request Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, now := s.state(box.ID), time.Now()
	if now.Before(known.sampled) || len(request.Body) > maxSample {
		return
	}
	known.sample, _ = seal(box.Key, request) // If the key is unusable, seal returns nil, and there is no sample.
	known.sampled = now.Add(max(samplePause, time.Duration(len(known.sample))*time.Second/sampleSpeed))
	known.wake()
}

// box returns the box in the path of a request. If the box does not exist or cannot be read, the
// method answers the request and returns false.
func (s *Server) box(w http.ResponseWriter, r *http.Request, address string) (Box, bool) {
	box, err := s.config.Store.Box(r.Context(), r.PathValue("box"))
	switch {
	case err == nil:
		return box, true
	case !errors.Is(err, ErrNoBox):
		s.fail(w, "read a box", err)
	case !s.limits.allow("unknown "+senderIP(address), 1, 30):
		s.answer(w, http.StatusTooManyRequests, "Too Many Requests")
	default:
		s.answer(w, http.StatusNotFound, "Not found")
	}
	return Box{}, false
}

// find answers whether the box exists. If a till fetches now, the answer's header Till-Listener is
// the ID of that till's webhook listener.
func (s *Server) find(w http.ResponseWriter, r *http.Request) {
	box, ok := s.box(w, r, s.sender(r))
	if !ok {
		return
	}
	s.mu.Lock()
	known := s.state(box.ID)
	if known.held() {
		w.Header().Set(headerListener, known.holder.listener)
	}
	s.mu.Unlock()
	_, _ = io.WriteString(w, "The relay takes webhooks here by POST.\n")
}

// pairing is the body of a pairing request.
type pairing struct {
	Code      string `json:"code"`
	TokenHash []byte `json:"token_hash"`
	Key       []byte `json:"key"`
	Terms
}

// pair pairs a till with the box that has the pairing code of the request.
func (s *Server) pair(w http.ResponseWriter, r *http.Request) {
	var asked pairing
	switch {
	case !s.limits.allow("pairing "+senderIP(s.sender(r)), 0.1, 10): // 6 tries a minute, too few to guess a code.
		s.answer(w, http.StatusTooManyRequests, "Too Many Requests")
		return
	case decode(w, r, &asked) != nil, len(asked.TokenHash) != 32, len(asked.Key) != 32, asked.Header == "":
		s.answer(w, http.StatusBadRequest, "Bad Request")
		return
	}
	box, err := s.config.Store.Pair(r.Context(), hash(unspaced(asked.Code)), Box{TokenHash: asked.TokenHash, Key: asked.Key, Terms: asked.Terms})
	switch {
	case errors.Is(err, ErrCode):
		s.answer(w, http.StatusForbidden, "Forbidden")
	case err != nil:
		s.fail(w, "pair a till", err)
	default:
		s.config.Logger.Info("a till was paired", keyBox, box.Name)
		s.mu.Lock()
		s.state(box.ID).pairings++
		s.state(box.ID).hold(fetcher{}) // Pairing has made the token of the earlier till invalid.
		s.mu.Unlock()
		writeJSON(w, map[string]string{"webhook": s.config.URL + "/w/" + box.ID})
	}
}

// withBox returns a handler that calls do with the box of the request's token. It refuses
// requests without a valid token.
func (s *Server) withBox(do func(http.ResponseWriter, *http.Request, Box)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		box, err := s.config.Store.BoxOf(r.Context(), hash(token))
		switch {
		case err == nil:
			do(w, r, box)
		case errors.Is(err, ErrNoBox):
			s.answer(w, http.StatusUnauthorized, "Unauthorized")
		default:
			s.fail(w, "read a box", err)
		}
	}
}

// setTerms replaces the [Terms] of a box.
func (s *Server) setTerms(w http.ResponseWriter, r *http.Request, box Box) {
	var terms Terms
	if err := decode(w, r, &terms); err != nil || terms.Header == "" {
		s.answer(w, http.StatusBadRequest, "Bad Request")
		return
	}
	s.finish(w, s.config.Store.SetTerms(r.Context(), box.ID, terms))
}

// replay makes the letters that were acknowledged in the last [ReplayFor] unacknowledged again.
func (s *Server) replay(w http.ResponseWriter, r *http.Request, box Box) {
	err := s.config.Store.Replay(r.Context(), box)
	s.mu.Lock()
	s.state(box.ID).replayed = true
	s.state(box.ID).wake()
	s.mu.Unlock()
	s.finish(w, err)
}

// replayed reports whether there was a replay since the last answer to a fetch. The next
// acknowledgement must then be ignored: it was meant for letters from before the replay, but would
// acknowledge the replayed letters, too.
func (s *Server) replayed(box string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state(box).replayed
}

// finish answers a request to change a box: 204 if err is nil, otherwise 503.
func (s *Server) finish(w http.ResponseWriter, err error) {
	if err != nil {
		s.fail(w, "change a box", err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// acknowledge acknowledges the letters up to the query parameter "after". It returns the number up to
// which the letters must not be sent, which is 0 unless the store failed, for example on a full disk.
func (s *Server) acknowledge(r *http.Request, box Box) (skip int64) {
	after, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64) // A letter that is not acknowledged is sent again.
	if after <= 0 || s.replayed(box.ID) {
		return 0
	}
	if err := s.config.Store.Acknowledge(r.Context(), box, after); err != nil {
		s.config.Logger.Error("the letters of a box could not be acknowledged", keyBox, box.Name, keyFailure, err)
		return after
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state(box.ID).full = time.Time{}
	return 0
}

// fetch acknowledges the letters up to the query parameter "after", and answers with the next
// letters. With the parameter "wait" it waits up to pollLimit for letters. While waiting it sends
// line breaks, so that both sides notice a dead connection.
func (s *Server) fetch(w http.ResponseWriter, r *http.Request, box Box) {
	asked, waits := fetcherOf(r), r.URL.Query().Has("wait")
	if asked.name == "" || asked.process == "" {
		s.answer(w, http.StatusBadRequest, "Bad Request")
		return
	}
	holder, number, first := s.claim(r.Context(), box.ID, asked, waits)
	if number == 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusConflict)
		writeJSON(w, map[string]string{"error": "held", "by": holder.name})
		return
	}
	sent := 0
	defer func() { s.ended(box.ID, number, sent) }()
	skip := s.acknowledge(r, box)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("X-Accel-Buffering", "no") // Keeps nginx from buffering the line breaks.
	for end := time.Now().Add(pollLimit); ; {
		next, letters, news, err := s.next(r.Context(), box, skip)
		if err != nil {
			s.config.Logger.Error("the letters of a box could not be read", keyBox, box.Name, keyFailure, err)
			return // The till sees an incomplete answer and asks again.
		}
		current, ends := s.current(box.ID, number)
		switch left := time.Until(end); {
		case !current:
			return
		case !waits, first, ends, left <= 0, len(letters) > 0, next.Sample != nil:
			answer, err := next.bytes(letters)
			if err == nil {
				sent = len(answer)
				err = send(w, answer)
			}
			if err != nil { // The till fetches the letters again.
				s.config.Logger.Debug("an answer could not be sent", keyBox, box.Name, keyFailure, err)
			}
			return
		default:
			await(r.Context(), news, min(beat, left))
		}
		if r.Context().Err() != nil || send(w, []byte("\n")) != nil {
			return
		}
	}
}

// next returns the answer to a fetch with its letters, and a channel that is closed when the box has
// something new.
func (s *Server) next(ctx context.Context, box Box, skip int64) (next batch, letters []Letter, news <-chan struct{}, err error) {
	s.mu.Lock()
	known := s.state(box.ID)
	news = known.news
	next = batch{Sample: known.sample, Full: time.Since(known.full) < fullFor}
	known.sample = nil
	known.replayed = false
	s.mu.Unlock()
	found, err := s.config.Store.Letters(ctx, box, skip)
	next.More = found.More
	next.OtherKey = found.OtherKey
	return next, found.Letters, news, err
}
