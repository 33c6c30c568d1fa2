package entry_test

import (
	"fmt"

	"checkout/till/payments"
	"checkout/till/tui/entry"
)

func ExampleParse() {
	shelf := entry.NewShelf([]payments.Article{{Label: "Coca 1L", UnitPrice: 6000, Code: "6111000000017"}})
	for _, text := range []string{
		"Vary 3500 x2", "2*Vary 3 500", "Vary 3500x2", "1500", "6111000000017", "coca x3", "Vary 2500x1.2", "Savony",
	} {
		item, err := entry.Parse(text, shelf, words())
		if err != nil {
			fmt.Printf("%s: %v\n", text, err)
			continue
		}
		fmt.Printf("%s: %d %s at %s Ar\n", text, item.Quantity, item.Label, item.UnitPrice)
	}
	// Output:
	// Vary 3500 x2: 2 Vary at 3500 Ar
	// 2*Vary 3 500: 2 Vary at 3500 Ar
	// Vary 3500x2: 2 Vary at 3500 Ar
	// 1500: 1 Free amount at 1500 Ar
	// 6111000000017: 1 Coca 1L at 6000 Ar
	// coca x3: 3 Coca 1L at 6000 Ar
	// Vary 2500x1.2: 1 Vary 1.2 at 3000 Ar
	// Savony: the price is missing: Savony
}
