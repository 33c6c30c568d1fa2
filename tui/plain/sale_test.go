package plain_test

import (
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
	"checkout/till/tui/cart"
	"checkout/till/tui/plain"
	"checkout/till/tui/receipt"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func TestASaleIsEnteredAndCorrected(t *testing.T) {
	for name, c := range map[string]struct {
		typed []string
		says  []string
		items string
	}{
		"an article by letters":                 {[]string{"coc"}, []string{"1: Coca, 2 000 Ar\n", "Total 2 000 Ar"}, "1 Coca 2000/0"},
		"an article by its code":                {[]string{"5449000000996 x3"}, []string{"1: Coca, 3 at 2 000 Ar, total 6 000 Ar"}, "3 Coca 2000/0"},
		"an article with the name of a command": {[]string{"note"}, []string{"1: Note, 500 Ar"}, "1 Note 500/0"},
		"a label with the name of a command":    {[]string{"1*Link 700"}, []string{"1: Link, 700 Ar"}, "1 Link 700/0"},
		"an argument to a command without arguments": {
			[]string{"coca", "total 500"},
			[]string{"total takes no argument", "1*total 500"},
			"1 Coca 2000/0",
		},
		"cash that is no sum":            {[]string{"coca", "cash x"}, []string{"whole number"}, "1 Coca 2000/0"},
		"no price":                       {[]string{"coca", "Savony"}, []string{"No price is known"}, "1 Coca 2000/0"},
		"too long an entry":              {[]string{strings.Repeat("label ", 30) + "3500"}, []string{"The entry is too long."}, ""},
		"another quantity":               {[]string{"coca", "edit 1 x4"}, []string{"1: Coca, 4 at"}, "4 Coca 2000/0"},
		"another price":                  {[]string{"coca x2", "edit 1 2500"}, []string{"2 at 2 500 Ar"}, "2 Coca 2500/0"},
		"another label":                  {[]string{"Savony 1200 x2", "edit 1 Savon mena"}, []string{"1: Savon mena, 2 at"}, "2 Savon mena 1200/0"},
		"another weight":                 {[]string{"Vary 2500x1,2", "edit 1 x0.75"}, []string{"1: Vary 0.75 at 2 500 Ar, total 1 875 Ar"}, "1 Vary 0.75 1875/0"},
		"another line":                   {[]string{"coca", "e 1 Riz 100"}, []string{"1: Riz, 100 Ar"}, "1 Riz 100/0"},
		"a line to correct, as an entry": {[]string{"coca", "edit"}, []string{"Line 1 is: Coca 2000"}, "1 Coca 2000/0"},
		"an invalid correction":          {[]string{"coca", "edit 1 x0"}, []string{"The quantity must be"}, "1 Coca 2000/0"},
		"a correction with a too large total": {
			[]string{"coca", "Riz 1000000000000", "edit 1 x1000000000"},
			[]string{"too large", "too large"},
			"1 Coca 2000/0",
		},
		"a missing line":        {[]string{"coca", "edit 2 x3", "remove no"}, []string{"There is no line 2.", "There is no line no."}, "1 Coca 2000/0"},
		"a removed line":        {[]string{"coca", "Riz 100", "remove 1"}, []string{"Removed: Coca", "Total 100 Ar"}, "1 Riz 100/0"},
		"the last line removed": {[]string{"coca", "Riz 100", "r"}, []string{"Removed: Riz", "Total 2 000 Ar"}, "1 Coca 2000/0"},
		"an undo":               {[]string{"coca", "r", "u"}, []string{"Removed", "1: Coca, 2 000 Ar"}, "1 Coca 2000/0"},
		"nothing to undo":       {[]string{"undo"}, []string{"There is nothing to undo."}, ""},
		"a discount":            {[]string{"coca", "discount 1 10%"}, []string{"1: Coca, 1 800 Ar (was 2 000 Ar)"}, "1 Coca 1800/2000"},
		"a discount on the whole sale": {
			[]string{"coca", "Vary 3000", "-10 %"}, []string{"500 Ar off: now 4 500 Ar"}, "1 Coca 1800/2000, 1 Vary 2700/3000",
		},
		"a discount on an empty sale": {[]string{"-500"}, []string{"A discount on the whole sale"}, ""},
		"several amounts": {
			[]string{"1500+2000"}, []string{"1: Free amount, 1 500 Ar", "2: Free amount, 2 000 Ar", "Total 3 500 Ar"}, "1 Free amount 1500/0, 1 Free amount 2000/0",
		},
		"an article sold by weight": {
			[]string{"tomate", "750", "750 g"},
			[]string{"Tomate: how many kg? Type 0.75 or 750 g", "Which one? Type 750 g or 750 kg", "1: Tomate 0.75 kg at 4 000 Ar, total 3 000 Ar"},
			"1 Tomate 0.75 kg 3000/0",
		},
		"an article sold by weight, left out": {[]string{"tomate", "", "tomate", "no"}, []string{"how many kg?", "Nothing was done.", "how many kg?", "Nothing was done."}, ""},
		"another entry in place of a weight":  {[]string{"tomate", "coca"}, []string{"how many kg?", "Nothing was done.", "1: Coca"}, "1 Coca 2000/0"},
		"another weight in grams":             {[]string{"2kg tomate", "edit 1 750 g"}, []string{"1: Tomate 2 kg", "1: Tomate 0.75 kg"}, "1 Tomate 0.75 kg 3000/0"},
		"a discount above the price":          {[]string{"coca", "d 1 2100"}, []string{"The command edit changes the price."}, "1 Coca 2000/0"},
		"a note":                              {[]string{"coca", "n Table 4", "lines"}, []string{"Note: Table 4", "Note: Table 4", "Coca"}, "1 Coca 2000/0"},
		"a note shown again":                  {[]string{"n Table 4", "n"}, []string{"Note: Table 4", "Note: Table 4"}, ""},
		"a note removed":                      {[]string{"n Table 4", "n -", "coca", "lines"}, []string{"Note: Table 4", "The sale is empty.", "Total"}, "1 Coca 2000/0"},
		"an empty sale":                       {[]string{"lines", "", "charge", "hold"}, []string{"The sale is empty.", "The sale is empty.", "The sale is empty.", "The sale is empty."}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			at := open(t).types(c.typed...).sees(c.says...).tick()
			tuitest.Equal(t, at.items(), c.items, "the sale")
		})
	}
}

