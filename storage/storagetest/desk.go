package storagetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
)

func deskTests() []test {
	return []test{
		{"gives 1, 2, 3 for each series, and goes on after a restart", numbers},
		{"gives no number twice to several processes", numbersApart},
		{"keeps a sale as it was entered, also after a restart", salesSurvive},
		{"lists a till's own sales, newest first", salesNewest},
		{"drops a sale, and one that is not there", salesDropped},
	}
}

// next takes the next number of a series.
func next(t *testing.T, store Store, series string) (number int64) {
	t.Helper()
	update(t, store, func(tx payments.Tx) (err error) {
		number, err = tx.Sales().NextNumber(series)
		return err
	})
	return number
}

func numbers(t *testing.T, open Opener) {
	store := open(t)
	for want := range int64(3) {
		expect(t, "a", next(t, store, "a"), want+1)
	}
	expect(t, "b", next(t, store, "b"), int64(1))
	expect(t, "blank", next(t, store, ""), int64(1))
	check(t, "close", store.Close())
	expect(t, "a after a restart", next(t, open(t), "a"), int64(4))
}

func numbersApart(t *testing.T, open Opener) {
	stores := []Store{open(t), open(t)}
	const count = 40
	var (
		mu    sync.Mutex
		seen  = map[int64]bool{}
		group sync.WaitGroup
	)
	for i := range count {
		group.Go(func() {
			var number int64
			err := stores[i%2].Update(t.Context(), func(tx payments.Tx) (err error) {
				number, err = tx.Sales().NextNumber("series")
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			if err != nil || seen[number] || number < 1 || number > count {
				t.Errorf("number %d, seen before: %v, error %v", number, seen[number], err)
			}
			seen[number] = true
		})
	}
	group.Wait()
}

// sold is a sale with one item for each text.
func sold(id, till string, minute int, labels ...string) payments.Sale {
	sale := payments.Sale{ID: id, Till: till, UpdatedAt: opening().Add(time.Duration(minute) * time.Minute)}
	for i, label := range labels {
		sale.Items = append(sale.Items, payments.Item{Label: label, UnitPrice: payments.MaxAriary, Quantity: int64(i + 1)})
	}
	return sale
}

func saveSale(t *testing.T, store Store, sale payments.Sale) {
	t.Helper()
	update(t, store, func(tx payments.Tx) error { return tx.Sales().SaveSale(sale) })
}

func expectSales(t *testing.T, store Store, till string, want ...payments.Sale) {
	t.Helper()
	got, err := store.Sales(t.Context(), till)
	check(t, "sales", err)
	expect(t, fmt.Sprintf("sales of %q: how many", till), len(got), len(want))
	for i := range got {
		expect(t, "sale", got[i], want[i])
	}
}

func salesSurvive(t *testing.T, open Opener) {
	store := open(t)
	sale := sold("s1", "T1", 0, hostile()...)
	saveSale(t, store, sale)
	sale.Items = append(sale.Items, payments.Item{Label: "Sakay", UnitPrice: 500, Quantity: 3})
	sale.Description = "Pour “Rado” & co"
	saveSale(t, store, sale)
	check(t, "close", store.Close())
	for i := range sale.Items {
		sale.Items[i].Label = payments.Clean(sale.Items[i].Label, payments.MaxLabelWidth)
	}
	expectSales(t, open(t), "T1", sale)
}

func salesNewest(t *testing.T, open Opener) {
	store := open(t)
	first, second, third := sold("a", "T1", 1, "x"), sold("b", "T1", 2), sold("c", "T1", 3, "y")
	for _, sale := range []payments.Sale{second, third, first, sold("d", "T2", 9, "z")} {
		saveSale(t, store, sale)
	}
	expectSales(t, store, "T1", third, second, first)
	first.UpdatedAt = opening().Add(time.Hour)
	saveSale(t, store, first)
	expectSales(t, store, "T1", first, third, second)
	expectSales(t, store, "T3")
	expectSales(t, store, "")
}

func salesDropped(t *testing.T, open Opener) {
	store := open(t)
	kept := sold("kept", "T1", 1, "x")
	saveSale(t, store, kept)
	saveSale(t, store, sold("dropped", "T1", 2, "x"))
	for range 2 {
		update(t, store, func(tx payments.Tx) error { return tx.Sales().DropSale("dropped") })
		expectSales(t, store, "T1", kept)
	}
}
