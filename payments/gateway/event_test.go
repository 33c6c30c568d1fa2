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

func TestDecodeEventReadsTheSameEvent(t *testing.T) {
	for _, test := range []struct{ name, body string }{
		{"W1 as the service sends it", successBody},
		{"W15 keys in another order", `{"data":{"description":"Vary","currency":"Ar","amount":9000,"reference":"SHOP_1",` +
			`"order_reference":"REF_700001"},"event":"payment.success"}`},
		{"W15 white space", strings.NewReplacer(":", " :\n\t", ",", "\r\n ,").Replace(successBody)},
		{"W15 unknown fields of every type", strings.Replace(successBody,
			`"amount"`, `"x":[1,{"event":null}],"y":{"order_reference":1},"z":true,"amount"`, 1)},
		{"W15 an unknown field beside event", `{"version":"1.0.0","order_reference":5,` + successBody[1:]},
		{"W15 escapes", strings.Replace(successBody, "Vary", `\u0056ary`, 1)},
		{"W22 escapes in a key", strings.Replace(successBody, `"order_reference"`, `"order\u005freference"`, 1)},
		{"W22 EVENT and DATA are unknown fields", `{"EVENT":"payment.failed","DATA":null,` + successBody[1:]},
		{"W22 ORDER_REFERENCE after the real one", strings.Replace(successBody,
			`"Vary"`, `"Vary","ORDER_REFERENCE":"REF_2","Amount":1`, 1)},
		{"W22 a long s folds to s for encoding/json", strings.Replace(successBody,
			`"Vary"`, `"Vary","de\u017fcription":"x","de`+"\u017f"+`cription":"y"`, 1)},
		{"W23 a byte order mark", "\xef\xbb\xbf" + successBody},
		{"white space around it", " \r\n\t" + successBody + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			event, err := gateway.DecodeEvent([]byte(test.body))
			if err != nil || event != success() || event.ID() != success().ID() {
				t.Errorf("got %+v, %v", event, err)
			}
		})
	}
}

