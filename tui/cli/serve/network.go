package serve

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"checkout/till/tui/cli"
)

// network is an address of this machine, and where it leads.
type network struct {
	name    string // Of the interface.
	address netip.Addr
	note    string // Why no phone reaches it; blank where one does.
}

// lanAddress returns the address by which other machines of the local network
// reach this one. wanted, when it is not empty, is an interface's name or an
// address that was chosen.
func lanAddress(ctx context.Context, wanted string) (netip.Addr, error) {
	networks, err := networks()
	if err != nil {
		return netip.Addr{}, err
	}
	return choose(networks, wayOut(ctx), wanted)
}

// choose returns the best of the machine's addresses, or of those that a person
// chose by an address or an interface's name. By itself it takes IPv4 alone, and
// no interface to which no phone is connected.
func choose(networks []network, out netip.Addr, wanted string) (netip.Addr, error) {
	const unfit = 3
	rank := func(n network) int {
		switch {
		case n.address == out && wanted == "":
			return 0
		case n.address.Is4() && n.address.IsPrivate():
			return 1
		case n.address.Is4() && !n.address.IsLinkLocalUnicast():
			return 2
		}
		return unfit
	}
	address, _ := netip.ParseAddr(wanted)
	fits := slices.DeleteFunc(slices.Clone(networks), func(n network) bool {
		if wanted == "" {
			return n.note != "" || rank(n) == unfit
		}
		return n.address != address.Unmap() && !strings.EqualFold(n.name, wanted)
	})
	switch {
	case len(fits) > 0:
		return slices.MinFunc(fits, func(a, b network) int { return rank(a) - rank(b) }).address, nil
	case wanted != "":
		return netip.Addr{}, cli.Misused("--interface: %q is neither an interface nor an address of this machine (%s)",
			cli.Shown(wanted), listed(networks))
	}
	return netip.Addr{}, fmt.Errorf("this machine has no address in a local network: connect it, "+
		"or choose one with --interface (%s)", listed(networks))
}

func listed(networks []network) string {
	var all []string
	for _, network := range networks {
		text := network.name + " " + network.address.String()
		if network.note != "" {
			text += " (" + network.note + ")"
		}
		all = append(all, text)
	}
	if len(all) == 0 {
		return "it has no interface at all"
	}
	return "it has " + strings.Join(all, ", ")
}

// wayOut returns the address with which this machine calls others, and none
// when it has no way. Nothing is sent: connecting UDP only looks the way up.
// The address is one of documentation.
func wayOut(ctx context.Context) netip.Addr {
	const elsewhere = "192.0.2.1:9"
	var dialer net.Dialer
	way, err := dialer.DialContext(ctx, "udp4", elsewhere)
	if err != nil {
		return netip.Addr{}
	}
	defer func() { _ = way.Close() }()
	own, _ := netip.ParseAddrPort(way.LocalAddr().String())
	return own.Addr().Unmap()
}

// networks returns the addresses of this machine that a link can hold, in the
// order in which the system names the interfaces.
func networks() ([]network, error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, fmt.Errorf("look for the machine's network addresses: %w", err)
	}
	var networks []network
	for _, one := range interfaces {
		// One that is gone again by now has none.
		addresses, _ := one.Addrs()
		for _, address := range addresses {
			prefix, err := netip.ParsePrefix(address.String())
			if err != nil || prefix.Addr().Is6() && prefix.Addr().IsLinkLocalUnicast() {
				continue // With a zone it stands in no link.
			}
			networks = append(networks, network{one.Name, prefix.Addr().Unmap(), noteOf(one.Name, one.Flags)})
		}
	}
	return networks, nil
}

// noteOf judges an interface by what the system says of it and, as no system
// says which are virtual, by its name.
func noteOf(name string, flags net.Flags) string {
	name = strings.ToLower(name)
	begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	switch {
	case flags&net.FlagLoopback != 0:
		return "this machine alone"
	case flags&net.FlagUp == 0 || flags&net.FlagRunning == 0:
		return "not connected"
	case flags&net.FlagPointToPoint != 0, slices.ContainsFunc(virtualNames(), begins):
		return "virtual"
	}
	return ""
}

// virtualNames are how the names of interfaces begin behind which there is no
// network of the house: those of containers, virtual machines and tunnels. A
// bridge that somebody made by hand (br0) may well be the house's.
func virtualNames() []string {
	return []string{
		"docker", "br-", "veth", "podman", "cni", "flannel", "cali", "cilium", "kube", "lxc", "lxdbr", "incusbr",
		"virbr", "vnet", "vmnet", "vboxnet", "virtualbox", "vmware", "vethernet", "hyper-v", "bluetooth",
		"tun", "tap", "utun", "wg", "zt", "tailscale", "nordlynx", "ipsec", "ppp", "dummy", "awdl", "llw",
	}
}
