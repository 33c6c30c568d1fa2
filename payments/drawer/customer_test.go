package drawer_test

import (
	"errors"
	"maps"
	"slices"
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

// onAccount makes a sale of 7,000 Ar on account.
func (s *till) onAccount(t *testing.T, sale, name string) drawer.CounterSale {
	t.Helper()
	sold, err := s.Take(t.Context(), terms(sale), drawer.Paying{Tender: drawer.TenderAccount, Customer: name, New: true})
	must(t, err)
	return sold
}

// debtTerms returns the terms for a payment of a debt.
func debtTerms(sale string, debt ledger.Account, amount money.Ariary) payments.Terms {
	return payments.Terms{Sale: sale, Till: "T1", Debt: debt, Items: []payments.Item{{Label: "Debt", UnitPrice: amount, Quantity: 1}}}
}

func (s *till) repay(t *testing.T, sale string, debt ledger.Account, amount money.Ariary) drawer.CounterSale {
	t.Helper()
	paid, err := s.Take(t.Context(), debtTerms(sale, debt, amount), drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	return paid
}

func (s *till) debtor(t *testing.T, name string) drawer.Debtor {
	t.Helper()
	all, err := s.Debtors(t.Context())
	must(t, err)
	debtor, _ := drawer.FindDebtor(all, name)
	return debtor
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
	all, err := s.Debtors(t.Context())
	if must(t, err); len(all) != 1 || all[0].Name != "Rabe H\u00e9l\u00e8ne" {
		t.Errorf("got %+v", all)
	}
	for name, want := range map[string]error{"Rasoa": drawer.ErrNoCustomer, " ": drawer.ErrNameNeeded} {
		_, err := s.Take(t.Context(), terms("S3"), drawer.Paying{Tender: drawer.TenderAccount, Customer: name})
		if !errors.Is(err, want) {
			t.Errorf("%q: got %v", name, err)
		}
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
	order, err := s.Checkout(t.Context(), debtTerms("D2", sold.Account, 1500))
	must(t, err)
	s.pay(t, order)
	card, err := s.Take(t.Context(), debtTerms("D3", sold.Account, 500), drawer.Paying{Tender: drawer.TenderCard})
	must(t, err)
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
	period := money.Day(s.Now(), 0)
	period.Sold = true
	day := s.day(t, period)
	if day.Taken() != sale || day.Debts != (money.Sum{Count: 3, Amount: 4000}) || day.Owed != (money.Sum{Count: 1, Amount: 3000}) ||
		len(day.Sold) != 1 || len(day.Hours) != 1 || day.Hours[0].Sum != sale {
		t.Errorf("the day has %+v", day)
	}
	if day.Orders != 0 || day.Verdicts[payments.VerdictPaid] != (money.Sum{}) {
		t.Errorf("the payment of a debt is an order of the day: %+v", day.Verdicts)
	}
	entries, err := s.Journal(t.Context(), period)
	must(t, err)
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
}

func TestACustomerPaysNoMoreThanTheDebt(t *testing.T) {
	s := open(t)
	debt := s.onAccount(t, "S1", "Rabe").Account
	refused := func(what string, err error, want payments.OwedError) {
		t.Helper()
		if owed, is := errors.AsType[*payments.OwedError](err); !is || *owed != want {
			t.Errorf("%s: got %v", what, err)
		}
	}
	_, err := s.Take(t.Context(), debtTerms("D1", debt, 7001), drawer.Paying{Tender: drawer.TenderCash})
	refused("in cash", err, payments.OwedError{Owed: 7000, Amount: 7001})
	_, err = s.Checkout(t.Context(), debtTerms("D1", debt, 7001))
	refused("by a link", err, payments.OwedError{Owed: 7000, Amount: 7001})
	order, err := s.Checkout(t.Context(), debtTerms("D2", debt, 5000))
	must(t, err)
	s.repay(t, "D3", debt, 2000) // The link can still pay the rest of the debt.
	_, err = s.Take(t.Context(), debtTerms("D4", debt, 1), drawer.Paying{Tender: drawer.TenderCash})
	if objection, is := errors.AsType[*payments.Objection](err); !is || objection.Kind != payments.SalePayable || objection.Order.Reference != order.Reference {
		t.Errorf("while a link can be paid: got %v", err)
	}
	despite := debtTerms("D4", debt, 1000)
	despite.Despite = []payments.ObjectionKind{payments.SalePayable}
	_, err = s.Take(t.Context(), despite, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	s.pay(t, order)
	s.owes(t, "Rabe", -1000) // The money is not lost: the shop owes it to the customer.
	_, err = s.Take(t.Context(), debtTerms("D5", debt, 1), drawer.Paying{Tender: drawer.TenderAccount, Customer: "Rabe"})
	if !errors.Is(err, drawer.ErrNoTender) {
		t.Errorf("a debt that is paid on account: got %v", err)
	}
}

func TestALinkThatPaysMoreThanTheCustomerOwesIsChecked(t *testing.T) {
	despite := func(debt ledger.Account) payments.Terms {
		paid := debtTerms("D2", debt, 7000)
		paid.Despite = []payments.ObjectionKind{payments.SalePayable}
		return paid
	}
	for what, end := range map[string]func(s *till, sold drawer.CounterSale){
		"paid in cash":    func(s *till, sold drawer.CounterSale) { s.repayBy(t, despite(sold.Account)) },
		"the sale voided": func(s *till, sold drawer.CounterSale) { s.void(t, "T1", sold.Number) },
		"written off": func(s *till, _ drawer.CounterSale) {
			must(t, s.WriteOff(t.Context(), "T1", "Rabe", 2000, "gone", staff.Identity{}))
		},
		"forgotten": func(s *till, sold drawer.CounterSale) {
			s.repayBy(t, despite(sold.Account))
			must(t, s.Forget(t.Context(), "Rabe", staff.Identity{}))
		},
	} {
		t.Run(what, func(t *testing.T) {
			s := open(t)
			sold := s.onAccount(t, "S1", "Rabe")
			order, err := s.Checkout(t.Context(), debtTerms("D1", sold.Account, 7000))
			must(t, err)
			end(s, sold)
			s.pay(t, order)
			if got := s.find(t, order.Reference).Attention(s.now); !slices.Equal(got, []payments.Attention{payments.DebtOverpaid}) {
				t.Errorf("nobody needs to look: %v", got)
			}
			s.refund(t, "T1", order.Reference, true, 2000)
			s.expectVerdict(t, order, payments.VerdictPaid)
			s.takeBack(t, "T1", order.Reference)
			s.expectVerdict(t, order, payments.VerdictCheck)
		})
	}
	t.Run("a debt that is paid in full is paid", func(t *testing.T) {
		s := open(t)
		order, err := s.Checkout(t.Context(), debtTerms("D1", s.onAccount(t, "S1", "Rabe").Account, 7000))
		must(t, err)
		s.pay(t, order)
		s.expectVerdict(t, order, payments.VerdictPaid)
	})
}

// repayBy records that a customer pays a debt in cash.
func (s *till) repayBy(t *testing.T, terms payments.Terms) {
	t.Helper()
	_, err := s.Take(t.Context(), terms, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
}

func TestNoCashIsGivenBackForASaleOnAccount(t *testing.T) {
	s := open(t)
	sold := s.onAccount(t, "S1", "Rabe")
	if err := s.tryRefund(t, "T1", sold.Number, true, 7000); !errors.Is(err, drawer.ErrOnAccount) {
		t.Errorf("got %v", err)
	}
	from, err := s.Refundable(t.Context(), sold.Number, true)
	if must(t, err); from.Left != 0 || s.account(t, "T1").Expected() != 0 {
		t.Errorf("%+v can be given back in cash for what nobody paid", from)
	}
	paid := s.repay(t, "D1", sold.Account, 7000)
	s.refund(t, "T1", sold.Number, false, 7000)
	s.owes(t, "Rabe", -7000)
	s.refund(t, "T1", paid.Number, true, 7000)
	s.owes(t, "Rabe", 0)
	if account := s.account(t, "T1"); account.Expected() != 0 || account.Taken().Amount != 0 {
		t.Errorf("all was given back, and the account has %+v", account)
	}
}

func TestARepeatedChangeOfADebtIsMadeOnce(t *testing.T) {
	s := open(t)
	debt := s.onAccount(t, "S1", "Rabe").Account
	for range 2 {
		paid, err := s.Once("pay").Take(t.Context(), debtTerms("D1", debt, 1000), drawer.Paying{Tender: drawer.TenderCash})
		must(t, err)
		if paid.Debt != debt {
			t.Errorf("got %+v", paid)
		}
		must(t, s.Once("off").WriteOff(t.Context(), "T1", "Rabe", 500, "moved away", staff.Identity{}))
		must(t, s.Once("name").Rename(t.Context(), "T1", "Rabe", "Rabe Jean", staff.Identity{}))
	}
	s.owes(t, "Rabe", 0)
	s.owes(t, "Rabe Jean", 5500)
	_, err := s.Once("pay").Take(t.Context(), debtTerms("D1", ledger.Customer("other"), 1000), drawer.Paying{Tender: drawer.TenderCash})
	if !errors.Is(err, drawer.ErrIDTaken) {
		t.Errorf("another debt: got %v", err)
	}
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
	if err := off(1, " ", staff.Identity{}); !errors.Is(err, drawer.ErrReasonNeeded) {
		t.Errorf("without a reason: got %v", err)
	}
	owner, cashier := s.hire(t)
	if err := off(1, "x", cashier); !errors.Is(err, staff.ErrNotOwner) {
		t.Errorf("by a cashier: got %v", err)
	}
	must(t, off(2000, "moved away", owner))
	s.owes(t, "Rabe", 5000)
	moved, err := s.Movements(t.Context(), s.debtor(t, "Rabe").Code)
	must(t, err)
	if last := moved[len(moved)-1]; last.Kind != ledger.Waived || last.By != owner.Name || last.Note != "moved away" || last.To != ledger.WrittenOff {
		t.Errorf("got %+v", last)
	}
	day := s.day(t, money.Day(s.Now(), 0))
	if day.WrittenOff.Amount != 2000 || day.Taken().Amount != 7000 || day.Debts.Count != 0 || len(s.account(t, "T1").Trace) != 1 {
		t.Errorf("the day has %+v", day)
	}
}

func TestAVoidedSaleMakesNoCreditOfWhatWasWrittenOff(t *testing.T) {
	s := open(t)
	first := s.onAccount(t, "S1", "Rabe")
	second := s.onAccount(t, "S2", "Rabe")
	s.repay(t, "D1", first.Account, 3000)
	must(t, s.WriteOff(t.Context(), "T1", "Rabe", 5000, "moved away", staff.Identity{}))
	_, err := s.VoidSale(t.Context(), "T1", first.Number, "mistake", staff.Identity{})
	must(t, err)
	s.owes(t, "Rabe", 0)
	must(t, s.Refund(t.Context(), "T1", drawer.Given{Ref: second.Number, All: true, Net: second.Amount, Note: "broken"}, staff.Identity{}))
	s.owes(t, "Rabe", -3000)
	if day := s.day(t, money.Day(s.Now(), 0)); day.WrittenOff.Amount != 0 {
		t.Errorf("%+v is written off of a debt that never was", day.WrittenOff)
	}
}

func TestAVoidedSaleIsNotOwedUnderTheNameThatItsDebtWasMovedTo(t *testing.T) {
	s := open(t)
	sale := s.onAccount(t, "S1", "Rabe")
	move := func(from, to string) { must(t, s.Rename(t.Context(), "T1", from, to, staff.Identity{})) }
	move("Rabe", "Rabe Jean")
	s.onAccount(t, "S2", "Rabe Jean")
	move("Rabe Jean", "Jean")
	must(t, s.WriteOff(t.Context(), "T1", "Jean", 1000, "moved away", staff.Identity{}))
	s.void(t, "T1", sale.Number)
	for name, want := range map[string]money.Ariary{"Rabe": 0, "Rabe Jean": 0, "Jean": 6000} {
		s.owes(t, name, want)
	}
	s.void(t, "T1", s.onAccount(t, "S3", "Rabe").Number)
	s.owes(t, "Jean", 6000)
}

func TestAnAccountNamesWhoseDebtsWereWrittenOffOrMoved(t *testing.T) {
	s := open(t)
	rabe := s.onAccount(t, "S1", "Rabe").Account
	soa := s.onAccount(t, "S2", "Soa").Account
	must(t, s.WriteOff(t.Context(), "T1", "Rabe", 2000, "moved away", staff.Identity{}))
	must(t, s.Rename(t.Context(), "T1", "Rabe", "Rabe Jean", staff.Identity{}))
	jean := s.debtor(t, "Rabe Jean").Account()
	want := map[ledger.Account]string{rabe: "Rabe", jean: "Rabe Jean"}
	if got := s.account(t, "T1").Names; !maps.Equal(got, want) {
		t.Errorf("the open account names %v, want %v, without %s", got, want, soa)
	}
	closed, err := s.Close(t.Context(), "T1", "", 0, staff.Identity{})
	must(t, err)
	if !maps.Equal(closed.Names, want) {
		t.Errorf("the closing names %v, want %v", closed.Names, want)
	}
}

func TestANameThatIsNotANameOfItsOwnIsRefused(t *testing.T) {
	s := open(t)
	owing := func(name string) error {
		_, err := s.Take(t.Context(), terms("S1"), drawer.Paying{Tender: drawer.TenderAccount, Customer: name, New: true})
		return err
	}
	long := strings.Repeat("Andria", 6)
	must(t, owing(long+"soaa"))
	for name, want := range map[string]error{
		long + "soa Jean": drawer.ErrLongName, long + "soa Paul": drawer.ErrLongName, "…K7Q2": drawer.ErrNoCustomer,
	} {
		if err := owing(name); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
}

func TestOnlyAnOwnerMovesADebtToAnotherName(t *testing.T) {
	s := open(t)
	s.onAccount(t, "S1", "Rabe")
	owner, cashier := s.hire(t)
	if err := s.Rename(t.Context(), "T1", "Rabe", "Nobody", cashier); !errors.Is(err, staff.ErrNotOwner) {
		t.Errorf("by a cashier: got %v", err)
	}
	must(t, s.Rename(t.Context(), "T1", "Rabe", "Rabe Jean", owner))
	s.owes(t, "Rabe Jean", 7000)
}

func TestAForgottenCustomerLeavesOnlyACode(t *testing.T) {
	s := open(t)
	debt := s.onAccount(t, "S1", "Rabe").Account
	if err := s.Forget(t.Context(), "Rabe", staff.Identity{}); !errors.Is(err, drawer.ErrOwes) {
		t.Errorf("a customer who owes money: got %v", err)
	}
	paid := s.repay(t, "D1", debt, 7000)
	must(t, s.Forget(t.Context(), "RABE", staff.Identity{}))
	if all, err := s.Debtors(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("got %+v, %v", all, err)
	}
	s.void(t, "T1", paid.Number)
	all, err := s.Debtors(t.Context())
	must(t, err)
	if code := debt.Name(); len(all) != 1 || all[0].Owed != 7000 || all[0].Title() != "…"+code[len(code)-4:] {
		t.Errorf("the debt is hidden: %+v", all)
	}
	must(t, s.WriteOff(t.Context(), "T1", all[0].Title(), 1000, "moved away", staff.Identity{}))
	must(t, s.Rename(t.Context(), "T1", all[0].Title(), "Rasoa", staff.Identity{}))
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
	_, err := s.AddCashier(t.Context(), owner.Name, "", owner.PIN, staff.Identity{})
	must(t, err)
	_, err = s.AddCashier(t.Context(), cashier.Name, "", cashier.PIN, owner)
	must(t, err)
	return owner, cashier
}

func TestAReceiptSaysWhatTheCustomerOwedThen(t *testing.T) {
	s := open(t)
	first := s.onAccount(t, "S1", "Rabe")
	paid := s.repay(t, "D1", first.Account, 2000)
	s.onAccount(t, "S2", "Rabe")
	for number, want := range map[string]money.Ariary{first.Number: 7000, paid.Number: 5000} {
		settled, err := s.IssueReceipt(t.Context(), number)
		must(t, err)
		if settled.Debtor.Name != "Rabe" || settled.Debtor.Owed != want {
			t.Errorf("%s: got %+v", number, settled.Debtor)
		}
	}
}

func TestAClosingKeepsTheDebtsOfItsTime(t *testing.T) {
	s := open(t)
	s.onAccount(t, "S1", "Rabe")
	closed := s.close(t)
	s.onAccount(t, "S2", "Rabe")
	s.onAccount(t, "S3", "Hery")
	all, err := s.Closings(t.Context(), money.Day(s.Now(), 0))
	must(t, err)
	for _, closing := range append(all, closed) {
		if closing.Owed != (money.Sum{Count: 1, Amount: 7000}) {
			t.Errorf("the closing has the debts %+v", closing.Owed)
		}
	}
	if len(all) != 1 {
		t.Errorf("got %d closings", len(all))
	}
}

func TestASaleAboveTheLimitNeedsAnOwner(t *testing.T) {
	s := open(t)
	s.CreditLimit = 14_000
	owner := staff.Identity{Name: "Rado", PIN: secret.New("1928")}
	cashier := staff.Identity{Name: "Hery", PIN: secret.New("4071")}
	sell := func(sale string, who *staff.Identity) (drawer.CounterSale, error) {
		return s.Take(t.Context(), by("Hery", terms(sale)), drawer.Paying{Tender: drawer.TenderAccount, Customer: "Rabe", New: true, Who: who})
	}
	refused := func(sale string, who *staff.Identity, owed money.Ariary) {
		t.Helper()
		_, err := sell(sale, who)
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
		sold, err := sell("S3", &staff.Identity{})
		if must(t, err); sold.By != "Hery" {
			t.Errorf("got %q", sold.By)
		}
		s.owes(t, "Rabe", 21_000)
	})
	_, err := s.AddCashier(t.Context(), owner.Name, staff.RoleOwner, owner.PIN, staff.Identity{})
	must(t, err)
	_, err = s.AddCashier(t.Context(), cashier.Name, staff.RoleCashier, cashier.PIN, owner)
	must(t, err)
	t.Run("in a shop with cashiers the PIN of an owner is needed", func(t *testing.T) {
		refused("S4", nil, 28_000)
		refused("S4", &cashier, 28_000)
		for want, who := range map[error]staff.Identity{
			staff.ErrIdentityNeeded: {}, staff.ErrWrongPIN: {Name: "Rado", PIN: cashier.PIN}, staff.ErrNotOwner: cashier,
		} {
			if _, err := sell("S4", &who); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		}
		s.owes(t, "Rabe", 21_000)
	})
	t.Run("an owner sells once, and the transfer has the owner's name", func(t *testing.T) {
		for range 2 {
			once := s.Once("over")
			sold, err := once.Take(t.Context(), by("Hery", terms("S4")), drawer.Paying{Tender: drawer.TenderAccount, Customer: "Rabe", Who: &owner})
			if must(t, err); sold.By != "Rado" {
				t.Errorf("got %q", sold.By)
			}
		}
		s.owes(t, "Rabe", 28_000)
	})
	t.Run("up to the limit the seller is a cashier", func(t *testing.T) {
		sold, err := s.Take(t.Context(), terms("S5"), drawer.Paying{Tender: drawer.TenderAccount, Customer: "Rasoa", New: true, Who: &cashier})
		if must(t, err); sold.By != "Hery" {
			t.Errorf("got %q", sold.By)
		}
	})
	t.Run("a payment in cash has no limit", func(t *testing.T) {
		s.CreditLimit = 1
		_, err := s.Take(t.Context(), terms("S6"), drawer.Paying{Tender: drawer.TenderCash})
		must(t, err)
	})
}

func TestARefusedSaleMakesNoCustomer(t *testing.T) {
	s := open(t)
	s.CreditLimit = 6999
	_, err := s.Take(t.Context(), terms("S1"), drawer.Paying{Tender: drawer.TenderAccount, Customer: "Rabe", New: true})
	if _, is := errors.AsType[*drawer.LimitError](err); !is {
		t.Fatalf("got %v", err)
	}
	all, err := s.Debtors(t.Context())
	if must(t, err); len(all) != 0 {
		t.Errorf("got %+v", all)
	}
}

func TestALinkThatIsPaidAfterARenameLowersTheDebtOfTheNewName(t *testing.T) {
	s := open(t)
	debt := s.onAccount(t, "S1", "Rabe").Account
	paid, err := s.Checkout(t.Context(), debtTerms("D1", debt, 1000))
	must(t, err)
	s.pay(t, paid)
	later, err := s.Checkout(t.Context(), debtTerms("D2", debt, 2000))
	must(t, err)
	found, err := s.Checkout(t.Context(), debtTerms("D3", debt, 500))
	must(t, err)
	must(t, s.Rename(t.Context(), "T1", "Rabe", "Rabe Jean", staff.Identity{}))
	s.pay(t, later)
	s.resolve(t, found, payments.FoundPaid)
	s.owes(t, "Rabe", 0)
	s.owes(t, "Rabe Jean", 3500)
	if got := s.find(t, paid.Reference); got.Debt != debt {
		t.Errorf("the order that was paid before pays %s now", got.Debt)
	}
}
