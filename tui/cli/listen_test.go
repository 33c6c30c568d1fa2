package cli_test

import (
	"sync/atomic"
	"testing"
	"time"
)

func TestAListenerWhoseEventsComeOneAtATimeRunsOnOneProcessor(t *testing.T) {
	desk := newDesk(t)
	var now atomic.Int64
	now.Store(4)
	desk.processors = func(count int) int { return int(now.Swap(int64(count))) }
	address, end := desk.listening()
	for began := time.Now(); now.Load() != 1; {
		desk.post(address)
		if time.Since(began) > patience {
			t.Fatal("it never does")
		}
	}
	if code := end(); code != 0 || now.Load() != 4 {
		t.Errorf("exit code %d, %d processors at the end, want 4\n%s", code, now.Load(), desk.err)
	}
}
