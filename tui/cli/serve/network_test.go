package serve_test

import (
	"net"
	"strings"
	"testing"

	"checkout/till/tui/cli/serve"
)

const up = net.FlagUp | net.FlagRunning

func iface(name, address string, flags net.Flags) serve.Network {
	return serve.Network{Name: name, Address: address, Flags: flags}
}

// The interfaces of a developer's laptop, in the order of its system.
func laptop() []serve.Network {
	return []serve.Network{
		iface("lo", "127.0.0.1", up|net.FlagLoopback),
		iface("lo", "::1", up|net.FlagLoopback),
		iface("docker0", "172.17.0.1", net.FlagUp), // No container runs.
		iface("br-4f0a2c", "172.18.0.1", up),
		iface("virbr0", "192.168.122.1", up),
		iface("tun0", "10.8.0.2", up|net.FlagPointToPoint),
		iface("enp0s31f6", "192.168.0.5", net.FlagUp), // No cable.
		iface("wlp2s0", "192.168.1.20", up),
		iface("wlp2s0", "fd00::20", up),
	}
}

func TestTheAddressForPhones(t *testing.T) {
	tests := []struct {
		name, out, wanted, want string
		machine                 []serve.Network
	}{
		{"is that of the way out", "192.168.1.20", "", "192.168.1.20", laptop()},
		{"is no tunnel's, though that is the way out", "10.8.0.2", "", "192.168.1.20", laptop()},
		{"is found without a way out", "", "", "192.168.1.20", laptop()},
		{"is the way out's before another private one", "10.0.0.7", "", "10.0.0.7", append(laptop(), iface("enp3s0", "10.0.0.7", up))},
		{
			"is the first private one, where the way out is no interface's", "8.8.8.8", "", "10.0.0.7",
			[]serve.Network{iface("eth0", "203.0.113.7", up), iface("eth1", "10.0.0.7", up), iface("eth2", "10.0.1.7", up)},
		},
		{"is a public one when there is no other", "", "", "203.0.113.7", []serve.Network{iface("eth0", "203.0.113.7", up)}},
		{"is that of a bridge made by hand", "192.168.1.4", "", "192.168.1.4", []serve.Network{iface("br0", "192.168.1.4", up)}},
		{
			"is not that of a virtual switch of Windows", "", "", "192.168.1.9",
			[]serve.Network{iface("vEthernet (WSL)", "172.22.0.1", up), iface("Wi-Fi", "192.168.1.9", up)},
		},
		{"is the one that was chosen", "192.168.1.20", "172.18.0.1", "172.18.0.1", laptop()},
		{"is that of the interface that was chosen", "", "VIRBR0", "192.168.122.1", laptop()},
		{
			"is the interface's private one before others", "", "wlp2s0", "192.168.1.20",
			[]serve.Network{iface("wlp2s0", "fd00::20", up), iface("wlp2s0", "203.0.113.7", up), iface("wlp2s0", "192.168.1.20", up)},
		},
		{"may be one of IPv6", "", "fd00::20", "fd00::20", laptop()},
		{"may be this machine's own", "", "lo", "127.0.0.1", laptop()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := serve.Choose(tt.machine, tt.out, tt.wanted); err != nil || got != tt.want {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

func TestWithoutAnAddressForPhonesAllThereAreAreNamed(t *testing.T) {
	tests := []struct {
		name, out, wanted string
		machine           []serve.Network
		want              []string
	}{
		{"when none will do", "10.8.0.2", "", laptop()[:7], []string{
			"no address in a local network", "--interface", "lo 127.0.0.1 (this machine alone)",
			"docker0 172.17.0.1 (not connected)", "tun0 10.8.0.2 (virtual)",
		}},
		{"when there is none", "", "", nil, []string{"it has no interface at all"}},
		{"when another was chosen", "", "wlan0", laptop(), []string{
			`"wlan0" is neither an interface nor an address`, "wlp2s0 192.168.1.20,", "virbr0 192.168.122.1 (virtual)",
		}},
		{"when another address was chosen", "", "192.168.1.21", laptop(), []string{`"192.168.1.21" is neither`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := serve.Choose(tt.machine, tt.out, tt.wanted)
			if err == nil {
				t.Fatalf("it is %s", got)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %q: %v", want, err)
				}
			}
		})
	}
}
