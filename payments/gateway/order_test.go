package gateway_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/gateway"
)

const token = "TGP_test_not_a_real_token"

func order(t testing.TB) payments.Order {
	t.Helper()
	made, err := payments.NewOrder(payments.Terms{
		Reference: "T1-20261121-GT-0007", Till: "T1",
		Items: []payments.Item{
			{Label: "Vary <gasy> & Ravitoto", UnitPrice: 3500, Quantity: 2},
			{Label: "Coca", UnitPrice: 2000, Quantity: 1},
		},
	}, time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))
	must(t, err)
	return made
}

const orderBody = `{"access":"TGP_test_not_a_real_token","description":"2 × Vary <gasy> & Ravitoto, Coca",` +
	`"reference":"T1-20261121-GT-0007","amount":9000,"currency":"Ar","metadata":[` +
	`{"label":"Vary <gasy> & Ravitoto","unit_price":3500,"quantity":2},{"label":"Coca","unit_price":2000,"quantity":1}]}`

func TestDecodeOrderReadsWhatEncodeOrderWrites(t *testing.T) {
	request, err := gateway.DecodeOrder([]byte(orderBody))
	must(t, err)
	if got := string(gateway.EncodeOrder(request)); got != orderBody {
		t.Errorf("got  %s\nwant %s", got, orderBody)
	}
}

