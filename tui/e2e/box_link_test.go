package e2e_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The two ends of the link, addresses that are for documentation and lead
// nowhere.
const (
	nearEnd = "198.51.100.1"
	farEnd  = "198.51.100.2"
)

// link is a cable to a counter that has a network of its own: whatever runs
// there reaches the near end and nothing else. Its methods are for the test's
// goroutine.
type link struct {
	t          testing.TB
	space, end string
}

// layLink makes a link that is there until the test ends. The error says why the
// system gives none; a tool that lacks fails the test when TILL_TEST_REQUIRE is
// set.
func layLink(t testing.TB) (*link, error) {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil && os.Getenv("TILL_TEST_REQUIRE") != "" {
		t.Fatal("there is no program ip: install Debian's package iproute2")
	} else if err != nil {
		return nil, err
	}
	l := &link{t: t, space: fmt.Sprintf("till-%d", os.Getpid()), end: fmt.Sprintf("till%da", os.Getpid())}
	other := strings.TrimSuffix(l.end, "a") + "b"
	if err := ip("netns", "add", l.space); err != nil {
		return nil, err
	}
	// With the space goes the far end, and with that the near one.
	t.Cleanup(func() {
		if err := ip("netns", "delete", l.space); err != nil {
			t.Error(err)
		}
	})
	return l, errors.Join(
		ip("link", "add", l.end, "type", "veth", "peer", "name", other, "netns", l.space),
		ip("address", "add", nearEnd+"/30", "dev", l.end), ip("link", "set", l.end, "up"),
		ip("-netns", l.space, "address", "add", farEnd+"/30", "dev", other),
		ip("-netns", l.space, "link", "set", "lo", "up"), ip("-netns", l.space, "link", "set", other, "up"),
	)
}

// ip runs the program of that name, and returns what it said as its error.
func ip(arguments ...string) error {
	said, err := exec.Command("ip", arguments...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(arguments, " "), err, strings.TrimSpace(string(said)))
	}
	return nil
}

// at returns a command that runs at the far end.
func (l *link) at(program string) *exec.Cmd {
	return exec.Command("ip", "netns", "exec", l.space, program)
}

// set plugs the cable in, or pulls it out.
func (l *link) set(state string) {
	l.t.Helper()
	if err := ip("link", "set", l.end, state); err != nil {
		l.t.Fatal(err)
	}
}

// forward makes what listens on a socket reachable at a host's address, which it
// returns, until the test ends.
func forward(t testing.TB, host, socket string) string {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("unix", socket)
			if err != nil { // The server is away: so it is for who called.
				_ = near.Close()
				continue
			}
			pass := func(to, from net.Conn) {
				_, _ = io.Copy(to, from)
				_, _ = to.Close(), from.Close()
			}
			go pass(near, far)
			go pass(far, near)
		}
	}()
	return listener.Addr().String()
}
