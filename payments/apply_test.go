package payments_test

import (
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
)

// The tests of package gateway show which value an amount or a currency in JSON becomes.
func TestOnlyTheOrdersAmountAndCurrencyProveAPayment(t *testing.T) {
	type value = payments.Value
	const number = payments.Number
	of := func(amount value) payments.Event {
		success := event(payments.PaymentSuccess, pending(), "")
		success.Amount = amount
		return success
	}
	in := func(currency value) payments.Event {
		success := event(payments.PaymentSuccess, pending(), "")
		success.Currency = currency
		return success
	}
	for _, test := range []struct {
		name     string
		success  payments.Event
		check    payments.Attention // Empty if the order is paid.
		reported string             // The event's amount or currency, if it is not the order's.
	}{
		{"amount and currency", of(value{Kind: number, Text: "9000"}), "", ""},
		{"an amount one higher", of(value{Kind: number, Text: "9001"}), payments.AmountMismatch, "9001"},
		{"an amount one lower", of(value{Kind: number, Text: "8999"}), payments.AmountMismatch, "8999"},
		{"a negative amount", of(value{Kind: number, Text: "-9000"}), payments.AmountMismatch, "-9000"},
		{"no amount", of(value{}), payments.AmountMismatch, ""},
		{"an amount in a text", of(payments.TextValue("9000")), payments.AmountMismatch, "9000"},
		{"an amount with a fraction", of(value{Kind: number, Text: "9000.0"}), payments.AmountMismatch, "9000.0"},
		{"an amount with an exponent", of(value{Kind: number, Text: "9e3"}), payments.AmountMismatch, "9e3"},
		{"an amount 2^64 higher", of(value{Kind: number, Text: "18446744073709560616"}), payments.AmountMismatch, "18446744073709560616"},
		{"an amount of null", of(value{Kind: payments.Null}), payments.AmountMismatch, "null"},
		{"two amounts", of(value{Kind: payments.Other, Text: "9000,1"}), payments.AmountMismatch, "9000,1"},
		{"another currency", in(payments.TextValue("MGA")), payments.CurrencyMismatch, "MGA"},
		{"the currency in small letters", in(payments.TextValue("ar")), payments.CurrencyMismatch, "ar"},
		{"no currency", in(value{}), payments.CurrencyMismatch, ""},
	} {
		order, _ := pending().Apply(test.success, payments.Order{}, opening())
		reasons, want := []payments.Attention{test.check}, payments.VerdictCheck
		if test.check == "" {
			reasons, want = nil, payments.VerdictPaid
		}
		reported := order.Facts.ReportedAmount + order.Facts.ReportedUnit
		if !slices.Equal(order.Attention(opening()), reasons) || verdict(order, opening()) != want || order.Paid() != (test.check == "") ||
			order.Status != payments.StatusSuccess || reported != test.reported {
			t.Errorf("%s: reported is %q, the order is %+v", test.name, reported, order)
		}
	}
}

func TestApplyDoesNotChangeTheGivenOrder(t *testing.T) {
	given := after(pending(), payments.PaymentExpired, payments.PaymentSuccess)
	given.Facts.Attention = slices.Grow(given.Facts.Attention, 4)
	moved := after(given, payments.PaymentFailed)
	mustAsk(t, given, opening(), payments.PaidLate)
	mustAsk(t, moved, opening(), payments.Contradicted, payments.PaidLate)
}

// mustAsk checks that the order has exactly these reasons for attention at the time now.
func mustAsk(t *testing.T, order payments.Order, now time.Time, reasons ...payments.Attention) {
	t.Helper()
	if got := order.Attention(now); !slices.Equal(got, reasons) {
		t.Errorf("%s: attention %v, want %v", order.Reference, got, reasons)
	}
}
