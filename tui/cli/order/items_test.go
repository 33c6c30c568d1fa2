package order_test

import (
	"fmt"
	"strings"
	"testing"

	"checkout/till/payments"
	"checkout/till/tui/cli/order"
)

func TestItemsAreParsedFromTheRight(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"label and price", "Vary:3500", "Vary|3500|1"},
		{"label, price and quantity", "Vary:3500:2", "Vary|3500|2"},
		{"a colon in the label", "Menu: midi:3500:2", "Menu: midi|3500|2"},
		{"a colon in the label and no quantity", "Menu: midi:3500", "Menu: midi|3500|1"},
		{"a number as label", "12:3500", "12|3500|1"},
		{"a number at the label's end", "Table 12:3500", "Table 12|3500|1"},
		{"grouped digits", "Vary:3 500:2", "Vary|3500|2"},
		{"blanks around the parts", " Vary : 3500 : 2 ", "Vary|3500|2"},
		{"an escape in the label", "Va\x1b[31mry:3500", "Va[31mry|3500|1"},
		{"no price", "Vary", "write LABEL:UNIT_PRICE"},
		{"no label", ":3500", "the label is blank"},
		{"an empty price", "Vary:", "not a whole amount"},
		{"a fraction for the price", "Vary:35.5", "not a whole amount"},
		{"a fraction for the price is not swallowed by the label", "Vary:35.5:2", "not a whole amount"},
		{"an O for a zero in the price", "Vary:35OO:2", "not a whole amount"},
		{"an exponent for the price is not swallowed by the label", "Vary:1e3:2", "not a whole amount"},
		{"a negative price is not swallowed by the label", "Vary:-5:2", "not a whole amount"},
		{"other digits are not swallowed by the label", "Vary:３５００:2", "not a whole amount"},
		{"a price of zero", "Vary:0:2", "above zero"},
		{"a quantity of zero", "Vary:3500:0", `the quantity "0" is not a whole number above zero`},
		{"a fraction for the quantity", "Vary:3500:1.5", "is not a whole number above zero"},
		{"a price that is too large", "Vary:1000000000001", "too large"},
		{"a total that is too large", "Vary:1000000000000:2", "too large"},
		{"twenty digits", "Vary:12345678901234567890", "too large"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			item, err := order.ParseItem(tt.text)
			got := fmt.Sprintf("%s|%d|%d", item.Label, item.UnitPrice, item.Quantity)
			if err != nil {
				got = err.Error()
			}
			if got != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
				t.Errorf("%q gives %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

// Every item that can be parsed can also be sold. The quantity is 1 if the text has only one colon.
func FuzzItem(f *testing.F) {
	for _, seed := range []string{"Vary:3500:2", "a:b:c:1", ":::", "1:2:3:4", "é:9 000:\u00a01"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		item, err := order.ParseItem(text)
		if err != nil {
			return
		}
		if _, err := payments.NewItem(item.Label, item.UnitPrice, item.Quantity); err != nil {
			t.Errorf("%q gives an item that cannot be sold: %v", text, err)
		}
		if strings.Count(text, ":") == 1 && item.Quantity != 1 {
			t.Errorf("%q gives quantity %d", text, item.Quantity)
		}
	})
}
