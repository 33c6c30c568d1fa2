package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// resultStored is the result of a webhook request that was stored. Any other result is the HTTP
// status of the answer.
const resultStored = "stored"

// counts returns the counters of all possible results, at zero. So an operator can set an alarm for
// a result that has not occurred yet.
func counts() map[string]int {
	count := map[string]int{resultStored: 0}
	for _, status := range []int{400, 401, 403, 404, 413, 429, 503} {
		count[strconv.Itoa(status)] = 0
	}
	return count
}

func (s *Server) tally(result string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count[result]++
}

// Status is the state of a box, apart from its letters, for the relay's operator.
type Status struct {
	Box       string
	Till      string // Name of the till that fetched last, with its machine; empty without one.
	Connected bool
	Seen      time.Time // When a till last fetched.
	Refused   int       // Number of refused requests since the last call of [Server.Changes].
	RefusedAt time.Time // Time of the last refused request; zero for none.
	RefusedAs int
}

// Changes returns the boxes that were connected, disconnected or taken by another till, or that
// refused requests, since the last call. It also returns a connected box that it has not returned
// for ten minutes.
func (s *Server) Changes() []Status {
	const refresh = 10 * time.Minute
	s.mu.Lock()
	defer s.mu.Unlock()
	var changes []Status
	for id, box := range s.boxes {
		connected := box.held()
		if connected {
			box.seen = time.Now()
		}
		if connected == box.connected && !box.taken && box.refused == 0 && !(connected && time.Since(box.told) > refresh) {
			continue
		}
		changes = append(changes, Status{id, box.till, connected, box.seen, box.refused, box.refusedAt, box.refusedAs})
		box.connected = connected
		box.taken = false
		box.told = time.Now()
		box.refused = 0
	}
	return changes
}

// Problem is something wrong with a relay or its machine, for the operator.
type Problem struct {
	Kind string `json:"kind"` // One word, such as disk.
	Text string `json:"text"`
	Down bool   `json:"down"` // Whether the problem stops events from being stored or fetched.
}

// Admin returns the handler of /healthz and /metrics for the relay's operator. problems returns the
// problems that exist now. Serve the handler only on an address that is not public.
func (s *Server) Admin(version string, problems func(ctx context.Context) []Problem) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		found := append([]Problem{}, problems(r.Context())...) // Encodes as an empty list, not as null.
		down := slices.ContainsFunc(found, func(p Problem) bool { return p.Down })
		w.Header().Set("Content-Type", "application/json")
		if down {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"ok": !down, "problems": found, "version": version})
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		found := len(problems(r.Context()))
		s.mu.Lock()
		defer s.mu.Unlock()
		fetching := 0
		for _, box := range s.boxes {
			if box.held() {
				fetching++
			}
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		gauge := func(name, help string, value int) {
			_, _ = fmt.Fprintf(w, "# HELP %[1]s %[2]s\n# TYPE %[1]s gauge\n%[1]s %[3]d\n", name, help, value)
		}
		_, _ = fmt.Fprintf(w, "# HELP till_build_info Version of the program.\n# TYPE till_build_info gauge\ntill_build_info{version=%q} 1\n", version)
		gauge("till_relay_fetchers", "Tills that fetch now.", fetching)
		gauge("till_relay_problems", "Faults that /healthz names.", found)
		_, _ = fmt.Fprint(w, "# HELP till_relay_answers_total Answers by result.\n# TYPE till_relay_answers_total counter\n")
		for _, result := range slices.Sorted(maps.Keys(s.count)) {
			_, _ = fmt.Fprintf(w, "till_relay_answers_total{result=%q} %d\n", result, s.count[result])
		}
	})
	return mux
}
