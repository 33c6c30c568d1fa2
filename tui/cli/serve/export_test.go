package serve

import (
	"context"
	"net"
)

// PublicAddress lets tests see what links begin with.
func PublicAddress(ctx context.Context, bound, wanted string) (string, error) {
	return listeners{local: fixed(bound)}.public(ctx, lanFlags{which: wanted})
}

// fixed is a listener with an address, and nothing more.
type fixed string

func (fixed) Accept() (net.Conn, error) { return nil, net.ErrClosed }
func (fixed) Close() error              { return nil }
func (f fixed) Addr() net.Addr          { return f }
func (fixed) Network() string           { return "tcp" }
func (f fixed) String() string          { return string(f) }

// BrowserCommand lets tests see which program opens a page.
func BrowserCommand(system string, env func(string) string) []string {
	return browserCommand(system, env)
}
