package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// PortTakenError is returned by [Bind] if another program uses the port.
type PortTakenError struct{ Address string }

func (e *PortTakenError) Error() string {
	return fmt.Sprintf("listen on %s: another program listens there: stop it, or choose another address", e.Address)
}

// Limits bound what a client can use. Another limit is fixed: a header has at most 16 KiB.
type Limits struct {
	Header      time.Duration // Time limit for reading a header, and for the TLS handshake.
	Read        time.Duration
	Idle        time.Duration // Longest time between two requests on a connection.
	Write       time.Duration // Time limit from the end of the header to the end of the answer.
	Stop        time.Duration // Time limit for the open requests when the server stops.
	Connections int           // Maximum number of open connections.
}

// maxHeader limits the request line and the header to 16 KiB in all: net/http adds 4 KiB to
// MaxHeaderBytes.
const maxHeader = 16<<10 - 4<<10

// DefaultLimits returns the limits of a webhook listener.
func DefaultLimits() Limits {
	return Limits{
		Header: 5 * time.Second, Read: 10 * time.Second, Idle: time.Minute, Write: 15 * time.Second, Stop: 5 * time.Second, Connections: 256,
	}
}

// Server is the HTTP server of a handler. If all its connections are in use, it closes the one that
// has made no progress for the longest time, to make room for a new one. It spares the connections
// that [Trust] protects, and those with an event that is being stored.
type Server struct {
	http     http.Server
	listener *limiter
	stop     time.Duration
}

// Bind binds the address. Port 0 picks a free port: see [Server.Addr]. The error names the
// address and what to do; it is a [*PortTakenError] if another program uses the port.
func Bind(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	bound, err := config.Listen(ctx, "tcp", address)
	const windowsAddressInUse = syscall.Errno(10048) // The value of WSAEADDRINUSE, which package syscall does not define.
	switch {
	case errors.Is(err, syscall.EADDRINUSE), errors.Is(err, windowsAddressInUse):
		return nil, &PortTakenError{address}
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("listen on %s: this user may not: name a port above 1023: %w", address, err)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: name an address of this machine, such as 127.0.0.1:8788: %w",
			address, err)
	}
	return bound, nil
}

// NewServer returns a server for a bound address. It logs connection errors to logger.
func NewServer(bound net.Listener, handler http.Handler, limits Limits, logger *slog.Logger) *Server {
	s := &Server{stop: limits.Stop}
	s.listener = &limiter{Listener: bound, limit: limits.Connections, open: make(map[net.Conn]*slot)}
	s.http = http.Server{
		Handler:                      handler,
		ReadHeaderTimeout:            limits.Header,
		ReadTimeout:                  limits.Read,
		WriteTimeout:                 limits.Write,
		IdleTimeout:                  limits.Idle,
		MaxHeaderBytes:               maxHeader,
		ConnState:                    s.listener.note,
		ConnContext:                  s.listener.withSlot,
		ErrorLog:                     slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
		DisableGeneralOptionsHandler: true,
	}
	return s
}

// Addr returns the bound address, as host:port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Crowded reports whether the server has been at its limit of connections for more than two
// seconds. It is true only while a new connection comes at least once a second.
func (s *Server) Crowded() bool {
	l := s.listener
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.fullAt) <= crowdedGap && l.fullAt.Sub(l.fullFor) > crowdedAfter
}

// Serve answers requests until ctx ends. Then it stops accepting connections, and waits up to
// Limits.Stop for the requests that have arrived. If they take longer, Serve cuts them off and
// returns an error. If the listener fails before ctx ends, Serve returns the listener's error.
func (s *Server) Serve(ctx context.Context) error {
	requests := context.WithoutCancel(ctx)
	s.http.BaseContext = func(net.Listener) context.Context { return requests }
	served := make(chan error, 1)
	go func() { served <- s.http.Serve(s.listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve webhooks: %w", err)
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(requests, s.stop)
	var closing sync.WaitGroup
	closing.Go(func() { s.listener.closeIdle(ending) })
	err := s.http.Shutdown(ending)
	cancel()
	closing.Wait()
	if err != nil {
		_ = s.http.Close()
		return fmt.Errorf("stop the webhook listener: requests were cut off after %s", s.stop)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve webhooks: %w", err)
	}
	return nil
}
