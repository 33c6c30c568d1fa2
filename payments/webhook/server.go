package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"
)

// PortTakenError says that another program listens at an address.
type PortTakenError struct{ Address string }

// Error names the address and what to do about it.
func (e *PortTakenError) Error() string {
	return fmt.Sprintf("listen on %s: another program listens there: stop it, or choose another address", e.Address)
}

// Limits bound what the other side of a connection can cost. Beside them a header is
// read within 5 s and has at most 16 KiB, and a connection is idle for a minute.
type Limits struct {
	Read        time.Duration // Until a whole request is read.
	Write       time.Duration // From the header to the end of the answer.
	Stop        time.Duration // For requests that are under way at the end.
	Connections int           // Open at once; see [Server].
}

// maxHeader bounds a request line and its header, in bytes. net/http reads 4 KiB
// beyond its own limit.
const maxHeader = 16<<10 - 4<<10

// DefaultLimits returns the limits that a server has by default.
func DefaultLimits() Limits {
	return Limits{Read: 10 * time.Second, Write: 15 * time.Second, Stop: 5 * time.Second, Connections: 256}
}

// Server is the HTTP server around a handler. At its limit of connections it
// closes the one without progress for the longest time, so that idle and slow
// connections keep no event out; see limiter.
type Server struct {
	http     http.Server
	listener *limiter
	stop     time.Duration
}

// Bind binds the address. Port 0 picks a free port: see [Server.Addr]. The
// error names the address and what to do about it; it is a [*PortTakenError] when
// another program has the port.
func Bind(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	bound, err := config.Listen(ctx, "tcp", address)
	const windowsAddressInUse = syscall.Errno(10048) // The syscall package does not name it.
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

// NewServer returns a server on an address that is bound. logger is told of
// faults of connections.
func NewServer(bound net.Listener, handler http.Handler, limits Limits, logger *slog.Logger) *Server {
	s := &Server{stop: limits.Stop}
	s.listener = &limiter{Listener: bound, limit: limits.Connections, open: make(map[net.Conn]*slot)}
	s.http = http.Server{
		Handler:                      handler,
		ReadHeaderTimeout:            5 * time.Second,
		ReadTimeout:                  limits.Read,
		WriteTimeout:                 limits.Write,
		IdleTimeout:                  time.Minute,
		MaxHeaderBytes:               maxHeader,
		ConnState:                    s.listener.note,
		ConnContext:                  s.listener.withSlot,
		ErrorLog:                     slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
		DisableGeneralOptionsHandler: true,
	}
	return s
}

// Addr returns the address that is bound, as host:port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Crowded reports whether open connections have been at their limit for more
// than two seconds.
func (s *Server) Crowded() bool {
	l := s.listener
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.fullAt) <= crowdedGap && l.fullAt.Sub(l.fullFor) > crowdedAfter
}

// Serve answers requests until ctx ends. Then it accepts no more, lets requests
// that have arrived finish within the limit, and returns nil; requests that
// take longer are cut off, which is an error.
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
	defer cancel()
	// Of those that send nothing, or not the rest, net/http would wait for the end.
	defer time.AfterFunc(minAge, s.listener.closeIdle).Stop()
	if err := s.http.Shutdown(ending); err != nil {
		_ = s.http.Close()
		return fmt.Errorf("stop the webhook listener: requests were cut off after %s", s.stop)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve webhooks: %w", err)
	}
	return nil
}
