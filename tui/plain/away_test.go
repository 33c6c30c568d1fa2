package plain_test

import (
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/plain"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// left returns the number of unfinished sales in a store.
func left(t *testing.T, store payments.Store) int {
	t.Helper()
	sales, err := store.Sales(t.Context(), shoptest.Till)
	tuitest.Must(t, err)
	return len(sales)
}

func TestSalesAreEnteredWhileTheDatabaseIsDown(t *testing.T) {
	shared, disk := shoptest.Database(t), shoptest.Database(t)
	shop := shoptest.New(t, shared, payments.WithDrafts(disk))
	shop.Break()
	c := begin(t, shop, func(config *plain.Config) {
		config.Health = func() payments.Health {
			return payments.Health{
				Listening: true, Shared: true, Heard: shop.Now().Add(-12 * time.Second), Listeners: []payments.Listener{{Name: "server:8788"}},
			}
		}
	})
	c.sees("NO DATABASE: cannot charge, nothing shown is certain")
	c.types("Vary 3500", "charge").sees("Total 3 500 Ar", "nothing can be charged; what is typed is kept on this till")
	c.types("health").sees("NO DATABASE")
	c.Mend()
	c.tick().sees("listens")
	c.types("total").sees("Total 3 500 Ar")
	if left(t, shared) != 0 || left(t, disk) != 1 {
		t.Errorf("got %d sales in the shop's database and %d on the local disk, want 0 and 1", left(t, shared), left(t, disk))
	}
	c.types("charge").sees("Charge 3 500 Ar?").types("yes").sees("WAITING: 3 500 Ar")
	c.types("total").sees("The sale is empty.")
}
