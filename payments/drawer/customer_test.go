package drawer_test

import (
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
	"checkout/till/payments/staff"
)

// onAccount is a sale on the account of a customer, who may be new.
func onAccount(name string) drawer.Paying {
	return drawer.Paying{Tender: drawer.TenderAccount, Customer: name, New: true}
}

// onAccount makes a sale of 7,000 Ar on account.
func (s *till) onAccount(t *testing.T, sale, name string) drawer.CounterSale {
	t.Helper()
	return s.take(t, terms(sale), onAccount(name))
}

// debtTerms returns the terms for a payment of a debt.
func debtTerms(sale string, debt ledger.Account, amount money.Ariary) payments.Terms {
	return payments.Terms{Sale: sale, Till: "T1", Debt: debt, Items: []payments.Item{{Label: "Debt", UnitPrice: amount, Quantity: 1}}}
}

func (s *till) repay(t *testing.T, sale string, debt ledger.Account, amount money.Ariary) drawer.CounterSale {
	t.Helper()
	return s.take(t, debtTerms(sale, debt, amount), inCash())
}

func (s *till) debtors(t *testing.T) []drawer.Debtor {
	t.Helper()
	all, err := s.Debtors(t.Context())
	must(t, err)
	return all
}

func (s *till) debtor(t *testing.T, name string) drawer.Debtor {
	t.Helper()
	debtor, _ := drawer.FindDebtor(s.debtors(t), name)
	return debtor
}

func (s *till) writeOff(t *testing.T, name string, amount money.Ariary) {
	t.Helper()
	must(t, s.WriteOff(t.Context(), "T1", name, amount, "moved away", staff.Identity{}))
}

func (s *till) rename(t *testing.T, from, to string) {
	t.Helper()
	must(t, s.Rename(t.Context(), "T1", from, to, staff.Identity{}))
}

func (s *till) owes(t *testing.T, name string, want money.Ariary) {
	t.Helper()
	if got := s.debtor(t, name).Owed; got != want {
		t.Errorf("%s owes %d, want %d", name, got, want)
	}
}

func TestOneCustomerHasOneAccountHoweverTheNameIsSpelt(t *testing.T) {
	s := open(t)
	first := s.onAccount(t, "S1", "Rabe H\u00e9l\u00e8ne")
	for _, name := range []string{"  rabe   H\u00c9L\u00c8NE\u200b ", "Rabe He\u0301le\u0300ne", "RABE HE\u200d\u0301LE\u0300NE"} {
		again := s.onAccount(t, "S"+name, name)
		if again.Account != first.Account || !again.Account.IsCustomer() || again.Tender() != drawer.TenderAccount {
			t.Errorf("%q: got %q and %q", name, first.Account, again.Account)
		}
	}
	s.owes(t, "RABE h\u00e9l\u00e8ne", 28_000)
	if all := s.debtors(t); len(all) != 1 || all[0].Name != "Rabe H\u00e9l\u00e8ne" {
		t.Errorf("got %+v", all)
	}
	for name, want := range map[string]error{"Rasoa": drawer.ErrNoCustomer, " ": drawer.ErrNameNeeded} {
		mustFail(t, failure(s.Take(t.Context(), terms("S3"), drawer.Paying{Tender: drawer.TenderAccount, Customer: name})), want)
	}
}

func TestTwoTillsThatMakeOneNameAtTheSameTimeShareIt(t *testing.T) {
	store := openStore(t)
	var group sync.WaitGroup
	for i, name := range []string{"Rabe", "RABE"} {
		till := newTill(store)
		group.Go(func() { till.onAccount(t, string(rune('A'+i)), name) })
	}
	group.Wait()
	all, err := newTill(store).Debtors(t.Context())
	if must(t, err); len(all) != 1 || all[0].Owed != 14_000 {
		t.Errorf("got %+v", all)
	}
}

