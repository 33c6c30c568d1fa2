package orders_test

import (
	"fmt"
	"strings"
	"time"

	"checkout/till/payments"
	"checkout/till/tui/live"
	"checkout/till/tui/orders"
	"checkout/till/tui/theme"
)

func Example() {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	screen := orders.New(orders.Config{Zone: time.UTC, Theme: theme.Plain()}).SetSize(80, 4)
	screen, _ = screen.Update(live.State{Now: now, Open: []payments.Order{{
		Reference: "T1-20261121-0007", Amount: 9000, Description: "2 × Vary, Coca",
		Status: payments.StatusPending, Facts: payments.Facts{Acknowledged: true},
		Link: payments.Link{URL: "https://pay.example.mg", ExpiresAt: now.Add(10 * time.Minute)},
	}}})
	fmt.Println(strings.Split(screen.View(), "\n")[2])
	// Output: ›T1-20261121-0007           10:00        9 000 Ar  …   2 × Vary, Coca
}
