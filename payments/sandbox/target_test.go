package sandbox_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/delivery"
)

func TestEventsGoToThisMachineAndItsNetworkOnly(t *testing.T) {
	for _, test := range []struct {
		name, host string
		taken      bool
	}{
		{"loopback", "127.0.0.1", true},
		{"loopback by name", "localhost", true},
		{"loopback, version 6", "[::1]", true},
		{"the local network", "192.168.1.20", true},
		{"the local network, version 6", "[fd00::7]", true},
		{"an address of the internet", "198.51.100.7", false},
		{"an address of the internet, version 6", "[2001:db8::7]", false},
		{"X4 the metadata service of a cloud", "169.254.169.254", false},
		{"X4 the metadata service, version 6", "[fd00:ec2::254]", false},
		{"X4 the metadata service in a private network of another kind", "100.100.100.200", false},
		{"X4 an address in the form of version 6", "[::ffff:127.0.0.1]", false},
		{"X4 an address in the older form of version 6", "[::127.0.0.1]", false},
		{"X4 an address that is translated without a state", "[::ffff:0:127.0.0.1]", false},
		{"X4 the metadata service within an address of NAT64", "[64:ff9b::a9fe:a9fe]", false},
		{"X4 within an address of a network's own NAT64", "[64:ff9b:1::10.0.0.1]", false},
		{"X4 loopback within an address of 6to4", "[2002:7f00:1::]", false},
		{"X4 within an address of Teredo", "[2001:0:7f00:1::]", false},
		{"X4 the unspecified address", "0.0.0.0", false},
		{"X4 the unspecified address, version 6", "[::]", false},
		{"X4 an address of the link", "169.254.7.7", false},
		{"X4 an address of the link, version 6", "[fe80::1]", false},
		{"X4 everybody", "255.255.255.255", false},
		{"X4 a group, version 6", "[ff02::1]", false},
		{"no host", "", false},
		{"a password before it", "user:word@127.0.0.1", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := settings("http://" + test.host + ":8788/webhook")
			_, err := sandbox.New(config)
			if (err == nil) != test.taken || (err != nil && !errors.Is(err, delivery.ErrTarget)) {
				t.Errorf("got %v", err)
			}
			name := strings.NewReplacer("[", "", "]", "", "%25", "%").Replace(test.host)
			if name == "" || strings.Contains(name, "@") {
				return
			}
			config.Targets.Allowed = []string{name}
			if _, err := sandbox.New(config); err != nil {
				t.Errorf("allowed by its name: %v", err)
			}
		})
	}
	for _, address := range []string{"ftp://127.0.0.1/webhook", "127.0.0.1:8788", "/webhook", "::", "http://[::1"} {
		mustFail(t, failure(sandbox.New(settings(address))), delivery.ErrTarget)
	}
	if _, err := sandbox.New(settings("")); err != nil {
		t.Errorf("no address: got %v", err)
	}
}

func TestANameIsJudgedByWhatItResolvesTo(t *testing.T) {
	names := map[string][]string{
		"here.example.mg":     {"127.0.0.1"},
		"private.example.mg":  {"192.168.1.20"},
		"metadata.example.mg": {"169.254.169.254"},
		"mapped.example.mg":   {"::ffff:127.0.0.1"},
		"both.example.mg":     {"127.0.0.1", "::1"},
	}
	var arrived atomic.Int32
	shop := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
	t.Cleanup(shop.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(shop.URL, "http://"), ":")
	for name, addresses := range names {
		t.Run("X4 "+name, func(t *testing.T) {
			tried := sendTo(t, "http://"+name+":"+port+"/", withResolver(names))
			if len(tried) != 1 || !strings.Contains(tried[0].Failure, "allow any other host by its name") {
				t.Errorf("what resolves to %v is tried: %+v", addresses, tried)
			}
		})
	}
	for _, number := range []string{"127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "localhost.", "127.0.0.1."} {
		t.Run("X4 a number as old programs write it: "+number, func(t *testing.T) {
			if tried := sendTo(t, "http://"+number+":"+port+"/", withResolver(names)); len(tried) != 1 || tried[0].Failure == "" {
				t.Errorf("got %+v", tried)
			}
		})
	}
	if arrived.Load() > 0 {
		t.Error("X4 an event arrived")
	}
	for _, test := range []struct {
		name, host, allowed string
		status              int
	}{
		{"X4 a name that is allowed is sent to wherever it leads", "Here.example.mg", "HERE.example.mg", http.StatusOK},
		{"X4 what is allowed allows nothing else", "both.example.mg", "example.mg", 0},
		{"localhost", "LOCALHOST", "", http.StatusOK},
	} {
		t.Run(test.name, func(t *testing.T) {
			tried := sendTo(t, "http://"+test.host+":"+port+"/", withResolver(names), func(config *sandbox.Config) {
				config.Targets.Allowed = []string{test.allowed}
			})
			if len(tried) != 1 || tried[0].Status != test.status || (tried[0].Failure == "") != (test.status > 0) {
				t.Errorf("got %+v", tried)
			}
		})
	}
}

