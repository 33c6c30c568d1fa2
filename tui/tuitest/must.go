package tuitest

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
)

// Must fails the test and ends it if any of errs is not nil.
func Must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
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
