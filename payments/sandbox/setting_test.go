package sandbox_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/sandbox"
)

// everyFault returns faults of which each field is set.
func everyFault() sandbox.Faults {
	return sandbox.Faults{
		Call: sandbox.CallFaults{
			Break: true, Refuse: "<non>", EventFirst: payments.PaymentCanceled, Slow: 90 * time.Second, Cut: true,
			BreakAfter: true, Reply: sandbox.ReplyWrongFields, CheckoutURL: "javascript:alert(1)",
		},
		Event: sandbox.EventFaults{
			Drop: true, Delay: 1500 * time.Millisecond, Copies: 10, Reorder: true, Then: payments.PaymentExpired,
			Signature: sandbox.SignatureDoubled, AmountOff: -1_000_000_000_000, Currency: "MGA",
			Shape: sandbox.ShapeCurrencyMisspelt, Reason: "\x1b[2J\"", Padding: 10 << 20, Slow: time.Hour,
		},
	}
}

const everyFaultJSON = `{"call":{"break":true,"refuse":"\u003cnon\u003e","event_first":"payment.canceled","slow":"1m30s","cut":true,` +
	`"break_after":true,"reply":"wrong-fields","checkout_url":"javascript:alert(1)"},` +
	`"event":{"drop":true,"delay":"1.5s","copies":10,"reorder":true,"then":"payment.expired","signature":"doubled",` +
	`"amount_off":-1000000000000,"currency":"MGA","shape":"curency","reason":"\u001b[2J\"","padding":10485760,"slow":"1h0m0s"}}`

func TestEveryFaultStandsInJSON(t *testing.T) {
	faults := everyFault()
	for _, part := range []any{faults.Call, faults.Event} {
		value := reflect.ValueOf(part)
		for i := range value.NumField() {
			if value.Field(i).IsZero() {
				t.Fatalf("%s of the test is not set", value.Type().Field(i).Name)
			}
		}
	}
	text, err := json.Marshal(faults)
	if err != nil || string(text) != everyFaultJSON {
		t.Errorf("written: %v\n%s", err, text)
	}
	var read sandbox.Faults
	if err := json.Unmarshal(text, &read); err != nil || read != faults {
		t.Errorf("read: %v %+v", err, read)
	}
	var call sandbox.CallFaults
	var event sandbox.EventFaults
	text, err = json.Marshal(faults.Call)
	if err != nil || json.Unmarshal(text, &call) != nil || call != faults.Call {
		t.Errorf("the call alone: %v %s", err, text)
	}
	text, err = json.Marshal(faults.Event)
	if err != nil || json.Unmarshal(text, &event) != nil || event != faults.Event {
		t.Errorf("the event alone: %v %s", err, text)
	}
}