func TestDecodeEventRefuses(t *testing.T) {
	with := func(event, reference string) string {
		return fmt.Sprintf(`{"event":%s,"data":{"order_reference":%s,"amount":9000}}`, event, reference)
	}
	const kind, name = `"payment.success"`, `"REF_700001"`
	for _, test := range []struct {
		name, body string
		want       error
	}{
		{"an empty object", `{}`, gateway.ErrNoOrderReference},
		{"W10 order_reference absent", `{"event":"payment.success","data":{}}`, gateway.ErrNoOrderReference},
		{"W10 order_reference empty", with(kind, `""`), gateway.ErrNoOrderReference},
		{"W10 order_reference blank", with(kind, `" \t"`), gateway.ErrNoOrderReference},
		{"W10 order_reference null", with(kind, `null`), gateway.ErrNoOrderReference},
		{"W10 data absent", `{"event":"payment.success"}`, gateway.ErrNoOrderReference},
		{"W10 data null", `{"event":"payment.success","data":null}`, gateway.ErrNoOrderReference},
		{"W10 data an array", `{"event":"payment.success","data":[{"order_reference":"REF_700001"}]}`, gateway.ErrNoOrderReference},
		{"order_reference beside data", `{"event":"payment.success","order_reference":"REF_700001"}`, gateway.ErrNoOrderReference},
		{"W22 only ORDER_REFERENCE", `{"event":"payment.success","data":{"ORDER_REFERENCE":"REF_700001"}}`, gateway.ErrNoOrderReference},
		{"W10 order_reference a number", with(kind, `700001`), gateway.ErrMalformed},
		{"event absent", `{"data":{"order_reference":"REF_700001"}}`, gateway.ErrMalformed},
		{"event blank", with(`""`, name), gateway.ErrMalformed},
		{"event a number", with(`1`, name), gateway.ErrMalformed},
		{"W22 only EVENT", `{"EVENT":"payment.success","data":{"order_reference":"REF_700001"}}`, gateway.ErrMalformed},
		{"W22 event twice", `{"event":"payment.failed",` + successBody[1:], gateway.ErrMalformed},
		{"W22 data twice", `{"data":{},` + successBody[1:], gateway.ErrMalformed},
		{"W22 order_reference twice", strings.Replace(successBody, `"amount"`, `"order_reference":"REF_2","amount"`, 1), gateway.ErrMalformed},
		{"W22 order_reference twice, one escaped", strings.Replace(successBody,
			`"amount"`, `"\u006frder_reference":"REF_2","amount"`, 1), gateway.ErrMalformed},
		{"W23 a trailing comma in data", strings.Replace(successBody, `"Vary"}`, `"Vary",}`, 1), gateway.ErrMalformed},
		{"W23 a trailing comma at the end", strings.Replace(successBody, `}}`, `},}`, 1), gateway.ErrMalformed},
		{"W23 a second JSON value", successBody + `{}`, gateway.ErrMalformed},
		{"W23 a text after it", successBody + ` x`, gateway.ErrMalformed},
		{"W36 order_reference of 257 bytes", with(kind, `"`+strings.Repeat("R", 257)+`"`), gateway.ErrMalformed},
		{"W36 event of 257 bytes", with(`"`+strings.Repeat("k", 257)+`"`, name), gateway.ErrMalformed},
		{"W36 order_reference of 129 accents", with(kind, `"`+strings.Repeat("é", 129)+`"`), gateway.ErrMalformed},
		{"W23 invalid UTF-8 in order_reference", with(kind, "\"REF_\xe9\""), gateway.ErrMalformed},
		{"W23 half a surrogate pair in order_reference", with(kind, `"REF_\ud800"`), gateway.ErrMalformed},
		{"W23 NUL in order_reference", with(kind, `"REF_\u0000"`), gateway.ErrMalformed},
		{"W23 a raw NUL in order_reference", with(kind, "\"REF_\x00\""), gateway.ErrMalformed},
		{"W23 invalid UTF-8 in event", with("\"payment.\xe9\"", name), gateway.ErrMalformed},
		{"W23 NUL in event", with(`"payment.\u0000"`, name), gateway.ErrMalformed},
		{"two byte order marks", "\xef\xbb\xbf\xef\xbb\xbf" + successBody, gateway.ErrMalformed},
		{"W24 depth 33", nested(33), gateway.ErrMalformed},
		{"W24 depth 10 000", nested(10_000), gateway.ErrMalformed},
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

// nested returns a good event whose deepest container is at the given depth.
func nested(depth int) string {
	inner := strings.Repeat(`[`, depth-2) + strings.Repeat(`]`, depth-2)
	return strings.Replace(successBody, `"amount"`, `"x":`+inner+`,"amount"`, 1)
}

// What an amount or a currency means for the order is the domain's, and the
// listener's, to test: here each type of JSON comes out as what it is.
func TestDecodeEventKeepsEveryOtherField(t *testing.T) {
	number := func(text string) payments.Value { return payments.Value{Kind: payments.Number, Text: text} }
	other := func(text string) payments.Value { return payments.Value{Kind: payments.Other, Text: text} }
	for _, test := range []struct {
		name, field string
		want        payments.Value
	}{
		{"W20 an integer", `"amount":9000`, number("9000")},
		{"W20 a negative one", `"amount":-9000`, number("-9000")},
		{"W20 a fraction of zero", `"amount":9000.0`, number("9000.0")},
		{"W20 an exponent", `"amount":9e3`, number("9e3")},
		{"W20 10^20", `"amount":100000000000000000000`, number("100000000000000000000")},
		{"W20 a text", `"amount":"9000"`, payments.TextValue("9000")},
		{"W21 missing, or misspelt", `"amuont":9000`, payments.Value{}},
		{"null", `"amount":null`, payments.Value{Kind: payments.Null}},
		{"true", `"amount":true`, other("true")},
		{"false", `"amount":false`, other("false")},
		{"an object", `"amount":{ "value" : 9000 }`, other(`{"value":9000}`)},
		{"W23 a list with bad UTF-8", "\"amount\":[9000, \"\xe9\"]", other("[9000,\"\ufffd\"]")},
		{"repeated", `"amount":9000,"amount":9000`, other("9000,9000")},
		{"W23 a Latin-1 accent", "\"amount\":\"Caf\xe9\"", payments.TextValue("Caf\ufffd")},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := `{"event":"payment.refunded","data":{"order_reference":"REF_1",` + test.field + `}}`
			event, err := gateway.DecodeEvent([]byte(body))
			if err != nil || event.Kind != "payment.refunded" || event.Amount != test.want || !utf8.ValidString(event.Amount.Text) {
				t.Errorf("got %+v, %v", event, err)
			}
		})
	}
	t.Run("W24 depth 32 is read", func(t *testing.T) {
		if event, err := gateway.DecodeEvent([]byte(nested(32))); err != nil || event != success() {
			t.Errorf("got %+v, %v", event, err)
		}
	})
}

func TestEncodeEvent(t *testing.T) {
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
			t.Fatal("the body, which is stored as it came, was changed")
		}
		if err != nil {
			if !errors.Is(err, gateway.ErrMalformed) && !errors.Is(err, gateway.ErrNoOrderReference) {
				t.Fatalf("another error: %v", err)
			}
			if event != (payments.Event{}) {
				t.Fatal("an event beside an error")
			}
			if valid && strings.Contains(err.Error(), "JSON value") {
				t.Fatalf("%v, but encoding/json reads it", err)
			}
			return
		}
		if !valid {
			t.Fatal("accepted what is no JSON")
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

// agree compares an event with what encoding/json reads in its text.
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
