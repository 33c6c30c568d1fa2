package e2e_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/storage/storagetest/disk"
)

var (
	soakLength = flag.Duration("soak", 0, "how long the soak takes; give -timeout 0 along (default 25s, and 6s with -short)")
	soakSeed   = flag.Uint64("seed", 0, "what the soak and the kills begin with, as a failure printed it")
	killCount  = flag.Int("kills", 0, "how often the listener is killed under load (default 40, and 5 with -short)")
)

// strain is what the shop has to bear.
type strain struct {
	senders int
	orders  int   // Before the first event.
	rate    int   // Requests a second at most; 0 for as many as are answered.
	disk    int64 // The size of a disk of its own, in bytes; 0 for none.
	console bool  // The listener is always a console.
}

// soak is a shop whose listener is under load while things happen to it.
type soak struct {
	*load
	strain strain
	t      testing.TB
	ctx    context.Context // The test's own.
	shop   *shop
	disk   *disk.Disk // None where it cannot be had.
	seed   uint64
	random *rand.Rand // For the harms alone.
	turn   *turn      // The listener's life now.

	ended     atomic.Bool
	dark      atomic.Bool  // The power is off, or goes off.
	processes sync.RWMutex // Who starts another process holds it to read.

	log     journal
	measure measures
}

// journal is what happened, for a failure's text, and what was wrong. It is safe
// for concurrent use.
type journal struct {
	mu     sync.Mutex
	start  time.Time
	lines  []string
	faults []string
}

func (j *journal) note(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, fmt.Sprintf("%7.2fs ", time.Since(j.start).Seconds())+fmt.Sprintf(format, args...))
}

// violated notes that a guarantee does not hold; the soak ends then.
func (s *soak) violated(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.log.note("WRONG: %s", text)
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.log.faults = append(s.log.faults, text)
}

func (s *soak) failed() bool {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return len(s.log.faults) > 0
}

func (s *soak) over() bool { return s.ended.Load() || s.failed() }

// newSoak sets a shop up with some orders, on a disk of its own where that can
// be had and is wanted.
func newSoak(t testing.TB, strain strain) *soak {
	t.Helper()
	seed := *soakSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	s := &soak{strain: strain, t: t, ctx: t.Context(), seed: seed, random: rand.New(rand.NewPCG(seed, 0)), log: journal{start: time.Now()}}
	service := serve(t, payWithin(24*60, somePage))
	s.shop = openAt(t, service.url)
	if strain.disk > 0 {
		made, err := disk.Make(t, strain.disk)
		if err != nil {
			t.Logf("without a disk of its own: %v", err)
		} else {
			s.disk, s.shop.home = made, made.Folder
		}
	}
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: strain.senders, MaxConnsPerHost: strain.senders}}
	t.Cleanup(client.CloseIdleConnections)
	s.load = &load{soak: s, client: client, pace: pace(t, strain.rate)}
	t.Cleanup(s.tell)
	for range strain.orders {
		s.makeOrder()
	}
	return s
}

// pace gives so many times a second, or without end.
func pace(t testing.TB, rate int) <-chan time.Time {
	if rate == 0 {
		always := make(chan time.Time)
		close(always)
		return always
	}
	ticker := time.NewTicker(time.Second / time.Duration(rate))
	t.Cleanup(ticker.Stop)
	return ticker.C
}

// tell prints how to have a failure again, and what led to it.
func (s *soak) tell() {
	sent, acked, refused := s.counts()
	s.t.Logf("seed %d: %d orders, %d requests, %d events acknowledged, %d requests failed; %s",
		s.seed, len(s.all), sent, acked, refused, s.measure)
	if s.t.Failed() {
		s.t.Logf("again with -seed %d; what happened:\n%s", s.seed, strings.Join(s.log.lines, "\n"))
	}
}

// run lets the senders send and orders be made while harm goes on, and then
// accounts for everything.
func (s *soak) run(harm func()) {
	s.t.Helper()
	s.begin()
	var group sync.WaitGroup
	for n := range s.strain.senders {
		group.Go(func() { s.send(uint64(n) + 1) })
	}
	group.Go(s.makeOrders)
	harm()
	if !s.failed() {
		s.turn.awaitHealth(http.StatusOK)
	}
	s.ended.Store(true)
	group.Wait()
	s.end()
	s.log.mu.Lock()
	faults := s.log.faults
	s.log.mu.Unlock()
	for _, fault := range faults {
		s.t.Error(fault)
	}
	if len(faults) == 0 {
		s.accountForAll()
	}
}

func TestS1NothingIsLostAndNothingIsTwiceAfterKills(t *testing.T) {
	kills := *killCount
	if kills == 0 {
		kills = 40
		if testing.Short() {
			kills = 5
		}
	}
	s := newSoak(t, strain{senders: 8, orders: 12, rate: 1000})
	s.run(func() {
		for range kills {
			s.progress(s.random.Int64N(40))
			if s.failed() {
				return
			}
			s.kill()
		}
	})
}

func TestSoak(t *testing.T) {
	t.Parallel()
	length, rate := *soakLength, 300
	switch {
	case length > time.Minute:
		rate = 60
	case length == 0 && testing.Short():
		length = 6 * time.Second
	case length == 0:
		length = 25 * time.Second
	}
	end := time.Now().Add(length)
	if deadline, limited := t.Deadline(); limited && *soakLength > 0 && end.Add(30*time.Second).After(deadline) {
		t.Fatalf("the soak takes %s and the test is ended before: give -timeout 0 along", length)
	}
	// An event takes less than 2 KiB with all that is kept of it.
	s := newSoak(t, strain{
		senders: 8, orders: 12, rate: rate, disk: 192<<20 + int64(length.Seconds())*int64(rate)*2048,
	})
	s.run(func() {
		for harms := []harm(nil); !s.failed() && time.Now().Before(end); harms = harms[1:] {
			if len(harms) == 0 {
				harms = s.harms()
				s.random.Shuffle(len(harms), func(i, j int) { harms[i], harms[j] = harms[j], harms[i] })
			}
			s.log.note("%s (the listener is %s)", harms[0].name, s.turn.kind)
			harms[0].does()
			s.turn.awaitHealth(http.StatusOK)
			s.progress(1 + s.random.Int64N(1+int64(length.Seconds())))
			s.turn.look()
		}
	})
}
