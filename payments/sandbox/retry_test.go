package sandbox_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// plan returns the pauses between the tries of a delivery, without the random part.
func plan() []time.Duration {
	return []time.Duration{
		time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	}
}

func TestEachRetryProfileRetriesItsFailures(t *testing.T) {
	const none, servers, all = sandbox.RetryNone, sandbox.RetryServerErrors, sandbox.RetryAll
	for _, test := range []struct {
		name   string
		answer int
		again  []sandbox.Retry // The profiles that try again.
	}{
		{"200", http.StatusOK, nil},
		{"204", http.StatusNoContent, nil},
		{"302", http.StatusFound, []sandbox.Retry{all}},
		{"401", http.StatusUnauthorized, []sandbox.Retry{all}},
		{"404", http.StatusNotFound, []sandbox.Retry{all}},
		{"408", http.StatusRequestTimeout, []sandbox.Retry{servers, all}},
		{"410", http.StatusGone, nil},
		{"429", http.StatusTooManyRequests, []sandbox.Retry{servers, all}},
		{"500", http.StatusInternalServerError, []sandbox.Retry{servers, all}},
		{"a time-out", silence, []sandbox.Retry{servers, all}},
		{"no listener", absence, []sandbox.Retry{servers, all}},
	} {
		for _, profile := range []sandbox.Retry{none, servers, all, ""} {
			t.Run(fmt.Sprintf("%s after %s", profile, test.name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					made, sent := paidDesk(t, always(test.answer), withRetry(profile))
					pass(2 * time.Hour)
					want := 1
					if slices.Contains(test.again, profile) || profile == "" && slices.Contains(test.again, all) {
						want = 1 + len(plan())
					}
					checkPauses(t, sent.list(), want, test.answer)
					stage := sandbox.Abandoned
					if test.answer/100 == 2 {
						stage = sandbox.Delivered
					}
					if list := made.Deliveries(); len(list) != 1 || list[0].Stage != stage {
						t.Errorf("got %+v, want it to be %s", list, stage)
					}
				})
			})
		}
	}
}

func TestThePausesBetweenTriesAreASetting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, sent := paidDesk(t, always(http.StatusInternalServerError), func(config *sandbox.Config) { config.Pauses = []time.Duration{time.Hour, 0} })
		pass(2 * time.Hour)
		got := sent.list()
		if len(got) != 3 || got[1].after < 48*time.Minute || got[1].after != got[2].after || made.Deliveries()[0].Stage != sandbox.Abandoned {
			t.Errorf("the tries are %+v", got)
		}
	})
}

// checkPauses checks the number of tries and the pauses between them.
func checkPauses(t *testing.T, got []heard, want, answer int) {
	t.Helper()
	if len(got) != want {
		t.Fatalf("tried %d times, want %d", len(got), want)
	}
	for i, pause := range plan()[:want-1] {
		waited := got[i+1].after - got[i].after
		if answer == silence {
			waited -= 10 * time.Second
		}
		if low, high := pause*8/10, pause*12/10; waited < low || waited > high {
			t.Errorf("pause %d is %v, want %v to %v", i, waited, low, high)
		}
	}
}

func TestPausesBetweenTriesAreRandom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, sent := hear(t, always(http.StatusInternalServerError))
		const count = 400
		for i := range count {
			acted(t, made, strconv.Itoa(i), payments.PaymentSuccess)
		}
		pass(2 * time.Second)
		got := sent.list()
		if len(got) != 2*count {
			t.Fatalf("%d tries", len(got))
		}
		first, last := got[count].after, got[2*count-1].after
		if first < 800*time.Millisecond || first > 850*time.Millisecond || last < 1150*time.Millisecond || last > 1200*time.Millisecond {
			t.Errorf("the pauses are from %v to %v", first, last)
		}
	})
}
