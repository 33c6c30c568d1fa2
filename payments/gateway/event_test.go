package gateway_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

func success() payments.Event {
	return payments.Event{
		Kind: payments.PaymentSuccess, OrderReference: "REF_700001",
		Reference: payments.TextValue("SHOP_1"), Amount: payments.AmountValue(9000),
		Currency: payments.TextValue("Ar"), Description: payments.TextValue("Vary"),
	}
}

const successBody = `{"event":"payment.success","data":{"order_reference":"REF_700001","reference":"SHOP_1",` +
	`"amount":9000,"currency":"Ar","description":"Vary"}}`

func TestDecodeEventIgnoresTheFormOfTheJSON(t *testing.T) {
	for _, test := range []struct{ name, body string }{
		{"as the service sends it", successBody},
		{"keys in another order", `{"data":{"description":"Vary","currency":"Ar","amount":9000,"reference":"SHOP_1",` +
			`"order_reference":"REF_700001"},"event":"payment.success"}`},
		{"white space", strings.NewReplacer(":", " :\n\t", ",", "\r\n ,").Replace(successBody)},
		{"unknown fields of every type", strings.Replace(successBody,
			`"amount"`, `"x":[1,{"event":null}],"y":{"order_reference":1},"z":true,"amount"`, 1)},
		{"unknown fields next to event", `{"version":"1.0.0","order_reference":5,` + successBody[1:]},
		{"escapes", strings.Replace(successBody, "Vary", `\u0056ary`, 1)},
		{"escapes in a key", strings.Replace(successBody, `"order_reference"`, `"order\u005freference"`, 1)},
		{"EVENT and DATA are unknown fields", `{"EVENT":"payment.failed","DATA":null,` + successBody[1:]},
		{"ORDER_REFERENCE after the real one", strings.Replace(successBody,
			`"Vary"`, `"Vary","ORDER_REFERENCE":"REF_2","Amount":1`, 1)},
		{"a long s folds to s for encoding/json", strings.Replace(successBody,
			`"Vary"`, `"Vary","de\u017fcription":"x","de`+"\u017f"+`cription":"y"`, 1)},
		{"a byte order mark", "\xef\xbb\xbf" + successBody},
		{"white space around the event", " \r\n\t" + successBody + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			event, err := gateway.DecodeEvent([]byte(test.body))
			if err != nil || event != success() || event.ID() != success().ID() {
				t.Errorf("got %+v, %v", event, err)
			}
		})
	}
}

