package pay_test

import (
	"context"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"checkout/till/assets"
	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/pay"
	"checkout/till/tui/theme"
)

// shop takes every order.
type shop struct{ pay.Cashier }

func (shop) Checkout(_ context.Context, terms payments.Terms) (payments.Order, error) {
	return payments.NewOrder(terms, time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))
}

func Example() {
	texts, err := i18n.Load(assets.Locales, "en")
	if err != nil {
		fmt.Println(err)
		return
	}
	screen := pay.New(pay.Config{
		Cashier: shop{}, Theme: theme.Plain(), Texts: texts, Zone: time.UTC,
		Now: func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) },
		Run: func(work func(context.Context) tea.Msg) tea.Cmd {
			return func() tea.Msg { return work(context.Background()) }
		},
	})
	screen, asked := screen.Charge(payments.Terms{
		Reference: "T1-20261121-0007", Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}},
	})
	fmt.Println("sending:", screen.Sending())
	screen, told := screen.Update(asked().(tea.BatchMsg)[0]())
	fmt.Println("sending:", screen.Sending(), screen.Order().Reference)
	fmt.Printf("%T\n", told())
	// Output:
	// sending: true
	// sending: false T1-20261121-0007
	// pay.Accepted
}
