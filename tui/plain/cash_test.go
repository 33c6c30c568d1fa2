package plain_test

import (
	"strings"
	"testing"

	"checkout/till/payments/drawer"
	"checkout/till/payments/staff"
	"checkout/till/tui/cart"
	"checkout/till/tui/plain"
	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestCashIsGivenBackInLineMode(t *testing.T) {
	c := open(t)
	c.Pay(c.charge())
	c.types("coca", "cash 5000").sees("T1-GT-C-000001")
	for typed, want := range map[string]string{
		"refund": "refund: cash that is given back", "refund T1-GT-C-000001 broken": "refund: cash", "refund T1-GT-C-000001 2001 broken": "at most 2 000 Ar",
		"refund T1-GT-C-000001 500": "Add the reason", "refund T1-GT-C-000009 500 broken": "no such order",
	} {
		c.types(typed).sees(want)
	}
	c.types("refund T1-GT-C-000001 500 broken").sees("T1-GT-C-000001: 500 Ar given back, 500 Ar so far")
	c.types("refund T1-20261121-GT-0001 2 000 one is broken").sees("T1-20261121-GT-0001: 2 000 Ar given back, 2 000 Ar so far")
	c.types("refund T1-20261121-GT-0001 #4 a mistake").sees("Refunds taken back: #4")
	c.types("refund T1-20261121-GT-0001 #4 a mistake").sees("no refund of this sale with this number")
	_, err := c.VoidSale(t.Context(), "T1", "T1-GT-C-000001", "wrong", staff.Identity{})
	tuitest.Must(t, err)
	c.types("refund T1-GT-C-000001 500 broken").sees("voided before")
	c.Hire()
	c.types("refund T1-20261121-GT-0001 500 broken").sees("A name and a PIN are needed")
}

// An event contradicts the payment after the line mode has printed PAID.
func TestARefundInLineModeHidesNoEvent(t *testing.T) {
	c := open(t)
	terms := shoptest.Terms("S2")
	terms.Till = "T2" // The line mode does not tell the outcomes of another till.
	order, err := c.Checkout(t.Context(), terms)
	tuitest.Must(t, err)
	c.Pay(order)
	c.types("again " + order.Reference).sees("PAID")
	c.Fail(order, "contradicted")
	c.types("refund " + order.Reference + " 500 broken").sees("CHECK")
	if now := c.Find(order.Reference); now.Finding != nil || now.Refunds.Sum() != 0 {
		t.Errorf("the cashier saw PAID, and recorded %+v and %+v", now.Finding, now.Refunds)
	}
	c.types("refund " + order.Reference + " 500 broken").sees("500 Ar given back, 500 Ar so far")
	c.types("refund " + order.Reference + " 500 broken").sees("500 Ar given back, 1 000 Ar so far")
}

func TestReceiptsAreShownAndPrintedInLineMode(t *testing.T) {
	t.Parallel()
	printer, papers := tuitest.Printer(t, "127.0.0.1:0")
	c := open(t, func(config *plain.Config) {
		config.Receipts = receipt.Config{Columns: 32, When: receipt.Always, Printer: receipt.Printer{Address: "tcp://" + printer.Addr().String()}}
	})
	c.types("receipt").sees("There is no receipt").types("receipt T1-GT-C-000009").sees("no such order")
	c.types("coca", "cash 5000").sees("T1-GT-C-000001")
	if paper := <-papers; !strings.Contains(paper, "T1-GT-000001") || !strings.Contains(paper, "3 000") {
		t.Errorf("the receipt of the cash sale is %q", paper)
	}
	c.types("receipt").sees("Ticket T1-GT-000001", "Coca", "TOTAL", "2 000 Ar", "3 000")
	c.Pay(c.charge())
	tuitest.Contains(t, <-papers, "T1-GT-000002")
	c.types("receipt").sees("Ticket T1-GT-000002").types("print T1-GT-C-000001").sees("Printing", "Sent to the printer.")
	tuitest.Contains(t, <-papers, "COPY")
}

func TestTheLineModeTellsThatThePrinterFails(t *testing.T) {
	c := open(t, func(config *plain.Config) {
		config.Receipts = receipt.Config{Columns: 32, When: receipt.Always, Printer: receipt.Printer{Address: "/dev/usb/no-such-printer"}}
	})
	c.Pay(c.charge())
	c.sees("The printer cannot be reached").types("coca", "cash")
	tuitest.Must(t, c.in.Close())
	c.ends().sees("T1-GT-C-000001", "The printer cannot be reached")
}

// The cash drawer opens at each movement of cash. In a shop with cashiers, it opens only with a
// PIN.
func TestTheDrawerOpensInLineMode(t *testing.T) {
	t.Parallel()
	printer, papers := tuitest.Printer(t, "127.0.0.1:0")
	c := open(t, func(config *plain.Config) {
		config.Receipts = receipt.Config{Columns: 32, Printer: receipt.Printer{Address: "tcp://" + printer.Addr().String()}}
	})
	opens := func(what string) {
		t.Helper()
		if paper := <-papers; !strings.Contains(paper, "\x1bp\x00") {
			t.Errorf("%s: the printer got %q", what, paper)
		}
	}
	c.types("coca", "cash 5000").sees("T1-GT-C-000001")
	opens("a cash sale")
	c.types("refund T1-GT-C-000001 500 broken").sees("500 Ar given back")
	opens("a refund")
	c.Reply(shoptest.Refuse("no"))
	c.types("coca", "cash 500", "yes").sees("REFUSED")
	opens("a part")
	c.types("drop", "yes").sees("The sale is empty")
	opens("the part of a dropped sale")
	c.types("open").sees("Drawer opened")
	opens("the word")
	account, err := c.Service.Account(t.Context(), "T1")
	tuitest.Must(t, err)
	if account.Moves["open"].Count != 1 || len(account.Trace) != 3 {
		t.Errorf("the account is %+v", account)
	}
	c.Hire()
	c.types("open").sees("A name and a PIN are needed")
}

func TestACardPaysTheRestInLineMode(t *testing.T) {
	c := open(t, func(c *plain.Config) { c.Tenders = drawer.CounterTenders() })
	c.types("Riz 3500 x2", "cash 5000").sees("How is the rest paid, 2 000 Ar?").types("card").sees("CARD: 2 000 Ar. T1-GT-C-000002")
	c.types("coca", "card 500").sees("card 500")
}

// Another till took the rest meanwhile, so nothing is given back.
func TestADroppedSaleThatIsPaidMeanwhileEndsInLineMode(t *testing.T) {
	c := open(t)
	c.Reply(shoptest.Refuse("no"))
	c.types("Riz 3500 x2", "cash 5000", "yes").sees("REFUSED")
	sales, err := c.Service.Sales(t.Context(), "T1")
	tuitest.Must(t, err)
	terms := cart.TermsOf(sales[0])
	terms.Till = "T2"
	c.Sell(terms, shoptest.Cash())
	c.types("drop", "yes").sees("This sale was charged meanwhile and has ended. No money was given back.")
}

// The service took the order, and its link can still be paid.
func TestAfterTheRestWasNotPaidTheLineModeSaysThatTheSaleIsBack(t *testing.T) {
	c := open(t)
	c.types("Riz 3500 x2", "cash 5000", "yes").sees("WAITING: 2 000 Ar")
	c.Fail(c.All()[0], "no")
	c.sees("NOT PAID").types("done", "yes").sees("The sale is back: charge what is left.").lacks("did not take")
}

func TestAboveTheLimitTheLineModeSaysHowAnOwnerSells(t *testing.T) {
	c := open(t, func(config *plain.Config) {
		config.Tenders = []drawer.Tender{drawer.TenderCash, drawer.TenderAccount}
		config.Service.CreditLimit = 1000
	})
	c.types("coca", "account Rabe", "account Rabe").sees("2 000 Ar would be owed, and the limit is 1 000 Ar: an owner sells it with till cash sale --by OWNER")
	c.types("lines").sees("Coca")
}

func TestANewCustomerIsConfirmedForOneSaleOnly(t *testing.T) {
	c := open(t, func(config *plain.Config) {
		config.Tenders = []drawer.Tender{drawer.TenderCash, drawer.TenderAccount}
	})
	c.types("coca", "account Rabo").sees("once more").types("cash").sees("CASH")
	c.types("coca", "account Rabo").sees("once more").types("account Rabo").sees("Rabo")
}