func TestDecodeOrderNamesTheWrongField(t *testing.T) {
	for _, test := range []struct{ name, old, replacement, want string }{
		{"access without its prefix", `TGP_test`, `tgp_test`, "access must begin with TGP_ or TGPT_"},
		{"no description", `"description"`, `"text"`, "description must be a string that is not blank"},
		{"a blank reference", `"T1-20261121-GT-0007"`, `" "`, "reference must be a string that is not blank"},
		{"a negative amount", `9000`, `-9000`, "amount must be a whole number above zero"},
		{"an amount in a text", `9000`, `"9000"`, "amount must be a whole number above zero"},
		{"a quantity of zero", `"quantity":1`, `"quantity":0`, "metadata[1].quantity must be a whole number above zero"},
		{"a field twice", `"reference"`, `"reference":"x","reference"`, "reference is repeated"},
		{"an amount with a fraction", `9000`, `9000.0`, "amount must be a whole number above zero"},
		{"an amount too large", `9000`, `1000000000001`, "amount must be at most 1000000000000"},
		{"an amount that is not the sum", `9000`, `9001`, "amount must equal the sum"},
		{
			"a sum beyond every limit", `"unit_price":2000,"quantity":1`, `"unit_price":1000000000000,"quantity":1000000000000`,
			"amount must equal the sum",
		},
		{"another currency", `"Ar"`, `"MGA"`, "currency must be Ar"},
		{"no items", orderBody[strings.Index(orderBody, `[`):], `[]}`, "metadata must be an array of at least one item"},
		{"an item that is a text", `{"label":"Coca"`, `"x",{"label":"Coca"`, "metadata[1] must be an object"},
		{"an item without a label", `"label":"Coca"`, `"name":"Coca"`, "metadata[1].label must be a string that is not blank"},
		{"a key with a capital", `"amount"`, `"Amount"`, "amount must be a whole number above zero"},
		{"a trailing comma", `"quantity":1}`, `"quantity":1,}`, "body cannot be read: it is not valid JSON"},
		{"a list", orderBody, `[]`, "body must be an object"},
		{"data after the order", `}]}`, `}]}{}`, "body cannot be read: it is not valid JSON"},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := strings.Replace(orderBody, test.old, test.replacement, 1)
			_, err := gateway.DecodeOrder([]byte(body))
			fault, ok := errors.AsType[*gateway.FieldError](err)
			if !ok || body == orderBody || !strings.HasPrefix(fault.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestDecodeItemsNamesTheWrongField(t *testing.T) {
	items, err := gateway.DecodeItems([]byte(`[{"label":"Vary","unit_price":3500,"quantity":2}]`))
	if err != nil || len(items) != 1 || items[0] != (payments.Item{Label: "Vary", UnitPrice: 3500, Quantity: 2}) {
		t.Errorf("got %+v, %v", items, err)
	}
	for body, want := range map[string]string{
		``:                   "body cannot be read",
		`{}`:                 "items must be an array",
		`[{"label":"Vary"}]`: "items[0].unit_price must be a whole number above zero",
	} {
		if _, err := gateway.DecodeItems([]byte(body)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s gives %v", body, err)
		}
	}
}

func reply(data string) []byte { return []byte(`{"message":"Success","data":{` + data + `}}`) }

func TestDecodeReplyAssumesALifetimeOfTenMinutes(t *testing.T) {
	const good = `"checkout_url":"https://pay.example/c/1","order_reference":"REF_700001"`
	for _, test := range []struct {
		name, body string
		minutes    int
		assumed    bool
	}{
		{"the specification's example", string(reply(good + `,"expires_in_minutes":10`)), 10, false},
		{"one minute", string(reply(good + `,"expires_in_minutes":1`)), 1, false},
		{"a day", string(reply(good + `,"expires_in_minutes":1440`)), 1440, false},
		{"zero", string(reply(good + `,"expires_in_minutes":0`)), 10, true},
		{"a text", string(reply(good + `,"expires_in_minutes":"10"`)), 10, true},
		{"1e9", string(reply(good + `,"expires_in_minutes":1e9`)), 10, true},
		{"beyond a day", string(reply(good + `,"expires_in_minutes":1441`)), 10, true},
		{"missing", string(reply(good)), 10, true},
		{"repeated", string(reply(good + `,"expires_in_minutes":5,"expires_in_minutes":900`)), 10, true},
		{"without a message, with unknown fields", `{"data":{` + good + `,"payment_link":null,"expires_in_minutes":10}}`, 10, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			created, err := gateway.DecodeReply([]byte(test.body), gateway.LinkPolicy{})
			want := payments.Created{
				OrderReference: "REF_700001", CheckoutURL: "https://pay.example/c/1",
				ExpiresMinutes: test.minutes, Assumed: test.assumed,
			}
			if err != nil || created != want {
				t.Errorf("got %+v, %v", created, err)
			}
		})
	}
}

func TestDecodeReplyRefusesInvalidReplies(t *testing.T) {
	const link, name = `"checkout_url":"https://pay.example/c/1"`, `"order_reference":"REF_1"`
	for _, test := range []struct{ name, body string }{
		{"an object cut short", `{`},
		{"a page", `<!doctype html><title>Success</title>`},
		{"a list", `[]`},
		{"no data", `{"message":"Success"}`},
		{"data null", `{"message":"Success","data":null}`},
		{"data twice", `{"data":{},"data":{` + link + `,` + name + `}}`},
		{"no order_reference", string(reply(link))},
		{"a number as order_reference", string(reply(link + `,"order_reference":700001`))},
		{"a blank order_reference", string(reply(link + `,"order_reference":" "`))},
		{"an order_reference with an escape sequence", string(reply(link + `,"order_reference":"REF_\u001b[31m"`))},
		{"an order_reference with invalid UTF-8", string(reply(link + ",\"order_reference\":\"REF_\xe9\""))},
		{"an order_reference of 129 characters", string(reply(link + `,"order_reference":"` + strings.Repeat("9", 129) + `"`))},
		{"an order_reference that is too long for an event", string(reply(link + `,"order_reference":"` + strings.Repeat("ກ", 100) + `"`))},
		{"order_reference twice", string(reply(link + `,` + name + `,` + name))},
		{"a list as checkout_url", string(reply(name + `,"checkout_url":["https://pay.example"]`))},
		{"checkout_url in another case", string(reply(name + `,"Checkout_URL":"https://pay.example/"`))},
		{"a script as checkout_url", string(reply(name + `,"checkout_url":"javascript:alert(1)"`))},
	} {
		t.Run(test.name, func(t *testing.T) {
			created, err := gateway.DecodeReply([]byte(test.body), gateway.LinkPolicy{})
			if !errors.Is(err, payments.ErrUnsoundReply) || created != (payments.Created{}) {
				t.Errorf("got %+v, %v", created, err)
			}
		})
	}
}

func TestDecodeReplyAcceptsWhatEncodeReplyWrites(t *testing.T) {
	body := gateway.EncodeReply(gateway.OrderReply{
		CheckoutURL: "https://pay.example/c/1?a=1&b=2", ExpiresInMinutes: 2, OrderReference: "REF_1",
	})
	want := `{"message":"Success","data":{"checkout_url":"https://pay.example/c/1?a=1&b=2","expires_in_minutes":2,"order_reference":"REF_1"}}`
	if string(body) != want {
		t.Errorf("got %s", body)
	}
	must(t, failure(gateway.DecodeReply(body, gateway.LinkPolicy{})))
	if got := string(gateway.EncodeMessage(`amount "x" <1>`)); got != `{"message":"amount \"x\" <1>"}` {
		t.Errorf("got %s", got)
	}
}

func FuzzDecodeReply(f *testing.F) {
	f.Add([]byte(`{"message":"Success","data":{"checkout_url":"https://pay.example/","expires_in_minutes":10,"order_reference":"REF_1"}}`))
	f.Add(reply(`"checkout_url":"http://pay.example/","order_reference":"REF_1"`))
	f.Add(reply(`"checkout_url":"https://pay.example/","order_reference":"\u202eREF"`))
	f.Add([]byte(`{`))
	f.Fuzz(func(t *testing.T, body []byte) {
		created, err := gateway.DecodeReply(body, gateway.LinkPolicy{})
		if err != nil {
			if !errors.Is(err, payments.ErrUnsoundReply) || created != (payments.Created{}) {
				t.Fatalf("%+v, %v", created, err)
			}
			return
		}
		if created.ExpiresMinutes < 1 || created.ExpiresMinutes > 1440 {
			t.Fatalf("a lifetime of %d minutes", created.ExpiresMinutes)
		}
		if created.OrderReference == "" || clean.Text(created.OrderReference, 128) != created.OrderReference {
			t.Fatalf("order_reference %q", created.OrderReference)
		}
		if err := gateway.CheckLink(created.CheckoutURL, gateway.LinkPolicy{}); err != nil {
			t.Fatalf("link %q", created.CheckoutURL)
		}
	})
}

func TestDecodeOrderListsUnknownFields(t *testing.T) {
	body := strings.Replace(orderBody, `"quantity":1`, `"quantity":1,"vat":20`, 1)
	body = strings.Replace(body, `"amount"`, `"colour\u001b":"red","amount"`, 1)
	order, err := gateway.DecodeOrder([]byte(body))
	if err != nil || !slices.Equal(order.Unknown, []string{"colour", "metadata[1].vat"}) {
		t.Errorf("got %v, %v", order.Unknown, err)
	}
	if _, err := gateway.DecodeItems([]byte(`[{"label":"Vary","unit_price":1,"quantity":1,"vat":20}]`)); err == nil ||
		err.Error() != "items[0].vat is not known" {
		t.Errorf("a file of items gives %v", err)
	}
}
