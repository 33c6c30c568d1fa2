package receipt_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/receipt"
	"checkout/till/tui/theme"
	"checkout/till/tui/tuitest"
)

func grocery() receipt.Shop {
	return receipt.Shop{
		Name: "Épicerie Tantely", Header: []string{"Lot 0, Analakely", "Antananarivo 101"},
		NIF: "0000000000", STAT: "00000 00 0000 0 00000",
	}
}

func zone() *time.Location { return time.FixedZone("EAT", 3*60*60) }

// made returns the time at which all sales of the tests were made.
func made() time.Time { return time.Date(2026, 11, 25, 11, 41, 0, 0, zone()) }

// mobile returns a sale that was paid by mobile money.
func mobile(items ...payments.Item) drawer.Settled {
	sale := drawer.Settled{
		Receipt: drawer.Receipt{Till: "T1", Number: "T1-GT-000412", Kind: drawer.ByLink},
		Order:   payments.Order{Items: items, CreatedAt: made(), Facts: payments.Facts{PaidAt: made()}},
	}
	for _, item := range items {
		sale.Order.Amount += item.Total()
	}
	return sale
}

// cash returns a sale that the cashier Fara sold for cash.
func cash(given money.Ariary, items ...payments.Item) drawer.Settled {
	sale := mobile(items...)
	sale.Receipt.Kind = drawer.Settlement(drawer.TenderCash)
	sale.Cash = drawer.CounterSale{Number: "T1-GT-C-000001", Account: ledger.Drawer("T1"), Till: "T1", By: "Fara", At: made(), Items: items, Amount: sale.Order.Amount, Given: given}
	sale.Order = payments.Order{}
	return sale
}

func of(t testing.TB, language string, shop receipt.Shop, sale drawer.Settled, columns int) *receipt.Paper {
	t.Helper()
	return receipt.Of(i18n.Load(language), receipt.Config{Shop: shop, Columns: columns}, zone(), sale)
}

func item(label string, price money.Ariary, quantity int64) payments.Item {
	return payments.Item{Label: label, UnitPrice: price, Quantity: quantity}
}

// text returns the lines of a receipt, each with a sign for its style at the beginning.
func text(lines []receipt.Line) string {
	signs := map[receipt.Style]string{receipt.Plain: "|", receipt.Bold: "b", receipt.Tall: "T", receipt.Large: "L"}
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(signs[line.Style] + line.Text + "\n")
	}
	return out.String()
}

