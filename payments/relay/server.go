package relay

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"sync"
	"time"
)

// headerFetcher is the request header with the name of the fetching till, a slash, and the ID of
// its process.
const headerFetcher = "Till-Fetcher"

const (
	keyBox     = "box"
	keyFailure = "failure"
	keySeq     = "seq"
)

// Config configures a [Server]. All fields are required, except Trust.
type Config struct {
	Store  Store
	URL    string // The relay's public address, without a path.
	Logger *slog.Logger
	// Proxied says that a reverse proxy forwards all requests; the sender is then the last
	// address in X-Forwarded-For.
	Proxied bool
	// Trust is called for a request of a paired till, and for one with a valid static signature. It
	// can protect the connection of such a request from being closed to make room for others.
	Trust func(ctx context.Context)
}

// Server is a relay. The payment service calls it at /w/BOX, and the tills call it under /v1/.
type Server struct {
	http.Handler
	config Config
	limits *limits

	mu    sync.Mutex
	boxes map[string]*state // The key is the ID of a box.
	count map[string]int    // Number of stored webhooks ("stored") and of refused requests (by HTTP status).
}

// state is the part of a box's state that is only in memory: a restart of the relay resets it.
type state struct {
	changing chan struct{} // Contains a value while [Store.Replay] or [Store.Acknowledge] changes the letters. Not a mutex, because testing/synctest does not notice the wait for one.
	news     chan struct{} // Closed and replaced by wake, so that waiting requests continue.
	holder   fetcher       // The process that may fetch.
	request  int           // Sequence number of the last request that set the holder; earlier requests then end.
	until    time.Time     // End of the holder's lease: until then, another till cannot fetch.
	proving  bool          // Whether the holder must show that it is alive, because another process of its till asks for the box.
	pairings int           // Number of pairings since the start of the relay.
	sample   []byte        // A refused request, encrypted, until it is sent to the till.
	sampled  time.Time     // When the next sample may be kept.
	replayed bool          // Whether [Store.Replay] was called since the last answer to a fetch.
	again    bool          // Whether the next answers may contain letters that [Store.Replay] has made unacknowledged.
	full     time.Time     // When a request last found no room; zero after a later one was stored, or letters were acknowledged.

	// The fields below are for [Server.Changes].
	till      string    // Name of the till that fetched last.
	seen      time.Time // When that till last fetched.
	connected bool      // Whether a till held the box at the last call of [Server.Changes].
	taken     bool      // Whether the fetching till has changed since the last call of [Server.Changes].
	told      time.Time // When [Server.Changes] last returned the box.
	refused   int       // Number of refused requests since the last call of [Server.Changes].
	refusedAt time.Time
	refusedAs int
}

// NewServer returns a relay. It starts nothing: the caller serves the returned handler.
func NewServer(config Config) *Server {
	if config.Trust == nil {
		config.Trust = func(context.Context) {}
	}
	s := &Server{config: config, limits: newLimits(), boxes: map[string]*state{}, count: counts()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /w/{box}", s.receive)
	mux.HandleFunc("GET /w/{box}", s.find)
	mux.HandleFunc("POST /v1/pair", s.pair)
	mux.HandleFunc("GET /v1/events", s.withBox(s.fetch))
	mux.HandleFunc("PUT /v1/box", s.withBox(s.setTerms))
	mux.HandleFunc("POST /v1/replay", s.withBox(s.replay))
	mux.HandleFunc("POST /v1/take", s.withBox(s.take))
	mux.HandleFunc("POST /v1/leave", s.withBox(s.leave))
	mux.HandleFunc("/", s.stray)
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Clean(r.URL.Path) != r.URL.Path { // The mux would redirect some of these paths without counting them.
			s.stray(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
	return s
}

// state returns the state of a box. The caller holds s.mu.
func (s *Server) state(id string) *state {
	if s.boxes[id] == nil {
		s.boxes[id] = &state{changing: make(chan struct{}, 1), news: make(chan struct{})}
	}
	return s.boxes[id]
}

// wake ends the wait of all requests that wait for a change of the box, such as a new letter. The
// caller holds s.mu.
func (b *state) wake() {
	close(b.news)
	b.news = make(chan struct{})
}