// withResolver has the names of targets looked up among those of the test.
func withResolver(names map[string][]string) option {
	return func(config *sandbox.Config) { config.Targets.Resolver = resolver(names) }
}

// sendTo sends an event to an address and returns the tries once the first is
// over.
func sendTo(t *testing.T, address string, options ...option) []delivery.Try {
	t.Helper()
	made := begin(t, append(options, withRetry(delivery.RetryNone), func(config *sandbox.Config) { config.WebhookURL = address })...)
	_, reference := localOrder(t, made, "T1-20261121-0007")
	act(t, made, reference, payments.PaymentSuccess)
	var tries []delivery.Try
	made.Await(t.Context(), func() bool {
		tries = made.Deliveries()[0].Tries
		return len(tries) > 0
	})
	return tries
}

// resolver answers with the addresses of names that the test made up.
func resolver(names map[string][]string) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go func() {
			defer func() { _ = there.Close() }()
			for answerName(there, names) == nil {
			}
		}()
		return here, nil
	}}
}

// answerName answers one question of the domain name system, as over TCP: a
// message stands behind its length in two bytes.
func answerName(conn net.Conn, names map[string][]string) error {
	const head, class = 12, 2
	length := make([]byte, 2)
	if _, err := io.ReadFull(conn, length); err != nil {
		return err
	}
	question := make([]byte, binary.BigEndian.Uint16(length))
	if _, err := io.ReadFull(conn, question); err != nil {
		return err
	}
	var labels []string
	at := head
	for question[at] != 0 {
		size := int(question[at])
		labels = append(labels, strings.ToLower(string(question[at+1:at+1+size])))
		at += 1 + size
	}
	at++
	kind := binary.BigEndian.Uint16(question[at:])
	answer := slices.Concat(question[:2], []byte{0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[head:at+2+class])
	for _, address := range names[strings.Join(labels, ".")] {
		ip := netip.MustParseAddr(address)
		if of := map[bool]uint16{true: 1, false: 28}[ip.Is4()]; of != kind {
			continue
		}
		answer[7]++
		answer = append(answer, 0xc0, head, byte(kind>>8), byte(kind), 0, 1, 0, 0, 0, 60, 0, byte(len(ip.AsSlice())))
		answer = append(answer, ip.AsSlice()...)
	}
	_, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...))
	return err
}

func TestNoWebhookAddressIsNoMistake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := quietSandbox(t)
		run(t, made)
		_, reference := localOrder(t, made, "a")
		act(t, made, reference, payments.PaymentSuccess)
		synctest.Wait()
		if page := dashboard(made); !contains(page, "no webhook address is set") || !contains(page, "given up") {
			t.Errorf("the dashboard shows %s", page.Body)
		}
	})
}

func TestUnsoundSettingsAreRefused(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*sandbox.Config)
		want   error
	}{
		{"W29 no webhook secret", func(c *sandbox.Config) { c.WebhookSecret = payments.Secret{} }, gateway.ErrWeakSecret},
		{"W29 a short webhook secret", func(c *sandbox.Config) {
			c.WebhookSecret = payments.NewSecret("0123456789abcde")
		}, gateway.ErrWeakSecret},
		{"an unknown retry profile", func(c *sandbox.Config) { c.Retry = "5xx" }, delivery.ErrUnknownRetry},
		{"an unknown scheme", func(c *sandbox.Config) { c.Scheme = "md5" }, gateway.ErrUnknownScheme},
		{"no token", func(c *sandbox.Config) { c.Token = payments.Secret{} }, sandbox.ErrConfig},
		{"a lifetime below nothing", func(c *sandbox.Config) { c.Lifetime = -time.Second }, sandbox.ErrConfig},
		{"a lifetime of more than a day", func(c *sandbox.Config) { c.Lifetime = 25 * time.Hour }, sandbox.ErrConfig},
		{"an order path without a slash", func(c *sandbox.Config) { c.OrderPath = "order" }, sandbox.ErrConfig},
		{"an order path that is the dashboard's", func(c *sandbox.Config) { c.OrderPath = "/" }, sandbox.ErrConfig},
		{"a success page that is a script", func(c *sandbox.Config) { c.SuccessURL = "javascript:alert(1)" }, sandbox.ErrConfig},
		{"a page that would widen the policy", func(c *sandbox.Config) { c.CancelURL = "https://a;b/" }, sandbox.ErrConfig},
		{"a failure page without a host", func(c *sandbox.Config) { c.FailureURL = "/failed" }, sandbox.ErrConfig},
		{"a public address with a path", func(c *sandbox.Config) { c.PublicURL = "https://pay.example.mg/here" }, sandbox.ErrConfig},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := settings("")
			test.change(&config)
			mustFail(t, failure(sandbox.New(config)), test.want)
		})
	}
}
