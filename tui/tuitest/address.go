package tuitest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
	"testing"
	"time"
)

// FreeAddress returns a loopback address at which no program listens. No other call returns the
// port before the end of the test.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 1000 {
		port := 10_000 + rand.IntN(20_000)
		// A listener reserves the port against other calls. It is not at the returned address: a
		// child process that starts now has a copy of the listener until its exec.
		held, err := net.Listen("tcp", fmt.Sprintf("%s:%d", neighbor(), port))
		if err != nil {
			continue
		}
		if address := fmt.Sprintf("127.0.0.1:%d", port); vacant(address) {
			t.Cleanup(func() { _ = held.Close() })
			return address
		}
		_ = held.Close()
	}
	t.Fatal("no port is free")
	return ""
}

func neighbor() string {
	if runtime.GOOS == "darwin" { // macOS has no 127.0.0.2.
		return "[::1]"
	}
	return "127.0.0.2"
}

// Vacated waits until no program listens at an address. After the test has closed a listener, a
// child process may still have a copy until its exec.
func Vacated(t testing.TB, address string) {
	t.Helper()
	for began := time.Now(); !vacant(address); {
		if time.Since(began) > patience {
			t.Fatal("a program still listens at ", address)
		}
	}
}

// vacant reports whether no program listens at an address.
func vacant(address string) bool {
	conn, err := net.DialTimeout("tcp", address, patience)
	if err == nil {
		_ = conn.Close()
	}
	return err != nil
}
