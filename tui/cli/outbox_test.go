package cli_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/secret"
	"checkout/till/tui/tuitest"
)

// post sends a signed success event for the service's first order, and returns the HTTP status.
func (d *desk) post(address string) int {
	d.t.Helper()
	return d.send(address, payments.PaymentSuccess)
}

// send sends a signed event for the service's first order, and returns the HTTP status.
func (d *desk) send(address string, kind payments.EventKind) int {
	d.t.Helper()
	body := gateway.EncodeEvent(gateway.Notification{
		Event: kind, OrderReference: "REF_700001", Amount: 3500, Currency: "Ar",
	})
	request, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, address, strings.NewReader(string(body)))
	tuitest.Must(d.t, err)
	request.Header.Set("x-svc-signature", gateway.Sign(gateway.Static, secret.New(webhookSecret), nil))
	response, err := http.DefaultClient.Do(request)
	tuitest.Must(d.t, err)
	_, _ = io.Copy(io.Discard, response.Body) // The client can reuse the connection only after it has read the body to its end.
	_ = response.Body.Close()
	return response.StatusCode
}

// background starts a command, and waits until it has printed a text. The function end stops the
// command and returns the exit code.
func (d *desk) background(text string, args ...string) (end func() int) {
	d.t.Helper()
	d.out, d.err = &buffer{}, &buffer{}
	code, done := 0, make(chan struct{})
	ctx, stop := context.WithCancel(d.t.Context())
	d.t.Cleanup(stop)
	go func() {
		defer close(done)
		code = d.run(ctx, args...)
	}()
	if !eventually(func() bool { return strings.Contains(d.out.String(), text) }, done) {
		d.t.Fatalf("%v does not print %q\n%s%s", args, text, d.out, d.err)
	}
	return func() int {
		stop()
		<-done
		return code
	}
}

// stops calls end, which stops a command in the background. It fails the test unless the exit code
// is 0.
func (d *desk) stops(end func() int) {
	d.t.Helper()
	if code := end(); code != 0 {
		d.t.Errorf("exit code %d\n%s", code, d.err)
	}
}

// listening starts a listener and returns its address. The function end stops the listener and
// returns the exit code.
func (d *desk) listening(args ...string) (address string, end func() int) {
	d.t.Helper()
	end = d.background("listening on ", append([]string{"listen"}, args...)...)
	_, address, _ = strings.Cut(d.out.String(), "listening on ")
	return strings.TrimSpace(address), end
}

func TestTheLogHasTheFormAndTheLevelOfTheSettings(t *testing.T) {
	for _, test := range []struct {
		level  string
		events int
	}{{"info", 1}, {"warn", 0}} {
		desk := newDesk(t)
		address, end := desk.listening("--log-format", "json", "--log-level", test.level)
		desk.post(address) // No order matches the event. The handler logs this at the level info.
		response, err := http.Post(address, "application/json", strings.NewReader("{}"))
		tuitest.Must(t, err)
		_ = response.Body.Close()
		end()
		said := make(map[string]int)
		for line := range strings.Lines(desk.err.String()) {
			var entry struct{ Msg string }
			if err := json.Unmarshal([]byte(line), &entry); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			said[entry.Msg]++
		}
		if said["event received"] != test.events || said["webhook request refused"] != 1 {
			t.Errorf("at level %s the log has %v", test.level, said)
		}
	}
}
