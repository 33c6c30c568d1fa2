package sandbox_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
	"checkout/till/payments/sandbox"
)

// The scenarios hold each fault of a field by itself; these are faults together
// and their bounds, of an order whose description looks like the fields.
func TestFaultsOfAnEventsFields(t *testing.T) {
	const hostile = "\x1b]52;c;UEFJRA==\x07\u009b2J\u202e\x00\r\n\"}"
	tests := []struct {
		name   string
		faults sandbox.EventFaults
		kind   payments.EventKind
		holds  string // What the body has.
		change func(*payments.Event)
	}{
		{
			"W20 a wrong amount in a text",
			sandbox.EventFaults{AmountOff: -9500, Shape: sandbox.ShapeAmountText},
			payments.PaymentSuccess, `"amount":"-500",`,
			func(want *payments.Event) { want.Amount = payments.TextValue("-500") },
		},
		{
			"W20 a wrong amount with a fraction",
			sandbox.EventFaults{AmountOff: 1, Shape: sandbox.ShapeAmountDecimal},
			payments.PaymentSuccess, `"amount":9001.0,`,
			func(want *payments.Event) { want.Amount = payments.Value{Kind: payments.Number, Text: "9001.0"} },
		},
		{
			"W21 another currency, with quotes",
			sandbox.EventFaults{Currency: `M"G<A`},
			payments.PaymentSuccess, `"currency":"M\"G<A",`,
			func(want *payments.Event) { want.Currency = payments.TextValue(`M"G<A`) },
		},
		{
			"W21 no currency rather than another",
			sandbox.EventFaults{Shape: sandbox.ShapeCurrencyMissing, Currency: "MGA"},
			payments.PaymentSuccess, `"amount":9000,"description"`,
			func(want *payments.Event) { want.Currency = payments.Value{} },
		},
		{
			"a success has no reason to replace",
			sandbox.EventFaults{Reason: "x"},
			payments.PaymentSuccess, `"description":`,
			func(*payments.Event) {},
		},
		{
			"T1 the reason holds anything",
			sandbox.EventFaults{Reason: hostile},
			payments.PaymentCanceled, `"error":`,
			func(want *payments.Event) { want.Error = payments.TextValue(hostile) },
		},
		{
			"W24 white space to the bound of 10 MiB",
			sandbox.EventFaults{Padding: 10 << 20},
			payments.PaymentSuccess, "}}" + strings.Repeat(" ", 10<<20),
			func(*payments.Event) {},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			desk := newDesk(t, nil)
			desk.SetFaults(sandbox.Faults{Event: test.faults})
			body := strings.Replace(orderBody("T1"), "2 × Vary, Coca", `,\"amount\":9000,\"currency\":\"Ar\"`, 1)
			order := call(t, desk.Sandbox, body)
			act(t, desk.Sandbox, order.Data.OrderReference, test.kind)
			want := payments.Event{
				Kind: test.kind, OrderReference: order.Data.OrderReference,
				Reference: payments.TextValue("T1"), Amount: payments.AmountValue(9000), Currency: payments.TextValue("Ar"),
				Description: payments.TextValue(`,"amount":9000,"currency":"Ar"`),
			}
			test.change(&want)
			got := desk.next(t)
			if got.event != want || !got.sound || !strings.Contains(got.body, test.holds) || len(got.body) > 10<<20+1000 {
				t.Errorf("got %.1000s", got.body)
			}
		})
	}
}

func TestASecondEventContradictsTheFirst(t *testing.T) {
	const (
		success, failed   = payments.PaymentSuccess, payments.PaymentFailed
		canceled, expired = payments.PaymentCanceled, payments.PaymentExpired
	)
	type kinds = []payments.EventKind
	tests := []struct {
		name       string
		faults     sandbox.EventFaults
		acts, want kinds
	}{
		{
			"a failed try ends no link",
			sandbox.EventFaults{Then: success},
			kinds{failed, failed, canceled},
			kinds{failed, failed, canceled, success},
		},
		{
			"with copies of each",
			sandbox.EventFaults{Then: expired, Copies: 1},
			kinds{success},
			kinds{success, success, expired, expired},
		},
		{
			"the last one first",
			sandbox.EventFaults{Then: expired, Reorder: true},
			kinds{failed, success},
			kinds{expired, success, failed},
		},
		{
			"failed tries come in reverse",
			sandbox.EventFaults{Reorder: true, Copies: 1},
			kinds{failed, canceled},
			kinds{canceled, canceled, failed, failed},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			desk := newDesk(t, nil)
			desk.SetFaults(sandbox.Faults{Event: test.faults})
			_, order := localOrder(t, desk.Sandbox, "T1")
			act(t, desk.Sandbox, order, test.acts...)
			for _, want := range test.want {
				if got := desk.next(t).event.Kind; got != want {
					t.Errorf("got %v, want %v", got, want)
				}
			}
			desk.quiet(t)
			if err := desk.Act(t.Context(), order, success); test.faults.Then != "" && err == nil {
				t.Error("the link is not as it ended")
			}
		})
	}
}

func TestASlowBodyTakesItsTime(t *testing.T) {
	tests := []struct {
		name   string
		faults sandbox.EventFaults
		took   time.Duration
		read   bool // The merchant reads all of it.
		says   string
	}{
		{"beyond the time of a try", sandbox.EventFaults{Slow: 5 * time.Minute}, 5 * time.Minute, true, `"stage":"delivered"`},
		{
			"a huge one",
			sandbox.EventFaults{Slow: time.Minute, Padding: 10 << 20},
			time.Minute, true, `"stage":"delivered"`,
		},
		{"W26 no answer comes", sandbox.EventFaults{Slow: time.Minute}, 70 * time.Second, false, "no reply within 1m10s"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var took []time.Duration
				made := begin(t, nil, withTransport(roundTrip(func(r *http.Request) (*http.Response, error) {
					start := time.Now()
					body, err := io.ReadAll(r.Body)
					if _, decoded := gateway.DecodeEvent(body); err != nil || decoded != nil || r.ContentLength != int64(len(body)) {
						t.Errorf("%d bytes of %d: %v, %v", len(body), r.ContentLength, err, decoded)
					}
					if test.read {
						took = append(took, time.Since(start))
						return status(http.StatusOK), nil
					}
					<-r.Context().Done()
					took = append(took, time.Since(start))
					return nil, r.Context().Err()
				})))
				made.SetFaults(sandbox.Faults{Event: test.faults})
				_, reference := localOrder(t, made, "T1-20261121-0007")
				act(t, made, reference, payments.PaymentSuccess)
				pass(test.took + time.Second/2)
				if len(took) != 1 || took[0].Round(time.Second) != test.took {
					t.Errorf("it took %v", took)
				}
				if recorder := lab(made, http.MethodGet, "/lab/deliveries", ""); !contains(recorder, test.says) {
					t.Errorf("got %s", recorder.Body)
				}
			})
		})
	}
}
