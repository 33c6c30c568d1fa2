package customer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"

	"checkout/till/payments"
	"checkout/till/tui/component/customer"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestEachViewHasExactlyItsRoomAndKeepsTheAmount(t *testing.T) {
	styles, texts := theme.Plain(), shoptest.Texts(t, "en")
	order := payments.Order{
		Reference: "T1-0042", Amount: 9000, Items: []payments.Item{shoptest.Vary(), shoptest.Coca()},
		Link: payments.Link{URL: "https://pay.example.test/c/1"},
	}
	for kind, says := range map[customer.Kind]string{
		customer.Idle: "Welcome", customer.Basket: "Vary", customer.Wait: "One moment", customer.Code: "Scan to pay",
		customer.Paid: "PAID", customer.Unpaid: "NOT PAID", customer.Check: "CHECK", customer.Unknown: "UNKNOWN", customer.Ask: "Please ask at the",
	} {
		for _, size := range [][2]int{{1, 1}, {1, 12}, {5, 4}, {24, 6}, {40, 15}, {80, 24}, {120, 36}, {200, 60}} {
			t.Run(fmt.Sprintf("%s in %v", kind, size), func(t *testing.T) {
				code, err := qr.New(order.Link.URL, theme.Theme{})
				tuitest.Must(t, err)
				view := customer.View{
					Kind: kind, Shop: "Soa", Mark: "DEMO", Clock: "12:00", Order: order, Left: time.Minute,
					Code: code,
				}
				drawn := view.Draw(styles, texts, size[0], size[1])
				if theme.Width(drawn) != size[0] || lipgloss.Height(drawn) != size[1] {
					t.Errorf("it is %d×%d", theme.Width(drawn), lipgloss.Height(drawn))
				}
				if size[0] < 24 { // No word has room.
					return
				}
				if !strings.Contains(drawn, "DEMO") {
					t.Error("it does not say that no money moves")
				}
				if size[1] > 6 { // Figures and codes take the place of words.
					return
				}
				if !strings.Contains(drawn, says) || kind != customer.Idle && kind != customer.Ask && !strings.Contains(drawn, "9 000 Ar") {
					t.Errorf("it does not say %q and the amount\n%s", says, drawn)
				}
			})
		}
	}
}

func TestOnlyOutcomesHaveALook(t *testing.T) {
	texts := shoptest.Texts(t, "en")
	for kind, want := range map[customer.Kind]string{
		customer.Paid: "✓ PAID", customer.Unpaid: "✗ NOT PAID", customer.Check: "! CHECK", customer.Unknown: "? UNKNOWN",
		customer.Code: "", customer.Ask: "",
	} {
		look, is := kind.Look(texts)
		if got := look.Sign + " " + look.Short; is != (want != "") || is && got != want {
			t.Errorf("%s looks as %q, %v", kind, got, is)
		}
	}
}
