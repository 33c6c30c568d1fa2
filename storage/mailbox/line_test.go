package mailbox_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/till/payments/relay"
)

// line is a slow line from the relay to a till. Like a network's buffers, it accepts bytes
// immediately and delivers them at its speed.
type line struct {
	speed int // Bytes a second.
	cut   int // After this number of bytes, a connection is cut; 0 for never.

	carried atomic.Int64 // Number of delivered bytes.
}

// through returns a connection that is as slow as the line.
func (l *line) through(relay net.Conn) net.Conn {
	near, far := net.Pipe()
	size := l.speed / 20 // Bytes that arrive together.
	down := make(chan []byte, 256<<10/size)
	done := make(chan struct{})
	end := sync.OnceFunc(func() {
		close(done)
		_ = relay.Close()
		_ = far.Close()
	})
	go func() {
		defer close(down)
		for {
			packet := make([]byte, size)
			n, err := relay.Read(packet)
			if err != nil {
				return
			}
			select {
			case down <- packet[:n]:
			case <-done:
				return
			}
		}
	}()
	go func() {
		defer end()
		delivered := 0
		for packet := range down {
			time.Sleep(time.Duration(len(packet)) * time.Second / time.Duration(l.speed))
			if _, err := far.Write(packet); err != nil {
				return
			}
			l.carried.Add(int64(len(packet)))
			if delivered += len(packet); l.cut > 0 && delivered >= l.cut {
				return
			}
		}
	}()
	go func() {
		defer end()
		packet := make([]byte, 100)
		for {
			n, err := far.Read(packet)
			if err != nil {
				return
			}
			if _, err := relay.Write(packet[:n]); err != nil {
				return
			}
		}
	}()
	return near
}

// event returns an event of the usual size with a number.
func event(n int) string {
	return fmt.Sprintf(`{"event":"payment.success","data":{"order_reference":"REF_%06d","reference":"T1-20261121-GT-%04d",`+
		`"amount":9000,"currency":"Ar","description":"2 × Vary sy laoka, Coca-Cola 50 cl, Mofo gasy"}}`, n, n)
}

// On a line of 5 kbit/s, the events of a day without power take minutes. Each event is delivered
// only once, as soon as it has arrived, even if every connection is cut in the middle of an answer.
// Meanwhile, the relay does not count as silent, because its bytes arrive.
func TestASlowLineCatchesUp(t *testing.T) {
	t.Parallel()
	const events = 60
	for _, test := range []struct {
		kilobits, cut int
		within        time.Duration
	}{
		{5, 0, 100 * time.Second},
		{10, 0, 50 * time.Second},
		{20, 0, 25 * time.Second},
		{10, 9_000, 100 * time.Second},
	} {
		inBubble(t, func(t *testing.T, r *rig) {
			one := r.paired(relay.Stamp(signature))
			var posted []string
			for n := range events {
				posted = append(posted, event(n))
				r.expectPost("an event", one.webhook, event(n), http.StatusOK)
				time.Sleep(time.Second)
			}
			r.line = &line{speed: test.kilobits * 1000 / 8, cut: test.cut}
			began := time.Now()
			one.run(t)
			for !one.State().Emptied && time.Since(began) < 10*time.Minute {
				time.Sleep(time.Second)
				if silent := one.State().Silent(time.Now()); silent > 11*time.Second {
					t.Errorf("%d kbit/s: the relay seems silent for %v", test.kilobits, silent)
				}
			}
			took := time.Since(began)
			if perEvent := r.line.carried.Load() / events; test.cut == 0 && perEvent > 400 {
				t.Errorf("%d kbit/s: %d bytes for each event", test.kilobits, perEvent)
			}
			if got, want := one.bodies(), strings.Join(posted, " "); got != want || took > test.within {
				t.Errorf("%d kbit/s, cut after %d: %v\ngot %s", test.kilobits, test.cut, took, got)
			}
		})
	}
}

// The relay does not see when an answer has arrived. On a slow line, that takes longer than the lease.
func TestATillOnASlowLineKeepsItsBox(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		for n := range 60 {
			r.expectPost("an event", one.webhook, event(n), http.StatusOK)
			time.Sleep(time.Second)
		}
		r.line = &line{speed: 500}
		one.run(t)
		time.Sleep(5 * time.Second)
		r.mu.Lock()
		r.line = nil
		r.mu.Unlock()
		other := r.till(one.webhook, "T2", one.key)
		other.run(t)
		time.Sleep(40 * time.Second)
		if state := other.State(); state.HeldBy != "T1" || other.count() > 0 {
			t.Errorf("the other till got %d events, %+v", other.count(), state)
		}
	})
}

