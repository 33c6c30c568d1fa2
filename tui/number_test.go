package tui_test

import (
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/tui"
	"checkout/till/tui/counter"
	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

// prints returns a setting that gives the console a network printer, and a function that returns
// what the printer received next.
func prints(t *testing.T) (setting, func() []byte) {
	t.Helper()
	listener, papers := tuitest.Printer(t, "127.0.0.1:0")
	connect := func(c *console) {
		// The fake printer answers no questions, so the console must not wait for answers.
		printer := receipt.Printer{Address: "tcp://" + listener.Addr().String(), NoStatus: true}
		c.config.Receipts = receipt.Config{Printer: printer, Columns: 32}
	}
	return connect, func() []byte { return []byte(<-papers) }
}

// french returns what a French keyboard types if the keys for text on an American keyboard are
// pressed.
func french(text string) string {
	return strings.NewReplacer("1", "&", "2", "é", "3", `"`, "4", "'", "5", "(", "6", "-", "7", "è", "8", "_", "9", "ç", "0", "à",
		"-", ")", "A", "Q", "Q", "A", "Z", "W", "W", "Z", "M", "?", "]", "$").Replace(text)
}

// TestAScannedReceiptOpensItsSale prints a receipt, reads its QR code and scans the text of that
// code. This opens the sale, and a key there prints a copy.
func TestAScannedReceiptOpensItsSale(t *testing.T) {
	connect, printed := prints(t)
	c := open(t, connect)
	c.Pay(c.charge())
	number := c.newest().Reference
	c.wake().after(counter.Grace).press("p").press("p")
	code, err := tuitest.PrintedCode(printed())
	tuitest.Must(t, err)
	if code != number {
		t.Fatalf("the receipt has the code %q, want %q", code, number)
	}
	c.after(counter.Grace).press("enter").wake().enter("Savony 1200").Type("2*")
	c.scan(code).Sees("─ "+number+" ─", "✓ PAID", "9 000", "b money back", "p receipt")
	c.press("p").Sees("COPY").Press("p")
	if again, err := tuitest.PrintedCode(printed()); err != nil || again != number {
		t.Errorf("the copy has the code %q: %v", again, err)
	}
	c.press("esc", "f3").Sees("1  Savony", "1 200", "› 2*")
}

func TestACashSaleOpensByItsNumber(t *testing.T) {
	const number, shown = "T1-GT-C-000001", "─ T1-GT-C-000001 ─"
	c := open(t, func(c *console) { c.config.Receipts = receipt.Config{Columns: 32} })
	c.enter("Menaka 9500", "").press("tab").Press("enter").Sees("CASH", number)
	c.after(counter.Grace).press("enter").wake()
	c.scan(number).Sees(shown, "b money back", "p receipt").Press("p").Sees("CASH 12:00")
	c.press("f3").after(30 * 24 * time.Hour).wake().enter("Savony 1200")
	c.scan(number).Sees(shown, "9 500", "b money back").Press("f3")
	c.Sees("1  Savony")
}

func TestTheSaleOpensFromEveryPlace(t *testing.T) {
	const ms = time.Millisecond
	other := func(c *console) string {
		terms := shoptest.Terms("S9", payments.Item{Label: "Mofo", UnitPrice: 300, Quantity: 5})
		terms.Till = "Quai"
		order, err := c.Checkout(c.t.Context(), terms)
		tuitest.Must(c.t, err)
		return order.Reference
	}
	for name, test := range map[string]struct {
		begin func(c *console)
		text  func(number string) string // Returns what the scanner types, before Enter; nil means the number itself.
		back  []string                   // Texts that the screen shows after F3.
	}{
		"from the empty sale": {back: []string{"nothing yet"}},
		"on a French keyboard with an identifier": {
			text: func(number string) string { return french("]Q1" + number) }, back: []string{"nothing yet"},
		},
		"with caps lock on a French keyboard": {
			text: func(number string) string { return strings.ToUpper(french(number)) },
		},
		"from a typed line": {begin: func(c *console) { c.enter("Coca 2000").Type("Savony 17") }, back: []string{"1  Coca", "› Savony 17"}},
		"at the question Cash": {
			begin: func(c *console) { c.enter("Coca 2000", "").press("tab").Sees("To pay") }, back: []string{"1  Coca", "charges 2 000"},
		},
		"at a note": {
			begin: func(c *console) { c.enter("Coca 2000").press("ctrl+n").Type("Rabe") }, text: french, back: []string{"Rabe", "1  Coca"},
		},
		"at the code":    {begin: func(c *console) { c.charge() }, text: french, back: []string{"… WAITING"}},
		"at the outcome": {begin: func(c *console) { c.paid() }, back: []string{"✓ PAID"}},
		"in a search":    {begin: func(c *console) { c.press("f3", "/").Type("Rab") }, text: french, back: []string{"nothing yet"}},
		"in the health":  {begin: func(c *console) { c.press("f8") }, back: []string{"nothing yet"}},
		"in the help":    {begin: func(c *console) { c.enter("Coca 2000").press("f1").Sees("Type a line") }, back: []string{"1  Coca"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, sells)
			number := other(c)
			typed := number
			if test.text != nil {
				typed = test.text(number)
			}
			c.wake()
			if test.begin != nil {
				test.begin(c)
			}
			orders := len(c.All())
			c.scans(typed, 12*ms, "enter").Sees("─ "+number+" ─", "Mofo", "1 500").Lacks("No article")
			c.press("f3").Sees(test.back...)
			tuitest.Equal(t, len(c.All()), orders, "orders")
		})
	}
}

