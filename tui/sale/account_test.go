package sale_test

import (
	"testing"

	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/tui/counter"
	"checkout/till/tui/keyboard"
	"checkout/till/tui/sale"
	"checkout/till/tui/tuitest"
	"checkout/till/tui/tuitest/shoptest"
)

func onAccount(t *testing.T, at drawer.Store) sale.Model {
	t.Helper()
	return tendering(t, at, drawer.TenderCash, drawer.TenderAccount)
}

func owes(t *testing.T, c *shoptest.Counter, customer string, want money.Ariary) {
	t.Helper()
	debtors, err := c.Debtors(t.Context())
	tuitest.Must(t, err)
	debtor, _ := drawer.FindDebtor(debtors, customer)
	tuitest.Equal(t, debtor.Owed, want, "the debt of %s", customer)
}

func TestASaleGoesOnAnAccount(t *testing.T) {
	c := open(t)
	c.Lend("Rabe", 12_000)
	c.Lend("Rasoa", 500)
	d := enter(drive(t, onAccount(t, c.Store())), "Vary 5000").Press("enter", "tab")
	d.Sees("Tab on account").Press("tab")
	d.Sees("5 000 Ar on account: whose account?", "↓ chooses one below", "Rabe 12 000", "Rasoa 500", "Esc mobile money")
	t.Run("enter alone takes no account", func(t *testing.T) {
		d.Press("enter").Sees("a name is needed")
	})
	t.Run("typing leaves those that fit", func(t *testing.T) {
		d.Type("RAS").Sees("Rasoa").Lacks("Rabe")
		d.Press("ctrl+u")
	})
	t.Run("a part of a name is no name", func(t *testing.T) {
		d.Type("Rab").Press("enter").Sees("No account has the name Rab. ↓ chooses Rabe; Enter again makes a new account.")
		owes(t, c, "Rab", 0)
	})
	t.Run("esc goes back to the charge by a link", func(t *testing.T) {
		d.Press("esc").Sees("Charge 5 000 Ar?").Press("tab", "tab")
	})
	t.Run("a chosen name gets it", func(t *testing.T) {
		d.Press("down").Sees("› Rabe 12 000").Press("enter")
		owes(t, c, "Rabe", 17_000)
		sells(t, d)
	})
	t.Run("a name in another spelling gets it", func(t *testing.T) {
		enter(d, "Vary 1000").Press("enter", "tab", "tab").Type(" RASOA").Press("enter")
		owes(t, c, "Rasoa", 1500)
	})
	t.Run("a new name gets it at the second enter", func(t *testing.T) {
		enter(d, "Vary 1000").Press("enter", "tab", "tab").Type("Jean").Press("enter").Sees("No account has the name Jean").Press("enter")
		owes(t, c, "Jean", 1000)
	})
}

func TestADebtIsPaidLikeASale(t *testing.T) {
	c := open(t)
	c.Lend("Rabe", 12_000)
	d := enter(drive(t, onAccount(t, c.Store())), "Vary 5000")
	d.Send(does(func(c *counter.Counter) {
		debtor, _ := drawer.FindDebtor(c.Debtors(), "Rabe")
		tuitest.Must(t, c.PayDebt(debtor, 8000))
	}))
	d.Sees("Debt of Rabe", "Payment of a debt", "Charge 8 000 Ar?")
	d.Press("tab").Sees("To pay").Lacks("Tab on account")
	d.Press("esc", "esc").Type("Coca 2000").Press("enter").Sees("This is the payment of a debt")
	d.Press("ctrl+u", "enter", "tab", "enter")
	owes(t, c, "Rabe", 4000)
	tuitest.Equal(t, len(alone(d).Screen.Counter.Cart().Held), 1, "held sales")
	if facts := shoptest.Received[counter.TookCash](alone(d)); len(facts) != 1 || facts[0].Sale.Debt == "" {
		t.Errorf("got %+v", facts)
	}
}