func TestASaleOnAccountIsASaleAndThePaymentOfTheDebtIsNone(t *testing.T) {
	s := open(t)
	sold := s.onAccount(t, "S1", "Rabe")
	s.repay(t, "D1", sold.Account, 2000)
	order := s.checkout(t, debtTerms("D2", sold.Account, 1500))
	s.pay(t, order)
	card := s.take(t, debtTerms("D3", sold.Account, 500), drawer.Paying{Tender: drawer.TenderCard})
	if card.Account != ledger.Card || card.Debt != sold.Account {
		t.Errorf("got %+v", card)
	}
	s.owes(t, "Rabe", 3000)
	sale := money.Sum{Count: 1, Amount: 7000}
	account := s.account(t, "T1")
	if account.Taken() != sale || account.Flows[drawer.TenderAccount].Taken != sale || account.Expected() != 2000 || account.Received.Count != 0 {
		t.Errorf("the account has %+v", account)
	}
	for tender, amount := range map[drawer.Tender]money.Ariary{drawer.TenderCash: 2000, drawer.TenderLink: 1500, drawer.TenderCard: 500} {
		if got := account.Debts[tender]; got != (money.Sum{Count: 1, Amount: amount}) {
			t.Errorf("debts paid by %s: got %+v", tender, got)
		}
	}
	period := s.today()
	day := s.day(t, period)
	if day.Taken() != sale || day.Debts != (money.Sum{Count: 3, Amount: 4000}) || day.Owed != (money.Sum{Count: 1, Amount: 3000}) ||
		len(day.Sold) != 1 || len(day.Hours) != 1 || day.Hours[0].Sum != sale {
		t.Errorf("the day has %+v", day)
	}
	if day.Orders != 0 || day.Verdicts[payments.VerdictPaid] != (money.Sum{}) {
		t.Errorf("the payment of a debt is an order of the day: %+v", day.Verdicts)
	}
	entries := s.journal(t, period)
	if len(entries) != 4 || entries[0].Amount != 7000 || entries[1].Amount != 0 || entries[1].Debt != 2000 {
		t.Errorf("the journal has %+v", entries)
	}
	if closing := s.close(t); closing.GrandTotal != 7000 || closing.Owed != day.Owed {
		t.Errorf("the closing has %+v", closing)
	}
	s.repay(t, "D4", sold.Account, 3000)
	if owed := s.day(t, period).Owed; owed != (money.Sum{}) {
		t.Errorf("after the last payment %+v is owed", owed)
	}
	if all := s.closings(t, period); len(all) != 1 || all[0].Owed != day.Owed {
		t.Errorf("the closing does not keep the debts of its time: %+v", all)
	}
}

func TestACustomerPaysNoMoreThanTheDebt(t *testing.T) {
	s := open(t)
	debt := s.onAccount(t, "S1", "Rabe").Account
	_, err := s.Take(t.Context(), debtTerms("D1", debt, 7001), inCash())
	if owed, is := errors.AsType[*payments.OwedError](err); !is || *owed != (payments.OwedError{Owed: 7000, Amount: 7001}) {
		t.Errorf("got %v", err)
	}
	order := s.checkout(t, debtTerms("D2", debt, 5000))
	s.repay(t, "D3", debt, 2000) // The link can still pay the rest of the debt.
	objected(t, failure(s.Take(t.Context(), debtTerms("D4", debt, 1), inCash())), payments.SalePayable)
	s.take(t, again(debtTerms("D4", debt, 1000)), inCash())
	s.pay(t, order)
	s.owes(t, "Rabe", -1000) // The money is not lost: the shop owes it to the customer.
	mustFail(t, failure(s.Take(t.Context(), debtTerms("D5", debt, 1), onAccount("Rabe"))), drawer.ErrNoTender)
}

func TestNoCashIsGivenBackForASaleOnAccount(t *testing.T) {
	s := open(t)
	sold := s.onAccount(t, "S1", "Rabe")
	mustFail(t, s.tryRefund(t, "T1", sold.Number, true, 7000), drawer.ErrOnAccount)
	from, err := s.Refundable(t.Context(), sold.Number, true)
	if must(t, err); from.Left != 0 || s.account(t, "T1").Expected() != 0 {
		t.Errorf("%+v can be given back in cash for what nobody paid", from)
	}
	paid := s.repay(t, "D1", sold.Account, 7000)
	s.refund(t, "T1", sold.Number, false, 7000)
	s.owes(t, "Rabe", -7000)
	must(t, s.Refund(t.Context(), "T1", drawer.Given{Ref: paid.Number, InCash: true, All: true, Net: 7000, Note: "broken"}, staff.Identity{}))
	s.owes(t, "Rabe", 0)
	if account := s.account(t, "T1"); account.Expected() != 0 || account.Taken().Amount != 0 {
		t.Errorf("all was given back, and the account has %+v", account)
	}
}

