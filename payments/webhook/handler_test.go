package webhook_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
	"checkout/till/payments/webhook"
)

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// padded returns a valid event of exactly size bytes.
func padded(size int) string {
	return successBody[:len(successBody)-1] + strings.Repeat(" ", size-len(successBody)) + "}"
}

func compressed(t *testing.T, text string) string {
	t.Helper()
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = io.WriteString(writer, text)
	must(t, writer.Close())
	return packed.String()
}

// The tests of package gateway cover more bodies that are not valid events.
func TestEachRequestGetsItsAnswer(t *testing.T) {
	t.Parallel()
	signed := []string{secretValue}
	post := func(body string) call { return call{signatures: signed, body: body} }
	with := func(old, replacement string) call { return post(strings.Replace(successBody, old, replacement, 1)) }
	named := func(reference string) call { return with("REF_700001", reference) }
	chunks := func(body io.Reader) call { return call{signatures: signed, reader: io.LimitReader(body, 1<<30)} }
	claimed := func(signatures ...string) call { return call{signatures: signatures, body: successBody} }
	at := func(method, path string) call { return call{method: method, path: path} }
	byBody := gateway.Sign(gateway.Body, secret.New(secretText), []byte(successBody))
	empty := gateway.Sign(gateway.Static, secret.New(""), nil)
	const (
		received, bad        = `{"received":true,"status":"success"}`, "Bad Request"
		missing, unsigned    = "Missing order_reference", "Invalid signature"
		large, refused, none = "Request Entity Too Large", "Method Not Allowed", "Not found"
	)
	for _, test := range []struct {
		name   string
		call   call
		status int
		text   string
		stored int
	}{
		{"GET", call{method: "GET"}, 200, "The webhook listener is here; events come by POST.", 0},
		{"HEAD", call{method: "HEAD"}, 200, "", 0},
		{"OPTIONS", call{method: "OPTIONS"}, 405, refused, 0},
		{"64 KiB", post(padded(64 << 10)), 200, received, 1},
		{"64 KiB and one byte", post(padded(64<<10 + 1)), 413, large, 0},
		{"10 MiB", post(strings.Repeat(" ", 10<<20)), 413, large, 0},
		{"chunks without an end", chunks(endless{}), 413, large, 0},
		{"a body too large, without a signature", call{body: padded(64<<10 + 1)}, 413, large, 0},
		{"no header", call{body: successBody}, 400, bad, 0},
		{"an empty header", claimed(""), 400, bad, 0},
		{"wrong hexadecimal", claimed(strings.Repeat("0", 64)), 401, unsigned, 0},
		{"the HMAC over the body", claimed(byBody), 401, unsigned, 0},
		{"upper-case hexadecimal", claimed(strings.ToUpper(secretValue)), 401, unsigned, 0},
		{"the prefix sha256=", claimed("sha256=" + secretValue), 401, unsigned, 0},
		{"truncated", claimed(secretValue[:63]), 401, unsigned, 0},
		{"the value of an empty secret", claimed(empty), 401, unsigned, 0},
		{"in another header", call{headers: http.Header{"X-Signature": signed}, body: successBody}, 400, bad, 0},
		{"a bad signature and bad JSON", call{signatures: []string{"0"}, body: "{"}, 401, unsigned, 0},
		{"two headers, the first right", claimed(secretValue, "0"), 401, unsigned, 0},
		{"two headers, both right", claimed(secretValue, secretValue), 401, unsigned, 0},
		{"not JSON", post("{"), 400, bad, 0},
		{"order_reference absent", with(`"order_reference"`, `"x"`), 400, missing, 0},
		{"order_reference of 256 bytes", named(strings.Repeat("R", 256)), 404, none, 1},
		{
			"gzip",
			call{signatures: signed, headers: http.Header{"Content-Encoding": {"gzip"}}, body: compressed(t, successBody)},
			400, bad, 0,
		},
		{"an unknown order", named("REF_9"), 404, none, 1},
		{"a valid success", post(successBody), 200, received, 1},
		{"an unknown kind", with("payment.success", "payment.seen"), 200, `{"received":true,"status":"pending"}`, 1},
		{
			"another content type",
			call{signatures: signed, headers: http.Header{"Content-Type": {"text/plain"}}, body: successBody},
			200, received, 1,
		},
		{"a query after the path", call{path: "/webhook?x=1", signatures: signed, body: successBody}, 200, received, 1},
		{"another path", call{path: "/other", signatures: signed, body: successBody}, 404, none, 0},
		{"the root", at("GET", "/"), 404, none, 0},
		{"GET of /success", at("GET", "/success"), 200, "page /success", 0},
		{"GET of /canceled", at("GET", "/canceled"), 200, "page /canceled", 0},
		{"GET of /failed", at("GET", "/failed"), 200, "page /failed", 0},
		{"a customer who comes by POST", call{path: "/success", body: "reference=T1"}, 200, "page /success", 0},
		{"DELETE of /failed", at("DELETE", "/failed"), 200, "page /failed", 0},
		{"a return page with a slash", at("GET", "/canceled/"), 200, "page /canceled/", 0},
		{"a return page with a query glued on", at("GET", "/success&reference=T1"), 200, "page /success&reference=T1", 0},
		{"a return page with an escaped query", call{path: "/success%3Freference=T1", body: "x"}, 200, "page /success?reference=T1", 0},
		{"GET of /healthz", at("GET", "/healthz"), 200, "ok", 0},
		{"POST to /healthz", at("POST", "/healthz"), 405, refused, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			rig := newRig(t)
			got := rig.do(test.call)
			if got.status != test.status || got.text != test.text {
				t.Errorf("got %d %q, want %d %q", got.status, got.text, test.status, test.text)
			}
			if stored := rig.stored(); stored != test.stored {
				t.Errorf("%d events stored, want %d", stored, test.stored)
			}
			if got.header.Get("Location") != "" {
				t.Error("a redirect")
			}
			wantType := "text/plain; charset=utf-8"
			if strings.HasPrefix(test.text, "{") {
				wantType = "application/json"
			}
			if got.header.Get("Content-Type") != wantType {
				t.Errorf("content type %q", got.header.Get("Content-Type"))
			}
			if test.status == 405 && !strings.HasPrefix(got.header.Get("Allow"), "GET, HEAD") {
				t.Errorf("Allow %q", got.header.Get("Allow"))
			}
			if strings.Contains(rig.log.String(), secretValue) || strings.Contains(got.text, secretValue) {
				t.Error("the signature is shown")
			}
		})
	}
}

