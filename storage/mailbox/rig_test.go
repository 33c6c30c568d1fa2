package mailbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments/relay"
	"checkout/till/storage/mailbox"
	"checkout/till/storage/storagetest/disk"
)

const (
	header    = "Vpi-Signature"
	signature = "the-secret-signature"
	success   = `{"event":"payment.success","data":{"order_reference":"A"}}`
	phone     = "203.0.113.7" // Address of a sender.
)

var errDisk = errors.New("the disk fails")

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rig is a relay with a real file. It runs in a synctest bubble and serves HTTP over pipes,
// so that its waits take no real time.
type rig struct {
	t      *testing.T
	folder string
	room   int64
	ahead  time.Duration // How far the relay's clock is ahead, in addition to years.
	years  int           // Number of years that the relay's clock is ahead; a Duration would be too short for them.
	mail   *mailbox.Mailbox
	relay  *relay.Server
	log    bytes.Buffer
	http   *http.Server
	client *http.Client

	mu    sync.Mutex
	calls listener     // The running server; nil without one.
	muted *atomic.Bool // Silences the connections that the fetchers have opened since the last call of mute.
	line  *line        // The line between relay and fetchers; nil for one without limits.

	tillDials atomic.Int64
	reads     atomic.Int64           // How often the relay looked for letters.
	acks      atomic.Int64           // How often the relay was told to acknowledge.
	trusted   atomic.Int64           // How often the relay trusted a request.
	failsRead atomic.Bool            // Whether the relay cannot read letters.
	failsAck  atomic.Bool            // Whether the relay cannot acknowledge letters or change terms.
	beforeAck atomic.Pointer[func()] // Called once, before the relay next acknowledges letters; may contain nil.
	afterRead atomic.Pointer[func()] // Called once, after the relay has next looked for letters; may contain nil.
}

type counting struct {
	*mailbox.Mailbox
	rig *rig
}

func (c counting) Acknowledge(ctx context.Context, box relay.Box, seq int64) error {
	c.rig.acks.Add(1)
	if before := c.rig.beforeAck.Swap(nil); before != nil {
		(*before)()
	}
	if c.rig.failsAck.Load() {
		return errDisk
	}
	return c.Mailbox.Acknowledge(ctx, box, seq)
}

func (c counting) SetTerms(ctx context.Context, id string, terms relay.Terms) error {
	if c.rig.failsAck.Load() {
		return errDisk
	}
	return c.Mailbox.SetTerms(ctx, id, terms)
}

func (c counting) Letters(ctx context.Context, box relay.Box, skip int64) (relay.Letters, error) {
	c.rig.reads.Add(1)
	if c.rig.failsRead.Load() {
		return relay.Letters{}, errDisk
	}
	letters, err := c.Mailbox.Letters(ctx, box, skip)
	if after := c.rig.afterRead.Swap(nil); after != nil {
		(*after)()
	}
	return letters, err
}

// mute makes the open connections of the fetchers silent without closing them.
func (r *rig) mute() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.muted.Store(true)
	r.muted = new(atomic.Bool)
}

// mutable is a connection that drops all data when muted is set, like a broken proxy.
type mutable struct {
	net.Conn
	muted *atomic.Bool
}

func (c *mutable) Read(p []byte) (int, error) {
	for {
		if n, err := c.Conn.Read(p); err != nil || !c.muted.Load() {
			return n, err
		}
	}
}

func (c *mutable) Write(p []byte) (int, error) {
	if c.muted.Load() {
		return len(p), nil
	}
	return c.Conn.Write(p)
}

func (c *mutable) Close() error {
	if c.muted.Load() {
		return c.Conn.SetDeadline(time.Now()) // The relay does not learn that the connection is closed.
	}
	return c.Conn.Close()
}

// inBubble runs a test in a synctest bubble, with a running relay.
func inBubble(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	inFolder(t, disk.Memory(t), test)
}

// inFolder runs a test with a relay that has its file in the given folder.
func inFolder(t *testing.T, folder string, test func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, folder: folder, room: mailbox.DefaultRoom, muted: new(atomic.Bool)}
		r.client = &http.Client{Transport: &http.Transport{DialContext: r.dial, DisableKeepAlives: true}}
		r.start()
		t.Cleanup(r.stop)
		test(t, r)
	})
}

func (r *rig) now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Add(r.ahead).AddDate(r.years, 0, 0)
}

func (r *rig) setClock(ahead time.Duration, years int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ahead = ahead
	r.years = years
}

// listener is a [net.Listener] for one server. It accepts the connections that are sent to it.
type listener chan net.Conn

