package relay

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
)

func (s *Server) tally(result string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count[result]++
}

// Admin returns the handler of /healthz and /metrics for the relay's operator. Serve it only on an
// address that is not public.
func (s *Server) Admin(version string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		if _, err := s.config.Store.Box(r.Context(), ""); err != ErrNoBox { //nolint:errorlint // A store does not wrap ErrNoBox.
			http.Error(w, "the boxes cannot be read", http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		fetching := 0
		for _, box := range s.boxes {
			if box.held() {
				fetching++
			}
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		_, _ = fmt.Fprintf(w, "# HELP till_build_info Version of the program.\n# TYPE till_build_info gauge\ntill_build_info{version=%q} 1\n", version)
		_, _ = fmt.Fprintf(w, "# HELP till_relay_fetchers Tills that fetch now.\n# TYPE till_relay_fetchers gauge\ntill_relay_fetchers %d\n", fetching)
		_, _ = fmt.Fprint(w, "# HELP till_relay_answers_total Answers by result.\n# TYPE till_relay_answers_total counter\n")
		for _, result := range slices.Sorted(maps.Keys(s.count)) {
			_, _ = fmt.Fprintf(w, "till_relay_answers_total{result=%q} %d\n", result, s.count[result])
		}
	})
	return mux
}
