package tuitest

import (
	"errors"
	"testing"
)

// Must ends the test at an error.
func Must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
