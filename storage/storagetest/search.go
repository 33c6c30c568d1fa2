package storagetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
)

func searchTests() []test {
	return []test{
		{"finds part of reference, order reference, description and label, in any case", searchParts},
		{"takes nothing in its text for a pattern", searchPatterns},
		{"bears any text", searchAnything},
		{"finds an order by its order reference of now", searchLate},
		{"turns its pages without gap and repetition, also within one moment", searchPages},
		{"finds what a person would find who reads all orders", searchModel},
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
		expect(t, c.text, find(t, store, payments.Query{Search: c.text}), c.want)
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

func searchLate(t *testing.T, open Opener) {
	store := open(t)
	order := numbered(0)
	insert(t, store, order)
	insert(t, store, numbered(1))
	for _, name := range []string{"REF_ABC", "REF_XYZ", "REF_ÉTÉ"} {
		order.OrderReference = name
		update(t, store, func(tx payments.Tx) error { return tx.SaveOrder(order) })
		for _, text := range []string{name, strings.ToLower(name), name[4:], name[:5], "Z"} {
			want := []string{order.Reference}
			if text == "Z" && name != "REF_XYZ" {
				want = []string{}
			}
			expect(t, text+" of "+name, find(t, store, payments.Query{Search: text}), want)
		}
	}
	expect(t, "a former name", find(t, store, payments.Query{Search: "XYZ"}), []string{})
	expect(t, "without its accents", find(t, store, payments.Query{Search: "ref_ete"}), []string{order.Reference})
}

func searchPages(t *testing.T, open Opener) {
	store := open(t)
	var orders []payments.Order
	var want []string
	for i := range 400 {
		order := numbered(i)
		order.CreatedAt = opening().Add(time.Duration(i/150) * time.Millisecond)
		order.Description = []string{"Ravitoto", "Mofo"}[i%2]
		orders = append(orders, order)
		if i%2 == 0 {
			want = append(want, order.Reference)
		}
	}
	insert(t, store, orders...)
	slices.Reverse(want)
	for _, size := range []int{7, 50, 200, 1000} {
		for _, text := range []string{"ravitoto", "vito", "to", "v"} {
			query := payments.Query{Search: text, Limit: size}
			if text == "to" || text == "v" { // Mofo has no "to"; Vary, which all have, has a "v".
				query.Search = map[string]string{"to": "toto", "v": "vi"}[text]
			}
			expect(t, fmt.Sprintf("pages of %d with %s", size, query.Search), turn(t, store, query), want)
		}
	}
}

// plain is what a person takes a text for: this test's letters in lower case
// and without accents.
func plain(text string) string {
	return strings.NewReplacer("é", "e", "è", "e", "â", "a", "ô", "o").Replace(strings.ToLower(text))
}

// readable is an order with all that a person would look at, as plain text.
type readable struct {
	payments.Order
	text string
}

func searchModel(t *testing.T, open Opener) {
	store := open(t)
	random := rand.New(rand.NewPCG(5, 9))
	words := []string{"Vary", "vary gasy", "Café", "Pâté", "Crème", "Côte", "Ravitoto", "100 %", "a_b", "T-12", "12", "2", "q"}
	word := func() string { return words[random.IntN(len(words))] }
	var orders []payments.Order
	at := opening()
	for i := range 500 {
		order := numbered(i)
		at = at.Add(time.Duration(random.IntN(3)) * time.Second)
		order.CreatedAt = at.Add(time.Duration(random.IntN(21)/20*random.IntN(600)) * -time.Second)
		order.Description, order.Items[0].Label = word()+", "+word(), word()
		if random.IntN(2) == 0 {
			order.OrderReference = fmt.Sprint("REF_", 7000+i)
		}
		order.Status = payments.Statuses()[random.IntN(3)]
		orders = append(orders, order)
	}
	insert(t, store, orders...)
	var newest []readable
	for _, order := range orders {
		newest = append(newest, readable{order, plain(strings.Join([]string{
			order.Reference, order.OrderReference, order.Description, order.Items[0].Label, order.Items[1].Label,
		}, "\n"))})
	}
	slices.Reverse(newest) // By their arrival, whatever the clock said.
	for range 300 {
		from := newest[random.IntN(len(newest))]
		all := []rune(from.Description + " " + from.OrderReference)
		begin := random.IntN(len(all))
		query := payments.Query{Search: string(all[begin:min(len(all), begin+1+random.IntN(6))]), Limit: 1 + random.IntN(60)}
		if random.IntN(4) == 0 {
			query.Until = from.CreatedAt
		}
		if random.IntN(4) == 0 {
			query.Status = from.Status
		}
		if strings.TrimSpace(query.Search) == "" {
			continue
		}
		want, text := []string{}, plain(query.Search)
		for _, order := range newest {
			if strings.Contains(order.text, text) && (query.Until.IsZero() || order.CreatedAt.Before(query.Until)) &&
				(query.Status == "" || order.Status == query.Status) && len(want) < query.Limit {
				want = append(want, order.Reference)
			}
		}
		expect(t, fmt.Sprintf("found by %+v", query), find(t, store, query), want)
	}
}