func TestARepeatedChangeOfADebtIsMadeOnce(t *testing.T) {
	s := open(t)
	debt := s.onAccount(t, "S1", "Rabe").Account
	for range 2 {
		paid, err := s.Once("pay").Take(t.Context(), debtTerms("D1", debt, 1000), inCash())
		must(t, err)
		if paid.Debt != debt {
			t.Errorf("got %+v", paid)
		}
		must(t, s.Once("off").WriteOff(t.Context(), "T1", "Rabe", 500, "moved away", staff.Identity{}))
		must(t, s.Once("name").Rename(t.Context(), "T1", "Rabe", "Rabe Jean", staff.Identity{}))
	}
	s.owes(t, "Rabe", 0)
	s.owes(t, "Rabe Jean", 5500)
	other := debtTerms("D1", ledger.Customer("other"), 1000)
	mustFail(t, failure(s.Once("pay").Take(t.Context(), other, inCash())), drawer.ErrIDTaken)
}

func TestAWriteOffNeedsAReasonAnAmountAndAnOwner(t *testing.T) {
	s := open(t)
	s.onAccount(t, "S1", "Rabe")
	off := func(amount money.Ariary, reason string, who staff.Identity) error {
		return s.WriteOff(t.Context(), "T1", "rabe", amount, reason, who)
	}
	for _, amount := range []money.Ariary{0, -1, 7001} {
		if _, is := errors.AsType[*payments.OwedError](off(amount, "x", staff.Identity{})); !is {
			t.Errorf("%d Ar were written off", amount)
		}
	}
	mustFail(t, off(1, " ", staff.Identity{}), drawer.ErrReasonNeeded)
	owner, cashier := s.hire(t)
	mustFail(t, off(1, "x", cashier), staff.ErrNotOwner)
	must(t, off(2000, "moved away", owner))
	s.owes(t, "Rabe", 5000)
	moved, err := s.Movements(t.Context(), s.debtor(t, "Rabe").Code)
	must(t, err)
	if last := moved[len(moved)-1]; last.Kind != ledger.Waived || last.By != owner.Name || last.Note != "moved away" || last.To != ledger.WrittenOff {
		t.Errorf("got %+v", last)
	}
	if day := s.day(t, s.today()); day.WrittenOff.Amount != 2000 || day.Taken().Amount != 7000 || day.Debts.Count != 0 || len(s.account(t, "T1").Trace) != 1 {
		t.Errorf("the day has %+v", day)
	}
}

func TestAVoidedSaleIsNotOwedUnderTheNameThatItsDebtWasMovedTo(t *testing.T) {
	s := open(t)
	sale := s.onAccount(t, "S1", "Rabe")
	s.rename(t, "Rabe", "Rabe Jean")
	s.onAccount(t, "S2", "Rabe Jean")
	s.rename(t, "Rabe Jean", "Jean")
	s.writeOff(t, "Jean", 1000)
	s.void(t, "T1", sale.Number)
	for name, want := range map[string]money.Ariary{"Rabe": 0, "Rabe Jean": 0, "Jean": 6000} {
		s.owes(t, name, want)
	}
	s.void(t, "T1", s.onAccount(t, "S3", "Rabe").Number)
	s.owes(t, "Jean", 6000)
}

// A refund reverses write-offs and moves of the debt. Taking it back makes them again: the customer
// must not owe again what was written off.
func TestARefundThatIsTakenBackLeavesTheDebtsAsTheyWere(t *testing.T) {
	s := open(t)
	sale := s.onAccount(t, "S1", "Rabe")
	s.rename(t, "Rabe", "Jean")
	s.writeOff(t, "Jean", 4000)
	owed := map[string]money.Ariary{"Rabe": 0, "Jean": 3000}
	expect := func(waived money.Ariary) {
		t.Helper()
		for name, want := range owed {
			s.owes(t, name, want)
		}
		if got := s.day(t, s.today()).WrittenOff.Amount; got != waived {
			t.Errorf("%d are written off, want %d", got, waived)
		}
	}
	for range 2 {
		refund := s.refund(t, "T1", sale.Number, false, 7000)
		s.owes(t, "Jean", 0)
		s.now = s.now.Add(time.Minute)
		must(t, s.tryTakeBack(t, "T2", sale.Number, refund.ID))
		expect(4000)
	}
	s.now = s.now.Add(time.Minute)
	s.void(t, "T1", sale.Number)
	owed["Jean"] = 0
	expect(0)
}