func TestDecodeEventRefusesInvalidEvents(t *testing.T) {
	with := func(event, reference string) string {
		return fmt.Sprintf(`{"event":%s,"data":{"order_reference":%s,"amount":9000}}`, event, reference)
	}
	const kind, name = `"payment.success"`, `"REF_700001"`
	for _, test := range []struct {
		name, body string
		want       error
	}{
		{"an empty object", `{}`, gateway.ErrNoOrderReference},
		{"order_reference absent", `{"event":"payment.success","data":{}}`, gateway.ErrNoOrderReference},
		{"order_reference empty", with(kind, `""`), gateway.ErrNoOrderReference},
		{"order_reference blank", with(kind, `" \t"`), gateway.ErrNoOrderReference},
		{"order_reference null", with(kind, `null`), gateway.ErrNoOrderReference},
		{"data absent", `{"event":"payment.success"}`, gateway.ErrNoOrderReference},
		{"data null", `{"event":"payment.success","data":null}`, gateway.ErrNoOrderReference},
		{"data an array", `{"event":"payment.success","data":[{"order_reference":"REF_700001"}]}`, gateway.ErrNoOrderReference},
		{"order_reference outside data", `{"event":"payment.success","order_reference":"REF_700001"}`, gateway.ErrNoOrderReference},
		{"only ORDER_REFERENCE", `{"event":"payment.success","data":{"ORDER_REFERENCE":"REF_700001"}}`, gateway.ErrNoOrderReference},
		{"order_reference a number", with(kind, `700001`), gateway.ErrMalformed},
		{"event absent", `{"data":{"order_reference":"REF_700001"}}`, gateway.ErrMalformed},
		{"event blank", with(`""`, name), gateway.ErrMalformed},
		{"event a number", with(`1`, name), gateway.ErrMalformed},
		{"only EVENT", `{"EVENT":"payment.success","data":{"order_reference":"REF_700001"}}`, gateway.ErrMalformed},
		{"event twice", `{"event":"payment.failed",` + successBody[1:], gateway.ErrMalformed},
		{"data twice", `{"data":{},` + successBody[1:], gateway.ErrMalformed},
		{"order_reference twice", strings.Replace(successBody, `"amount"`, `"order_reference":"REF_2","amount"`, 1), gateway.ErrMalformed},
		{"order_reference twice, one escaped", strings.Replace(successBody,
			`"amount"`, `"\u006frder_reference":"REF_2","amount"`, 1), gateway.ErrMalformed},
		{"a trailing comma in data", strings.Replace(successBody, `"Vary"}`, `"Vary",}`, 1), gateway.ErrMalformed},
		{"a trailing comma at the end", strings.Replace(successBody, `}}`, `},}`, 1), gateway.ErrMalformed},
		{"a second JSON value", successBody + `{}`, gateway.ErrMalformed},
		{"a text after the value", successBody + ` x`, gateway.ErrMalformed},
		{"order_reference of 257 bytes", with(kind, `"`+strings.Repeat("R", 257)+`"`), gateway.ErrMalformed},
		{"event of 257 bytes", with(`"`+strings.Repeat("k", 257)+`"`, name), gateway.ErrMalformed},
		{"order_reference of 129 accents", with(kind, `"`+strings.Repeat("é", 129)+`"`), gateway.ErrMalformed},
		{"invalid UTF-8 in order_reference", with(kind, "\"REF_\xe9\""), gateway.ErrMalformed},
		{"half a surrogate pair in order_reference", with(kind, `"REF_\ud800"`), gateway.ErrMalformed},
		{"NUL in order_reference", with(kind, `"REF_\u0000"`), gateway.ErrMalformed},
		{"a raw NUL in order_reference", with(kind, "\"REF_\x00\""), gateway.ErrMalformed},
		{"invalid UTF-8 in event", with("\"payment.\xe9\"", name), gateway.ErrMalformed},
		{"NUL in event", with(`"payment.\u0000"`, name), gateway.ErrMalformed},
		{"two byte order marks", "\xef\xbb\xbf\xef\xbb\xbf" + successBody, gateway.ErrMalformed},
		{"depth 33", nested(33), gateway.ErrMalformed},
		{"depth 10 000", nested(10_000), gateway.ErrMalformed},
		{"nothing", ``, gateway.ErrMalformed},
		{"null", `null`, gateway.ErrMalformed},
		{"a list", `[` + successBody + `]`, gateway.ErrMalformed},
		{"a form", `event=payment.success&order_reference=REF_700001`, gateway.ErrMalformed},
		{"an object cut short", successBody[:len(successBody)-1], gateway.ErrMalformed},
		{"UTF-16", "\xff\xfe{\x00}\x00", gateway.ErrMalformed},
	} {
		t.Run(test.name, func(t *testing.T) {
			event, err := gateway.DecodeEvent([]byte(test.body))
			if !errors.Is(err, test.want) || event != (payments.Event{}) {
				t.Fatalf("got %+v, %v, want %v", event, err, test.want)
			}
			if strings.Contains(err.Error(), "REF_") || strings.Contains(err.Error(), "payment.") {
				t.Errorf("the error holds the body: %v", err)
			}
		})
	}
}

// nested returns a valid event with JSON nested to the given depth.
func nested(depth int) string {
	inner := strings.Repeat(`[`, depth-2) + strings.Repeat(`]`, depth-2)
	return strings.Replace(successBody, `"amount"`, `"x":`+inner+`,"amount"`, 1)
}

// This test checks only that a field keeps its JSON type. The meanings of an amount and a currency
// for the order are tested elsewhere.
func TestDecodeEventKeepsTheTypeOfAField(t *testing.T) {
	number := func(text string) payments.Value { return payments.Value{Kind: payments.Number, Text: text} }
	other := func(text string) payments.Value { return payments.Value{Kind: payments.Other, Text: text} }
	for _, test := range []struct {
		name, field string
		want        payments.Value
	}{
		{"an integer", `"amount":9000`, number("9000")},
		{"a negative integer", `"amount":-9000`, number("-9000")},
		{"a fraction of zero", `"amount":9000.0`, number("9000.0")},
		{"an exponent", `"amount":9e3`, number("9e3")},
		{"10^20", `"amount":100000000000000000000`, number("100000000000000000000")},
		{"a text", `"amount":"9000"`, payments.TextValue("9000")},
		{"missing, or misspelt", `"amuont":9000`, payments.Value{}},
		{"null", `"amount":null`, payments.Value{Kind: payments.Null}},
		{"true", `"amount":true`, other("true")},
		{"false", `"amount":false`, other("false")},
		{"an object", `"amount":{ "value" : 9000 }`, other(`{"value":9000}`)},
		{"a list with bad UTF-8", "\"amount\":[9000, \"\xe9\"]", other("[9000,\"\ufffd\"]")},
		{"repeated", `"amount":9000,"amount":9000`, other("9000,9000")},
		{"a Latin-1 accent", "\"amount\":\"Caf\xe9\"", payments.TextValue("Caf\ufffd")},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := `{"event":"payment.refunded","data":{"order_reference":"REF_1",` + test.field + `}}`
			event, err := gateway.DecodeEvent([]byte(body))
			if err != nil || event.Kind != "payment.refunded" || event.Amount != test.want || !utf8.ValidString(event.Amount.Text) {
				t.Errorf("got %+v, %v", event, err)
			}
		})
	}
	t.Run("depth 32 is read", func(t *testing.T) {
		if event, err := gateway.DecodeEvent([]byte(nested(32))); err != nil || event != success() {
			t.Errorf("got %+v, %v", event, err)
		}
	})
}

