package tuitest_test

import (
	"fmt"
	"testing"
)

// spy is a test that may fail without failing the one that watches it.
type spy struct {
	testing.TB
	said string
}

func (s *spy) Helper() {}

func (s *spy) Errorf(format string, args ...any) { s.said += fmt.Sprintf(format, args...) + "\n" }

func (s *spy) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	panic(s)
}

func (s *spy) Fatal(args ...any) { s.Fatalf("%s", fmt.Sprint(args...)) }

// fails runs do, which is expected to fail the spy.
func (s *spy) fails(do func()) {
	s.TB.Helper()
	defer func() {
		if stopped := recover(); stopped != nil && stopped != any(s) {
			panic(stopped)
		}
		if s.said == "" {
			s.TB.Error("nothing failed")
		}
	}()
	do()
}