func TestAnAccountNamesWhoseDebtsWereWrittenOffOrMoved(t *testing.T) {
	s := open(t)
	rabe := s.onAccount(t, "S1", "Rabe").Account
	soa := s.onAccount(t, "S2", "Soa").Account
	s.writeOff(t, "Rabe", 2000)
	s.rename(t, "Rabe", "Rabe Jean")
	jean := s.debtor(t, "Rabe Jean").Account()
	want := map[ledger.Account]string{rabe: "Rabe", jean: "Rabe Jean"}
	if got := s.account(t, "T1").Names; !maps.Equal(got, want) {
		t.Errorf("the open account names %v, want %v, without %s", got, want, soa)
	}
	if closed := s.close(t); !maps.Equal(closed.Names, want) {
		t.Errorf("the closing names %v, want %v", closed.Names, want)
	}
}

func TestANameThatIsNotANameOfItsOwnIsRefused(t *testing.T) {
	s := open(t)
	owing := func(name string) error { return failure(s.Take(t.Context(), terms("S1"), onAccount(name))) }
	long := strings.Repeat("Andria", 6)
	must(t, owing(long+"soaa"))
	for name, want := range map[string]error{
		long + "soa Jean": drawer.ErrLongName, long + "soa Paul": drawer.ErrLongName, "…K7Q2": drawer.ErrNoCustomer,
	} {
		mustFail(t, owing(name), want)
	}
}

func TestOnlyAnOwnerMovesADebtToAnotherName(t *testing.T) {
	s := open(t)
	s.onAccount(t, "S1", "Rabe")
	owner, cashier := s.hire(t)
	mustFail(t, s.Rename(t.Context(), "T1", "Rabe", "Nobody", cashier), staff.ErrNotOwner)
	must(t, s.Rename(t.Context(), "T1", "Rabe", "Rabe Jean", owner))
	s.owes(t, "Rabe Jean", 7000)
}

func TestAForgottenCustomerLeavesOnlyACode(t *testing.T) {
	s := open(t)
	debt := s.onAccount(t, "S1", "Rabe").Account
	mustFail(t, s.Forget(t.Context(), "Rabe", staff.Identity{}), drawer.ErrOwes)
	paid := s.repay(t, "D1", debt, 7000)
	must(t, s.Forget(t.Context(), "RABE", staff.Identity{}))
	if all := s.debtors(t); len(all) != 0 {
		t.Errorf("got %+v", all)
	}
	s.void(t, "T1", paid.Number)
	all := s.debtors(t)
	if code := debt.Name(); len(all) != 1 || all[0].Owed != 7000 || all[0].Title() != "…"+code[len(code)-4:] {
		t.Errorf("the debt is hidden: %+v", all)
	}
	s.writeOff(t, all[0].Title(), 1000)
	s.rename(t, all[0].Title(), "Rasoa")
	s.owes(t, "Rasoa", 6000)
	if again := s.onAccount(t, "S2", "Rabe"); again.Account == debt {
		t.Error("a new customer has the debt of the forgotten one")
	}
}

func TestADebtBeginsAfterTheLastOneWasPaid(t *testing.T) {
	s := open(t)
	debt := s.onAccount(t, "S1", "Rabe").Account
	s.now = s.now.Add(time.Hour)
	s.repay(t, "D1", debt, 7000)
	if got := s.debtor(t, "Rabe"); !got.Since.IsZero() || !got.Last.Equal(s.now) {
		t.Errorf("got %+v", got)
	}
	s.now = s.now.Add(time.Hour)
	began := s.now
	s.onAccount(t, "S2", "Rabe")
	s.now = s.now.Add(time.Hour)
	s.repay(t, "D2", debt, 1)
	if got := s.debtor(t, "Rabe"); !got.Since.Equal(began) || got.Owed != 6999 || !got.Last.Equal(s.now) {
		t.Errorf("got %+v", got)
	}
}

// hire adds an owner and a cashier to the shop.
func (s *till) hire(t *testing.T) (owner, cashier staff.Identity) {
	t.Helper()
	owner = staff.Identity{Name: "Hasina", PIN: secret.New("8317")}
	cashier = staff.Identity{Name: "Soa", PIN: secret.New("2946")}
	must(t, failure(s.AddCashier(t.Context(), owner.Name, "", owner.PIN, staff.Identity{})))
	must(t, failure(s.AddCashier(t.Context(), cashier.Name, "", cashier.PIN, owner)))
	return owner, cashier
}

