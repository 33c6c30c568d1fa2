package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// drawer is an archive in memory.
type drawer struct {
	mu      sync.Mutex
	records []sandbox.Record // Those without a body are forgotten.
	places  map[string]int
	saves   int
	broken  error         // What saving ends with.
	gate    chan struct{} // Saving waits until it is closed; nil for no waiting.
}

func (d *drawer) Load(context.Context) ([]sandbox.Record, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.kept(), d.broken
}

// kept is what was not forgotten.
func (d *drawer) kept() []sandbox.Record {
	return slices.DeleteFunc(slices.Clone(d.records), func(r sandbox.Record) bool { return len(r.Body) == 0 })
}

func (d *drawer) Save(_ context.Context, changes []sandbox.Record) error {
	if d.gate != nil {
		<-d.gate
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.broken != nil {
		return d.broken
	}
	d.saves++
	if d.places == nil {
		d.places = make(map[string]int)
		for i, record := range d.records {
			d.places[string(record.Kind)+" "+record.Name] = i
		}
	}
	for _, change := range changes {
		name := string(change.Kind) + " " + change.Name
		if at, there := d.places[name]; there {
			d.records[at] = change
			continue
		}
		d.places[name] = len(d.records)
		d.records = append(d.records, change)
	}
	return nil
}

// setBroken has saving and loading fail, or work again.
func (d *drawer) setBroken(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.broken = err
}

// copied is what another process would find now.
func (d *drawer) copied() *drawer {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &drawer{records: d.kept()}
}

// text is everything that is kept.
func (d *drawer) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all bytes.Buffer
	for _, record := range d.kept() {
		fmt.Fprintf(&all, "%s %s %s\n", record.Kind, record.Name, record.Body)
	}
	return all.String()
}

// mailbox is a merchant without a network.
type mailbox struct {
	mu     sync.Mutex
	start  time.Time
	got    []sent
	answer func(try int) int // From 1; 200 when nil.
	stuck  bool              // Nothing is answered.
}

// sent is an event as the merchant got it.
type sent struct {
	order string
	kind  payments.EventKind
	after time.Duration // Since the mailbox was made.
}

func newMailbox() *mailbox { return &mailbox{start: time.Now()} }

func (m *mailbox) option() sandbox.Option {
	return sandbox.WithTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
		var event struct {
			Event payments.EventKind
			Data  struct {
				OrderReference string `json:"order_reference"`
			}
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &event); err != nil {
			return nil, err
		}
		m.mu.Lock()
		m.got = append(m.got, sent{event.Data.OrderReference, event.Event, time.Since(m.start)})
		try, stuck, answer := len(m.got), m.stuck, m.answer
		m.mu.Unlock()
		if stuck {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		if answer == nil {
			return status(http.StatusOK), nil
		}
		return status(answer(try)), nil
	}))
}

func (m *mailbox) all() []sent {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.got)
}

// kinds returns the kinds of the events of an order, as they came.
func (m *mailbox) kinds(order string) (kinds []payments.EventKind) {
	for _, event := range m.all() {
		if event.order == order {
			kinds = append(kinds, event.kind)
		}
	}
	return kinds
}

// reopened makes a sandbox that runs until stop is called or the test ends.
func reopened(t *testing.T, archive sandbox.Archive, options ...sandbox.Option) (made *sandbox.Sandbox, stop func()) {
	t.Helper()
	made, err := sandbox.Reopen(t.Context(), archive, settings("http://127.0.0.1:8788/webhook"), options...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = made.Run(ctx) })
	stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(stop)
	return made, stop
}

// listed reads one of the lists of the fault lab.
func listed[T any](t *testing.T, made *sandbox.Sandbox, path string) (list []T) {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
	request.RemoteAddr = "127.0.0.1:5000"
	recorder := httptest.NewRecorder()
	made.ServeHTTP(recorder, request)
	if err := json.Unmarshal(recorder.Body.Bytes(), &list); err != nil {
		t.Fatalf("%d %s", recorder.Code, recorder.Body)
	}
	return list
}

type listedOrder struct {
	OrderReference string `json:"order_reference"`
	Reference      string
	Description    string
	Amount         int64
	State          string
	CheckoutURL    string    `json:"checkout_url"`
	ExpiresAt      time.Time `json:"expires_at"`
	FailedTries    int       `json:"failed_tries"`
	Faults         any
}