// A person who knows the webhook's path may send large bodies. With the scheme body, the relay
// cannot refuse them.
func TestLargeBodiesDelayASlowLineOnlyForAWhile(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		one := r.paired()
		for range 12 {
			r.expectPost("a junk body", one.webhook, eventOfSize(relay.MaxBody), http.StatusOK)
		}
		r.expectPost("an event", one.webhook, event(1), http.StatusOK)
		r.line = &line{speed: 20_000 / 8}
		one.run(t)
		time.Sleep(6 * time.Minute)
		if !strings.HasSuffix(one.bodies(), event(1)) {
			t.Errorf("the event did not arrive in 6 minutes; %d bytes did", r.line.carried.Load())
		}
	})
}

// With the scheme static, the relay refuses requests without a valid signature. It sends the till
// so few and so small samples of them that the line stays free.
func TestRefusedBodiesDoNotFillASlowLine(t *testing.T) {
	t.Parallel()
	for _, size := range []int{300, 4 << 10, relay.MaxBody} {
		inBubble(t, func(t *testing.T, r *rig) {
			one := r.paired(relay.Stamp(signature))
			r.line = &line{speed: 5_000 / 8}
			one.run(t)
			time.Sleep(10 * time.Second)
			before := r.line.carried.Load()
			const lasts = 300
			for range lasts {
				r.send(http.MethodPost, one.webhook, strings.Repeat("x", size), phone, header, "wrong")
				time.Sleep(time.Second)
			}
			if carried := (r.line.carried.Load() - before) / lasts; carried > 250 {
				t.Errorf("refused bodies of %d bytes: %d bytes a second", size, carried)
			}
			// A large body is not sent as a sample. Another sample may follow after ten seconds.
			if samples := one.count(); (samples > 0) != (size < relay.MaxBody) || samples > lasts/10+1 || one.countSigned() > 0 || r.waiting() > 0 {
				t.Errorf("refused bodies of %d bytes: %d samples, %d signed, %d stored", size, samples, one.countSigned(), r.waiting())
			}
			posted := time.Now()
			r.post(one.webhook, event(1))
			time.Sleep(30 * time.Second)
			if late := one.arrival(event(1)).Sub(posted); late < 0 || late > 5*time.Second {
				t.Errorf("refused bodies of %d bytes: the event came %v after it was posted", size, late)
			}
		})
	}
}

// A malicious relay can keep the till waiting, but cannot fill its memory.
func TestAnAnswerWithoutEndIsNotRead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 4096)
	endless := func(w http.ResponseWriter, text string) {
		for {
			if _, err := w.Write([]byte(text)); err != nil {
				return
			}
			if text == "\n" {
				_ = http.NewResponseController(w).Flush()
				time.Sleep(100 * time.Millisecond)
			}
		}
	}
	for _, test := range []struct {
		name   string
		path   string
		answer func(w http.ResponseWriter)
	}{
		{"a line without end", "/v1/events", func(w http.ResponseWriter) { endless(w, long) }},
		{"empty lines without end", "/v1/events", func(w http.ResponseWriter) { endless(w, "\n") }},
		{"a letter of a terabyte", "/v1/events", func(w http.ResponseWriter) {
			_, _ = w.Write([]byte(`{"letters":[{"seq":1,"size":1099511627776}]}` + "\n"))
			endless(w, long)
		}},
		{"a letter of less than nothing", "/v1/events", func(w http.ResponseWriter) {
			_, _ = w.Write([]byte(`{"letters":[{"seq":1,"size":-1}]}` + "\n"))
		}},
		{"fewer letters than announced", "/v1/events", func(w http.ResponseWriter) {
			_, _ = w.Write([]byte(`{"letters":[{"seq":1,"size":100}]}` + "\nx"))
		}},
		{"more than was announced", "/v1/events", func(w http.ResponseWriter) {
			_, _ = w.Write([]byte(`{"letters":[]}` + "\n"))
			endless(w, long)
		}},
		{"a name without end", "/v1/events", func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusConflict)
			_, _ = w.Write([]byte(`{"by":"`))
			endless(w, long)
		}},
		{"a header without end", "/v1/box", func(w http.ResponseWriter) {
			w.Header().Set("X-Long", strings.Repeat("x", 20<<20))
		}},
	} {
		inBubble(t, func(t *testing.T, r *rig) {
			one := r.paired()
			r.http.WriteTimeout = 0
			r.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, asked *http.Request) {
				if asked.URL.Path == test.path {
					test.answer(w)
				}
			})
			r.line = &line{speed: 40_000}
			one.run(t)
			time.Sleep(130 * time.Second)
			tries := max(1, r.tillDials.Load())
			if carried := r.line.carried.Load() / tries; carried > 200<<10 {
				t.Errorf("%s: %d bytes are read on each of %d connections", test.name, carried, tries)
			}
			if state := one.State(); state.Emptied != (test.name == "more than was announced") {
				t.Errorf("%s: %+v", test.name, state)
			}
		})
	}
}
