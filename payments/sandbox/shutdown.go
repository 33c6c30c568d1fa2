package sandbox

import (
	"net/http"
	"sync"
)

// shutdowns tells requests that would last when their server stops: a server
// that stops waits for them, and cuts them off in the end.
type shutdowns struct {
	mu      sync.Mutex
	servers map[*http.Server]<-chan struct{}
}

// of returns a channel that is closed when the server of a request stops; nil
// when the request has no server.
func (s *shutdowns) of(r *http.Request) <-chan struct{} {
	server, _ := r.Context().Value(http.ServerContextKey).(*http.Server)
	if server == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	stops, known := s.servers[server]
	if !known {
		closed := make(chan struct{})
		server.RegisterOnShutdown(sync.OnceFunc(func() { close(closed) }))
		stops = closed
		if s.servers == nil {
			s.servers = make(map[*http.Server]<-chan struct{})
		}
		s.servers[server] = stops
	}
	return stops
}