type listedDelivery struct {
	ID             int64
	OrderReference string `json:"order_reference"`
	Event          string
	Stage          string
	CreatedAt      time.Time  `json:"created_at"`
	NextTryAt      *time.Time `json:"next_try_at"`
	Body           string
	Tries          []listedTry
}

// listedTry is a try in the lists of the fault lab.
type listedTry struct {
	At                              time.Time
	Took, Signature, Reply, Failure string
	Status                          int
}

func TestAfterARestartEverythingIsAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, kept := newMailbox(), &drawer{}
		shop.answer = func(try int) int { return map[bool]int{true: 500, false: 200}[try == 2] }
		made, stop := reopened(t, kept, shop.option())
		_, failed := localOrder(t, made, "T1-1")
		_, paid := localOrder(t, made, "T1-2")
		localOrder(t, made, "T1-3")
		for _, step := range []struct {
			order string
			kind  payments.EventKind
		}{{failed, payments.PaymentFailed}, {paid, payments.PaymentFailed}, {paid, payments.PaymentSuccess}} {
			if err := made.Act(t.Context(), step.order, step.kind); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if err := made.SetOrderFaults(failed, sandbox.EventFaults{Copies: 2, Delay: 3 * time.Second}); err != nil {
			t.Fatal(err)
		}
		orders, deliveries := listed[listedOrder](t, made, "/lab/orders"), listed[listedDelivery](t, made, "/lab/deliveries")
		stop()
		again, _ := reopened(t, kept, shop.option())
		if got := listed[listedOrder](t, again, "/lab/orders"); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", orders) {
			t.Errorf("orders\n%+v, were\n%+v", got, orders)
		}
		got := listed[listedDelivery](t, again, "/lab/deliveries")
		if asJSON(t, got) != asJSON(t, deliveries) {
			t.Errorf("deliveries\n%s, were\n%s", asJSON(t, got), asJSON(t, deliveries))
		}
		if len(orders) != 3 || orders[2].FailedTries != 1 || orders[2].Faults == nil || deliveries[1].Stage != "waiting" {
			t.Errorf("the test proves nothing: %+v %+v", orders, deliveries)
		}
	})
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLinksGoOnAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, kept := newMailbox(), &drawer{}
		made, stop := reopened(t, kept, shop.option())
		open, _ := localOrder(t, made, "T1-1")
		path, paid := localOrder(t, made, "T1-2")
		if err := made.Act(t.Context(), paid, payments.PaymentSuccess); err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		stop()
		again, _ := reopened(t, kept, shop.option())
		for _, link := range []string{open, path} {
			if page := local(again, http.MethodGet, link, ""); page.Code != http.StatusOK {
				t.Errorf("the page of %s answers %d", link, page.Code)
			}
		}
		if err := again.Act(t.Context(), paid, payments.PaymentCanceled); !errors.Is(err, sandbox.ErrLinkOver) {
			t.Errorf("canceling what is paid gives %v", err)
		}
		for _, taken := range []string{"T1-1", "T1-2"} {
			if code := local(again, http.MethodPost, "/api/payement/service", orderBody(taken)).Code; code != http.StatusConflict {
				t.Errorf("the reference %s, which is taken, gets %d", taken, code)
			}
		}
		pass(time.Hour)
		events := shop.all()
		if last := events[len(events)-1]; last.kind != payments.PaymentExpired || last.after != 10*time.Minute || len(events) != 2 {
			t.Errorf("the open link does not expire when it would have: %+v", events)
		}
	})
}

func TestAnExpiryThatFellDueMeanwhileHappensOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, kept := newMailbox(), &drawer{}
		made, stop := reopened(t, kept, shop.option())
		path, reference := localOrder(t, made, "T1-1")
		stop()
		pass(time.Hour)
		again, stop := reopened(t, kept, shop.option())
		synctest.Wait()
		if page := local(again, http.MethodGet, path, ""); page.Code != http.StatusGone {
			t.Errorf("the page answers %d", page.Code)
		}
		stop()
		reopened(t, kept, shop.option())
		pass(time.Hour)
		if got := shop.all(); len(got) != 1 || got[0] != (sent{reference, payments.PaymentExpired, time.Hour}) {
			t.Errorf("got %+v", got)
		}
	})
}