func TestSalesAreHeldAndResumedByName(t *testing.T) {
	c := open(t)
	c.types("resume", "coca", "hold Rabe").sees("No sale is held.", "Held as Rabe. A new sale begins.")
	c.types("Riz 100", "hold RABE").sees("Another sale is already held under this name.")
	c.types("hold").sees("Held as 1.")
	c.types("resume").sees("Rabe: lines 1, 2 000 Ar", "1: lines 1, 100 Ar")
	c.types("resume Rado").sees("No sale is held as Rado.")
	c.types("resume rabe").sees("The sale Rabe is back.", "1: Coca, 2 000 Ar")
	c.types("resume 1").sees("There is a sale with lines already")
	c.types("hold").sees("Held as Rabe.")
	c.types("resume rabe").sees("The sale Rabe is back.")
	tuitest.Equal(t, c.tick().items(), "1 Coca 2000/0", "the sale")
}

// The customer who cannot pay by the code buys less, or pays cash.
func TestTheLinesOfAnOrderReturnToTheSale(t *testing.T) {
	c := open(t)
	order := c.charge()
	c.types("cash 10000").sees("The sale is empty.")
	c.types("coca", "resume "+order.Reference).sees("There is a sale with lines already").types("drop", "yes")
	c.types("resume "+order.Reference).sees("Its lines are back", "1: Riz, 2 at 3 500 Ar", "2: Coca, 2 000 Ar")
	c.types("remove 2", "cash 10000").sees("The code can still be paid").types("yes").sees("CASH: 7 000 Ar, given 10 000 Ar, change 3 000 Ar.")
	c.Pay(order)
	c.sees("CHECK: 9 000 Ar")

	paid := c.charge()
	c.Pay(paid)
	c.sees("PAID: 9 000 Ar").types("resume "+paid.Reference).sees("PAID: 9 000 Ar", "No new order is made from this one.")
	c.types("lines").sees("The sale is empty.")
}

func TestAnUnsavedSaleIsSavedAtTheEnd(t *testing.T) {
	c := open(t)
	c.Break()
	c.types("coca").sees("It could not be written to disk.")
	c.Mend()
	c.stop()
	c.ends()
	again := at(t, c.Counter)
	again.paper.read = 0
	again.sees("The previous sale is back.", "1: Coca")
}