func TestANumberWithoutASaleKeepsTheOpenSale(t *testing.T) {
	const unknown = "T1-20261121-XX-0099"
	const says = "No sale here has the number " + unknown + ". Search: F3, then /."
	for _, number := range []string{unknown, "T1-XX-C-000099"} {
		c := open(t, sells).enter("Coca 2000")
		c.Type("Savony 17")
		c.after(time.Second).scan(number)
		c.Sees("No sale here has the number "+number, "1  Coca", "› Savony 17").Lacks("No article")
	}
	c := open(t, sells)
	c.charge()
	c.scan(unknown).Sees("… WAITING", says)
	c = open(t).enter("Coca 2000").press("f3").scan(unknown)
	c.Sees(says, "History").Press("esc").Sees("1  Coca")
	c.Break()
	c.scan(unknown).Sees("1  Coca", "THE DATABASE CANNOT BE USED").Lacks("No sale here")
}

func TestATypedNumberOpensItsSale(t *testing.T) {
	c := open(t)
	number := c.charge().Reference
	c.serve().enter("Coca 2000")
	c.enter(strings.ToLower(number)).Sees("─ "+number+" ─", "9 000").Press("f3").Sees("1  Coca", "charges 2 000").Lacks("› t1")
	c.enter("T1-20261121-GT-9").Sees("› T1-20261121-GT-9").Press("esc")
	c.enter("T1-20261121-XX-0099").Sees("No sale here has the number T1-20261121-XX-0099", "› T1-20261121-XX-0099", "1  Coca")
	t.Run("unless an article has that name or code", func(t *testing.T) {
		c := open(t, func(c *console) {
			c.sells("T1-20261121-XX-0001", 500, "")
			c.sells("Mofo", 300, "T1-20261121-XX-0002")
		})
		c.enter("T1-20261121-XX-0001").Sees("1  T1-20261121-XX-0001", "500")
		c.scan("T1-20261121-XX-0002").Sees("2  Mofo")
	})
}

// TestAReceiptDisturbsNoQuestion scans a receipt while its sale must not be opened: the sale would
// replace typed text, or would appear between an order and the order's code.
func TestAReceiptDisturbsNoQuestion(t *testing.T) {
	const says = "A question is open: answer it, or Esc. Then scan again."
	for name, test := range map[string]struct {
		begin func(c *console)
		sees  []string
		lacks string
	}{
		"about a refund": {
			func(c *console) { c.press("f3", "enter").press("b").press("1").Type("9000 cassé") }, []string{says, "9000 cassé"}, "9000 casséT",
		},
		"how money is given back":       {func(c *console) { c.press("f3", "enter").press("b") }, []string{says, "Money back: how?"}, "No article"},
		"about the money in the drawer": {func(c *console) { c.press("f10").press("m").Type("1000") }, []string{says, "1000"}, "1000T"},
		"whether to leave":              {func(c *console) { c.charge(); c.press("ctrl+c") }, []string{says, "Leave till while"}, "History"},
		"while an order is sent": {func(c *console) {
			c.enter("Coca 2000", "")
			c.gate.HoldCommands(tui.Performed[counter.SaveSale])
			c.enter("")
		}, []string{"Asking the payment service", "Scan again in a moment."}, "History"},
		"in the list of articles": {func(c *console) { c.press("f6") }, []string{"─ New article", "T1-20261121-GT-0001"}, "History"},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t)
			c.paid().press("enter").wake()
			number := c.newest().Reference
			test.begin(c)
			c.after(time.Second).scan(number).Sees(test.sees...).Lacks(test.lacks)
		})
	}
}

func TestASaleOpensWithoutTheReceiptOfTheSaleBefore(t *testing.T) {
	c := open(t, func(c *console) { c.config.Receipts = receipt.Config{Columns: 32} })
	c.enter("Menaka 9500", "").press("tab").Press("enter")
	c.after(counter.Grace).press("enter").wake().enter("Savony 1200", "").press("tab").Press("enter")
	c.after(counter.Grace).press("enter").wake()
	c.scan("T1-GT-C-000001").press("p").Sees("Ticket", "TOTAL").Press("p").Sees("No printer")
	c.scan("T1-GT-C-000002").Sees("─ T1-GT-C-000002 ─", "1 200").Lacks("Ticket", "No printer")
	c.press("b").press("2").Type("rendu").Press("enter").Sees("give back 1 200 Ar")
	c.scan("T1-GT-C-000001").Sees("─ T1-GT-C-000001 ─", "9 500").Lacks("give back 1 200 Ar")
}

// TestAKeyAfterAScanIsForTheOpenScreen presses a key after the scan of a receipt, before the
// receipt's sale was read.
func TestAKeyAfterAScanIsForTheOpenScreen(t *testing.T) {
	c := open(t)
	number := c.charge().Reference
	c.serve()
	c.gate.HoldMessages(tui.Found)
	c.scan(number).Sees("nothing yet").Type("Coca 2000").Press("enter")
	c.release().Sees("1  Coca", "charges 2 000").Lacks(number)
}
