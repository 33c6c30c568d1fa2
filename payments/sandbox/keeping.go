package sandbox

import "net/http"

// keeping has the answer to each request that may have changed something wait
// until the change is kept.
func (s *Sandbox) keeping(next http.Handler) http.Handler {
	if s.journal.archive == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet, http.MethodHead, http.MethodOptions:
			next.ServeHTTP(w, r)
			return
		}
		answer := &keptAnswer{ResponseWriter: w, kept: func() bool {
			if s.settled(r.Context()) {
				return true
			}
			clear(w.Header())
			s.refuse(w, r, http.StatusInternalServerError, "the sandbox cannot write to its data file")
			return false
		}}
		next.ServeHTTP(answer, r)
		answer.begin()
	})
}

// keptAnswer is an answer that begins once what it tells of is kept. When that
// fails another answer was given, and this one is not.
type keptAnswer struct {
	http.ResponseWriter
	kept         func() bool
	begun, given bool
}

// begin tells whether the answer may be given.
func (a *keptAnswer) begin() bool {
	if !a.begun {
		a.begun, a.given = true, a.kept()
	}
	return a.given
}

// WriteHeader is that of an http.ResponseWriter.
func (a *keptAnswer) WriteHeader(status int) {
	if a.begin() {
		a.ResponseWriter.WriteHeader(status)
	}
}

// Write is that of an http.ResponseWriter.
func (a *keptAnswer) Write(part []byte) (int, error) {
	if !a.begin() {
		return len(part), nil
	}
	return a.ResponseWriter.Write(part)
}

// Unwrap lets an http.ResponseController reach the connection.
func (a *keptAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