func TestDecodeEventReadsWhatEncodeEventWrites(t *testing.T) {
	notification := gateway.Notification{
		Event: payments.PaymentSuccess, OrderReference: "REF_700001", Reference: "SHOP_1",
		Amount: 9000, Currency: "Ar", Description: "Vary",
	}
	if got := string(gateway.EncodeEvent(notification)); got != successBody {
		t.Errorf("got %s\nwant %s", got, successBody)
	}
	notification.Event, notification.Error = payments.PaymentFailed, "Solde <insuffisant> & \x1b"
	event, err := gateway.DecodeEvent(gateway.EncodeEvent(notification))
	if err != nil || event.Error != payments.TextValue(notification.Error) {
		t.Errorf("got %+v, %v", event.Error, err)
	}
}

func FuzzDecodeEvent(f *testing.F) {
	for _, seed := range []string{
		successBody, "\xef\xbb\xbf" + successBody, nested(32), nested(33), `{}`, `null`, ``, successBody + `{}`,
		`{"event":"a","data":{"order_reference":"b","amount":{"x":[1,2,"` + "\xe9" + `"]}}}`,
		`{"event":"a","event":"b","data":{}}`, `{"data":{"order_reference":"b"},}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		text := bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
		valid := json.Valid(text)
		sent := bytes.Clone(body)
		event, err := gateway.DecodeEvent(body)
		if !bytes.Equal(body, sent) {
			t.Fatal("DecodeEvent changed the body")
		}
		if err != nil {
			if !errors.Is(err, gateway.ErrMalformed) && !errors.Is(err, gateway.ErrNoOrderReference) {
				t.Fatalf("another error: %v", err)
			}
			if event != (payments.Event{}) {
				t.Fatal("an event with an error")
			}
			if valid && strings.Contains(err.Error(), "JSON value") {
				t.Fatalf("%v, but encoding/json reads it", err)
			}
			return
		}
		if !valid {
			t.Fatal("accepted invalid JSON")
		}
		agree(t, text, event)
		texts := []string{string(event.Kind), event.OrderReference, event.Amount.Text, event.Description.Text}
		for _, text := range texts {
			if !utf8.ValidString(text) {
				t.Fatalf("invalid UTF-8 in %q", text)
			}
		}
		if strings.TrimSpace(event.OrderReference) == "" || strings.ContainsRune(event.OrderReference, 0) {
			t.Fatalf("unusable order_reference %q", event.OrderReference)
		}
	})
}

// agree compares a decoded event with the values that encoding/json reads from the event's JSON.
func agree(t *testing.T, text []byte, event payments.Event) {
	t.Helper()
	var root, data map[string]json.RawMessage
	if json.Unmarshal(text, &root) != nil || json.Unmarshal(root["data"], &data) != nil {
		t.Fatal("encoding/json finds no data")
	}
	same := func(raw json.RawMessage, got string) {
		var want string
		if err := json.Unmarshal(raw, &want); err != nil || want != got {
			t.Errorf("%q, but encoding/json reads %q, %v", got, want, err)
		}
	}
	same(root["event"], string(event.Kind))
	same(data["order_reference"], event.OrderReference)
	if event.Description.Kind == payments.Text {
		same(data["description"], event.Description.Text)
	}
	if event.Amount.Kind == payments.Number && event.Amount.Text != string(data["amount"]) {
		t.Errorf("amount %s, but encoding/json reads %s", event.Amount.Text, data["amount"])
	}
}
