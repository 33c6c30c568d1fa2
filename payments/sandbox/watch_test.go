package sandbox_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime/pprof"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

func TestEveryChangeWakesWhoWatches(t *testing.T) {
	var made *sandbox.Sandbox
	var reference string
	steps := []struct {
		name   string
		change func(t *testing.T)
	}{
		{"an order is made", func(t *testing.T) { _, reference = localOrder(t, made, "T1-20261121-0007") }},
		{"a customer acts, and the event is tried", func(t *testing.T) {
			if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
				t.Fatal(err)
			}
		}},
		{"a delivery is sent again", func(t *testing.T) {
			if got := resend(made, "1"); got != http.StatusSeeOther {
				t.Fatal(got)
			}
		}},
		{"an order call is refused", func(t *testing.T) { local(made, http.MethodPost, "/api/payement/service", "{}") }},
		{"the faults of all orders are set", func(t *testing.T) {
			made.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Copies: 1}})
		}},
		{"the faults of one order are set", func(t *testing.T) {
			if err := made.SetOrderFaults(reference, sandbox.EventFaults{Drop: true}); err != nil {
				t.Fatal(err)
			}
		}},
		{"the faults of one order end", func(t *testing.T) {
			if err := made.ClearOrderFaults(reference); err != nil {
				t.Fatal(err)
			}
		}},
		{"a link expires", func(t *testing.T) {
			localOrder(t, made, "T1-20261121-0008")
			synctest.Wait()
			pass(sandbox.DefaultLifetime)
		}},
	}
	synctest.Test(t, func(t *testing.T) {
		transport, _ := listen(t, always(http.StatusOK))
		var err error
		if made, err = sandbox.New(settings("http://127.0.0.1:8788/webhook"), transport); err != nil {
			t.Fatal(err)
		}
		run(t, made)
		watch := made.Watch(t.Context())
		for _, step := range steps {
			synctest.Wait()
			select {
			case <-watch:
			default:
			}
			step.change(t)
			synctest.Wait()
			select {
			case <-watch:
			default:
				t.Errorf("%s: nobody is woken", step.name)
			}
			select {
			case <-watch:
				t.Errorf("%s: the channel has more than one slot", step.name)
			default:
			}
		}
	})
}

func TestWhoWatchesNothingIsWaitedFor(t *testing.T) {
	made := quietSandbox(t)
	watch := made.Watch(t.Context())
	for range 1000 {
		made.SetFaults(sandbox.Faults{}) // It would block if there were a queue.
	}
	if _, open := <-watch; !open {
		t.Error("the channel is closed")
	}
}

func TestWatchingEnds(t *testing.T) {
	closes := func(t *testing.T, watch <-chan struct{}) {
		t.Helper()
		for {
			select {
			case _, open := <-watch:
				if !open {
					return
				}
			case <-time.After(20 * time.Second):
				t.Fatal("the channel stays open")
			}
		}
	}
	t.Run("when its context ends", func(t *testing.T) {
		made := quietSandbox(t)
		ctx, cancel := context.WithCancel(t.Context())
		watch := made.Watch(ctx)
		cancel()
		closes(t, watch)
		closes(t, made.Watch(ctx))
		made.SetFaults(sandbox.Faults{}) // Nothing is sent on what is closed.
	})
	t.Run("when the sandbox ends, and is over from then on", func(t *testing.T) {
		made := quietSandbox(t)
		ctx, cancel := context.WithCancel(t.Context())
		watch := made.Watch(t.Context())
		cancel()
		if err := made.Run(ctx); err != nil {
			t.Fatal(err)
		}
		closes(t, watch)
		closes(t, made.Watch(t.Context()))
	})
}

// page is a dashboard that listens without a network.
type page struct {
	*httptest.ResponseRecorder
	leave context.CancelFunc
	gone  chan struct{} // Closed when the stream has ended.
}

func listenLive(t *testing.T, made *sandbox.Sandbox) page {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1/dashboard/live", nil)
	request.RemoteAddr = "127.0.0.1:5000"
	listening := page{httptest.NewRecorder(), cancel, make(chan struct{})}
	go func() {
		defer close(listening.gone)
		made.ServeHTTP(listening, request)
	}()
	synctest.Wait()
	return listening
}

// versions returns what the page was told so far.
func (p page) versions() (told []string) {
	for line := range strings.Lines(p.Body.String()) {
		if version, found := strings.CutPrefix(line, "data: "); found {
			told = append(told, strings.TrimSpace(version))
		}
	}
	return told
}

