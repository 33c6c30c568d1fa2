package sandbox_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/delivery"
)

// The answers that are none.
const (
	silence = 0  // The merchant takes the event and says nothing.
	absence = -1 // Nobody is there.
)

// tries are when the tries of a delivery began.
type tries struct {
	mu sync.Mutex
	at []time.Time
}

func (t *tries) all() []time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.at)
}

// answering returns a transport on which the merchant always answers so, with
// headers as in "Retry-After", "5".
func answering(code int, header ...string) (sandbox.Option, *tries) {
	var seen tries
	return sandbox.WithTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
		seen.mu.Lock()
		seen.at = append(seen.at, time.Now())
		seen.mu.Unlock()
		switch code {
		case silence:
			<-r.Context().Done()
			return nil, r.Context().Err()
		case absence:
			return nil, errors.New("connection refused")
		}
		response := status(code)
		for i := 0; i < len(header); i += 2 {
			response.Header.Set(header[i], header[i+1])
		}
		return response, nil
	})), &seen
}

// plan is how long a delivery waits before each further try, but for chance.
func plan() []time.Duration {
	return []time.Duration{
		time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	}
}

func TestEachProfileTriesAgainWhatItSays(t *testing.T) {
	const none, servers, all = delivery.RetryNone, delivery.RetryServerErrors, delivery.RetryAll
	tests := []struct {
		name   string
		answer int
		again  []delivery.Retry // The profiles that try again.
	}{
		{"200", http.StatusOK, nil},
		{"204", http.StatusNoContent, nil},
		{"301", http.StatusMovedPermanently, []delivery.Retry{all}},
		{"302", http.StatusFound, []delivery.Retry{all}},
		{"307", http.StatusTemporaryRedirect, []delivery.Retry{all}},
		{"400", http.StatusBadRequest, []delivery.Retry{all}},
		{"401", http.StatusUnauthorized, []delivery.Retry{all}},
		{"404", http.StatusNotFound, []delivery.Retry{all}},
		{"408", http.StatusRequestTimeout, []delivery.Retry{servers, all}},
		{"410", http.StatusGone, nil},
		{"429", http.StatusTooManyRequests, []delivery.Retry{servers, all}},
		{"500", http.StatusInternalServerError, []delivery.Retry{servers, all}},
		{"503", http.StatusServiceUnavailable, []delivery.Retry{servers, all}},
		{"a time-out", silence, []delivery.Retry{servers, all}},
		{"no listener", absence, []delivery.Retry{servers, all}},
	}
	for _, test := range tests {
		for _, profile := range []delivery.Retry{none, servers, all, ""} {
			t.Run(fmt.Sprintf("X7 %s after %s", profile, test.name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					transport, seen := answering(test.answer)
					made := paidDesk(t, transport, sandbox.WithRetry(profile))
					pass(2 * time.Hour)
					want := 1
					if slices.Contains(test.again, profile) || profile == "" && slices.Contains(test.again, all) {
						want = 1 + len(plan())
					}
					checkPauses(t, seen.all(), want, test.answer)
					stage := "given_up"
					if test.answer == http.StatusOK || test.answer == http.StatusNoContent {
						stage = "delivered"
					}
					if list := made.Deliveries(); len(list) != 1 || string(list[0].Stage) != stage {
						t.Errorf("got %+v, want it to be %s", list, stage)
					}
				})
			})
		}
	}
}

// checkPauses fails the test unless there were so many tries, as far from each
// other as the plan has it.
func checkPauses(t *testing.T, got []time.Time, want, answer int) {
	t.Helper()
	if len(got) != want {
		t.Fatalf("tried %d times, want %d", len(got), want)
	}
	for i, pause := range plan()[:want-1] {
		waited := got[i+1].Sub(got[i])
		if answer == silence {
			waited -= 10 * time.Second
		}
		if low, high := pause*8/10, pause*12/10; waited < low || waited > high {
			t.Errorf("X7 pause %d is %v, want %v to %v", i, waited, low, high)
		}
	}
}

func TestPausesDifferByChance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport, seen := answering(http.StatusInternalServerError)
		made, err := sandbox.New(settings("http://127.0.0.1:8788/webhook"), transport)
		if err != nil {
			t.Fatal(err)
		}
		run(t, made)
		const count = 400
		for i := range count {
			_, reference := localOrder(t, made, strconv.Itoa(i))
			if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
				t.Fatal(err)
			}
		}
		started := time.Now()
		pass(2 * time.Second)
		got := seen.all()
		if len(got) != 2*count {
			t.Fatalf("%d tries", len(got))
		}
		first, last := got[count].Sub(started), got[2*count-1].Sub(started)
		if first < 800*time.Millisecond || first > 850*time.Millisecond || last < 1150*time.Millisecond || last > 1200*time.Millisecond {
			t.Errorf("X7 the pauses are from %v to %v", first, last)
		}
	})
}

func TestByHandADeliveryIsSentAgainWhateverTheProfile(t *testing.T) {
	for _, answer := range []int{http.StatusNotFound, http.StatusGone} {
		synctest.Test(t, func(t *testing.T) {
			transport, seen := answering(answer)
			made := paidDesk(t, transport, sandbox.WithRetry(delivery.RetryNone))
			pass(time.Hour)
			if code := resend(made, "1"); code != http.StatusSeeOther {
				t.Fatalf("got %d", code)
			}
			pass(time.Hour)
			if got := seen.all(); len(got) != 2 {
				t.Errorf("tried %d times", len(got))
			}
		})
	}
}

func TestProfilesHaveNames(t *testing.T) {
	for _, name := range []string{"none", "5xx-only", "all-non-2xx"} {
		if got, err := delivery.ParseRetry(name); string(got) != name || err != nil {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "None", "5xx"} {
		if got, err := delivery.ParseRetry(name); got != "" || !errors.Is(err, delivery.ErrUnknownRetry) {
			t.Errorf("%q: got %q, %v", name, got, err)
		}
	}
	if _, err := sandbox.New(settings(""), sandbox.WithRetry("often")); !errors.Is(err, delivery.ErrUnknownRetry) {
		t.Errorf("a sandbox of an unknown profile: %v", err)
	}
}
