package customer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/customer"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func TestEachViewFillsItsRoomAndKeepsTheAmount(t *testing.T) {
	styles, texts := theme.Plain(), i18n.Load("en")
	order := payments.Order{
		Reference: "T1-0042", Amount: 9000, Items: []payments.Item{{Label: "Vary", UnitPrice: 4500, Quantity: 2}},
		Link: payments.Link{URL: "https://pay.example.test/c/1"},
	}
	for kind, says := range map[customer.Kind]string{
		customer.Idle: "Welcome", customer.Basket: "Vary", customer.Wait: "One moment", customer.Code: "Scan to pay",
		customer.Paid: "PAID", customer.Unpaid: "NOT PAID", customer.Check: "CHECK", customer.Unknown: "UNKNOWN", customer.Ask: "Please ask at",
	} {
		for _, size := range [][2]int{{1, 1}, {1, 12}, {5, 4}, {24, 5}, {40, 15}, {80, 24}, {120, 36}, {200, 60}} {
			t.Run(fmt.Sprintf("%s in %v", kind, size), func(t *testing.T) {
				code, err := qr.New(order.Link.URL, theme.Theme{})
				tuitest.Must(t, err)
				view := customer.View{
					Kind: kind, Shop: "Soa", Mark: "DEMO", Clock: "12:00", Order: order, Remaining: time.Minute,
					Code: code,
				}
				drawn := view.Draw(styles, texts, size[0], size[1])
				if theme.Width(drawn) != size[0] || lipgloss.Height(drawn) != size[1] {
					t.Errorf("got %d×%d", theme.Width(drawn), lipgloss.Height(drawn))
				}
				if size[0] < 24 { // This is too narrow for any word.
					return
				}
				tuitest.Contains(t, drawn, "DEMO")
				if size[1] > 5 { // In higher windows, large digits and codes replace the words.
					return
				}
				if !strings.Contains(drawn, says) || kind != customer.Idle && kind != customer.Ask && !strings.Contains(drawn, "9 000 Ar") {
					t.Errorf("%q or the amount is missing\n%s", says, drawn)
				}
			})
		}
	}
}

func TestOnlyOutcomesHaveABadge(t *testing.T) {
	texts := i18n.Load("en")
	for kind, want := range map[customer.Kind]string{
		customer.Paid: "✓ PAID", customer.Unpaid: "✗ NOT PAID", customer.Check: "! CHECK", customer.Unknown: "? UNKNOWN",
		customer.Code: "", customer.Ask: "",
	} {
		look, is := kind.Badge(texts)
		if got := look.Sign + " " + look.Short; is != (want != "") || is && got != want {
			t.Errorf("%s has the badge %q, %v", kind, got, is)
		}
	}
}