func TestDeliveriesGoOnAfterARestart(t *testing.T) {
	second := time.Second
	tests := []struct {
		name    string
		answer  int
		stuck   bool
		stopped time.Duration // After this the sandbox ends.
		away    time.Duration
		next    []time.Duration // When the tries after it come, at the earliest and the latest.
	}{
		{"one that waits keeps its time", 500, false, 10 * second, second, []time.Duration{16800 * time.Millisecond, 25200 * time.Millisecond}},
		{"one that fell due is sent at once", 500, false, 10 * second, 500 * second, []time.Duration{510 * second, 510 * second}},
		{"one that was under way is sent again", 0, true, 2 * second, second, []time.Duration{3 * second, 3 * second}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shop, kept := newMailbox(), &drawer{}
				shop.answer, shop.stuck = always(test.answer), test.stuck
				made, stop := reopened(t, kept, shop.option())
				_, reference := localOrder(t, made, "T1-1")
				if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
					t.Fatal(err)
				}
				pass(test.stopped)
				left := kept.copied() // The process is killed here.
				before := len(shop.all())
				stop()
				shop = &mailbox{start: shop.start}
				pass(test.away)
				again, _ := reopened(t, left, shop.option())
				pass(time.Hour)
				got := shop.all()
				if len(got) != 1 || got[0].after < test.next[0] || got[0].after > test.next[1] {
					t.Fatalf("%d tries before, then %+v", before, got)
				}
				if list := listed[listedDelivery](t, again, "/lab/deliveries"); len(list) != 1 || list[0].Stage != "delivered" {
					t.Errorf("got %+v", list)
				}
			})
		})
	}
}

func TestTriesAreCountedAcrossARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, kept := newMailbox(), &drawer{}
		shop.answer = always(http.StatusInternalServerError)
		made, stop := reopened(t, kept, shop.option())
		_, reference := localOrder(t, made, "T1-1")
		if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
			t.Fatal(err)
		}
		pass(time.Minute)
		stop()
		reopened(t, kept, shop.option())
		pass(time.Hour)
		if got := shop.all(); len(got) != 8 {
			t.Errorf("tried %d times", len(got))
		}
	})
}

func TestWhatAFaultHoldsBackIsSentAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, kept := newMailbox(), &drawer{}
		made, stop := reopened(t, kept, shop.option())
		_, reference := localOrder(t, made, "T1-1")
		if err := made.SetOrderFaults(reference, sandbox.EventFaults{Reorder: true}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := made.Act(t.Context(), reference, payments.PaymentFailed); err != nil {
				t.Fatal(err)
			}
		}
		stop()
		again, _ := reopened(t, kept, shop.option())
		synctest.Wait()
		if got := shop.all(); len(got) != 0 {
			t.Fatalf("sent too early: %+v", got)
		}
		if err := again.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		want := []payments.EventKind{payments.PaymentSuccess, payments.PaymentFailed, payments.PaymentFailed}
		if got := shop.kinds(reference); !slices.Equal(got, want) {
			t.Errorf("got %v", got)
		}
	})
}

func TestNothingIsSaidBeforeItIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, kept := newMailbox(), &drawer{}
		made, _ := reopened(t, kept, shop.option())
		_, reference := localOrder(t, made, "T1-1")
		kept.gate = make(chan struct{})
		var mu sync.Mutex
		var said []string
		for name, say := range map[string]func(){
			"the order call": func() { local(made, http.MethodPost, "/api/payement/service", orderBody("T1-2")) },
			"the action":     func() { _ = made.Act(t.Context(), reference, payments.PaymentSuccess) },
		} {
			go func() {
				say()
				mu.Lock()
				defer mu.Unlock()
				said = append(said, name)
			}()
		}
		synctest.Wait()
		if got := shop.all(); len(got)+len(said) != 0 {
			t.Errorf("before it is kept: %v said, %v sent", said, got)
		}
		close(kept.gate)
		synctest.Wait()
		if got := shop.all(); len(got) != 1 || len(said) != 2 {
			t.Errorf("after it is kept: %v said, %v sent", said, got)
		}
	})
}

func TestWhoeverWaitsSavesForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := &drawer{gate: make(chan struct{})}
		made, err := sandbox.Reopen(t.Context(), kept, settings(""))
		if err != nil {
			t.Fatal(err)
		}
		const count = 40
		for i := range count {
			go local(made, http.MethodPost, "/api/payement/service", orderBody(strconv.Itoa(i)))
		}
		synctest.Wait()
		close(kept.gate)
		synctest.Wait()
		if list := listed[listedOrder](t, made, "/lab/orders?limit=1000"); len(list) != count || kept.saves > count/2 {
			t.Errorf("%d orders in %d saves", len(list), kept.saves)
		}
	})
}

func TestWhatCannotBeKeptIsNotAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("the disk is full")
		shop, kept := newMailbox(), &drawer{}
		made, stop := reopened(t, kept, shop.option())
		_, reference := localOrder(t, made, "T1-1")
		kept.setBroken(full)
		recorder := local(made, http.MethodPost, "/api/payement/service", orderBody("T1-2"))
		if recorder.Code != http.StatusInternalServerError || !contains(recorder, `"message"`) || contains(recorder, "/c/") {
			t.Errorf("the order call answers %d %v %s", recorder.Code, recorder.Header(), recorder.Body)
		}
		if err := made.Act(t.Context(), reference, payments.PaymentSuccess); !errors.Is(err, full) {
			t.Errorf("the action gives %v", err)
		}
		if page := local(made, http.MethodGet, "/c/none", ""); page.Code != http.StatusNotFound {
			t.Errorf("reading answers %d", page.Code)
		}
		kept.setBroken(nil)
		_, third := localOrder(t, made, "T1-3")
		stop()
		again, _ := reopened(t, kept, shop.option())
		states := make(map[string]string)
		for _, order := range listed[listedOrder](t, again, "/lab/orders") {
			states[order.Reference] = order.State
		}
		if want := map[string]string{"T1-1": "success", "T1-2": "open", "T1-3": "open"}; !maps.Equal(states, want) || third == "" {
			t.Errorf("kept are %v", states)
		}
	})
}

func TestTheLastChangesAreKeptAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("the disk is full")
		kept := &drawer{}
		made, err := sandbox.Reopen(t.Context(), kept, settings(""))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- made.Run(ctx) }()
		localOrder(t, made, "T1-1")
		kept.setBroken(full)
		pass(time.Hour)
		cancel()
		if err := <-ended; !errors.Is(err, full) {
			t.Errorf("Run returns %v", err)
		}
	})
}

func TestWhatIsForgottenLeavesTheArchive(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes more than ten thousand orders")
	}
	synctest.Test(t, func(t *testing.T) {
		shop, kept := newMailbox(), &drawer{}
		made, stop := reopened(t, kept, shop.option())
		const count = 10_500
		for i := range count {
			_, reference := localOrder(t, made, strconv.Itoa(i))
			if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if got, want := made.Load(), (sandbox.Load{Orders: count - 1000, Shown: 500}); got != want {
			t.Errorf("the sandbox holds %+v, want %+v", got, want)
		}
		stop()
		counts := make(map[sandbox.RecordKind]int)
		for _, record := range kept.kept() {
			counts[record.Kind]++
		}
		if counts[sandbox.RecordOrder] != count-1000 || counts[sandbox.RecordDelivery] != 500 {
			t.Errorf("kept are %v", counts)
		}
		again, _ := reopened(t, kept, shop.option())
		if list := listed[listedDelivery](t, again, "/lab/deliveries?limit=1000"); len(list) != 500 || list[0].ID != count {
			t.Errorf("%d deliveries are shown", len(list))
		}
	})
}

func TestNoSecretIsKept(t *testing.T) {
	kept := &drawer{}
	shop := newMerchant(t)
	shop.setAnswer(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		_ = r.Header.Write(w) // A merchant's program that says back what it was sent.
	})
	made, err := sandbox.Reopen(t.Context(), kept, settings(shop.URL))
	if err != nil {
		t.Fatal(err)
	}
	run(t, made)
	_, reference := localOrder(t, made, "T1-1")
	if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
		t.Fatal(err)
	}
	signature := shop.next(t).header.Get(header)
	shop.next(t) // The first try is kept now.
	text := kept.text()
	if !strings.Contains(text, "Content-Type") && !strings.Contains(text, "Q29udGVudC1UeXBl") {
		t.Errorf("the reply is not kept: %s", text)
	}
	for _, hidden := range []string{token, secret, signature, "[redacted]"} {
		if hidden == "" || strings.Contains(text, hidden) {
			t.Errorf("W30 %q is kept", hidden)
		}
	}
}