func TestHelpNamesEveryCommandInEveryLanguage(t *testing.T) {
	customer := func(context.Context, string, payments.EventKind) error { return nil }
	for _, code := range []string{"en", "fr", "mg"} {
		t.Run(code, func(t *testing.T) {
			c := begin(t, shoptest.Open(t), func(config *plain.Config) { config.Customer, config.Texts = customer, i18n.Load(code) })
			c.types("?")
			verbs := i18n.Load(code).Verbs
			c.sees(verbs.Lines, verbs.Charge, verbs.Done, verbs.Quit, verbs.Pay, verbs.Expire)
			for _, text := range []string{verbs.Lines, verbs.Undo, verbs.Waiting, verbs.Check, verbs.Health, verbs.Help} {
				word, _, _ := strings.Cut(text, ",")
				word, _, _ = strings.Cut(word, ":")
				c.types(strings.ToUpper(word)).lacks(i18n.Load(code).Hints.NoPrice.With(strings.ToUpper(word)))
			}
		})
	}
}

func TestEachWordNamesOneCommand(t *testing.T) {
	for _, code := range []string{"en", "fr", "mg"} {
		means := map[string]string{}
		for name, words := range commandWords(code) {
			for _, word := range words {
				if other := means[word]; other != "" {
					t.Errorf("%s: %s means %s and %s", code, word, other, name)
				}
				means[word] = name
			}
		}
	}
}

// A word that is no command becomes an article, so "especes 10000" would sell something for 10 000
// Ar. The exception is "credit 5000": many shops sell that for a phone.
func TestEachCommandIsAlsoReadWithoutAccents(t *testing.T) {
	for _, code := range []string{"en", "fr", "mg"} {
		for name, words := range commandWords(code) {
			for _, word := range words {
				if bare := withoutAccents(word); bare != "credit" && !slices.Contains(words, bare) {
					t.Errorf("%s: the command %s is read as %s, but not as %s", code, name, word, bare)
				}
			}
		}
	}
	d := begin(t, shoptest.Open(t), func(config *plain.Config) { config.Texts = i18n.Load("fr") })
	d.types("Riz 3500 x2", "especes 10000").sees("ESPÈCES").lacks("especes, 10 000 Ar")
}

// commandWords returns the words of each command of the line mode in a language.
func commandWords(code string) map[string][]string {
	texts := i18n.Load(code)
	all := map[string][]string{}
	add := func(name, says string) {
		head, _, _ := strings.Cut(says, ":")
		all[name] = strings.Split(strings.TrimSpace(head), ", ")
	}
	verbs := reflect.ValueOf(texts.Verbs)
	for i := range verbs.NumField() {
		add(verbs.Type().Field(i).Name, verbs.Field(i).String())
	}
	for tender, says := range texts.TenderVerbs {
		add(tender, says)
	}
	return all
}

func withoutAccents(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
}

func TestATestAccountIsNamedInTheFirstLine(t *testing.T) {
	c := open(t, func(config *plain.Config) { config.Test = true })
	if !strings.HasPrefix(c.paper.text, "TEST: no real money\n") {
		t.Errorf("the output begins with\n%s", c.paper.text)
	}
}

func TestASaleIsDroppedAfterAQuestion(t *testing.T) {
	c := open(t)
	c.types("Riz 3500 x2", "drop", "no").sees("Drop this sale, 7 000 Ar? yes or no?", "Nothing was done.")
	c.types("drop", "coca").sees("yes or no?", "Nothing was done.", "2: Coca, 2 000 Ar", "Total 9 000 Ar")
	c.types("drop", "yes").sees("The sale is empty.").tick()
	tuitest.Equal(t, c.items(), "", "the stored lines")
	c.types("undo").sees("1: Riz", "Total 9 000 Ar").tick()
	tuitest.Equal(t, c.items(), "2 Riz 3500/0, 1 Coca 2000/0", "the stored lines")
}

func left(t *testing.T, store payments.Store) int {
	t.Helper()
	sales, err := store.Sales(t.Context(), shoptest.Till)
	tuitest.Must(t, err)
	return len(sales)
}

