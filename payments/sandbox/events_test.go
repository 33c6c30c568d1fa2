package sandbox_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
	"checkout/till/payments/sandbox/delivery"
)

// faulty makes a desk whose events have faults, and one order.
func faulty(t *testing.T, faults sandbox.EventFaults) (*desk, string) {
	t.Helper()
	made := newDesk(t, nil)
	made.SetFaults(sandbox.Faults{Event: faults})
	return made, made.order(t).Data.OrderReference
}

// happen lets things happen to an order, one after the other.
func (d *desk) happen(t *testing.T, orderReference string, kinds ...payments.EventKind) {
	t.Helper()
	for _, kind := range kinds {
		if err := d.Act(t.Context(), orderReference, kind); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFieldsOfAnEventAreWrongAsTold(t *testing.T) {
	number := func(text string) payments.Value { return payments.Value{Kind: payments.Number, Text: text} }
	tests := []struct {
		name   string
		faults sandbox.EventFaults
		holds  string // What the body has.
		change func(*payments.Event)
	}{
		{"no fault", sandbox.EventFaults{}, `"amount":9000,"currency":"Ar"`, func(*payments.Event) {}},
		{
			"W20 the amount is a text",
			sandbox.EventFaults{Shape: sandbox.ShapeAmountText},
			`"amount":"9000","currency":"Ar"`,
			func(want *payments.Event) { want.Amount = payments.TextValue("9000") },
		},
		{
			"W20 the amount has a fraction",
			sandbox.EventFaults{Shape: sandbox.ShapeAmountDecimal},
			`"amount":9000.0,"currency":"Ar"`,
			func(want *payments.Event) { want.Amount = number("9000.0") },
		},
		{
			"W20 no amount",
			sandbox.EventFaults{Shape: sandbox.ShapeAmountMissing},
			`"T1","currency":"Ar"`,
			func(want *payments.Event) { want.Amount = payments.Value{} },
		},
		{
			"W20 a wrong amount",
			sandbox.EventFaults{AmountOff: 1},
			`"amount":9001,`,
			func(want *payments.Event) { want.Amount = number("9001") },
		},
		{
			"W20 a wrong amount in a text",
			sandbox.EventFaults{AmountOff: -9500, Shape: sandbox.ShapeAmountText},
			`"amount":"-500",`,
			func(want *payments.Event) { want.Amount = payments.TextValue("-500") },
		},
		{
			"W21 another currency",
			sandbox.EventFaults{Currency: `M"G<A`},
			`"currency":"M\"G<A",`,
			func(want *payments.Event) { want.Currency = payments.TextValue(`M"G<A`) },
		},
		{
			"W21 no currency",
			sandbox.EventFaults{Shape: sandbox.ShapeCurrencyMissing},
			`"amount":9000,"description"`,
			func(want *payments.Event) { want.Currency = payments.Value{} },
		},
		{
			"W21 no currency rather than another",
			sandbox.EventFaults{Shape: sandbox.ShapeCurrencyMissing, Currency: "MGA"},
			`"amount":9000,"description"`, func(want *payments.Event) { want.Currency = payments.Value{} },
		},
		{
			"W21 only curency",
			sandbox.EventFaults{Shape: sandbox.ShapeCurrencyMisspelt},
			`"amount":9000,"curency":"Ar",`,
			func(want *payments.Event) { want.Currency = payments.Value{} },
		},
		{
			"W3 an unknown kind",
			sandbox.EventFaults{Shape: sandbox.ShapeUnknownKind},
			`{"event":"payment.pending",`,
			func(want *payments.Event) { want.Kind = "payment.pending" },
		},
		{"a success has no reason to replace", sandbox.EventFaults{Reason: "x"}, `"description":`, func(*payments.Event) {}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			desk := newDesk(t, nil)
			desk.SetFaults(sandbox.Faults{Event: test.faults})
			// A description that looks like the fields that are changed.
			body := strings.Replace(orderBody("T1"), "2 × Vary, Coca", `,\"amount\":9000,\"currency\":\"Ar\"`, 1)
			order := desk.call(t, body)
			desk.happen(t, order.Data.OrderReference, payments.PaymentSuccess)
			want := payments.Event{
				Kind: payments.PaymentSuccess, OrderReference: order.Data.OrderReference,
				Reference: payments.TextValue("T1"), Amount: payments.AmountValue(9000), Currency: payments.TextValue("Ar"),
				Description: payments.TextValue(`,"amount":9000,"currency":"Ar"`),
			}
			test.change(&want)
			got := desk.merchant.next(t)
			if got.event != want || !got.sound || !strings.Contains(got.body, test.holds) {
				t.Errorf("got %s", got.body)
			}
		})
	}
}

func TestTheReasonOfAnEventHoldsAnything(t *testing.T) {
	const hostile = "\x1b]52;c;UEFJRA==\x07\u009b2J\u202e\x00\r\n\"}"
	for _, kind := range []payments.EventKind{payments.PaymentFailed, payments.PaymentCanceled, payments.PaymentExpired} {
		desk, order := faulty(t, sandbox.EventFaults{Reason: hostile})
		desk.happen(t, order, kind)
		if got := desk.merchant.next(t); got.event.Error != payments.TextValue(hostile) || got.event.Kind != kind {
			t.Errorf("%s: got %s", kind, got.body)
		}
	}
}

func TestAnEventIsSignedAsTold(t *testing.T) {
	static := gateway.Sign(gateway.Static, payments.NewSecret(secret), nil)
	for _, scheme := range []gateway.Scheme{gateway.Static, gateway.Body} {
		tests := []struct {
			fault sandbox.SignatureFault
			want  func(byBody string) []string
		}{
			{"", func(byBody string) []string {
				return []string{map[bool]string{true: static, false: byBody}[scheme == gateway.Static]}
			}},
			{sandbox.SignatureMissing, func(string) []string { return nil }},
			{sandbox.SignatureStatic, func(string) []string { return []string{static} }},
			{sandbox.SignatureBody, func(byBody string) []string { return []string{byBody} }},
			{sandbox.SignatureDoubled, func(byBody string) []string {
				one := map[bool]string{true: static, false: byBody}[scheme == gateway.Static]
				return []string{one, one}
			}},
		}
		for _, test := range tests {
			t.Run(fmt.Sprintf("W8 fault %q of the scheme %s", test.fault, scheme), func(t *testing.T) {
				desk := newDesk(t, func(config *sandbox.Config) { config.Scheme = scheme })
				desk.SetFaults(sandbox.Faults{Event: sandbox.EventFaults{Signature: test.fault, Padding: 3}})
				desk.happen(t, desk.order(t).Data.OrderReference, payments.PaymentSuccess)
				got := desk.merchant.next(t)
				byBody := gateway.Sign(gateway.Body, payments.NewSecret(secret), []byte(got.body))
				if values := got.header.Values(header); fmt.Sprint(values) != fmt.Sprint(test.want(byBody)) {
					t.Errorf("got %d headers", len(values))
				}
				if !strings.HasSuffix(got.body, "}}   ") {
					t.Errorf("the body is %q", got.body)
				}
			})
		}
	}
}

func TestASecondEventContradictsTheFirst(t *testing.T) {
	const (
		success, failed   = payments.PaymentSuccess, payments.PaymentFailed
		canceled, expired = payments.PaymentCanceled, payments.PaymentExpired
	)
	tests := []struct {
		name   string
		faults sandbox.EventFaults
		acts   []payments.EventKind
		want   []payments.EventKind
	}{
		{
			"X2 W19 success then expired",
			sandbox.EventFaults{Then: expired},
			[]payments.EventKind{success},
			[]payments.EventKind{success, expired},
		},
		{
			"X2 W18 expired then success: paid late",
			sandbox.EventFaults{Then: success},
			[]payments.EventKind{expired},
			[]payments.EventKind{expired, success},
		},
		{
			"a failed try ends no link",
			sandbox.EventFaults{Then: success},
			[]payments.EventKind{failed, failed, canceled},
			[]payments.EventKind{failed, failed, canceled, success},
		},
		{
			"with copies of each",
			sandbox.EventFaults{Then: expired, Copies: 1},
			[]payments.EventKind{success},
			[]payments.EventKind{success, success, expired, expired},
		},
		{
			"the last one first",
			sandbox.EventFaults{Then: expired, Reorder: true},
			[]payments.EventKind{failed, success},
			[]payments.EventKind{expired, success, failed},
		},
		{
			"failed tries come in reverse",
			sandbox.EventFaults{Reorder: true, Copies: 1},
			[]payments.EventKind{failed, canceled},
			[]payments.EventKind{canceled, canceled, failed, failed},
		},
		{
			"more copies than there may be",
			sandbox.EventFaults{Copies: 1000},
			[]payments.EventKind{canceled},
			repeated(canceled, 11),
		},
		{
			"fewer than none",
			sandbox.EventFaults{Copies: -3, Padding: -1, Slow: -time.Hour},
			[]payments.EventKind{canceled},
			[]payments.EventKind{canceled},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			desk, order := faulty(t, test.faults)
			desk.happen(t, order, test.acts...)
			if got := desk.merchant.kinds(t, len(test.want)); fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("got %v", got)
			}
			desk.merchant.quiet(t)
		})
	}
	t.Run("the link stays as it ended", func(t *testing.T) {
		desk, order := faulty(t, sandbox.EventFaults{Then: expired})
		desk.happen(t, order, success)
		if err := desk.Act(t.Context(), order, success); err == nil {
			t.Error("it is paid twice")
		}
	})
}

