package receipt_test

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments/drawer"
	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/press"
)

// printed is the result of the bytes that a printer received.
type printed struct {
	lines  []receipt.Line
	page   byte // Number of the code page.
	cuts   int
	pulses int
	fed    byte   // Number of blank lines before the last cut.
	code   string // Text of the QR code; blank without a code.
	width  int    // Width of the QR code's picture, in dots.
}

// decode returns what a printer makes of data. It fails the test if a command is not in the
// printer's table.
func decode(t *testing.T, data []byte) printed {
	t.Helper()
	paper, err := press.Decode(data)
	tuitest.Must(t, err)
	out := printed{page: paper.Page, cuts: paper.Cuts, pulses: paper.Pulses, fed: paper.Fed}
	for _, line := range paper.Lines {
		out.lines = append(out.lines, receipt.Line{Text: line.Text, Style: receipt.Style(line.Mode)})
	}
	if len(paper.Pictures) > 0 {
		out.code, err = tuitest.PrintedCode(data)
		tuitest.Must(t, err)
		out.width = 8 * (int(paper.Pictures[0][4]) + int(paper.Pictures[0][5])<<8)
	}
	return out
}

func TestTheReceiptHasACodeOfTheNumberOfTheSale(t *testing.T) {
	order := func(reference string) drawer.Settled {
		sale := mobile(item("Coca", 2000, 1))
		sale.Order.Reference = reference
		return sale
	}
	for name, c := range map[string]struct {
		sale drawer.Settled
		want string
	}{
		"an order":           {order("T1-20261121-GT-0007"), "T1-20261121-GT-0007"},
		"a long till name":   {order("CAISSEDELAGRANDERUEX-20261121-GT-1234567"), "CAISSEDELAGRANDERUEX-20261121-GT-1234567"},
		"a cash sale":        {cash(5000, item("Coca", 2000, 1)), "T1-GT-C-000001"},
		"a chosen reference": {order("WEB-1042"), ""},
		"a small letter":     {order("t1-20261121-GT-0007"), ""},
	} {
		for _, columns := range []int{32, 42, 48} {
			paper := of(t, "en", receipt.Shop{}, c.sale, columns)
			got := decode(t, paper.Bytes())
			if got.code != c.want || text(got.lines) != text(paper.Lines()) {
				t.Errorf("%s: got the code %q and the lines\n%s, want %q", name, got.code, text(got.lines), c.want)
			}
			reference := cmp.Or(c.sale.Order.Reference, c.sale.Cash.Number)
			tuitest.Contains(t, strings.ReplaceAll(text(got.lines), "\n|", ""), reference)
			if got.width > 12*columns { // A character is 12 dots wide.
				t.Errorf("%s: the picture is %d dots wide, on paper of %d columns", name, got.width, columns)
			}
		}
	}
}

func TestThePrinterGetsTheLinesOfThePaper(t *testing.T) {
	paper := receipt.NewPaper(32, "")
	paper.Center("Épicerie Ñandú", receipt.Tall)
	paper.Text("Bœuf à l'ail, cœur… ×½ · 5 €", receipt.Plain)
	paper.Text("Łódź n\u0308 e\u0301 漢 ’ \x1bp\x00", receipt.Plain)
	paper.Row("Total", "9\u202f000 Ar", receipt.Bold)
	got := decode(t, paper.Bytes())
	want := `T         Épicerie Ñandú
|Boeuf à l'ail, coeur... ×½ · 5 €
|?ódz n é ?? ' p
bTotal                   9 000 Ar
`
	if text(got.lines) != want || text(paper.Lines()) != want {
		t.Errorf("the printer prints\n%s, want\n%s", text(got.lines), want)
	}
	if got.page != 19 || got.cuts != 1 || got.fed < 4 || got.pulses != 0 {
		t.Errorf("got %+v, want code page 858 and one cut after some blank lines", got)
	}
	for pin, socket := range map[int]string{2: "\x1bp\x00", 5: "\x1bp\x01"} {
		bytes := receipt.OpenDrawer(pin)
		if drawer := decode(t, bytes); drawer.pulses != 1 || drawer.cuts != 0 || drawer.lines != nil || !strings.Contains(string(bytes), socket) {
			t.Errorf("the drawer at pin %d gets %q, %+v", pin, bytes, drawer)
		}
	}
}

// Each code page prints the characters that it contains, and replaces others by signs of the same
// width.
func TestReceiptsArePrintedInTheCodePageOfThePrinter(t *testing.T) {
	for page, want := range map[receipt.CodePage]string{
		"":                  "été ÀÉ × 2 · 5 €",
		receipt.CodePage858: "été ÀÉ × 2 · 5 €",
		receipt.CodePage850: "été ÀÉ × 2 · 5 ?",
		receipt.CodePage437: "été AÉ x 2 · 5 ?",
		receipt.Windows1252: "été ÀÉ × 2 · 5 €",
		receipt.ASCII:       "ete AE x 2 | 5 ?",
	} {
		paper := receipt.NewPaper(32, page)
		paper.Text("été ÀÉ × 2 · 5 €", receipt.Plain)
		got, shown := decode(t, paper.Bytes()), paper.Lines()[0].Text
		if got.lines[0].Text != want || shown != want {
			t.Errorf("%s: printed %q, shown %q, want %q", page, got.lines[0].Text, shown, want)
		}
	}
}

func TestTheTestPageShowsEachSetting(t *testing.T) {
	for _, language := range []string{"en", "fr", "mg"} {
		page := receipt.NewTestPage(i18n.Load(language), receipt.Config{Columns: 32})
		got := decode(t, page.Bytes())
		var printed []string
		for _, line := range got.lines {
			printed = append(printed, line.Text)
		}
		if strings.Join(printed, "\n") != strings.Join(page.Lines(), "\n") || got.code != "till" || got.cuts != 1 {
			t.Errorf("%s: %+v, want\n%s", language, got, strings.Join(page.Lines(), "\n"))
		}
		tuitest.Contains(t, strings.Join(printed, "\n"), "858: é", "850: é", "437: é", "1252: é", "ascii: e", "48 "+strings.Repeat("-", 44)+"|")
	}
}

func TestAReceiptForAPrinterWithoutPicturesHasNoCode(t *testing.T) {
	paper := receipt.Of(i18n.Load("en"), receipt.Config{Columns: 32, NoCode: true}, time.UTC, cash(5000, item("Coca", 2000, 1)))
	if got := decode(t, paper.Bytes()); got.code != "" || got.width != 0 {
		t.Errorf("got the code %q", got.code)
	}
}
