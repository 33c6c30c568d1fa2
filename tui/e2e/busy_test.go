package e2e_test

import (
	"flag"
	"slices"
	"testing"
	"time"
)

var busyLength = flag.Duration("busy", 0, "how long 64 connections send while the console is used (default 5s, and 1s with -short)")

// useWhileBusy lets 64 connections send as fast as they are answered while a
// cashier types, and returns how long each key took to its frame and how many
// events a second were acknowledged. All are accounted for at the end.
func useWhileBusy(t testing.TB) (keys []time.Duration, perSecond float64) {
	t.Helper()
	length := *busyLength
	switch {
	case length == 0 && testing.Short():
		length = time.Second
	case length == 0:
		length = 5 * time.Second
	}
	s := newSoak(t, strain{senders: 64, orders: 70, console: true})
	s.run(func() {
		s.progress(200)
		_, before, _ := s.counts()
		start := time.Now()
		terminal := s.turn.terminal
		for time.Since(start) < length && !s.failed() {
			pressed := time.Now()
			terminal.Type("7").Sees("> 7")
			keys = append(keys, time.Since(pressed))
			pressed = time.Now()
			terminal.Press("backspace").Gone("> 7")
			keys = append(keys, time.Since(pressed))
		}
		_, after, _ := s.counts()
		perSecond = float64(after-before) / time.Since(start).Seconds()
	})
	slices.Sort(keys)
	return keys, perSecond
}

func TestNoEventIsLostWhileTheConsoleIsUsedUnderLoad(t *testing.T) {
	keys, perSecond := useWhileBusy(t)
	t.Logf("%d keys: median %s, p95 %s; %.0f events a second",
		len(keys), keys[len(keys)/2], keys[len(keys)*95/100], perSecond)
}

// BenchmarkKeyUnderLoad measures the time from a key to its frame while 64
// connections send: p95 below 50 ms is wanted. It runs once; -busy says for how
// long.
func BenchmarkKeyUnderLoad(b *testing.B) {
	keys, perSecond := useWhileBusy(b)
	b.ReportMetric(median(keys), "median-ms")
	b.ReportMetric(float64(keys[len(keys)*95/100])/float64(time.Millisecond), "p95-ms")
	b.ReportMetric(perSecond, "events/s")
	b.ReportMetric(0, "ns/op")
}