func TestRecordsOfAnotherProgramAreRefused(t *testing.T) {
	broken := errors.New("the disk is gone")
	const order = `{"order_reference":"REF_1","link":"abc","ends":"2026-11-21T06:00:00Z","state":"open","reference":"T1-1"}`
	tests := []struct {
		name    string
		archive *drawer
		want    error
	}{
		{"a sound one", &drawer{records: []sandbox.Record{{Kind: sandbox.RecordOrder, Name: "REF_1", Body: []byte(order)}}}, nil},
		{"a field that is not known yet", &drawer{records: []sandbox.Record{{
			Kind: sandbox.RecordOrder, Name: "REF_1", Body: []byte(strings.Replace(order, "{", `{"colour":"red",`, 1)),
		}}}, nil},
		{"no JSON", &drawer{records: []sandbox.Record{{Kind: sandbox.RecordOrder, Name: "REF_1", Body: []byte("{")}}}, sandbox.ErrRecord},
		{"an order without a link", &drawer{records: []sandbox.Record{{
			Kind: sandbox.RecordOrder, Name: "REF_1", Body: []byte(strings.Replace(order, "abc", "", 1)),
		}}}, sandbox.ErrRecord},
		{"an unknown state", &drawer{records: []sandbox.Record{{
			Kind: sandbox.RecordOrder, Name: "REF_1", Body: []byte(strings.Replace(order, "open", "half-paid", 1)),
		}}}, sandbox.ErrRecord},
		{"a reference twice", &drawer{records: []sandbox.Record{
			{Kind: sandbox.RecordOrder, Name: "REF_1", Body: []byte(order)},
			{Kind: sandbox.RecordOrder, Name: "REF_2", Body: []byte(strings.Replace(order, "REF_1", "REF_2", 1))},
		}}, sandbox.ErrRecord},
		{"an unknown stage", &drawer{records: []sandbox.Record{{
			Kind: sandbox.RecordDelivery, Name: "1", Body: []byte(`{"id":1,"stage":"lost"}`),
		}}}, sandbox.ErrRecord},
		{"a delivery that is no object", &drawer{records: []sandbox.Record{{
			Kind: sandbox.RecordDelivery, Name: "1", Body: []byte(`[]`),
		}}}, sandbox.ErrRecord},
		{"an unknown kind", &drawer{records: []sandbox.Record{{Kind: "refund", Name: "1", Body: []byte(`{}`)}}}, sandbox.ErrRecord},
		{"an archive that cannot be read", &drawer{broken: broken}, broken},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			made, err := sandbox.Reopen(t.Context(), test.archive, settings(""))
			if !errors.Is(err, test.want) || (err == nil) != (made != nil) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
	t.Run("unsound settings", func(t *testing.T) {
		if _, err := sandbox.Reopen(t.Context(), &drawer{}, sandbox.Config{}); err == nil {
			t.Error("they are taken")
		}
	})
}

func TestACustomerGoesOnAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, kept := newMailbox(), &drawer{}
		made, stop := reopened(t, kept, shop.option())
		path, reference := localOrder(t, made, "T1-1")
		first := &walk{t: t, made: made, path: path, reference: reference}
		first.confirm(first.give("034 12 345 01")) // Refused by the operator.
		first.watch(path, 6*time.Second)
		window := first.give("034 98 765 67")
		first.confirm(window)
		if text := kept.text(); strings.Contains(text, "98765") || strings.Contains(text, "98 765") || !strings.Contains(text, "034 … 67") {
			t.Errorf("more of the number is kept than is shown: %s", text)
		}
		left := kept.copied() // The process is killed here.
		stop()
		pass(time.Minute)
		again, _ := reopened(t, left, shop.option())
		second := &walk{t: t, made: again, path: path, reference: reference}
		synctest.Wait()
		if got := shop.kinds(reference); len(got) != 1 {
			t.Errorf("the phone answers although nobody looks: %v", got)
		}
		second.watch(window, 2*time.Second)
		want := []payments.EventKind{payments.PaymentFailed, payments.PaymentSuccess}
		if got := shop.kinds(reference); !slices.Equal(got, want) {
			t.Errorf("got %v", got)
		}
	})
}
