package tuitest

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Must fails the test and ends it if any of errs is not nil.
func Must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// Equal fails the test unless got is deeply equal to want. The format and its arguments name the value.
func Equal[T any](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	verb := "%+v"
	switch text, is := any(got).(string); {
	case is && strings.Contains(text, "\n"):
		verb = "\n%s\n"
	case is:
		verb = "%q"
	}
	t.Errorf("%s: got "+verb+", want "+verb, fmt.Sprintf(format, args...), got, want)
}

// Contains fails the test for each wanted text that is missing in a text. The test continues.
func Contains(t testing.TB, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// Lacks fails the test for each unwanted text in a text. The test continues.
func Lacks(t testing.TB, text string, unwanted ...string) {
	t.Helper()
	for _, one := range unwanted {
		if strings.Contains(text, one) {
			t.Errorf("%q is in\n%s", one, text)
		}
	}
}

// Long reports whether TILL_TEST_LONG asks for the long sizes of tests.
func Long() bool { return os.Getenv("TILL_TEST_LONG") != "" }

// Some returns all cases of a test or, with -short, one of every n.
func Some[Case any](n int, all []Case) []Case {
	if !testing.Short() {
		return all
	}
	var some []Case
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// Printer starts a fake network printer. The channel receives the bytes of each connection.
func Printer(t testing.TB, address string) (net.Listener, <-chan string) {
	t.Helper()
	printer, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	Must(t, err)
	t.Cleanup(func() { _ = printer.Close() })
	papers := make(chan string, 2)
	go func() {
		for {
			paper, err := printer.Accept()
			if err != nil {
				return
			}
			text, _ := io.ReadAll(paper)
			_ = paper.Close()
			papers <- string(text)
		}
	}()
	return printer, papers
}

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