func TestSalesAreEnteredWhileTheDatabaseIsDown(t *testing.T) {
	shared, disk := shoptest.Database(t), shoptest.Database(t)
	shop := shoptest.New(t, shared, payments.WithDrafts(disk))
	shop.Break()
	c := begin(t, shop, func(config *plain.Config) {
		config.Health = func() payments.Health {
			return payments.Health{
				Listening: true, Shared: true, Heard: shop.Now().Add(-12 * time.Second), Listeners: []payments.Listener{{Name: "server:8788"}},
			}
		}
	})
	c.sees("NO DATABASE: cannot charge, nothing shown is certain")
	c.types("Vary 3500", "charge").sees("Total 3 500 Ar", "nothing can be charged; what is typed is kept on this till")
	c.types("health").sees("NO DATABASE")
	c.Mend()
	c.tick().sees("listens")
	c.types("total").sees("Total 3 500 Ar")
	tuitest.Equal(t, left(t, shared), 0, "sales in the shop's database")
	tuitest.Equal(t, left(t, disk), 1, "sales on the local disk")
	c.types("charge").sees("Charge 3 500 Ar?").types("yes").sees("WAITING: 3 500 Ar")
	c.types("total").sees("The sale is empty.")
}

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
	c.types("again T1-20261121-GT-0001").sees("PAID", "Refunded: −2 000")
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
	tuitest.Equal(t, c.Find(order.Reference).Finding, nil, "the finding")
	tuitest.Equal(t, c.Find(order.Reference).Refunds.Sum(), 0, "the refunds")
	c.types("refund " + order.Reference + " 500 broken").sees("500 Ar given back, 500 Ar so far")
	c.types("refund " + order.Reference + " 500 broken").sees("500 Ar given back, 1 000 Ar so far")
}

