package network

import (
	"net"
	"net/netip"
)

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