func repeated(kind payments.EventKind, count int) []payments.EventKind {
	var kinds []payments.EventKind
	for range count {
		kinds = append(kinds, kind)
	}
	return kinds
}

func TestADroppedEventAndItsContradictionCanBeSentByHand(t *testing.T) {
	desk, order := faulty(t, sandbox.EventFaults{Drop: true, Copies: 3, Then: payments.PaymentExpired})
	desk.happen(t, order, payments.PaymentSuccess)
	for _, id := range []string{"2", "1"} {
		if recorder := lab(desk.Sandbox, http.MethodPost, "/lab/deliveries/"+id+"/resend", ""); recorder.Code != http.StatusOK {
			t.Errorf("%s: %d %s", id, recorder.Code, recorder.Body)
		}
		desk.merchant.next(t)
	}
	if recorder := lab(desk.Sandbox, http.MethodPost, "/lab/deliveries/3/resend", ""); recorder.Code != http.StatusNotFound {
		t.Errorf("copies are kept of what was dropped: %d", recorder.Code)
	}
	desk.merchant.quiet(t)
}

func TestWhiteSpaceMakesAnEventHuge(t *testing.T) {
	for padding, want := range map[int]int{1 << 20: 1 << 20, 11 << 20: 10 << 20} {
		desk, order := faulty(t, sandbox.EventFaults{Padding: padding})
		desk.happen(t, order, payments.PaymentSuccess)
		got := desk.merchant.next(t)
		if blank := len(got.body) - len(strings.TrimRight(got.body, " ")); blank != want || !got.sound {
			t.Errorf("W24 %d bytes of white space, want %d", blank, want)
		}
		desk.merchant.quiet(t)
	}
}