func TestF5ListsTheDebtsAndTakesPayments(t *testing.T) {
	c := open(t)
	c.Lend("Rabe", 12_000)
	c.Lend("Rasoa", 500)
	d := drive(t, onAccount(t, c.Store())).Send(hold)
	d.Sees("Debts", "Rabe", "12 000 Ar", "Rasoa", "500 Ar", "21/11/2026", "Enter pay, movements")
	d.Press("enter").Sees("Debt of Rabe", "bought", "-C-000001", "+12 000", "12 000 Ar, all of it", "w write off")
	t.Run("more than the debt is refused", func(t *testing.T) {
		d.Type("12001").Press("enter").Sees("12 000 Ar owed, and 12 001 Ar to pay")
		d.Press("ctrl+u")
	})
	t.Run("a word is no sum", func(t *testing.T) {
		d.Type("0abc").Press("enter").Sees("The amount must be a whole number above zero")
		d.Press("ctrl+u")
	})
	t.Run("a letter after a sum is no command", func(t *testing.T) {
		d.Type("5").Press("w").Sees("5w").Lacks("Write off")
		d.Press("ctrl+u")
	})
	t.Run("a typed sum is charged", func(t *testing.T) {
		d.Type("5000").Press("enter").Sees("Debt of Rabe", "Charge 5 000 Ar?").Press("tab", "enter")
		owes(t, c, "Rabe", 7000)
	})
	t.Run("enter charges all", func(t *testing.T) {
		d.Send(hold).Sees("7 000 Ar").Press("enter").Sees("paid, cash", "−5 000").Press("enter").Sees("Charge 7 000 Ar?").Press("tab", "enter")
		owes(t, c, "Rabe", 0)
	})
	t.Run("a reason writes the rest off", func(t *testing.T) {
		d.Send(hold).Lacks("Rabe").Press("enter", "w").Sees("Write off 500 Ar of the debt of Rasoa: why?")
		d.Press("enter").Sees("Type").Type("moved away").Press("enter").Sees("500 Ar of the debt of Rasoa is written off", "written off", "moved away")
		d.Lacks("w write off", "all of it").Press("enter").Sees("nothing is owed on this account")
		owes(t, c, "Rasoa", 0)
	})
	t.Run("esc goes back", func(t *testing.T) {
		d.Press("esc").Sees("No customer owes anything.").Press("esc").Lacks("Debts")
	})
}

func TestAScanWhileADebtIsPaidAddsOnePiece(t *testing.T) {
	c := open(t)
	c.Lend("Rabe", 12_000)
	d := drive(t, onAccount(t, c.Store())).Type("Sav").Send(hold).Press("enter").Type("5")
	scan(d, varyGasy).Sees("Added: Vary gasy, 3 500 Ar", "› Sav").Lacks("Debt of Rabe")
	sells(t, d, item("Vary gasy", 3500, 1))
}

func TestF5ShowsHeldSalesFirstAndTabTheDebts(t *testing.T) {
	c := open(t)
	c.Lend("Rabe", 12_000)
	d := enter(drive(t, onAccount(t, c.Store())), "Vary 5000").Send(hold).Type("Rina").Press("enter").Send(hold)
	d.Sees("Held sales", "Rina", "Tab debts").Press("tab").Sees("Debts", "Rabe", "Tab held sales").Press("tab").Sees("Rina")
	d.Press("tab").Type("Coca 2000").Press("enter")
	sells(t, d, item("Coca", 2000, 1))
}

func TestTheMovementsAreDrawnBeforeTheyAreRead(t *testing.T) {
	c := open(t)
	c.Lend("Rabe", 12_000)
	c.Lend("Rasoa", 500)
	late := shoptest.Delays[counter.ReadMovements]
	d := slowly(t, onAccount(t, c.Store()), late).Send(hold).Press("down", "enter").Sees("Debt of Rasoa", "500 Ar, all of it")
	t.Run("and those of another customer are ignored", func(*testing.T) {
		d.Send(counter.MovementsRead{Code: "another", Movements: []ledger.Transfer{{Kind: ledger.Waived, Note: "moved away"}}}).Lacks("moved away")
	})
}

// limited returns the screen of a shop that lets a customer owe at most 15,000 Ar. The customer
// Rabe owes 12,000 Ar.
func limited(t *testing.T, c *shoptest.Counter) *tuitest.Driver {
	t.Helper()
	c.Lend("Rabe", 12_000)
	screen := onAccount(t, c.Store())
	screen.Service.CreditLimit = 15_000
	return drive(t, screen)
}