func (l listener) Accept() (net.Conn, error) {
	if conn, open := <-l; open {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (l listener) Close() error {
	close(l)
	return nil
}

func (l listener) Addr() net.Addr { return &net.UnixAddr{} }

func (r *rig) dial(context.Context, string, string) (net.Conn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == nil {
		return nil, errors.New("the relay is off")
	}
	near, far := net.Pipe()
	r.calls <- far
	return near, nil
}

func (one *till) dial(ctx context.Context, network, address string) (net.Conn, error) {
	r := one.rig
	if one.off.Load() {
		return nil, errors.New("the till has no power")
	}
	conn, err := r.dial(ctx, network, address)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	r.tillDials.Add(1)
	if r.line != nil {
		conn = r.line.through(conn)
	}
	return &mutable{conn, r.muted}, nil
}

func (r *rig) start() {
	r.t.Helper()
	mail, err := mailbox.Open(r.t.Context(), r.folder, r.room, r.now)
	must(r.t, err)
	r.mail = mail
	r.relay = r.server()
	// This is the program's write limit. It is longer than 10 s, the time that a till waits for its
	// turn.
	r.http = &http.Server{Handler: r.relay, WriteTimeout: 15 * time.Second}
	l := make(listener, 100)
	r.mu.Lock()
	r.calls = l
	r.mu.Unlock()
	go func() { _ = r.http.Serve(l) }()
}

func (r *rig) server() *relay.Server {
	return relay.NewServer(relay.Config{
		Store: counting{r.mail, r}, URL: "http://relay.example.mg", Logger: slog.New(slog.NewTextHandler(&r.log, nil)), Proxied: true,
		Trust: func(context.Context) { r.trusted.Add(1) },
	})
}

func (r *rig) stop() {
	r.mu.Lock()
	r.calls = nil
	r.mu.Unlock()
	_ = r.http.Close()
	time.Sleep(time.Second) // After an early answer, net/http keeps the connection open for half a second.
	synctest.Wait()         // The handlers have returned.
	must(r.t, r.mail.Close())
}

func (r *rig) restart() {
	r.stop()
	r.start()
}

// backup copies the relay's file. The function that it returns puts the copy in place of the file,
// while the relay is off.
func (r *rig) backup() (restore func()) {
	r.t.Helper()
	file := filepath.Join(r.folder, "relay.db")
	r.stop()
	earlier, err := os.ReadFile(file)
	must(r.t, err)
	r.start()
	return func() {
		r.t.Helper()
		r.stop()
		must(r.t, os.WriteFile(file, earlier, 0o600))
		r.start()
	}
}

// add creates a box and pairs it with key.
func (r *rig) add(name string, key relay.Key, stamps ...[]byte) (webhook string) {
	r.t.Helper()
	code, hash := relay.NewCode()
	_, err := r.mail.Add(r.t.Context(), name, hash)
	must(r.t, err)
	return r.pair(code, key, stamps...)
}

// repair gives a box another pairing code, and pairs it with key.
func (r *rig) repair(name string, key relay.Key) {
	r.t.Helper()
	code, hash := relay.NewCode()
	_, err := r.mail.NewCode(r.t.Context(), name, hash)
	must(r.t, err)
	r.pair(code, key)
}

// pair uses a pairing code at the running server, over TCP. It returns the webhook's address.
func (r *rig) pair(code string, key relay.Key, stamps ...[]byte) (webhook string) {
	r.t.Helper()
	server := httptest.NewServer(r.http.Handler)
	defer server.Close()
	written := strings.NewReplacer("0", "o", "1", "l").Replace(strings.ToLower(code[:4] + "-" + code[4:])) // As people write it.
	webhook, err := relay.Pair(r.t.Context(), server.URL+"/anything", written, key, terms(stamps...))
	must(r.t, err)
	return webhook
}

// box returns the box with this webhook.
func (r *rig) box(webhook string) relay.Box {
	r.t.Helper()
	box, err := r.mail.Box(r.t.Context(), webhook[strings.LastIndex(webhook, "/")+1:])
	must(r.t, err)
	return box
}

func terms(stamps ...[]byte) relay.Terms { return relay.Terms{Header: header, Stamps: stamps} }

func newKey(t testing.TB) relay.Key {
	t.Helper()
	key, err := relay.NewKey()
	must(t, err)
	return key
}

type answer struct {
	status int
	body   string
	header http.Header
}

func (r *rig) send(method, address, body, from string, headers ...string) answer {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, address, strings.NewReader(body))
	must(r.t, err)
	request.Header.Set("X-Forwarded-For", from)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := r.client.Do(request)
	must(r.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(r.t, err)
	return answer{response.StatusCode, string(text), response.Header}
}

// The text that a test sends or receives is between these parts of an event.
const (
	beforeText = `{"event":"payment.success","data":{"order_reference":"A","description":"`
	afterText  = `"}}`
)

// eventOf returns an event with a text. If text is an event already, it returns text.
func eventOf(text string) string {
	if strings.HasPrefix(text, `{"event"`) {
		return text
	}
	return beforeText + text + afterText
}

// eventOfSize returns an event of size bytes.
func eventOfSize(size int) string {
	return eventOf(strings.Repeat("x", size-len(eventOf(""))))
}

// textOf returns the text in an event from eventOf. It returns any other body unchanged.
func textOf(body string) string {
	if text, ok := strings.CutPrefix(body, beforeText); ok {
		return strings.TrimSuffix(text, afterText)
	}
	return body
}

// post sends an event with a text, and returns the HTTP status.
func (r *rig) post(webhook, text string) int {
	r.t.Helper()
	return r.send(http.MethodPost, webhook, eventOf(text), phone, header, signature).status
}

func (r *rig) expectPost(when, webhook, text string, want int) {
	r.t.Helper()
	if got := r.post(webhook, text); got != want {
		r.t.Errorf("%s: got status %d, want %d", when, got, want)
	}
}

// admin returns the answer to a request of the relay's operator, such as "/healthz".
func (r *rig) admin(path string) answer {
	request := httptest.NewRequestWithContext(r.t.Context(), http.MethodGet, path, http.NoBody)
	recorder := httptest.NewRecorder()
	r.relay.Admin("1.0", r.mail.Problems).ServeHTTP(recorder, request)
	return answer{recorder.Code, recorder.Body.String(), recorder.Header()}
}

// expectHealth fails the test unless /healthz has the status and names a problem of the kind; a
// blank kind means no problem.
func (r *rig) expectHealth(when string, status int, kind string) {
	r.t.Helper()
	got := r.admin("/healthz")
	var told struct {
		OK       bool
		Problems []relay.Problem
	}
	must(r.t, json.Unmarshal([]byte(got.body), &told))
	var kinds []string
	for _, problem := range told.Problems {
		kinds = append(kinds, problem.Kind)
	}
	if got.status != status || told.OK != (status == http.StatusOK) || strings.Join(kinds, " ") != kind {
		r.t.Errorf("%s: %d %s", when, got.status, got.body)
	}
}

// till is a till that fetches letters with a real fetcher, and records them.
type till struct {
	*relay.Fetcher
	rig     *rig
	webhook string
	key     relay.Key
	off     atomic.Bool // Whether the till has no power.

	mu     sync.Mutex
	got    []string
	came   map[string]time.Time
	astray []string                // The wrong addresses that received requests.
	signed int                     // Number of deliveries with a valid signature.
	fails  func(body string) error // Returns the error of the delivery of a body, or nil.
}

func (r *rig) till(webhook, name string, key relay.Key, stamps ...[]byte) *till {
	r.t.Helper()
	one := &till{rig: r, webhook: webhook, key: key, came: map[string]time.Time{}}
	fetcher, err := relay.NewFetcher(relay.FetcherConfig{
		Webhook: webhook, Key: key, Name: name, Listener: "listener of " + name, Terms: terms(stamps...), Dial: one.dial,
		Deliver: one.deliver,
		Now:     time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	must(r.t, err)
	one.Fetcher = fetcher
	return one
}

// paired adds the box A and returns its till T1, which does not fetch yet.
func (r *rig) paired(stamps ...[]byte) *till {
	r.t.Helper()
	key := newKey(r.t)
	return r.till(r.add("A", key, stamps...), "T1", key, stamps...)
}

// run fetches until the test calls stop or ends.
func (one *till) run(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		one.Run(ctx)
	}()
	stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(stop)
	return stop
}

// cutPower ends a till as in a power cut: its connections stay open, but the relay receives nothing
// more from it.
func (one *till) cutPower(stop func()) {
	one.off.Store(true)
	one.rig.mute()
	stop()
}

func (one *till) failWith(fails func(body string) error) {
	one.mu.Lock()
	defer one.mu.Unlock()
	one.fails = fails
}

// arrival returns the time of arrival that the fetcher has reported for a body.
func (one *till) arrival(body string) time.Time {
	one.mu.Lock()
	defer one.mu.Unlock()
	return one.came[body]
}

func (one *till) countSigned() int {
	one.mu.Lock()
	defer one.mu.Unlock()
	return one.signed
}

func (one *till) deliver(_ context.Context, request relay.Request, came time.Time) error {
	one.mu.Lock()
	defer one.mu.Unlock()
	if request.Astray != "" {
		one.astray = append(one.astray, request.Astray)
		return nil
	}
	body := textOf(string(request.Body))
	if one.fails != nil {
		if err := one.fails(body); err != nil {
			return err
		}
	}
	if request.Header.Get(header) == signature {
		one.signed++
	}
	one.got = append(one.got, body)
	one.came[body] = came
	return nil
}

// bodies returns the texts of the delivered events, joined by blanks.
func (one *till) bodies() string {
	one.mu.Lock()
	defer one.mu.Unlock()
	return strings.Join(one.got, " ")
}

// count returns how many bodies were delivered.
func (one *till) count() int {
	one.mu.Lock()
	defer one.mu.Unlock()
	return len(one.got)
}

// purge makes the mailbox delete old letters, as every new letter does.
func (r *rig) purge() {
	r.t.Helper()
	if err := r.mail.Keep(r.t.Context(), relay.Box{}, phone, nil); !errors.Is(err, relay.ErrNoBox) {
		r.t.Errorf("a letter for no box: %v", err)
	}
}

func (r *rig) waiting() (count int) {
	r.t.Helper()
	boxes, err := r.mail.List(r.t.Context())
	must(r.t, err)
	for _, box := range boxes {
		count += box.Waiting
	}
	return count
}