func TestAReceiptSaysWhatTheCustomerOwedThen(t *testing.T) {
	s := open(t)
	first := s.onAccount(t, "S1", "Rabe")
	paid := s.repay(t, "D1", first.Account, 2000)
	s.onAccount(t, "S2", "Rabe")
	for number, want := range map[string]money.Ariary{first.Number: 7000, paid.Number: 5000} {
		if debtor := s.receipt(t, number).Debtor; debtor.Name != "Rabe" || debtor.Owed != want {
			t.Errorf("%s: got %+v", number, debtor)
		}
	}
}

func TestASaleAboveTheLimitNeedsAnOwner(t *testing.T) {
	s := open(t)
	s.CreditLimit = 14_000
	sell := func(sale, name string, who *staff.Identity) (drawer.CounterSale, error) {
		paying := onAccount(name)
		paying.Who = who
		return s.Take(t.Context(), by("Soa", terms(sale)), paying)
	}
	refused := func(sale string, who *staff.Identity, owed money.Ariary) {
		t.Helper()
		_, err := sell(sale, "Rabe", who)
		if limit, is := errors.AsType[*drawer.LimitError](err); !is || *limit != (drawer.LimitError{Limit: 14_000, Owed: owed}) {
			t.Errorf("got %v", err)
		}
	}
	s.onAccount(t, "S1", "Rabe")
	s.onAccount(t, "S2", "Rabe") // The customer may owe the limit itself.
	t.Run("above the limit nothing is stored", func(t *testing.T) {
		refused("S3", nil, 21_000)
		s.owes(t, "Rabe", 14_000)
	})
	t.Run("in a shop without cashiers a yes is enough", func(t *testing.T) {
		sold, err := sell("S3", "Rabe", &staff.Identity{})
		if must(t, err); sold.By != "Soa" {
			t.Errorf("got %q", sold.By)
		}
		s.owes(t, "Rabe", 21_000)
	})
	owner, cashier := s.hire(t)
	t.Run("in a shop with cashiers the PIN of an owner is needed", func(t *testing.T) {
		refused("S4", nil, 28_000)
		refused("S4", &cashier, 28_000)
		for want, who := range map[error]staff.Identity{
			staff.ErrIdentityNeeded: {}, staff.ErrWrongPIN: {Name: owner.Name, PIN: cashier.PIN}, staff.ErrNotOwner: cashier,
		} {
			mustFail(t, failure(sell("S4", "Rabe", &who)), want)
		}
		s.owes(t, "Rabe", 21_000)
	})
	t.Run("an owner sells once, and the transfer has the owner's name", func(t *testing.T) {
		for range 2 {
			once := s.Once("over")
			sold, err := once.Take(t.Context(), by("Soa", terms("S4")), drawer.Paying{Tender: drawer.TenderAccount, Customer: "Rabe", Who: &owner})
			if must(t, err); sold.By != owner.Name {
				t.Errorf("got %q", sold.By)
			}
		}
		s.owes(t, "Rabe", 28_000)
	})
	t.Run("up to the limit the seller is a cashier", func(t *testing.T) {
		sold, err := sell("S5", "Rasoa", &cashier)
		if must(t, err); sold.By != "Soa" {
			t.Errorf("got %q", sold.By)
		}
	})
	s.CreditLimit = 6999
	t.Run("a refused sale makes no customer", func(t *testing.T) {
		if _, is := errors.AsType[*drawer.LimitError](failure(sell("S6", "Hery", nil))); !is || s.debtor(t, "Hery").Code != "" {
			t.Errorf("the customer is %+v", s.debtor(t, "Hery"))
		}
	})
	t.Run("a payment in cash has no limit", func(t *testing.T) { s.cash(t, "S6") })
}

func TestALinkThatIsPaidAfterARenameLowersTheDebtOfTheNewName(t *testing.T) {
	s := open(t)
	debt := s.onAccount(t, "S1", "Rabe").Account
	paid := s.checkout(t, debtTerms("D1", debt, 1000))
	s.pay(t, paid)
	later := s.checkout(t, debtTerms("D2", debt, 2000))
	found := s.checkout(t, debtTerms("D3", debt, 500))
	s.rename(t, "Rabe", "Rabe Jean")
	s.pay(t, later)
	s.resolve(t, found, payments.FoundPaid)
	s.owes(t, "Rabe", 0)
	s.owes(t, "Rabe Jean", 3500)
	if got := s.find(t, paid.Reference); got.Debt != debt {
		t.Errorf("the order that was paid before pays %s now", got.Debt)
	}
}
