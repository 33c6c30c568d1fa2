package drawer_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
	"checkout/till/storage/storagetest"
	"checkout/till/storage/storagetest/sqlitetest"
)

// till is a shop with a clock that the test controls.
type till struct {
	*drawer.Service
	now time.Time
}

// openStore returns a new database that runs every change twice.
func openStore(t *testing.T) drawer.Store { return storagetest.Twice{Store: sqlitetest.Open(t)} }

func open(t *testing.T) *till {
	t.Helper()
	return newTill(openStore(t))
}

func newTill(store drawer.Store, options ...payments.Option) *till {
	made := &till{now: time.Date(2026, 11, 26, 9, 0, 0, 0, time.FixedZone("EAT", 3*60*60))}
	clock := func() time.Time { return made.now }
	options = append(options, payments.WithPINIterations(2), payments.WithTag("GT"))
	made.Service = drawer.New(store, payments.New(store, storagetest.Taker{}, clock, options...))
	return made
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mustFail checks an error with errors.Is. A nil want means no error.
func mustFail(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// failure returns the error of a call, without its other result.
func failure[T any](_ T, err error) error { return err }

func terms(sale string) payments.Terms {
	return payments.Terms{Sale: sale, Till: "T1", Items: []payments.Item{{Label: "Vary", UnitPrice: 3500, Quantity: 2}}}
}

// by returns the terms of a sale at a till where the cashier of this name has signed in.
func by(name string, terms payments.Terms) payments.Terms {
	terms.By = name
	return terms
}

func (s *till) pay(t *testing.T, order payments.Order) {
	t.Helper()
	s.receive(t, eventOf(order, payments.PaymentSuccess), s.now)
}

func (s *till) find(t *testing.T, reference string) payments.Order {
	t.Helper()
	order, _, err := s.Order(t.Context(), reference)
	must(t, err)
	return order
}

func (s *till) account(t *testing.T, name string) drawer.Account {
	t.Helper()
	account, err := s.Account(t.Context(), name)
	must(t, err)
	return account
}

func (s *till) checkout(t *testing.T, terms payments.Terms) payments.Order {
	t.Helper()
	order, err := s.Checkout(t.Context(), terms)
	must(t, err)
	return order
}

func (s *till) order(t *testing.T, sale string) payments.Order {
	t.Helper()
	return s.checkout(t, terms(sale))
}

// again returns terms in which the cashier has confirmed every objection.
func again(terms payments.Terms) payments.Terms {
	terms.Despite = []payments.ObjectionKind{payments.SalePaid, payments.SaleDoubtful, payments.SalePayable}
	return terms
}

// objected checks that an error is an objection of a kind, and returns the objection.
func objected(t *testing.T, err error, want payments.ObjectionKind) payments.Objection {
	t.Helper()
	objection, is := errors.AsType[*payments.Objection](err)
	if !is || objection.Kind != want {
		t.Fatalf("got %v, want the objection %s", err, want)
	}
	return *objection
}

func inCash() drawer.Paying { return drawer.Paying{Tender: drawer.TenderCash} }

func (s *till) take(t *testing.T, terms payments.Terms, paying drawer.Paying) drawer.CounterSale {
	t.Helper()
	taken, err := s.Take(t.Context(), terms, paying)
	must(t, err)
	return taken
}

func (s *till) cash(t *testing.T, sale string) drawer.CounterSale {
	t.Helper()
	return s.take(t, terms(sale), inCash())
}

func (s *till) void(t *testing.T, till, number string) drawer.CounterSale {
	t.Helper()
	voided, err := s.VoidSale(t.Context(), till, number, "mistake", staff.Identity{})
	must(t, err)
	return voided
}

// move records a move, with a reason.
func (s *till) move(t *testing.T, kind drawer.Kind, amount money.Ariary) {
	t.Helper()
	must(t, failure(s.Move(t.Context(), "T1", kind, amount, "why", staff.Identity{})))
}

func (s *till) close(t *testing.T) drawer.Closing {
	t.Helper()
	closing, err := s.Close(t.Context(), "T1", "Soa", 0, staff.Identity{})
	must(t, err)
	return closing
}

func (s *till) closings(t *testing.T, period money.Period) []drawer.Closing {
	t.Helper()
	all, err := s.Closings(t.Context(), period)
	must(t, err)
	return all
}

func (s *till) receipt(t *testing.T, ref string) drawer.Settled {
	t.Helper()
	settled, err := s.IssueReceipt(t.Context(), ref)
	must(t, err)
	return settled
}

// today returns the day of the till's clock, with the articles that were sold.
func (s *till) today() money.Period {
	day := money.Day(s.now, 0)
	day.Sold = true
	return day
}

func (s *till) day(t *testing.T, period money.Period) drawer.Day {
	t.Helper()
	day, err := s.Day(t.Context(), period)
	must(t, err)
	return day
}

func (s *till) journal(t *testing.T, period money.Period) []drawer.Entry {
	t.Helper()
	entries, err := s.Journal(t.Context(), period)
	must(t, err)
	return entries
}

func TestRandomHistoriesOfSalesAgreeWithTheOracle(t *testing.T) {
	storagetest.RunHistories(t, sqlitetest.Open(t), storagetest.Size(200, 2000))
}

func TestRandomDaysAddUp(t *testing.T) { storagetest.RunDrawer(t, sqlitetest.Open(t)) }

func TestCashIsTakenForASaleOnce(t *testing.T) {
	s := open(t)
	sale := s.take(t, by("Soa", terms("S1")), drawer.Paying{Tender: drawer.TenderCash, Given: 10_000})
	if sale.Number != "T1-GT-C-000001" || sale.Change() != 3000 || sale.By != "Soa" {
		t.Errorf("got %+v", sale)
	}
	for _, err := range []error{failure(s.Take(t.Context(), terms("S1"), inCash())), failure(s.Checkout(t.Context(), terms("S1")))} {
		if cash := objected(t, err, payments.SalePaid).Cash; cash != sale.Number {
			t.Errorf("the objection names %q", cash)
		}
	}
	t.Run("with too little money nothing is taken", func(t *testing.T) {
		_, err := s.Take(t.Context(), terms("S2"), drawer.Paying{Tender: drawer.TenderCash, Given: 6500})
		if short, is := errors.AsType[*drawer.ShortError](err); !is || short.Missing != 500 {
			t.Errorf("got %v", err)
		}
	})
	t.Run("after a void the sale may be charged again", func(t *testing.T) {
		s.void(t, "T1", sale.Number)
		if again := s.cash(t, "S1"); again.Number != "T1-GT-C-000002" {
			t.Errorf("got %s", again.Number)
		}
	})
}

func TestACountIsComparedWithWhatWasInTheDrawerThen(t *testing.T) {
	s := open(t)
	s.move(t, drawer.Count, 500)
	s.cash(t, "S1")
	s.move(t, drawer.Count, 6000)
	s.cash(t, "S2")
	var got []money.Ariary
	account := s.account(t, "T1")
	for _, count := range account.Counts {
		got = append(got, count.Difference())
	}
	if !slices.Equal(got, []money.Ariary{500, -1000}) || account.SinceCount() != 7000 {
		t.Errorf("got the differences %d, and %d since the last count", got, account.SinceCount())
	}
	closing := s.close(t)
	posted, _, err := s.Transfers(t.Context(), s.today())
	must(t, err)
	missed := posted[len(posted)-2]
	if missed.Kind != ledger.Missed || missed.From != ledger.Drawer("T1") || missed.Amount != 1000 || closing.Expected() != 14_000 {
		t.Errorf("the closing posts %+v", missed)
	}
}

// A closing on paper proves the state of the ledger: by its seal, and by the grand total of all
// takings.
func TestAClosingHasASealAGrandTotalTheVATAndATrace(t *testing.T) {
	s := open(t)
	first := s.cash(t, "S1")
	s.pay(t, s.order(t, "S2"))
	must(t, failure(s.Close(t.Context(), "T1", "Soa", 20, staff.Identity{})))
	s.cash(t, "S3")
	s.move(t, drawer.Out, 500)
	s.move(t, drawer.In, 300)
	must(t, s.Refund(t.Context(), "T1", drawer.Given{Ref: first.Number, InCash: true, Amount: 1000, Net: 7000, Note: "broken"}, staff.Identity{}))
	s.close(t)
	all := s.closings(t, s.today())
	if len(all) != 2 || all[0].Number != "T1-GT-0001" || all[1].Number != "T1-GT-0002" {
		t.Fatalf("got %+v", all)
	}
	if all[0].VAT != 20 || all[1].VAT != 0 || all[0].GrandTotal != 14_000 || all[1].GrandTotal != 20_000 {
		t.Errorf("got %+v", all)
	}
	for i, closing := range all {
		if ends, err := hex.DecodeString(closing.Seal); err != nil || len(ends) != 8 || closing.Seal == all[1-i].Seal {
			t.Errorf("the seal of %s is %q", closing.Number, closing.Seal)
		}
	}
	before := s.account(t, "T1")
	s.cash(t, "S6")
	open := s.account(t, "T1")
	if before.Seal != all[1].Seal || len(open.Seal) != 16 || open.Seal == before.Seal {
		t.Errorf("the open account has the seal %q, and after a sale %q", before.Seal, open.Seal)
	}
	var trace []string
	for _, moved := range all[1].Trace {
		trace = append(trace, fmt.Sprint(moved.Kind, " ", moved.Amount, " ", moved.By, " ", moved.Note))
	}
	if want := []string{"out 500 T1 why", "in 300 T1 why", "refund 1000 T1 broken"}; !slices.Equal(trace, want) {
		t.Errorf("got the trace %q, want %q", trace, want)
	}
	today := s.today()
	s.now = s.now.AddDate(0, 0, -1) // The clock is set back for one closing.
	s.cash(t, "S4")
	s.close(t)
	s.now = s.now.AddDate(0, 0, 1)
	s.cash(t, "S5")
	made := s.close(t)
	read := s.closings(t, today)
	if last := read[len(read)-1]; last.Number != made.Number || made.GrandTotal != 41_000 || last.GrandTotal != made.GrandTotal {
		t.Errorf("closed with %d, and read %d", made.GrandTotal, last.GrandTotal)
	}
}

func TestAnAccountFromAnEarlierDayIsClosedByAnOwner(t *testing.T) {
	s := open(t)
	owner, cashier := s.hire(t)
	mustFail(t, failure(s.Move(t.Context(), "T1", drawer.Out, 500, "bread", staff.Identity{})), staff.ErrIdentityNeeded)
	mustFail(t, failure(s.Close(t.Context(), "T1", "", 0, staff.Identity{})), staff.ErrIdentityNeeded)
	// In each case, the first step happens yesterday, and the second one today.
	foundPaid := func(ref string) {
		t.Helper()
		must(t, failure(s.Resolve(t.Context(), ref, payments.Finding{Kind: payments.FoundPaid, Seen: payments.VerdictWaiting}, cashier)))
	}
	refund := func(ref string) {
		t.Helper()
		must(t, s.Refund(t.Context(), "T1", drawer.Given{Ref: ref, Amount: 7000, Net: 7000, Note: "broken"}, cashier))
	}
	closed := func(order payments.Order) {
		t.Helper()
		s.pay(t, order)
		must(t, failure(s.Close(t.Context(), "T1", "", 0, owner)))
	}
	var order payments.Order
	for _, c := range []struct {
		name             string
		yesterday, today func()
		owner            bool // Whether only an owner may close.
	}{
		{"cash", func() { must(t, failure(s.Move(t.Context(), "T1", drawer.Float, 500, "", cashier))) }, func() {}, true},
		{"a payment", func() { s.pay(t, s.order(t, "S1")) }, func() {}, true},
		{"an order found paid", func() { foundPaid(s.order(t, "S2").Reference) }, func() {}, true},
		{"an order found paid, and the payment today", func() {
			order = s.order(t, "S3")
			foundPaid(order.Reference)
		}, func() { s.pay(t, order) }, true},
		{"an order that is paid today", func() { order = s.order(t, "S4") }, func() { s.pay(t, order) }, false},
		{"a refund of counted money", func() {
			order = s.order(t, "S5")
			closed(order)
			refund(order.Reference)
		}, func() {}, true},
		{"counted money, and a refund today", func() {
			order = s.order(t, "S6")
			closed(order)
		}, func() { refund(order.Reference) }, false},
		{"a payment of yesterday that is recorded today", func() { order = s.order(t, "S7") }, func() {
			s.receive(t, eventOf(order, payments.PaymentSuccess), s.now.AddDate(0, 0, -1).Add(time.Minute))
		}, false},
		{"nothing", func() {}, func() {}, false},
	} {
		c.yesterday()
		s.now = s.now.AddDate(0, 0, 1)
		c.today()
		_, err := s.Close(t.Context(), "T1", "", 0, cashier)
		if refused := errors.Is(err, staff.ErrNotOwner); refused != c.owner || err != nil && !refused {
			t.Errorf("%s: a cashier closes with the error %v", c.name, err)
		}
		closing, err := s.Close(t.Context(), "T1", "", 0, owner)
		must(t, err)
		if closing.By != "Hasina" {
			t.Errorf("%s: closed by %s", c.name, closing.By)
		}
	}
}

func TestACashierClosesAfterMidnightWhereTheDayEndsLater(t *testing.T) {
	s := open(t)
	_, cashier := s.hire(t)
	s.now = time.Date(2026, 11, 27, 22, 0, 0, 0, s.now.Location())
	s.cash(t, "S1")
	s.now = s.now.Add(3 * time.Hour)
	mustFail(t, failure(s.Close(t.Context(), "T1", "", 0, cashier)), staff.ErrNotOwner) // Days begin at midnight.
	s.DayBegins = 4 * time.Hour
	must(t, failure(s.Close(t.Context(), "T1", "", 0, cashier)))
}

// A cashier cannot choose a time zone in which yesterday's account is today's.
func TestAnotherZoneDoesNotMakeYesterdayToday(t *testing.T) {
	s := open(t)
	owner, cashier := s.hire(t)
	shop, pagoPago := s.now.Location(), time.FixedZone("", -11*60*60)
	must(t, failure(s.Close(t.Context(), "T1", "", 20, owner)))
	s.now = time.Date(2026, 11, 27, 17, 0, 0, 0, shop)
	s.cash(t, "S1")
	s.now = time.Date(2026, 11, 28, 9, 0, 0, 0, shop).In(pagoPago) // There it is still the 27th.
	mustFail(t, failure(s.Close(t.Context(), "T1", "", 20, cashier)), staff.ErrNotOwner)
	closing, err := s.Close(t.Context(), "T1", "", 20, owner)
	must(t, err)
	s.now = s.now.In(shop)
	all := s.closings(t, s.today())
	const want = "2026-11-27 19:00 -11:00"
	for _, closing := range append(all, closing) {
		if got := closing.At.Format("2006-01-02 15:04 -07:00"); got != want || closing.VAT != 20 || closing.GrandTotal != 7000 {
			t.Errorf("closed at %s, VAT %d, grand total %d", got, closing.VAT, closing.GrandTotal)
		}
	}
}

func TestASaleNeedsATenderOfTheCounter(t *testing.T) {
	s := open(t)
	for _, tender := range []drawer.Tender{drawer.TenderLink, "", "nut"} {
		mustFail(t, failure(s.Take(t.Context(), terms("S"), drawer.Paying{Tender: tender})), drawer.ErrNoTender)
	}
}

func TestAMoveNeedsAnAmountAndAReason(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		kind   drawer.Kind
		amount money.Ariary
		note   string
		want   error
	}{
		{drawer.Out, 500, "", drawer.ErrReasonNeeded},
		{drawer.In, 500, " ", drawer.ErrReasonNeeded},
		{drawer.Float, 0, "", drawer.ErrNotAmount},
		{drawer.Count, -1, "", drawer.ErrNotAmount},
		{drawer.Float, money.MaxAriary + 1, "", money.ErrTooLarge},
		{drawer.Count, 0, "", nil},
	} {
		if _, err := s.Move(t.Context(), "T1", c.kind, c.amount, c.note, staff.Identity{}); !errors.Is(err, c.want) {
			t.Errorf("%s %d %q: got %v, want %v", c.kind, c.amount, c.note, err, c.want)
		}
	}
}

// Only a printed receipt makes the next one a copy. Showing a receipt does not, nor does an attempt
// that the printer refused.
func TestAReceiptHasOneNumber(t *testing.T) {
	s := open(t)
	order := s.order(t, "S1")
	mustFail(t, failure(s.IssueReceipt(t.Context(), order.Reference)), drawer.ErrNoReceipt)
	s.pay(t, order)
	sale := s.cash(t, "S2")
	for n, c := range []struct {
		ref  string
		want string
		copy bool
	}{
		{order.Reference, "T1-GT-000001", false},
		{sale.Number, "T1-GT-000002", false},
		{order.OrderReference, "T1-GT-000001", false},
		{sale.Number, "T1-GT-000002", true},
		{order.Reference, "T1-GT-000001", false},
		{sale.Number, "T1-GT-000002", true},
	} {
		settled, err := s.IssueReceipt(t.Context(), c.ref)
		if c.ref == sale.Number {
			must(t, s.NotePrinted(t.Context(), settled.Receipt))
		}
		if err != nil || settled.Receipt.Number != c.want || settled.Copy != c.copy {
			t.Errorf("receipt %d: got %+v, %v", n, settled.Receipt, err)
		}
	}
	mustFail(t, failure(s.IssueReceipt(t.Context(), "T1-GT-C-999999")), payments.ErrNotFound)
}

func TestTheJournalHasTheSumsOfTheTakings(t *testing.T) {
	s := open(t)
	first := s.today()
	order := s.order(t, "S1")
	s.resolve(t, order, payments.FoundPaid)
	s.refund(t, "T1", order.Reference, false, order.Amount)
	parts := s.order(t, "S2")
	s.pay(t, parts)
	s.refund(t, "T1", parts.Reference, false, 3000)
	s.now = s.now.AddDate(0, 0, 1)
	s.pay(t, order) // The proof comes after the money was given back.
	s.refund(t, "T1", parts.Reference, false, 2000)
	s.takeBack(t, "T1", parts.Reference)
	gone := s.order(t, "S3")
	s.now = s.now.AddDate(0, 0, -1)
	s.pay(t, gone)
	s.refund(t, "T1", gone.Reference, false, 3000)
	s.now = s.now.AddDate(0, 0, 1)
	s.resolve(t, gone, payments.FoundUnpaid)
	for _, period := range []money.Period{first, s.today(), {From: first.From, To: s.today().To}} {
		day := s.day(t, period)
		var amount, refunded money.Ariary
		for _, entry := range s.journal(t, period) {
			amount, refunded = amount+entry.Amount, refunded+entry.Refunded
		}
		if amount-refunded != day.Taken().Amount || refunded != day.Refunded.Amount {
			t.Errorf("from %s: the journal has %d and %d given back, the takings %d and %d",
				period.From, amount-refunded, refunded, day.Taken().Amount, day.Refunded.Amount)
		}
	}
}

// For an order, the journal names who gave its money back, else who sold. For a sale at the counter
// it names only who sold.
func TestTheJournalNamesThePersonTheTenderAndTheReceiptOfTheSale(t *testing.T) {
	s := open(t)
	sold, unissued, kept := s.checkout(t, by("Soa", terms("S1"))), s.order(t, "S2"), s.checkout(t, by("Soa", terms("S3")))
	for _, order := range []payments.Order{sold, unissued, kept} {
		s.pay(t, order)
	}
	s.receipt(t, sold.Reference)
	card, cash := s.take(t, terms("S4"), drawer.Paying{Tender: drawer.TenderCard}), s.cash(t, "S5")
	if kind := s.receipt(t, card.Number).Receipt.Kind; kind != "card" {
		t.Errorf("the receipt of a card sale is for %q", kind)
	}
	owner, _ := s.hire(t)
	for _, given := range []drawer.Given{{Ref: sold.Reference}, {Ref: unissued.Reference}, {Ref: cash.Number, InCash: true}} {
		given.Amount, given.Net, given.Note = 7000, 7000, "broken"
		mustFail(t, s.Refund(t.Context(), "T1", given, staff.Identity{}), staff.ErrIdentityNeeded)
		must(t, s.Refund(t.Context(), "T1", given, owner))
	}
	s.receipt(t, sold.Reference)
	s.receipt(t, unissued.Reference)
	var got []string
	for _, entry := range s.journal(t, s.today()) {
		got = append(got, fmt.Sprintf("%s %s %s", entry.Outcome, entry.By, entry.Receipt))
	}
	want := []string{
		"refunded Hasina T1-GT-000001", "refunded Hasina T1-GT-000004", "paid Soa ", "card  T1-GT-000002", "cash  ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestARestoredBackupIsInTheNextClosing(t *testing.T) {
	s := open(t)
	must(t, s.NoteRestore(t.Context(), "T1"))
	closing := s.close(t)
	if closing.Moves[drawer.Restore] != (money.Sum{Count: 1}) || closing.Expected() != 0 {
		t.Errorf("got %+v", closing)
	}
}

// A new machine has the usual name T1 until till setup, and then the name of the till that it
// replaces. The restore must be in the closing of that till.
func TestARestoredBackupIsInTheClosingOfEachTill(t *testing.T) {
	s := open(t)
	must(t, failure(s.Move(t.Context(), "Bar", drawer.Float, 1000, "", staff.Identity{})))
	must(t, failure(s.Move(t.Context(), "t1", drawer.Float, 1000, "", staff.Identity{})))
	must(t, s.NoteRestore(t.Context(), "T1"))
	must(t, s.NoteRestore(t.Context(), "T2"))
	for till, want := range map[string]int64{"Bar": 2, "t1": 2, "T1": 0, "T2": 1} {
		account, err := s.Account(t.Context(), till)
		if got := account.Moves[drawer.Restore].Count; err != nil || got != want {
			t.Errorf("%s has %d restores, want %d: %v", till, got, want, err)
		}
	}
}

// A second till with the code of the first one would share its numbers, but not its account.
func TestATillWithAnotherTillsCodeRecordsNothing(t *testing.T) {
	s := open(t)
	order, sale := s.order(t, "S1"), s.cash(t, "S2")
	s.pay(t, order)
	for what, err := range map[string]error{
		"a float":   failure(s.Move(t.Context(), "t1", drawer.Float, 1000, "", staff.Identity{})),
		"a sale":    failure(s.Take(t.Context(), payments.Terms{Till: "T-1", Items: terms("").Items}, inCash())),
		"a closing": failure(s.Close(t.Context(), "T 1 é", "Soa", 0, staff.Identity{})),
		"a refund":  s.Refund(t.Context(), "t1", drawer.Given{Ref: order.Reference, InCash: true, Amount: 500, Net: 7000, Note: "broken"}, staff.Identity{}),
		"a refund of a cash sale": s.Refund(t.Context(), "t1", drawer.Given{
			Ref: sale.Number, InCash: true, Amount: 500, Net: 7000, Note: "broken",
		}, staff.Identity{}),
		"a void": failure(s.VoidSale(t.Context(), "t1", sale.Number, "mistake", staff.Identity{})),
	} {
		if refused, is := errors.AsType[*payments.TillError](err); !is || refused.Other != "T1" {
			t.Errorf("%s: error %v", what, err)
		}
	}
	if account, err := s.Account(t.Context(), "t1"); err != nil || !account.Empty() {
		t.Errorf("the account of the second till: %+v, %v", account, err)
	}
}

// Without the note, the grand total of the closing would begin again at 0 without being noticed.
func TestAClosingNeedsTheNoteOfTheOneBefore(t *testing.T) {
	store := openStore(t)
	s := newTill(store)
	must(t, store.Update(t.Context(), func(tx payments.Tx) error {
		return tx.Post(ledger.Transfer{
			At: s.now, Booked: s.now, Kind: ledger.Closing, From: ledger.Drawer("T1"), To: ledger.Owner, Till: "T1", By: "Soa",
			Payment: ledger.Payment{Kind: ledger.OfClosing, Ref: "T1-GT-0001"}, Note: "total much",
		})
	}))
	if made, err := s.Close(t.Context(), "T1", "Soa", 0, staff.Identity{}); err == nil {
		t.Errorf("got a grand total of %d", made.GrandTotal)
	}
}