func TestAStreamTellsOfChangesAFewTimesASecondAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := quietSandbox(t)
		page := listenLive(t, made)
		if got := page.versions(); len(got) != 1 || !strings.HasPrefix(page.Body.String(), "retry: 1000\n\n") {
			t.Fatalf("at first the page is told %q", page.Body)
		}
		for range 1000 {
			made.SetFaults(sandbox.Faults{})
			pass(time.Millisecond)
		}
		pass(time.Second)
		told := page.versions()
		if len(told) < 3 || len(told) > 6 {
			t.Errorf("in a second of changes the page is told %d times: %q", len(told), told)
		}
		shown := dashboard(made).Body.String()
		if !strings.Contains(shown, `data-version="`+told[len(told)-1]+`"`) {
			t.Errorf("the last word, %s, is not the last version", told[len(told)-1])
		}
	})
}

func TestAQuietStreamShowsThatItIsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := listenLive(t, quietSandbox(t))
		pass(time.Minute)
		if beats := strings.Count(page.Body.String(), ":\n\n"); beats != 4 || len(page.versions()) != 1 {
			t.Errorf("in a minute there are %d beats: %q", beats, page.Body)
		}
	})
}

func TestAStreamEnds(t *testing.T) {
	t.Run("when the page leaves", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			page := listenLive(t, quietSandbox(t))
			pass(time.Second)
			page.leave()
			<-page.gone
		})
	})
	t.Run("when the sandbox ends, even amid a pause", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			made := quietSandbox(t)
			page := listenLive(t, made)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := made.Run(ctx); err != nil {
				t.Fatal(err)
			}
			<-page.gone
		})
	})
}

func TestAServerThatStopsWaitsForNoStreamAndNoSlowAnswer(t *testing.T) {
	desk := newDesk(t, nil)
	desk.SetFaults(sandbox.Faults{Call: sandbox.CallFaults{Slow: time.Hour}})
	for range 3 {
		lines := bufio.NewReader(connect(t.Context(), t, desk).Body)
		nextVersion(t, lines)
	}
	watch := desk.Watch(t.Context())
	answered := make(chan answered, 1)
	go func() { answered <- desk.call(t, orderBody("a")) }()
	<-watch // The order is made, and its answer held back.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := desk.server.Config.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	if reply := <-answered; reply.Status != http.StatusOK {
		t.Errorf("got %+v", reply)
	}
}

func TestPagesMayListenUpToABound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := quietSandbox(t)
		var pages []page
		for range 64 {
			pages = append(pages, listenLive(t, made))
		}
		if refused := listenLive(t, made); refused.Code != http.StatusServiceUnavailable {
			t.Errorf("the 65th page gets %d", refused.Code)
		}
		pages[0].leave()
		synctest.Wait()
		if let := listenLive(t, made); let.Code != http.StatusOK || len(let.versions()) != 1 {
			t.Errorf("after one left, another gets %d", let.Code)
		}
	})
}

// connect opens a stream over the network.
func connect(ctx context.Context, t *testing.T, d *desk) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.server.URL+"/dashboard/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := d.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

// nextVersion reads a stream line by line to the next version that is told.
func nextVersion(t *testing.T, lines *bufio.Reader) string {
	t.Helper()
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if version, found := strings.CutPrefix(line, "data: "); found {
			return strings.TrimSpace(version)
		}
	}
}

func TestAStreamOverTheNetwork(t *testing.T) {
	desk := newDesk(t, nil)
	ctx, leave := context.WithCancel(t.Context())
	response := connect(ctx, t, desk)
	if got := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || got != "text/event-stream" {
		t.Fatalf("got %d %s", response.StatusCode, got)
	}
	lines := bufio.NewReader(response.Body)
	first := nextVersion(t, lines)
	order := desk.order(t)
	second := nextVersion(t, lines)
	if _, page := desk.get(t, desk.server.URL+"/"); first == second || !strings.Contains(page, order.Data.OrderReference) {
		t.Errorf("after version %s comes %s", first, second)
	}
	desk.press(t, order.Data.CheckoutURL, "success")
	desk.merchant.next(t)
	if third := nextVersion(t, lines); third == second {
		t.Error("the delivery changes nothing")
	}
	leave()
	settled(t, "serveLive")
}

func TestAPageThatDoesNotReadHoldsNobodyUp(t *testing.T) {
	desk := newDesk(t, nil)
	address := strings.TrimPrefix(desk.server.URL, "http://")
	for range 5 {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = connection.Close() })
		if _, err := fmt.Fprintf(connection, "GET /dashboard/live HTTP/1.1\r\nHost: %s\r\n\r\n", address); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 200 {
		if reply := desk.call(t, orderBody(fmt.Sprintf("T1-%d", i))); reply.Status != http.StatusOK {
			t.Fatal(reply)
		}
	}
}

// settled waits until no goroutine runs a function any more.
func settled(t *testing.T, function string) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		var stacks bytes.Buffer
		if err := pprof.Lookup("goroutine").WriteTo(&stacks, 1); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(stacks.String(), function) {
			return
		}
		select {
		case <-deadline:
			t.Fatalf("%s still runs:\n%s", function, stacks.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
}