func TestReceiptsAreShownAndPrintedInLineMode(t *testing.T) {
	t.Parallel()
	printer, papers := tuitest.Printer(t, "127.0.0.1:0")
	c := open(t, func(config *plain.Config) {
		config.Receipts = receipt.Config{Columns: 32, When: receipt.Always, Printer: receipt.Printer{Address: "tcp://" + printer.Addr().String(), NoStatus: true}}
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
		config.Receipts = receipt.Config{Columns: 32, Printer: receipt.Printer{Address: "tcp://" + printer.Addr().String(), NoStatus: true}}
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
	c.types("drop", "yes").sees("The sale is empty", "Take 500 Ar out of the drawer.")
	opens("the part of a dropped sale")
	c.types("open").sees("Drawer opened")
	opens("the word")
	account, err := c.Service.Account(t.Context(), "T1")
	tuitest.Must(t, err)
	tuitest.Equal(t, account.Moves["open"].Count, 1, "times that the drawer was opened")
	tuitest.Equal(t, len(account.Trace), 3, "entries of the account")
	c.Hire()
	c.types("open").sees("A name and a PIN are needed")
}

func TestACardPaysTheRestInLineMode(t *testing.T) {
	c := open(t, func(c *plain.Config) { c.Tenders = drawer.CounterTenders() })
	c.types("Riz 3500 x2", "cash 5000", "no").sees("Nothing was recorded. Give the 5 000 Ar back, or charge again.")
	c.types("cash abc").sees("The amount must be a whole number above zero").lacks("price")
	c.types("cash 5000").sees("Charge the rest, 2 000 Ar, by mobile money? yes or no?").lacks("How is").types("card").sees("CARD: 2 000 Ar. T1-GT-C-000002")
	c.types("coca", "card 500").sees("card 500")
}

func TestASaleOnAccountNeedsANameInLineMode(t *testing.T) {
	c := open(t, func(c *plain.Config) { c.Tenders = drawer.CounterTenders() })
	c.types("Riz 3500", "account").sees("Say whose account: a name is needed")
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

func TestACreditIsListedWithoutADayInLineMode(t *testing.T) {
	c := open(t, func(c *plain.Config) { c.Tenders = drawer.CounterTenders() })
	sold := c.Lend("Rabe", 7000)
	c.types("debts").sees("Rabe: 7 000 Ar since ")
	c.types("debts Rabe 7000").sees("Charge 7 000 Ar?").types("cash").sees("owes nothing any more")
	c.Void(sold.Number)
	c.types("debts").sees("Rabe has a credit of 7 000 Ar")
}

func TestADebtIsPaidByAnAmountWithBlanksInLineMode(t *testing.T) {
	c := open(t, func(c *plain.Config) { c.Tenders = drawer.CounterTenders() })
	c.Lend("Rabe", 7000)
	c.Lend("Soa 2", 9000)
	c.types("debts Rabe 1 500").sees("Charge 1 500 Ar?").types("cash").sees("Rabe still owes 5 500 Ar")
	c.types("debts Soa 2 1 000").sees("Charge 1 000 Ar?").types("cash").sees("Soa 2 still owes 8 000 Ar")
	for _, wrong := range []string{"debts Rabe 1 00", "debts Rabe abc", "debts 1 000", "debts Rabe 0"} {
		c.types(wrong).sees("no account has this name").lacks("Charge")
	}
}

// The line mode asks for no PIN, so the cashier gives the money back by a command.
func TestLineModeSaysHowToDropAPartPaidSaleInAShopWithCashiers(t *testing.T) {
	c := open(t)
	c.Hire()
	c.Reply(shoptest.Refuse("no"))
	c.types("Riz 3500 x2", "cash 5000", "yes").sees("REFUSED")
	c.types("drop", "yes").sees("A name and a PIN are needed", "till cash void T1-GT-C-000001 WHY --by NAME")
	owner := staff.Identity{Name: "Hasina", PIN: secret.New(shoptest.HasinasPIN)}
	_, err := c.VoidSale(t.Context(), "T1", "T1-GT-C-000001", "dropped", owner)
	tuitest.Must(t, err)
	c.types("drop", "yes").sees("has changed").types("drop").sees("Drop this sale, 7 000 Ar?").types("yes").sees("The sale is empty")
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
	c.types("account Rabo").lacks("once more").sees("The sale is empty.")
	c.types("coca", "account Rabo").sees("once more").types("cash").sees("CASH")
	c.types("coca", "account Rabo").sees("once more").types("account Rabo").sees("Rabo")
}

func TestNewsBeginOnANewLine(t *testing.T) {
	for name, c := range map[string]struct {
		echoes bool
		want   string
	}{
		"the terminal echoes input":        {true, "one\n> \ntwo\n> three\n\n> \n"},
		"the terminal does not echo input": {false, "one\n> \ntwo\n> typed\nthree\n\n> \n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			p := plain.NewPrinter(&out, strings.Clone, c.echoes)
			p.Say("one")
			p.Ask("> ")
			p.Ask("> ")
			p.Say("two")
			p.Ask("> ")
			p.Took("typed")
			p.Say("three")
			p.Say("")
			p.Ask("> ")
			if err := errors.Join(p.Close(), p.Close()); err != nil || out.String() != c.want {
				t.Errorf("got %q, %v, want %q", out.String(), err, c.want)
			}
		})
	}
}

func TestOnlyPrintableCharactersAreWritten(t *testing.T) {
	var out strings.Builder
	p := plain.NewPrinter(&out, func(text string) string { return text + "\x1b[0m" }, false)
	p.Say("T1 \x1b[31mred\x07\x00\r\x9b1m\u202e\u200b\xff\ttab\u2028 é")
	p.Ask("\x1b]0;title\x07> ")
	p.Took("\x1b[2J\x7f")
	if want := "T1 [31mred\ufffd1m\ufffdtab é[0m\n]0;title> [0m[2J[0m\n"; p.Close() != nil || out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestLinesAreReadWithAnyLineEnd(t *testing.T) {
	long := strings.Repeat("x", 5000)
	in := strings.NewReader("one\r\n\n" + long + "\ntwo\nlast")
	var got []string
	for text := range plain.Read(t.Context(), in) {
		got = append(got, text)
	}
	tuitest.Equal(t, got, []string{"one", "", long[:4096], "two", "last"}, "the lines")
}

func TestReadEndsWithItsContext(t *testing.T) {
	in, typed := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	lines := plain.Read(ctx, in)
	cancel()
	_, err := io.WriteString(typed, "nobody takes it\n")
	tuitest.Must(t, err)
	tuitest.Must(t, typed.Close())
	for text := range lines {
		tuitest.Equal(t, text, "nobody takes it", "the line")
	}
}
