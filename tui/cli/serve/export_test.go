package serve

import (
	"context"
	"net"
	"net/netip"
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

// Network is an address of a machine that a test makes up.
type Network struct {
	Name, Address string
	Flags         net.Flags
}

// Choose lets tests see which address of a machine phones are given:
// wanted, or else the best one.
func Choose(machine []Network, out, wanted string) (string, error) {
	var all []network
	for _, one := range machine {
		all = append(all, network{one.Name, netip.MustParseAddr(one.Address), noteOf(one.Name, one.Flags)})
	}
	way, _ := netip.ParseAddr(out)
	chosen, err := choose(all, way, wanted)
	return chosen.String(), err
}