func TestAboveTheLimitAnOwnerIsAsked(t *testing.T) {
	c := open(t)
	c.Hire()
	d := enter(limited(t, c), "Vary 5000").Press("enter", "tab", "tab").Type("rabe").Press("enter")
	d.Sees("Above the limit", "Sell on account to Rabe above the limit?", "17 000 Ar would be owed, and the limit is 15 000 Ar.")
	t.Run("esc goes back to the sale", func(t *testing.T) {
		d.Press("esc").Lacks("Above the limit").Sees("Vary", "5 000")
		owes(t, c, "Rabe", 12_000)
		sells(t, d, item("Vary", 5000, 1))
	})
	d.Press("enter", "tab", "tab").Type("rabe").Press("enter", "enter").Sees("Who", "Hasina", "Soa")
	t.Run("a cashier may not", func(t *testing.T) {
		d.Type("s" + shoptest.SoasPIN).Press("enter").Sees("Only an owner may do this.")
	})
	t.Run("a wrong PIN is none", func(t *testing.T) {
		d.Type("h1111").Press("enter").Sees("The name or the PIN is wrong.")
		owes(t, c, "Rabe", 12_000)
	})
	t.Run("an owner may", func(t *testing.T) {
		d.Type(shoptest.HasinasPIN).Press("enter").Lacks("Above the limit")
		owes(t, c, "Rabe", 17_000)
		sells(t, d)
		facts := shoptest.Received[counter.TookCash](alone(d))
		if len(facts) != 1 || facts[0].Sale.By != "Hasina" {
			t.Errorf("got %+v", facts)
		}
	})
	t.Run("the next sale asks again", func(t *testing.T) {
		enter(d, "Vary 1000").Press("enter", "tab", "tab").Type("rabe").Press("enter").Sees("18 000 Ar would be owed")
	})
}

func TestTheRestOfASaleMayBeAboveTheLimit(t *testing.T) {
	c := open(t)
	d := enter(limited(t, c), "Vary 9000").Press("enter", "tab")
	d.Type("2000").Press("enter", "tab").Type("rabe").Press("enter").Sees("19 000 Ar would be owed").Press("esc").Sees("2 000")
	tuitest.Equal(t, alone(d).Screen.Counter.Cart().Sale.Taken, 2000, "the money taken")
	d.Press("enter", "tab", "tab").Type("rabe").Press("enter", "enter")
	owes(t, c, "Rabe", 19_000)
	sells(t, d)
}

func TestTheQuestionAboveTheLimitEndsWithItsSale(t *testing.T) {
	c := open(t)
	d := enter(limited(t, c), "Vary 5000").Press("enter", "tab", "tab").Type("rabe").Press("enter").Sees("Above the limit")
	t.Run("a scan adds nothing to it", func(t *testing.T) {
		d.Send(func(m sale.Model) sale.Model {
			m, says := m.Scan(keyboard.Scan{Code: "3017620422003"}, false)
			tuitest.Equal(t, says, m.Texts.Sale.AnswerFirst, "the answer to a scan")
			return m
		}).Sees("Above the limit")
	})
	d.Send(hold).Lacks("Above the limit").Type("Rina").Press("enter")
	owes(t, c, "Rabe", 12_000)
	tuitest.Equal(t, len(alone(d).Screen.Counter.Cart().Held), 1, "held sales")
}

func TestALowWindowShowsTheQuestionForAnOwner(t *testing.T) {
	c := open(t)
	c.Hire()
	d := limited(t, c).Resize(80, 16)
	enter(d, "Vary 5000").Press("enter", "tab", "tab").Type("rabe").Press("enter").Sees("above the limit?", "17 000 Ar would be owed", "Enter").Fits()
	d.Press("enter").Sees("Your name and your PIN", "Hasina", "PIN:").Press("esc").Sees("5 000").Fits()
}

// forget passes a read of the debtors without the first one to the counter.
func forget(c *counter.Counter) { c.Take(counter.ReadDebtors{Debtors: c.Debtors()[1:]}) }

// While the customers are listed, a customer is forgotten at another till.
func TestAChosenCustomerWhoIsForgottenIsNotCharged(t *testing.T) {
	c := open(t)
	c.Lend("Rabe", 12_000)
	c.Lend("Rasoa", 500)
	d := enter(drive(t, onAccount(t, c.Store())), "Vary 5000").Press("enter", "tab", "tab", "down").Sees("› Rabe 12 000")
	d.Send(does(forget)).Lacks("› Rasoa").Press("enter").Sees("a name is needed").Press("down").Sees("› Rasoa 500")
	d.Send(takes(counter.ReadDebtors{})).Press("enter").Sees("a name is needed")
}

// While the debts are listed, the debt of the first customer is paid at another till.
func TestACustomerStaysChosenWhenTheDebtsAreReadAgain(t *testing.T) {
	c := open(t)
	for _, name := range []string{"Rabe", "Rasoa", "Soa"} {
		c.Lend(name, 500)
	}
	d := drive(t, onAccount(t, c.Store())).Send(hold).Press("down").Sees("› Rasoa")
	d.Send(does(forget)).Sees("› Rasoa").Lacks("Rabe").Press("enter").Sees("Debt of Rasoa")
}
