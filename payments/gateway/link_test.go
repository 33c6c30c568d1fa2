package gateway_test

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"checkout/till/payments/gateway"
)

func TestCheckLinkAcceptsOnlySafeLinks(t *testing.T) {
	own := func(address netip.Addr) bool {
		return address.IsLoopback() || address == netip.MustParseAddr("192.168.1.20")
	}
	long := "https://pay.example/" + strings.Repeat("a", gateway.MaxLinkLength)
	for _, test := range []struct {
		name, link string
		policy     gateway.LinkPolicy
		sound      bool
	}{
		{"https", "https://pay.example/c/1?x=%20&y=a|b#f", gateway.LinkPolicy{}, true},
		{"https on a port", "https://pay.example:8443/c/1", gateway.LinkPolicy{}, true},
		{"https on an address", "https://[2001:db8::1]/c/1", gateway.LinkPolicy{}, true},
		{"punycode", "https://xn--pa-hja.example/c", gateway.LinkPolicy{}, true},
		{"a scheme in capitals", "HTTPS://PAY.EXAMPLE/", gateway.LinkPolicy{}, true},
		{"the longest", long[:gateway.MaxLinkLength], gateway.LinkPolicy{}, true},
		{"one byte longer", long[:gateway.MaxLinkLength+1], gateway.LinkPolicy{}, false},
		{"javascript", "javascript:alert(1)", gateway.LinkPolicy{}, false},
		{"data", "data:text/html,x", gateway.LinkPolicy{}, false},
		{"http", "http://pay.example/", gateway.LinkPolicy{}, false},
		{"user info", "https://u:p@pay.example/", gateway.LinkPolicy{}, false},
		{"an international name", "https://pa\u00ff.example/", gateway.LinkPolicy{}, false},
		{"a newline", "https://pay.example/\nX", gateway.LinkPolicy{}, false},
		{"an escape character", "https://pay.example/\x1b[31m", gateway.LinkPolicy{}, false},
		{"a blank", "https://pay.example/a b", gateway.LinkPolicy{}, false},
		{"empty", "", gateway.LinkPolicy{}, false},
		{"a backslash, which browsers read as a slash", `https://pay.example\@evil.example/`, gateway.LinkPolicy{}, false},
		{"a quote", `https://pay.example/"x`, gateway.LinkPolicy{}, false},
		{"no host", "https:///c/1", gateway.LinkPolicy{}, false},
		{"no scheme", "//pay.example/c", gateway.LinkPolicy{}, false},
		{"an empty port", "https://pay.example:/", gateway.LinkPolicy{}, false},
		{"a port of letters", "https://pay.example:x/", gateway.LinkPolicy{}, false},
		{"an address with a zone", "https://[fe80::1%25eth0]/", gateway.LinkPolicy{}, false},
		{"a broken escape", "https://pay.example/%zz", gateway.LinkPolicy{}, false},

		{"a listed host", "https://Pay.Example/c", gateway.LinkPolicy{Hosts: []string{"other.example", "pay.example"}}, true},
		{"a listed host and port", "https://pay.example:8443/c", gateway.LinkPolicy{Hosts: []string{"pay.example:8443"}}, true},
		{"another port than the listed", "https://pay.example:9443/c", gateway.LinkPolicy{Hosts: []string{"pay.example:8443"}}, false},
		{"a host that is not listed", "https://evil.example/pay.example", gateway.LinkPolicy{Hosts: []string{"pay.example"}}, false},
		{"a name below a listed host", "https://x.pay.example/", gateway.LinkPolicy{Hosts: []string{"pay.example"}}, false},
		{"http on a listed host", "http://pay.example/", gateway.LinkPolicy{Hosts: []string{"pay.example"}}, false},

		{"http on loopback, service elsewhere", "http://127.0.0.1:9000/c", gateway.LinkPolicy{}, false},
		{"http on loopback, service here", "http://127.0.0.1:9000/c", gateway.LinkPolicy{Local: own}, true},
		{"http on localhost, service here", "http://localhost:9000/c", gateway.LinkPolicy{Local: own}, true},
		{"http on ::1, service here", "http://[::1]:9000/c", gateway.LinkPolicy{Local: own}, true},
		{"http on loopback mapped to IPv6, service here", "http://[::ffff:127.0.0.1]:9000/c", gateway.LinkPolicy{Local: own}, true},
		{"http on this machine's address, service here", "http://192.168.1.20:9000/c", gateway.LinkPolicy{Local: own}, true},
		{"http on another machine, service here", "http://192.168.1.21:9000/c", gateway.LinkPolicy{Local: own}, false},
		{"http on a name, service here", "http://pay.example/", gateway.LinkPolicy{Local: own}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want error
			if !test.sound {
				want = gateway.ErrUnsoundLink
			}
			mustFail(t, gateway.CheckLink(test.link, test.policy), want)
		})
	}
}

func FuzzCheckLink(f *testing.F) {
	for _, seed := range []string{
		"https://pay.example/c/1", "http://pay.example", "javascript:alert(1)", "https://u:p@h/", `https://a\@b/`,
		"https://%41/", "https://[::1%25lo]/", "https://pay.example/\x1b", "https://pa\u00ff.example", "HTTPS://X",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if err := gateway.CheckLink(raw, gateway.LinkPolicy{}); err != nil {
			return
		}
		parsed, err := url.Parse(raw)
		if err != nil || parsed.Scheme != "https" || parsed.User != nil || parsed.Hostname() == "" {
			t.Fatalf("accepted %q", raw)
		}
		for _, b := range []byte(raw) {
			if b <= ' ' || b > '~' {
				t.Fatalf("byte %#x in %q", b, raw)
			}
		}
	})
}
