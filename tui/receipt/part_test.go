package receipt_test

import (
	"strings"
	"testing"

	"checkout/till/payments/drawer"
	"checkout/till/tui/receipt"
)

func TestAReceiptNamesThePartsOfASale(t *testing.T) {
	cash := drawer.Part{Tender: drawer.TenderCash, Amount: 5000}
	refunded := drawer.Part{Tender: drawer.TenderCash, Amount: 5000, Refunded: 1000}
	for name, c := range map[string]struct {
		parts []drawer.Part
		want  string
	}{
		"cash and a link":         {[]drawer.Part{cash, {Tender: drawer.TenderLink, Amount: 15_000, Proven: true}}, "TTOTAL 20 000 Ar bCASH 5 000 Ar bPAID 15 000 Ar |---"},
		"a part without its rest": {[]drawer.Part{cash}, "TTOTAL 20 000 Ar bCASH 5 000 Ar bTo pay 15 000 Ar |---"},
		"a part without its rest, of which some was given back": {
			[]drawer.Part{refunded}, "TTOTAL 20 000 Ar bCASH 5 000 Ar bTo pay 16 000 Ar bRefunded -1 000 Ar |---",
		},
		"a part of which some was given back before the rest": {
			[]drawer.Part{refunded, {Tender: drawer.TenderLink, Amount: 16_000, Proven: true}},
			"TTOTAL 20 000 Ar bCASH 5 000 Ar bPAID 16 000 Ar bRefunded -1 000 Ar |---",
		},
		"a link without a proof": {[]drawer.Part{cash, {Tender: drawer.TenderLink, Amount: 15_000}}, "bCASH 5 000 Ar bMARKED PAID 15 000 Ar |---"},
	} {
		sale := mobile(item("Vary", 20_000, 1))
		sale.Order.Total = 20_000
		sale.Order.Amount = 15_000
		sale.Parts = c.parts
		printed := strings.Join(strings.Fields(text(of(t, "en", receipt.Shop{}, sale, 42).Lines())), " ")
		if !strings.Contains(printed, c.want) {
			t.Errorf("%s: %q is missing in %s", name, c.want, printed)
		}
	}
}