// TestASlowBodyArrivesByteByByte reads what comes over a real connection.
func TestASlowBodyArrivesByteByByte(t *testing.T) {
	desk, order := faulty(t, sandbox.EventFaults{Slow: 200 * time.Millisecond})
	type reading struct {
		pieces int
		length int64
		body   []byte
	}
	readings := make(chan reading, 1)
	desk.merchant.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var got reading
		got.length = r.ContentLength
		buffer := make([]byte, 1<<10)
		for {
			size, err := r.Body.Read(buffer)
			got.body = append(got.body, buffer[:size]...)
			if got.pieces++; err != nil {
				break
			}
		}
		readings <- got
	})
	desk.happen(t, order, payments.PaymentSuccess)
	got := <-readings
	if _, err := gateway.DecodeEvent(got.body); err != nil || got.length != int64(len(got.body)) {
		t.Errorf("%v: %d of %d bytes: %s", err, len(got.body), got.length, got.body)
	}
	if got.pieces < 4 {
		t.Errorf("W26 it came in %d pieces", got.pieces)
	}
}

func TestASlowBodyTakesItsTime(t *testing.T) {
	tests := []struct {
		name  string
		slow  time.Duration
		bytes int
	}{
		{"W26 a small one", 30 * time.Second, 0},
		{"beyond the time of a try", 5 * time.Minute, 0},
		{"a huge one", time.Minute, 10 << 20},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var took []time.Duration
				made := paidDeskWith(t, sandbox.EventFaults{Slow: test.slow, Padding: test.bytes}, func(r *http.Request) (*http.Response, error) {
					start := time.Now()
					body, err := io.ReadAll(r.Body)
					if _, decoded := gateway.DecodeEvent(body); err != nil || decoded != nil || r.ContentLength != int64(len(body)) {
						t.Errorf("%d bytes of %d: %v, %v", len(body), r.ContentLength, err, decoded)
					}
					took = append(took, time.Since(start))
					return status(http.StatusOK), nil
				})
				pass(time.Hour)
				if len(took) != 1 || took[0].Round(time.Second) != test.slow {
					t.Errorf("it took %v", took)
				}
				if !strings.Contains(lab(made, http.MethodGet, "/lab/deliveries", "").Body.String(), `"stage":"delivered"`) {
					t.Error("it was not delivered")
				}
			})
		})
	}
}

func TestASlowBodyIsGivenUpInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var ended time.Duration
		made := paidDeskWith(t, sandbox.EventFaults{Slow: time.Minute}, func(r *http.Request) (*http.Response, error) {
			_, err := io.Copy(io.Discard, r.Body)
			if err == nil {
				<-r.Context().Done() // Everything was read; no answer comes.
				err = r.Context().Err()
			}
			if ended == 0 {
				ended = time.Since(start)
			}
			return nil, err
		})
		pass(71 * time.Second)
		if ended != 70*time.Second {
			t.Errorf("given up after %v", ended)
		}
		if text := lab(made, http.MethodGet, "/lab/deliveries", "").Body.String(); !strings.Contains(text, "no reply within 1m10s") {
			t.Errorf("got %s", text)
		}
	})
}

func TestASlowBodyEndsWithTheSandbox(t *testing.T) {
	desk, order := faulty(t, sandbox.EventFaults{Slow: time.Hour})
	began := make(chan struct{})
	desk.merchant.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(began)
		_, _ = io.Copy(io.Discard, r.Body)
	})
	desk.happen(t, order, payments.PaymentSuccess)
	<-began
	// The test ends when Run has ended.
}

func TestAnEarlyAnswerEndsASlowBody(t *testing.T) {
	desk, order := faulty(t, sandbox.EventFaults{Slow: time.Hour})
	desk.merchant.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		w.WriteHeader(http.StatusOK)
	})
	desk.happen(t, order, payments.PaymentSuccess)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if !desk.Await(ctx, func() bool { return desk.Deliveries()[0].Stage == delivery.Delivered }) {
		t.Fatalf("the answer is not taken: %+v", desk.Deliveries())
	}
}

// paidDeskWith makes a sandbox without a network whose events have faults, with
// one order, and pays it.
func paidDeskWith(t *testing.T, faults sandbox.EventFaults, answer roundTrip) *sandbox.Sandbox {
	t.Helper()
	made, err := sandbox.New(settings("http://127.0.0.1:8788/webhook"), sandbox.WithTransport(answer))
	if err != nil {
		t.Fatal(err)
	}
	run(t, made)
	made.SetFaults(sandbox.Faults{Event: faults})
	_, reference := localOrder(t, made, "T1-20261121-0007")
	if err := made.Act(t.Context(), reference, payments.PaymentSuccess); err != nil {
		t.Fatal(err)
	}
	return made
}
