package cli

import (
	"context"
	"net"
	"net/netip"
)

// RunAll lets tests see in which order parts stop.
func RunAll(ctx context.Context, front func(context.Context) error, parts ...func(context.Context) error) error {
	var behind []part
	for _, running := range parts {
		behind = append(behind, running)
	}
	return runAll(ctx, front, behind...)
}

// ParseItem lets tests read items without a command line.
var ParseItem = parseItem

// PublicAddress lets tests see what links begin with.
var PublicAddress = publicAddress

// Network is an address of a machine that a test makes up.
type Network struct {
	Name, Address string
	Flags         net.Flags
}

// ChooseAddress lets tests see which address of a machine phones are given:
// wanted, or else the best one.
func ChooseAddress(machine []Network, out, wanted string) (string, error) {
	var all []network
	for _, one := range machine {
		all = append(all, network{one.Name, netip.MustParseAddr(one.Address), kindOf(one.Name, one.Flags)})
	}
	way, _ := netip.ParseAddr(out)
	chosen, err := bestAddress(all, way)
	if wanted != "" {
		chosen, err = wantedAddress(all, wanted)
	}
	if err != nil {
		return "", err
	}
	return chosen.String(), nil
}