func TestTheListenerSurvivesFaults(t *testing.T) {
	t.Run("an event that cannot be stored is answered 500", func(t *testing.T) {
		rig := newRig(t)
		rig.receiver.fault = errors.New("disk is full")
		got := rig.deliver(successBody)
		if got.status != 500 || got.text != "Internal Server Error" || !rig.handler.Health().StoreDown {
			t.Errorf("got %d %q, %+v", got.status, got.text, rig.handler.Health())
		}
		rig.receiver.fault = nil
		if got := rig.deliver(successBody); got.status != 200 || rig.handler.Health().StoreDown {
			t.Errorf("afterwards %d, %+v", got.status, rig.handler.Health())
		}
	})
	t.Run("a dropped event is answered, logged and counted", func(t *testing.T) {
		rig := newRig(t)
		rig.receiver.receipt = payments.Receipt{Effect: payments.Dropped, Status: payments.StatusFailed}
		if got := rig.deliver(successBody); got.status != 200 || got.text != `{"received":true,"status":"failed"}` {
			t.Errorf("with an order: %d %s", got.status, got.text)
		}
		rig.receiver.receipt = payments.Receipt{Effect: payments.Dropped}
		if got := rig.deliver(successBody); got.status != 404 || got.text != "Not found" {
			t.Errorf("without an order: %d %s", got.status, got.text)
		}
		if log := rig.log.String(); strings.Count(log, "level=WARN") != 2 || strings.Count(log, "outcome=dropped") != 2 {
			t.Errorf("the log: %s", log)
		}
		rig.expectMetrics(`till_webhook_events_total{kind="payment.success",outcome="dropped"} 2`)
	})
	t.Run("a panic is answered 500 and the listener goes on", func(t *testing.T) {
		rig := newRig(t)
		for _, fault := range []any{"planted " + secretValue, errors.New("planted"), nil} {
			rig.receiver.before = func() {
				if fault == nil {
					_ = []int{}[rig.stored()]
				}
				panic(fault)
			}
			if got := rig.deliver(successBody); got.status != 500 || got.text != "Internal Server Error" {
				t.Errorf("got %d %q", got.status, got.text)
			}
		}
		rig.receiver.before = nil
		if got := rig.deliver(successBody); got.status != 200 {
			t.Errorf("afterwards %d", got.status)
		}
		if log := rig.log.String(); strings.Contains(log, "planted") || !strings.Contains(log, "index out of range") {
			t.Errorf("the log: %s", log)
		}
	})
	t.Run("an event is stored even if its sender hangs up", func(t *testing.T) {
		finished := make(chan struct{}, 2)
		ctx, hangUp := context.WithCancel(t.Context())
		rig := newRig(t)
		rig.receiver.after = func() { finished <- struct{}{} }
		arrived, gone := rig.held()
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, rig.url+"/webhook", strings.NewReader(successBody))
		must(t, err)
		request.Header.Set(header, secretValue)
		go func() {
			<-arrived
			hangUp()
		}()
		if _, err := http.DefaultTransport.RoundTrip(request); err == nil {
			t.Fatal("the sender got an answer")
		}
		rig.receiver.before = nil
		close(gone)
		if got := rig.deliver(successBody); got.status != 200 {
			t.Errorf("the second delivery gives %d", got.status)
		}
		<-finished
		<-finished
		if rig.stored() != 1 || rig.receiver.ended {
			t.Errorf("%d stored; the context ended: %v", rig.stored(), rig.receiver.ended)
		}
	})
}

