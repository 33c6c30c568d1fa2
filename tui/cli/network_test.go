package cli_test

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"checkout/till/tui/cli"
)

const up = net.FlagUp | net.FlagRunning

func iface(name, address string, flags net.Flags) cli.Network {
	return cli.Network{Name: name, Address: address, Flags: flags}
}

// The interfaces of a developer's laptop, in the order of its system.
func laptop() []cli.Network {
	return []cli.Network{
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
		machine                 []cli.Network
	}{
		{"is that of the way out", "192.168.1.20", "", "192.168.1.20", laptop()},
		{"is no tunnel's, though that is the way out", "10.8.0.2", "", "192.168.1.20", laptop()},
		{"is found without a way out", "", "", "192.168.1.20", laptop()},
		{"is the way out's before another private one", "10.0.0.7", "", "10.0.0.7", append(laptop(), iface("enp3s0", "10.0.0.7", up))},
		{
			"is the first private one, where the way out is no interface's", "8.8.8.8", "", "10.0.0.7",
			[]cli.Network{iface("eth0", "203.0.113.7", up), iface("eth1", "10.0.0.7", up), iface("eth2", "10.0.1.7", up)},
		},
		{"is a public one when there is no other", "", "", "203.0.113.7", []cli.Network{iface("eth0", "203.0.113.7", up)}},
		{"is that of a bridge made by hand", "192.168.1.4", "", "192.168.1.4", []cli.Network{iface("br0", "192.168.1.4", up)}},
		{
			"is not that of a virtual switch of Windows", "", "", "192.168.1.9",
			[]cli.Network{iface("vEthernet (WSL)", "172.22.0.1", up), iface("Wi-Fi", "192.168.1.9", up)},
		},
		{"is the one that was chosen", "192.168.1.20", "172.18.0.1", "172.18.0.1", laptop()},
		{"is that of the interface that was chosen", "", "VIRBR0", "192.168.122.1", laptop()},
		{
			"is the interface's private one before others", "", "wlp2s0", "192.168.1.20",
			[]cli.Network{iface("wlp2s0", "fd00::20", up), iface("wlp2s0", "203.0.113.7", up), iface("wlp2s0", "192.168.1.20", up)},
		},
		{"may be one of IPv6", "", "fd00::20", "fd00::20", laptop()},
		{"may be this machine's own", "", "lo", "127.0.0.1", laptop()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := cli.ChooseAddress(tt.machine, tt.out, tt.wanted); err != nil || got != tt.want {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

func TestWithoutAnAddressForPhonesAllThereAreAreNamed(t *testing.T) {
	tests := []struct {
		name, out, wanted string
		machine           []cli.Network
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
			got, err := cli.ChooseAddress(tt.machine, tt.out, tt.wanted)
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

func TestLinksBeginWithAnAddressThatAPhoneReaches(t *testing.T) {
	for bound, want := range map[string]string{
		"127.0.0.1:80": "", "[::1]:80": "", "192.168.1.5:8789": "http://192.168.1.5:8789", "[fd00::5]:8789": "http://[fd00::5]:8789",
	} {
		if got, err := cli.PublicAddress(t.Context(), bound, ""); err != nil || got != want {
			t.Errorf("%s gives %q, %v, want %q", bound, got, err, want)
		}
	}
	if _, err := cli.PublicAddress(t.Context(), "nowhere", ""); err == nil {
		t.Error("what is no address gives no error")
	}
	if got, err := cli.PublicAddress(t.Context(), "0.0.0.0:8789", "127.0.0.1"); err != nil || got != "http://127.0.0.1:8789" {
		t.Errorf("the address that was chosen gives %q, %v", got, err)
	}
	got, err := cli.PublicAddress(t.Context(), "0.0.0.0:8789", "")
	if err != nil {
		t.Skip("this machine is in no network: ", err)
	}
	host, _, err := net.SplitHostPort(strings.TrimPrefix(got, "http://"))
	if address := net.ParseIP(host); err != nil || address == nil || address.IsUnspecified() || address.IsLoopback() {
		t.Errorf("every address gives %q", got)
	}
}

func TestASandboxInTheLocalNetworkServesThisMachineToo(t *testing.T) {
	desk := newDesk(t)
	done := make(chan int, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { done <- desk.run(ctx, "sandbox", "--listen", "127.0.0.1:0", "--lan") }()
	if !desk.comes(desk.out, "try it:", done) {
		t.Skip("this machine is in no network: ", desk.err)
	}
	printed := desk.out.String()
	for _, line := range []string{"sandbox on http://127.0.0.1:", "phones on this network open http://"} {
		_, rest, found := strings.Cut(printed, line[:strings.Index(line, "http://")])
		address, _, _ := strings.Cut(rest, "\n")
		if !found {
			t.Fatalf("%q is not printed\n%s", line, printed)
		}
		if _, err := url.Parse(address); err != nil {
			t.Fatal(err)
		}
		response, err := http.Post(address+"/api/payement/service", "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("%s answers %d", address, response.StatusCode)
		}
	}
	stop()
	if code := <-done; code != 0 {
		t.Errorf("exit code %d\n%s", code, desk.err)
	}
}
