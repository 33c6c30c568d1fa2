package board_test

import (
	"fmt"
	"strings"
	"time"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/board"
	"checkout/till/tui/live"
	"checkout/till/tui/theme"
)

func Example() {
	texts, err := i18n.Load(assets.Locales, "en")
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	screen := board.New(board.Config{Theme: theme.Plain(), Texts: texts}).SetSize(80, 4)
	screen, _ = screen.Update(live.State{Now: now, Changed: true, Open: []payments.Order{{
		Reference: "T1-20261121-0007", Amount: 9000, Description: "2 × Vary, Coca",
		CreatedAt: now, Status: payments.StatusPending, Facts: payments.Facts{Acknowledged: true},
		Link: payments.Link{URL: "https://pay.example.mg", ExpiresAt: now.Add(10 * time.Minute)},
	}}})
	fmt.Println(strings.Join(strings.Fields(screen.View()), " "))
	// Output: › 1 9 000 Ar ━━━━━━━━━━━━━━━━━━━━ 10:00 2 × Vary, Coca T1-20261121-0007 · 2 × Vary, Coca
}
