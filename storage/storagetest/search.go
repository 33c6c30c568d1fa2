package storagetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkout/till/payments"
)

func searchTests() []test {
	return []test{
		{"finds part of reference, order reference, description and label, in any case", searchParts},
		{"takes nothing in its text for a pattern", searchPatterns},
		{"bears any text", searchAnything},
	}
}

func searchParts(t *testing.T, open Opener) {
	store := open(t)
	rice, coffee := numbered(1), numbered(2)
	rice.OrderReference, rice.Description = "REF_ABC1", "Pour Hasina"
	coffee.Items = []payments.Item{
		{Label: "Café ÉLITE", UnitPrice: 10, Quantity: 1}, {Label: "Pâtes", UnitPrice: 10, Quantity: 1},
	}
	coffee.Description, coffee.Amount = "Café ÉLITE", 20
	insert(t, store, rice, coffee)
	coffee.OrderReference = "REF_XYZ2" // Known later than the terms.
	update(t, store, func(tx payments.Tx) error { return tx.SaveOrder(coffee) })
	both := []string{coffee.Reference, rice.Reference}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"T1-20261121-0001", both[1:]},
		{"20261121", both},
		{"t1-2026", both},
		{"ref_abc", both[1:]},
		{"xyz2", both[:1]},
		{"hasina", both[1:]},
		{"VARY", both[1:]},
		{"coca", both[1:]},
		{"café élite", both[:1]},
		{"CAFÉ élite", both[:1]},
		{"cafe", both[:1]},
		{"pates", both[:1]},
		{"cafe\u0301", both[:1]}, // The accent as a character of its own.
		{"PÂ", both[:1]},
		{"nothing like it", []string{}},
	} {
		t.Run(c.text, func(t *testing.T) {
			expect(t, "found", find(t, store, payments.Query{Search: c.text}), c.want)
		})
	}
}

func searchPatterns(t *testing.T, open Opener) {
	store := open(t)
	texts := []string{
		`100% pur`, `under_score`, `back\slash`, `it's`, `"quoted"`, `a*b?c`, `[a-z]`, `\%`, `\_`,
		`'; DROP TABLE orders; --`, `plain`,
	}
	for i, text := range texts {
		order := numbered(i)
		order.Description = text
		insert(t, store, order)
	}
	for _, search := range append(texts, "%", "_", `\`, "0% p", `k\s`, `'`, "*", "?", "[", "%%", "__", "-") {
		var want []string
		for i, text := range slices.Backward(texts) {
			if strings.Contains(text, search) || strings.Contains(numbered(i).Reference, search) {
				want = append(want, numbered(i).Reference)
			}
		}
		expect(t, "search for "+search, append([]string(nil), find(t, store, payments.Query{Search: search})...), want)
	}
}

func searchAnything(t *testing.T, open Opener) {
	store := open(t)
	insert(t, store, numbered(1))
	for _, text := range append(hostile(),
		"\x00", "\xff\xfe", strings.Repeat("a", 100_000), strings.Repeat("%", 60_000), strings.Repeat("é_", 5000),
	) {
		if _, err := store.Orders(t.Context(), payments.Query{Search: text}); err != nil {
			t.Errorf("search for %s: %v", fmt.Sprintf("%.40q", text), err)
		}
	}
}
