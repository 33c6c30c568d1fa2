package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"checkout/till/payments/gateway"
)

const linkPrefix = "/c/"

// reserved tells whether a path is one of the sandbox's own pages.
func reserved(path string) bool {
	return path == "/" || strings.HasPrefix(path, linkPrefix) || strings.HasPrefix(path, labPrefix) ||
		strings.HasPrefix(path, boardPrefix)
}

// route finds what a path stands for, by exact comparison: a redirect to a
// tidier path would lose a POST.
func (s *Sandbox) route(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	switch {
	case path == s.config.OrderPath:
		s.board.calls.watched(s.serveOrder)(w, r)
	case strings.HasPrefix(path, linkPrefix):
		s.servePage(w, r)
	case strings.HasPrefix(path, labPrefix):
		s.serveLab(w, r)
	case path == "/" || strings.HasPrefix(path, boardPrefix):
		s.serveDashboard(w, r)
	default:
		s.refuse(w, r, http.StatusNotFound, "there is nothing at this path: the order call is POST "+s.config.OrderPath+", the dashboard is /")
	}
}

// allow answers 405 unless the method is one of those allowed.
func (s *Sandbox) allow(w http.ResponseWriter, r *http.Request, methods ...string) bool {
	if slices.Contains(methods, r.Method) {
		return true
	}
	allowed := strings.Join(methods, ", ")
	w.Header().Set("Allow", allowed)
	s.refuse(w, r, http.StatusMethodNotAllowed, "only "+allowed+" is served here")
	return false
}

// refuse answers with a message, as the path's readers expect it: JSON for the
// order call and the fault lab, text for a page.
func (s *Sandbox) refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	if r.URL.Path == s.config.OrderPath || strings.HasPrefix(r.URL.Path, labPrefix) {
		reply(w, status, gateway.EncodeMessage(message))
		return
	}
	http.Error(w, message, status)
}

// reply answers with JSON.
func reply(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
