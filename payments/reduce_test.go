package payments_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"checkout/till/payments"
	"checkout/till/payments/money"
)

func line(label string, price money.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity}
}

func cheaper(label string, price money.Ariary, quantity int64, list money.Ariary) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity, ListPrice: list}
}

func TestADiscountOnASaleIsSpreadByLargestRemainder(t *testing.T) {
	weighed := payments.Item{
		Label: "Tomate 0.75 kg", UnitPrice: 3000, Quantity: 1,
		Measure: payments.Measure{Article: "Tomate", Thousandths: 750, Unit: "kg", Price: 4000},
	}
	weighedCheaper := weighed
	weighedCheaper.UnitPrice, weighedCheaper.ListPrice = 2700, 3000
	for name, c := range map[string]struct {
		items []payments.Item
		off   money.Ariary
		want  []payments.Item
	}{
		"shares without a remainder": {
			[]payments.Item{line("Vary", 3000, 1), line("Coca", 2000, 1)},
			500,
			[]payments.Item{cheaper("Vary", 2700, 1, 3000), cheaper("Coca", 1800, 1, 2000)},
		},
		"the largest remainder gets the last ariary": {
			[]payments.Item{line("A", 1000, 1), line("B", 1000, 1), line("C", 1001, 1)},
			100,
			[]payments.Item{cheaper("A", 967, 1, 1000), cheaper("B", 967, 1, 1000), cheaper("C", 967, 1, 1001)},
		},
		"pieces of one line that cannot be equal become two lines": {
			[]payments.Item{line("Coca", 1500, 3)},
			200,
			[]payments.Item{cheaper("Coca", 1433, 2, 1500), cheaper("Coca", 1434, 1, 1500)},
		},
		"a weighed line is one piece": {
			[]payments.Item{weighed, line("Coca", 2000, 1)}, 500, []payments.Item{weighedCheaper, cheaper("Coca", 1800, 1, 2000)},
		},
		"a reduced line keeps its list price": {
			[]payments.Item{cheaper("Vary", 3000, 1, 3500)}, 300, []payments.Item{cheaper("Vary", 2700, 1, 3500)},
		},
		"a line without a share stays as it is": {
			[]payments.Item{line("Voiture", 1_000_000, 1), line("Clou", 10, 1)}, 1, []payments.Item{cheaper("Voiture", 999_999, 1, 1_000_000), line("Clou", 10, 1)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := payments.Reduce(c.items, c.off)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("got %+v, %v; want %+v", got, err, c.want)
			}
		})
	}
	for _, off := range []money.Ariary{-1, 0, 5000, 5001} {
		mustFail(t, failure(payments.Reduce([]payments.Item{line("Vary", 5000, 1)}, off)), payments.ErrInvalidItem)
	}
	huge := line("Gold", money.MaxAriary, 1)
	mustFail(t, failure(payments.Reduce([]payments.Item{huge, huge}, 1)), money.ErrTooLarge)
	mustFail(t, failure(payments.Reduce([]payments.Item{line("A", 1, 2)}, 1)), payments.ErrInvalidItem) // A piece would cost nothing.
}

func TestADiscountOnASaleAddsUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var items []payments.Item
		for range 1 + random.IntN(8) {
			items = append(items, line("x", 2+money.Ariary(random.Int64N(int64(1)<<random.IntN(35))), 1+random.Int64N(20)))
		}
		total, err := payments.Total(items)
		if err != nil {
			continue
		}
		off := 1 + money.Ariary(random.Int64N(int64(total-1)))
		got, err := payments.Reduce(items, off)
		if err != nil {
			continue // A piece would cost nothing.
		}
		sum, err := payments.Total(got)
		if err != nil || sum != total-off || len(got) > len(items)+1 {
			t.Fatalf("%d off %+v: got %+v with the sum %d, %v; want %d in at most one line more", off, items, got, sum, err, total-off)
		}
		for _, item := range got {
			exact := float64(item.UnitPrice+0) / float64(max(item.ListPrice, item.UnitPrice))
			if want := float64(total-off) / float64(total); exact > want+1/float64(max(item.ListPrice, item.UnitPrice))+1e-9 {
				t.Fatalf("%d off %+v: %+v keeps %f of its price, want %f", off, items, item, exact, want)
			}
		}
	}
}
