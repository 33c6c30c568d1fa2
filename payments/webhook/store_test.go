package webhook_test

import (
	"crypto/sha256"
	"net/http"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
)

// Each success is delivered twice, the second time with other JSON for the same fields.
func TestOnlyTheOrdersAmountAndCurrencyProveAPayment(t *testing.T) {
	const amount, currency, unit = "amount_mismatch", "currency_mismatch", `,"currency":"Ar"`
	for _, test := range []struct {
		name, fields string
		check        string // Reason for attention; empty if the order is paid.
		reported     string // The event's amount or currency, if it is not the order's.
	}{
		{"amount and currency", `"amount":9000` + unit, "", ""},
		{"an amount one higher", `"amount":9001` + unit, amount, "9001"},
		{"an amount one lower", `"amount":8999` + unit, amount, "8999"},
		{"an amount of zero", `"amount":0` + unit, amount, "0"},
		{"a negative amount", `"amount":-9000` + unit, amount, "-9000"},
		{"no amount", `"currency":"Ar"`, amount, ""},
		{"an amount in a text", `"amount":"9000"` + unit, amount, "9000"},
		{"an amount with a fraction", `"amount":9000.0` + unit, amount, "9000.0"},
		{"an amount with an exponent", `"amount":9e3` + unit, amount, "9e3"},
		{"an amount of 10^20", `"amount":100000000000000000000` + unit, amount, "100000000000000000000"},
		{"an amount 2^64 higher", `"amount":18446744073709560616` + unit, amount, "18446744073709560616"},
		{"an amount of null", `"amount":null` + unit, amount, "null"},
		{"an amount in a list", `"amount":[9000]` + unit, amount, "[9000]"},
		{"two amounts", `"amount":9000,"amount":1` + unit, amount, "9000,1"},
		{"another currency", `"amount":9000,"currency":"MGA"`, currency, "MGA"},
		{"the currency in small letters", `"amount":9000,"currency":"ar"`, currency, "ar"},
		{"no currency", `"amount":9000`, currency, ""},
		{"the misspelt field curency", `"amount":9000,"curency":"Ar"`, currency, ""},
		{"bytes of Latin-1 and a NUL in a text", `"amount":9000` + unit + ",\"description\":\"Caf\xe9\\u0000\"", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			rig := newRig(t)
			body := `{"event":"payment.success","data":{"order_reference":"REF_700001",` + test.fields + `}}`
			for _, words := range []string{body, " " + strings.Replace(body, "{", `{"id":7, `, 1)} {
				if got := rig.deliver(words); got.status != http.StatusOK {
					t.Errorf("answered %d %s", got.status, got.text)
				}
			}
			order, records := rig.find(rig.order.Reference)
			if len(records) != 1 || records[0].Count != 2 || records[0].BodySHA256 != sha256.Sum256([]byte(body)) {
				t.Errorf("stored %+v", records)
			}
			attention, verdict := []payments.Attention{payments.Attention(test.check)}, payments.VerdictCheck
			if test.check == "" {
				attention, verdict = nil, payments.VerdictPaid
			}
			if order.Status != payments.StatusSuccess || order.Verdict(payments.Conditions{}, noon()) != verdict ||
				!slices.Equal(order.Attention(noon()), attention) || order.Paid() != (test.check == "") {
				t.Errorf("got %+v", order)
			}
			if order.Facts.ReportedAmount+order.Facts.ReportedUnit != test.reported {
				t.Errorf("reported %q, %q", order.Facts.ReportedAmount, order.Facts.ReportedUnit)
			}
		})
	}
}