func TestReceipts(t *testing.T) {
	paid := mobile(
		item("Vary sy laoka", 3500, 2), item("Coca 50 cl", 2500, 1), item("Savony", 1200, 3),
		item("Menaka 1 L", 9500, 1), item("Mofo gasy", 300, 10),
	)
	paid.Order.OrderReference, paid.Order.By = "REF_560275565606", "Soa"
	taken := cash(20000, item("Vary sy laoka", 3500, 2), item("Coca 50 cl", 2500, 1), item("Vary mena 1.2 kg", 3000, 1))
	copied := mobile(item("Lamba hoditra vita amin'ny landibe sy tady volamena", 1234567, 810000))
	copied.Receipt = drawer.Receipt{Till: "Kesin'i Rado 2", Number: "KESINIRADO2-GT-000007", Kind: drawer.ByRefund}
	copied.Copy = true
	copied.Order.Refunds.Cash = 500
	copied.Order.Transfers = []ledger.Transfer{{At: made(), Kind: ledger.Refund, From: ledger.Drawer("T1"), To: ledger.Sales, Amount: 500}}
	rice := payments.Item{
		Label: "Vary 1.2 kg", UnitPrice: 2700, ListPrice: 3000, Quantity: 1,
		Measure: payments.Measure{Article: "Vary", Thousandths: 1200, Unit: "kg", Price: 2500},
	}
	half := payments.Item{
		Label: "Mofo 0.5", UnitPrice: 200, Quantity: 1, Measure: payments.Measure{Article: "Mofo", Thousandths: 500, Price: 400},
	}
	reduced := mobile(rice, payments.Item{Label: "Coca", UnitPrice: 1800, ListPrice: 2000, Quantity: 2}, half)
	reduced.Order.Refunds.Area = 1500
	small := receipt.Shop{Test: true, VAT: 20, Footer: []string{"Tsy azo averina ny entana lafo", "www.example.mg"}}
	for _, tt := range []struct {
		name, language string
		shop           receipt.Shop
		sale           drawer.Settled
		columns        int
		want           string
	}{
		{"an invoice for mobile money", "fr", grocery(), paid, 32, `
LÉPICERIE TANTELY
|        Lot 0, Analakely
|        Antananarivo 101
|NIF 0000000000
|STAT 00000 00 0000 0 00000
|--------------------------------
bFacture T1-GT-000412
|Caisse T1 · Soa   25/11/26 11:41
|--------------------------------
|Vary sy laoka   2 × 3 500  7 000
|Coca 50 cl                 2 500
|Savony          3 × 1 200  3 600
|Menaka 1 L                 9 500
|Mofo gasy        10 × 300  3 000
|--------------------------------
TTOTAL                  25 600 Ar
bPAYÉ 11:41          Mobile money
|REF_560275565606
|--------------------------------
|   Misaotra tompoko · Merci !
`},
		{"an invoice for cash on wide paper", "en", grocery(), taken, 42, `
L  ÉPICERIE TANTELY
|             Lot 0, Analakely
|             Antananarivo 101
|NIF 0000000000
|STAT 00000 00 0000 0 00000
|------------------------------------------
bInvoice T1-GT-000412
|Till T1 · Fara              25/11/26 11:41
|------------------------------------------
|Vary sy laoka             2 × 3 500  7 000
|Coca 50 cl                           2 500
|Vary mena 1.2 kg                     3 000
|------------------------------------------
TTOTAL                            12 500 Ar
bCASH 11:41                       20 000 Ar
|Change                            7 500 Ar
|T1-GT-C-000001
|------------------------------------------
|      Misaotra tompoko · Thank you!
`},
		{"discounts, measures and a refund, of the demo", "fr", receipt.Shop{Demo: true}, reduced, 32, `
b    DÉMO : pas d'argent réel
|--------------------------------
bTicket T1-GT-000412
|Caisse T1         25/11/26 11:41
|--------------------------------
|Vary       1,2 kg × 2 500  3 000
|   Remise                   -300
|Coca            2 × 2 000  4 000
|   Remise                   -400
|Mofo              0,5 × 400  200
|--------------------------------
TTOTAL                   6 500 Ar
bPAYÉ 11:41          Mobile money
bArgent rendu           -1 500 Ar
|--------------------------------
|   Misaotra tompoko · Merci !
`},
		{"a copy with long texts, tax and a refund, of a test account", "mg", small, copied, 32, `
b    TEST: tsy vola tena izy
|--------------------------------
b              DIKA
bRosia KESINIRADO2-GT-000007
|Kesy Kesin'i Rado 2
|                  25/11/26 11:41
|--------------------------------
|Lamba hoditra vita amin'ny
|landibe sy tady volamena
|   810 000 × 1 234 567
|                 999 999 270 000
|--------------------------------
TFITAMBARANY   999 999 270 000 Ar
|ao anatiny TVA 20 %
|              166 666 545 000 Ar
bVOALOA 11:41         Vola finday
bVola naverina            -500 Ar
|--------------------------------
| Tsy azo averina ny entana lafo
|         www.example.mg
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := text(of(t, tt.language, tt.shop, tt.sale, tt.columns).Lines())
			tuitest.Equal(t, got, tt.want[1:], "the receipt")
		})
	}
}

func TestTheTaxIsRoundedHalfUp(t *testing.T) {
	for _, tt := range []struct {
		total money.Ariary
		rate  int64
		want  string
	}{
		{1200, 20, " 200 Ar"},
		{2, 20, " 0 Ar"},
		{3, 20, " 1 Ar"},
		{9, 20, " 2 Ar"},
		{money.MaxAriary, 20, "166 666 666 667 Ar"},
		{money.MaxAriary, 99, "497 487 437 186 Ar"},
	} {
		paper := of(t, "en", receipt.Shop{VAT: tt.rate}, drawer.Settled{Order: payments.Order{Amount: tt.total}}, 42)
		_, tax, _ := strings.Cut(text(paper.Lines()), "incl. VAT")
		if line, _, _ := strings.Cut(tax, "\n"); !strings.HasSuffix(line, tt.want) {
			t.Errorf("%d %% in %d: %q, want %s", tt.rate, tt.total, line, tt.want)
		}
	}
}

func FuzzAReceiptFitsItsPaper(f *testing.F) {
	f.Add("Cœur de bœuf… 漢字 \x1bp\x00 e\u0301\u0302 1\u202f000\u00a0?", int64(3), int64(3500))
	f.Add(strings.Repeat("W", 120), int64(1), int64(money.MaxAriary))
	f.Add("\u00ad\u202e\x1d\x1c\n\n \ufffd\xff", int64(money.MaxAriary), int64(1))
	f.Fuzz(func(t *testing.T, label string, quantity, price int64) {
		made, err := payments.NewItem("x", money.Ariary(price), quantity)
		if err != nil {
			t.Skip()
		}
		made.Label = label // A receipt must fit on the paper even if the label contains forbidden characters.
		for _, columns := range []int{32, 42, 48} {
			sale := mobile(made)
			sale.Receipt.Till, sale.Order.OrderReference = label, label
			shop := receipt.Shop{Name: label, Header: []string{label}, NIF: label, STAT: label, VAT: 20, Footer: []string{label}}
			paper := of(t, "fr", shop, sale, columns)
			tuitest.Equal(t, text(decode(t, paper.Bytes()).lines), text(paper.Lines()), "the print")
			amount := strings.ReplaceAll(text(paper.Lines()), " ", "")
			if want := sale.Order.Amount.String() + "Ar\n"; !strings.Contains(amount, want) {
				t.Errorf("no line ends with %s:\n%s", want, amount)
			}
			for _, line := range paper.Lines() {
				width := utf8.RuneCountInString(line.Text)
				if line.Style == receipt.Large {
					width *= 2
				}
				if width > columns {
					t.Errorf("%q is wider than %d columns", line.Text, columns)
				}
			}
		}
	})
}

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

func TestAReceiptHasTheTimeOfTheSale(t *testing.T) {
	made := time.Date(2026, 11, 21, 12, 0, 0, 0, zone())
	paid, found, printed := made.Add(2*time.Minute), made.Add(time.Hour), made.Add(6*time.Hour)
	order := func(paidAt time.Time, kind payments.FindingKind) payments.Order {
		order := payments.Order{CreatedAt: made, Amount: 500, Facts: payments.Facts{PaidAt: paidAt}}
		if kind != "" {
			order.Finding = &payments.Finding{Kind: kind, At: found}
			order.Findings = []payments.Finding{*order.Finding}
		}
		return order
	}
	refunded := order(paid, "")
	refunded.Refunds.Area = 500
	refunded.Transfers = []ledger.Transfer{{At: found, Kind: ledger.Refund, From: ledger.Service, To: ledger.Sales, Amount: 500}}
	unproven := order(time.Time{}, payments.FoundPaid)
	unproven.Refunds, unproven.Transfers = refunded.Refunds, refunded.Transfers
	for name, c := range map[string]struct {
		settled     drawer.Settled
		want, proof string
	}{
		"paid":        {drawer.Settled{Receipt: drawer.Receipt{Kind: drawer.ByLink}, Order: order(paid, "")}, "12:02", "PAID 12:02"},
		"marked paid": {drawer.Settled{Receipt: drawer.Receipt{Kind: drawer.ByFinding}, Order: order(time.Time{}, payments.FoundPaid)}, "13:00", "MARKED PAID 13:00"},
		"refunded":    {drawer.Settled{Receipt: drawer.Receipt{Kind: drawer.ByRefund}, Order: refunded}, "13:00", "PAID 12:02"},
		"refunded without a proof": {
			drawer.Settled{Receipt: drawer.Receipt{Kind: drawer.ByRefund}, Order: unproven}, "13:00", "MARKED PAID 13:00",
		},
		"cash": {
			drawer.Settled{Receipt: drawer.Receipt{Kind: drawer.Settlement(drawer.TenderCash)}, Cash: drawer.CounterSale{Number: "T1-GT-C-000001", Account: ledger.Drawer("T1"), At: paid}}, "12:02", "CASH 12:02",
		},
	} {
		c.settled.Receipt.At = printed
		paper := of(t, "en", receipt.Shop{}, c.settled, 32)
		if lines := text(paper.Lines()); !strings.Contains(lines, "21/11/26 "+c.want) {
			t.Errorf("%s: want the time %s\n%s", name, c.want, lines)
		} else if !strings.Contains(lines, "b"+c.proof) {
			t.Errorf("%s: want a line with %s\n%s", name, c.proof, lines)
		}
	}
}

func short(t *testing.T) *receipt.Paper {
	return of(t, "fr", receipt.Shop{Name: "Épicerie Tantely"}, cash(5000, item("Mofo gasy", 300, 10)), 32)
}

func TestAReceiptLooksLikePaper(t *testing.T) {
	const want = `
▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙▟▙
         ÉPICERIE TANTELY
 --------------------------------
 Ticket T1-GT-000412
 Caisse T1 · Fara  25/11/26 11:41
 --------------------------------
 Mofo gasy        10 × 300  3 000
 --------------------------------
 TOTAL                   3 000 Ar
 ESPÈCES 11:41           5 000 Ar
 Rendu                   2 000 Ar
 T1-GT-C-000001
 --------------------------------
    Misaotra tompoko · Merci !
▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛▜▛`
	// In ASCII, the same picture has other signs.
	ascii := strings.NewReplacer("▟", "/", "▙", `\`, "▜", `\`, "▛", "/", "É", "E", "È", "E", "·", "|", "×", "x")
	for charset, want := range map[theme.Charset]string{theme.Unicode: want, theme.ASCII: ascii.Replace(want)} {
		styles := theme.Plain()
		styles.Charset = charset
		rows := short(t).View(styles, styles.Text)
		for _, row := range rows {
			tuitest.Equal(t, theme.Width(row), 34, "the width of %q", row)
		}
		got := tuitest.Render(styles.Encode(strings.Join(rows, "\n")), 40, len(rows)).String()
		tuitest.Equal(t, got, want[1:], "the picture")
	}
}

// The torn edge of the paper consists of teeth in the colour of the paper and gaps in the colour of
// the screen.
func TestThePaperIsVisibleInEveryPalette(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Auto, theme.Dark, theme.Light, theme.Contrast} {
		styles := theme.Full(mode)
		for name, around := range map[string]theme.Style{"the window": styles.Text, "the outcome": styles.PaidBlock} {
			rows := short(t).View(styles, around)
			screen := tuitest.Render(strings.Join(rows, "\n")+around.Render(" "), 40, len(rows))
			edge, paper, outside := screen.Cell(0, 0), screen.Cell(0, 1), screen.Cell(34, len(rows)-1)
			if edge.Text != paper.Ground || edge.Ground != outside.Ground || edge.Reversed == paper.Reversed && mode == theme.Contrast {
				t.Errorf("in %s on %s: the edge is %+v, the paper %+v, the screen %+v", mode, name, edge, paper, outside)
			}
			tuitest.Equal(t, screen.Cell(10, 1).Bold, !paper.Reversed, "in %s on %s, the shop's name is bold", mode, name)
		}
	}
}
