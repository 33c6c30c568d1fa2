package plain_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/plain"
	"checkout/till/tui/tuitest/shoptest"
)

// put writes a sale into a store, as the till did before.
func put(t *testing.T, store payments.Store, sale payments.Sale) {
	t.Helper()
	sale.Till = shoptest.Till
	if sale.Items == nil {
		sale.Items = []payments.Item{{Label: "Savony", UnitPrice: 500, Quantity: 1}}
	}
	if err := store.Update(t.Context(), func(tx payments.Tx) error { return tx.SaveSale(sale) }); err != nil {
		t.Fatal(err)
	}
}

// left is how many sales a store has.
func left(t *testing.T, store payments.Store) int {
	t.Helper()
	sales, err := store.Sales(t.Context(), shoptest.Till)
	if err != nil {
		t.Fatal(err)
	}
	return len(sales)
}

// cut opens the line mode while the shop's database is away, and the till's own
// sales are not.
func cut(t *testing.T, before func(shop *shoptest.Counter, disk payments.Store)) (c *talk, shared, disk payments.Store) {
	t.Helper()
	shared, disk = shoptest.Database(t), shoptest.Database(t)
	shop := shoptest.New(t, shared, payments.WithDrafts(disk))
	before(shop, disk)
	shop.Break()
	c = begin(t, shop, func(config *plain.Config) {
		config.Health = func() payments.Health {
			return payments.Health{Listening: true, Shared: true, Heard: shop.Now().Add(-12 * time.Second)}
		}
	})
	return c, shared, disk
}

func TestSalesAreEnteredWhileTheDatabaseIsAway(t *testing.T) {
	c, shared, disk := cut(t, func(*shoptest.Counter, payments.Store) {})
	c.sees("NO DATABASE: cannot charge, nothing shown is certain")
	c.types("Vary 3500", "charge").sees("Total 3 500 Ar", "Cut off from the database: nothing can be charged now. The lines are kept.")
	c.types("health").sees("NO DATABASE")
	c.Mend()
	c.tick().sees("listens")
	c.types("total").sees("Total 3 500 Ar")
	if left(t, shared) != 0 || left(t, disk) != 1 {
		t.Errorf("%d sales are in the shop's database, and %d on the disk", left(t, shared), left(t, disk))
	}
	c.types("charge").sees("Charge 3 500 Ar?").types("yes").sees("WAITING: 3 500 Ar")
	c.types("total").sees("The sale is empty.")
}

func TestASaleThatHadBeenChargedIsOverWhenTheDatabaseIsBack(t *testing.T) {
	for name, tt := range map[string]struct {
		types, before, after string
		stays                int
	}{
		"as it was":                       {"total", "Total 500 Ar", "The sale is empty.", 0},
		"but not with a line that is new": {"Coca 2000", "Total 2 500 Ar", "Total 2 500 Ar", 1},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, disk := cut(t, func(shop *shoptest.Counter, disk payments.Store) {
				sale := payments.Sale{ID: "S1", UpdatedAt: shop.Now()}
				put(t, disk, sale)
				_, err := shop.Checkout(t.Context(), payments.Terms{
					Sale: sale.ID, Till: shoptest.Till, Items: []payments.Item{{Label: "Savony", UnitPrice: 500, Quantity: 1}},
				})
				if err != nil {
					t.Fatal(err)
				}
				put(t, disk, sale) // The program ended before it was closed.
				shop.Advance(time.Minute)
			})
			c.sees("Total 500 Ar", "NO DATABASE").types(tt.types).sees(tt.before)
			c.Mend()
			c.tick().sees("listens").types("total").sees(tt.after)
			if stays := left(t, disk); stays != tt.stays {
				t.Errorf("%d sales are on the disk, want %d", stays, tt.stays)
			}
		})
	}
}
