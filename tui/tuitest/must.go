package tuitest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
)

// Must fails the test and ends it if any of errs is not nil.
func Must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// Equal fails the test unless got equals want. The format and its arguments name the value.
func Equal[T comparable](t testing.TB, got, want T, format string, args ...any) {
	t.Helper()
	if got == want {
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

// Contains fails the test for each of wants that a text does not contain.
func Contains(t testing.TB, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
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

// Printer starts a fake network printer. The channel receives the bytes of each print.
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