func TestWhatIsNotInJSONIsNoFault(t *testing.T) {
	tests := []struct {
		name, body string
		want       sandbox.Faults
	}{
		{"nothing", `{}`, sandbox.Faults{}},
		{"empty parts", ` { "call" : { } , "event" : { } } `, sandbox.Faults{}},
		{"values that are no fault", `{"call": {"break": false, "slow": "0s", "reply": "", "event_first": ""}, "event": {"copies": 0, "then": ""}}`, sandbox.Faults{}},
		{"one", `{"event": {"drop": true}}`, sandbox.Faults{Event: sandbox.EventFaults{Drop: true}}},
		{"the smallest span", `{"event": {"delay": "1ns"}}`, sandbox.Faults{Event: sandbox.EventFaults{Delay: 1}}},
		{"the largest span", `{"event": {"slow": "60m"}}`, sandbox.Faults{Event: sandbox.EventFaults{Slow: time.Hour}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := everyFault()
			if err := json.Unmarshal([]byte(test.body), &got); err != nil || got != test.want {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

func TestUnsoundFaultsAreRefusedByName(t *testing.T) {
	tests := []struct{ name, body, says string }{
		{"a list", `[]`, "body must be a JSON object"},
		{"a text", `"drop"`, "body must be a JSON object"},
		{"a part that is no object", `{"call": true}`, "call must be a JSON object"},
		{"a part of nothing", `{"event": null}`, "event must be a JSON object"},
		{"an unknown part", `{"events": {}}`, "events is not known: there are call, event"},
		{"an unknown field", `{"event": {"dorp": true}}`, "event.dorp is not known: there are drop, delay, copies"},
		{"a field of the other part", `{"call": {"drop": true}}`, "call.drop is not known: there are break, refuse"},
		{"a name in Go's spelling", `{"call": {"EventFirst": "payment.success"}}`, "call.EventFirst is not known"},
		{"a name in upper case", `{"call": {"BREAK": true}}`, "call.BREAK is not known"},
		{"a name with control characters", "{\"call\": {\"\\u001b[2J\": true}}", "call.[2J is not known"},
		{"a repeated field", `{"event": {"drop": true, "drop": false}}`, "event.drop is repeated"},
		{"a repeated part", `{"event": {}, "event": {"drop": true}}`, "event is repeated"},
		{"a flag that is a text", `{"event": {"drop": "true"}}`, "event.drop must be true or false"},
		{"a flag of nothing", `{"event": {"drop": null}}`, "event.drop must be true or false"},
		{"a text that is a number", `{"call": {"refuse": 422}}`, "call.refuse must be a string"},
		{
			"a kind that does not exist", `{"call": {"event_first": "success"}}`,
			`call.event_first must be one of "payment.success", "payment.failed", "payment.canceled", "payment.expired"`,
		},
		{"a reply that does not exist", `{"call": {"reply": "HTML"}}`, `call.reply must be one of "empty", "html", "cut-json", "wrong-fields"`},
		{
			"a signature that does not exist", `{"event": {"signature": "none"}}`,
			`event.signature must be one of "wrong", "missing", "doubled", "static", "body"`,
		},
		{"a shape that does not exist", `{"event": {"shape": "currency"}}`, `event.shape must be one of "amount-text", "amount-decimal", "amount-missing", "currency-missing", "curency", "unknown-kind"`},
		{"a span that is a number", `{"call": {"slow": 30}}`, `call.slow must be a length of time from "0s" to "1h"`},
		{"a span without a unit", `{"event": {"delay": "30"}}`, "event.delay must be a length of time"},
		{"a span below nothing", `{"event": {"delay": "-1s"}}`, "event.delay must be a length of time"},
		{"a span beyond an hour", `{"event": {"slow": "1h1ns"}}`, "event.slow must be a length of time"},
		{"a span beyond all", `{"event": {"slow": "9999999h"}}`, "event.slow must be a length of time"},
		{"an empty span", `{"event": {"slow": ""}}`, "event.slow must be a length of time"},
		{"copies with a fraction", `{"event": {"copies": 1.0}}`, "event.copies must be a whole number from 0 to 10"},
		{"copies in a text", `{"event": {"copies": "1"}}`, "event.copies must be a whole number from 0 to 10"},
		{"copies below nothing", `{"event": {"copies": -1}}`, "event.copies must be a whole number from 0 to 10"},
		{"too many copies", `{"event": {"copies": 11}}`, "event.copies must be a whole number from 0 to 10"},
		{"too much padding", `{"event": {"padding": 10485761}}`, "event.padding must be a whole number from 0 to 10485760"},
		{"an amount beyond all", `{"event": {"amount_off": 1000000000001}}`, "event.amount_off must be a whole number from -1000000000000 to 1000000000000"},
		{"an amount beyond 64 bits", `{"event": {"amount_off": 100000000000000000000}}`, "event.amount_off must be"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := everyFault()
			err := json.Unmarshal([]byte(test.body), &got)
			if !errors.Is(err, sandbox.ErrField) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v", err)
			}
			if got != everyFault() {
				t.Error("the faults were changed")
			}
		})
	}
	for _, body := range []string{``, ` `, `{`, `{"call": {}`, `{"call": {"break": tru}}`, `{} {}`, `{}}`, "{}\x00"} {
		got := everyFault()
		if err := got.UnmarshalJSON([]byte(body)); !errors.Is(err, sandbox.ErrField) || got != everyFault() {
			t.Errorf("%q gives %v", body, err)
		}
	}
}

// FuzzFaults checks that JSON is either refused by name, with the faults as
// they were, or comes back as it was understood.
func FuzzFaults(f *testing.F) {
	f.Add(everyFaultJSON)
	f.Add(`{}`)
	f.Add(`{"event": {"drop": true, "drop": false}}`)
	f.Add(`{"call": {"slow": "1h", "event_first": ""}}`)
	f.Add(`{"event": {"copies": 1e1, "reason": "\ud800"}}`)
	f.Add("{\"event\": {\"reason\": \"\xe9\u2028\"}} {}")
	for _, scenario := range sandbox.Scenarios() {
		text, err := json.Marshal(scenario.Faults)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, body string) {
		read := everyFault()
		if err := read.UnmarshalJSON([]byte(body)); err != nil {
			if !errors.Is(err, sandbox.ErrField) || read != everyFault() {
				t.Fatalf("%v changed the faults to %+v", err, read)
			}
			if text := err.Error(); text != payments.Clean(text, len(text)) {
				t.Fatalf("the error is not fit for a screen: %q", text)
			}
			return
		}
		event := read.Event
		if event.Copies < 0 || event.Copies > 10 || event.Delay < 0 || event.Slow > time.Hour || event.Padding > 10<<20 {
			t.Fatalf("out of bounds: %+v", event)
		}
		text, err := json.Marshal(read)
		var again sandbox.Faults
		if err != nil || json.Unmarshal(text, &again) != nil || again != read {
			t.Fatalf("%s comes back as %s: %v", body, text, err)
		}
	})
}
