package tuitest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// Must fails the test and ends it if any of errs is not nil.
func Must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// FreeAddress returns a free loopback address. Its port is lower than the ports that the system
// gives to outgoing connections.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 1000 {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000)))
		if err == nil {
			defer func() { _ = listener.Close() }()
			return listener.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}