// FuzzHandler sends any body with any signature header. It checks the status of the answer, that
// only events with the right signature are stored, and that no answer contains a signature.
func FuzzHandler(f *testing.F) {
	f.Add([]byte(successBody), secretValue, true)
	f.Add([]byte(successBody), secretValue, false)
	f.Add([]byte(successBody), strings.ToUpper(secretValue), true)
	f.Add([]byte(`{}`), secretValue, true)
	f.Add([]byte(`{"event":"x","data":{"order_reference":"REF_9"}}`), secretValue, true)
	f.Add([]byte(``), secretValue, true)
	f.Add(bytes.Repeat([]byte(" "), 64<<10+1), "", true)
	config := config(f)
	f.Fuzz(func(t *testing.T, body []byte, signature string, present bool) {
		receiver := &receiver{receipt: payments.Receipt{Effect: payments.Applied, Status: payments.StatusSuccess}}
		handler := webhook.NewHandler(receiver, config)
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhook", bytes.NewReader(body))
		if present {
			request.Header[http.CanonicalHeaderKey(header)] = []string{signature}
		}
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if !slices.Contains([]int{200, 400, 401, 413}, answer.Code) {
			t.Fatalf("answered %d", answer.Code)
		}
		signed := present && signature == secretValue
		if reached := receiver.calls > 0; reached != (answer.Code == 200) || (reached && !signed) {
			t.Fatalf("answered %d, stored %v, signed %v", answer.Code, reached, signed)
		}
		if strings.Contains(answer.Body.String(), secretValue) || strings.Contains(handler.Health().Cause.Detail, secretValue) {
			t.Fatal("the signature is shown")
		}
	})
}
