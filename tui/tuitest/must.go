package tuitest

import (
	"errors"
	"testing"
)

// Must fails the test and ends it if any of errs is not nil.
func Must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
