package orders_test

import (
	"fmt"
	"strings"
	"time"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/tui/orders"
	"checkout/till/tui/theme"
)

func Example() {
	texts, err := i18n.Load(assets.Locales, "en")
	if err != nil {
		fmt.Println(err)
		return
	}
	screen := orders.New(orders.Config{Zone: time.UTC, Theme: theme.Plain(), Texts: texts}).SetSize(80, 4)
	fmt.Println(strings.Fields(screen.View()))
	// Output: [To check History Nothing to check.]
}
