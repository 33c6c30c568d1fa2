package drawer_test

import (
	"context"
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

// gateway accepts every order.
type gateway struct{}

func (gateway) Create(_ context.Context, order payments.Order) (payments.Created, error) {
	return payments.Created{OrderReference: "REF_" + order.Reference, CheckoutURL: "https://pay.example/x", ExpiresMinutes: 10}, nil
}

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
	made.Service = drawer.New(store, payments.New(store, gateway{}, clock, options...))
	return made
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

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
	s.receive(t, order, payments.PaymentSuccess)
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

func (s *till) order(t *testing.T, sale string) payments.Order {
	t.Helper()
	order, err := s.Checkout(t.Context(), terms(sale))
	must(t, err)
	return order
}

func (s *till) cash(t *testing.T, sale string) drawer.CounterSale {
	t.Helper()
	taken, err := s.Take(t.Context(), terms(sale), drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	return taken
}

func (s *till) void(t *testing.T, till, number string) drawer.CounterSale {
	t.Helper()
	voided, err := s.VoidSale(t.Context(), till, number, "mistake", staff.Identity{})
	must(t, err)
	return voided
}

func (s *till) move(t *testing.T, kind drawer.Kind, amount money.Ariary) {
	t.Helper()
	_, err := s.Move(t.Context(), "T1", kind, amount, "", staff.Identity{})
	must(t, err)
}

// say records a move that needs a reason.
func (s *till) say(t *testing.T, kind drawer.Kind, amount money.Ariary) {
	t.Helper()
	_, err := s.Move(t.Context(), "T1", kind, amount, "why", staff.Identity{})
	must(t, err)
}

func (s *till) close(t *testing.T) drawer.Closing {
	t.Helper()
	closing, err := s.Close(t.Context(), "T1", "Soa", 0, staff.Identity{})
	must(t, err)
	return closing
}

func (s *till) day(t *testing.T, period money.Period) drawer.Day {
	t.Helper()
	day, err := s.Day(t.Context(), period)
	must(t, err)
	return day
}

func TestRandomHistoriesOfSalesAgreeWithTheOracle(t *testing.T) {
	storagetest.RunHistories(t, sqlitetest.Open(t), storagetest.Size(200, 2000))
}

func TestCashIsTakenForASaleOnce(t *testing.T) {
	s := open(t)
	sale, err := s.Take(t.Context(), by("Soa", terms("S1")), drawer.Paying{Tender: drawer.TenderCash, Given: 10_000})
	must(t, err)
	if sale.Number != "T1-GT-C-000001" || sale.Change() != 3000 || sale.By != "Soa" {
		t.Errorf("got %+v", sale)
	}
	for name, charge := range map[string]func() error{
		"again in cash": func() error {
			_, err := s.Take(t.Context(), terms("S1"), drawer.Paying{Tender: drawer.TenderCash})
			return err
		},
		"by a link": func() error { _, err := s.Checkout(t.Context(), terms("S1")); return err },
	} {
		objection, is := errors.AsType[*payments.Objection](charge())
		if !is || objection.Kind != payments.SalePaid || objection.Cash != sale.Number {
			t.Errorf("%s: got the objection %+v", name, objection)
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
		again := s.cash(t, "S1")
		if again.Number != "T1-GT-C-000002" {
			t.Errorf("got %s", again.Number)
		}
	})
}

func TestAPaymentAfterCashIsPaidTwiceUntilOneIsGivenBack(t *testing.T) {
	s := open(t)
	order := s.order(t, "S1")
	_, err := s.Take(t.Context(), terms("S1"), drawer.Paying{Tender: drawer.TenderCash})
	if objection, is := errors.AsType[*payments.Objection](err); !is || objection.Kind != payments.SalePayable {
		t.Fatalf("got %v, want an objection: the link can still be paid", err)
	}
	despite := terms("S1")
	despite.Despite = []payments.ObjectionKind{payments.SalePayable}
	sale, err := s.Take(t.Context(), despite, drawer.Paying{Tender: drawer.TenderCash})
	must(t, err)
	if s.find(t, order.Reference).Payable(s.now) {
		t.Error("the code may still be shown")
	}
	s.pay(t, order)
	paid := s.find(t, order.Reference)
	if paid.Verdict(payments.Conditions{}, s.now) != payments.VerdictCheck || paid.TakenInCash != sale.Number {
		t.Errorf("got %+v", paid)
	}
	s.void(t, "T1", sale.Number)
	if verdict := s.find(t, order.Reference).Verdict(payments.Conditions{}, s.now); verdict != payments.VerdictPaid {
		t.Errorf("after the void the verdict is %s", verdict)
	}
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
	posted, _, err := s.Transfers(t.Context(), money.Day(s.now, 0))
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
	_, err := s.Close(t.Context(), "T1", "Soa", 20, staff.Identity{})
	must(t, err)
	s.cash(t, "S3")
	s.say(t, drawer.Out, 500)
	s.say(t, drawer.In, 300)
	must(t, s.Refund(t.Context(), "T1", drawer.Given{Ref: first.Number, InCash: true, Amount: 1000, Net: 7000, Note: "broken"}, staff.Identity{}))
	s.close(t)
	all, err := s.Closings(t.Context(), money.Day(s.now, 0))
	must(t, err)
	if len(all) != 2 || all[0].VAT != 20 || all[1].VAT != 0 || all[0].GrandTotal != 14_000 || all[1].GrandTotal != 20_000 {
		t.Fatalf("got %+v", all)
	}
	for i, closing := range all {
		if ends, err := hex.DecodeString(closing.Seal); err != nil || len(ends) != 8 || closing.Seal == all[1-i].Seal {
			t.Errorf("the seal of %s is %q", closing.Number, closing.Seal)
		}
	}
	before, err := s.Account(t.Context(), "T1")
	must(t, err)
	s.cash(t, "S6")
	open, err := s.Account(t.Context(), "T1")
	must(t, err)
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
	today := money.Day(s.now, 0)
	s.now = s.now.AddDate(0, 0, -1) // The clock is set back for one closing.
	s.cash(t, "S4")
	s.close(t)
	s.now = s.now.AddDate(0, 0, 1)
	s.cash(t, "S5")
	made := s.close(t)
	read, err := s.Closings(t.Context(), today)
	must(t, err)
	if last := read[len(read)-1]; last.Number != made.Number || made.GrandTotal != 41_000 || last.GrandTotal != made.GrandTotal {
		t.Errorf("closed with %d, and read %d", made.GrandTotal, last.GrandTotal)
	}
}

func TestAClosingHasWhatCameSinceTheLastOne(t *testing.T) {
	s := open(t)
	s.move(t, drawer.Float, 50_000)
	s.cash(t, "S1")
	late := s.order(t, "S2")
	s.move(t, drawer.Count, 56_500)
	closing := s.close(t)
	if count, counted := closing.LastCount(); closing.Number != "T1-GT-0001" || closing.Expected() != 57_000 || count.Difference() != -500 || !counted {
		t.Errorf("got %+v", closing)
	}
	s.now = s.now.Add(-time.Hour) // The clock is set back.
	s.pay(t, late)
	next := s.close(t)
	if next.Number != "T1-GT-0002" || next.Received != (money.Sum{Count: 1, Amount: 7000}) || len(next.Moves) != 0 || len(next.Counts) != 0 {
		t.Errorf("got %+v", next)
	}
	all, err := s.Closings(t.Context(), money.Day(s.now, 0))
	must(t, err)
	if len(all) != 2 {
		t.Errorf("got %d closings, want 2", len(all))
	}
}

func TestAnAccountFromAnEarlierDayIsClosedByAnOwner(t *testing.T) {
	s := open(t)
	owner, cashier := s.hire(t)
	for name, change := range map[string]func(who staff.Identity) error{
		"a move": func(who staff.Identity) error {
			_, err := s.Move(t.Context(), "T1", drawer.Out, 500, "bread", who)
			return err
		},
		"a closing": func(who staff.Identity) error { _, err := s.Close(t.Context(), "T1", "", 0, who); return err },
	} {
		if err := change(staff.Identity{}); !errors.Is(err, staff.ErrIdentityNeeded) {
			t.Errorf("%s without a PIN: %v", name, err)
		}
	}
	// In each case, the first step happens yesterday, and the second one today.
	foundPaid := func(ref string) {
		t.Helper()
		_, err := s.Resolve(t.Context(), ref, payments.Finding{Kind: payments.FoundPaid, Seen: payments.VerdictWaiting}, cashier)
		must(t, err)
	}
	refund := func(ref string) {
		t.Helper()
		must(t, s.Refund(t.Context(), "T1", drawer.Given{Ref: ref, Amount: 7000, Net: 7000, Note: "broken"}, cashier))
	}
	var order payments.Order
	for _, c := range []struct {
		name             string
		yesterday, today func()
		owner            bool // Whether only an owner may close.
	}{
		{"cash", func() {
			_, err := s.Move(t.Context(), "T1", drawer.Float, 500, "", cashier)
			must(t, err)
		}, func() {}, true},
		{"a payment", func() { s.pay(t, s.order(t, "S1")) }, func() {}, true},
		{"an order found paid", func() { foundPaid(s.order(t, "S2").Reference) }, func() {}, true},
		{"an order found paid, and the payment today", func() {
			order = s.order(t, "S3")
			foundPaid(order.Reference)
		}, func() { s.pay(t, order) }, true},
		{"an order that is paid today", func() { order = s.order(t, "S4") }, func() { s.pay(t, order) }, false},
		{"a refund of counted money", func() {
			order = s.order(t, "S5")
			s.pay(t, order)
			_, err := s.Close(t.Context(), "T1", "", 0, owner)
			must(t, err)
			refund(order.Reference)
		}, func() {}, true},
		{"counted money, and a refund today", func() {
			order = s.order(t, "S6")
			s.pay(t, order)
			_, err := s.Close(t.Context(), "T1", "", 0, owner)
			must(t, err)
		}, func() { refund(order.Reference) }, false},
		{"a payment of yesterday that is recorded today", func() { order = s.order(t, "S7") }, func() {
			_, err := s.ReceiveLate(t.Context(), payments.Event{
				Kind: payments.PaymentSuccess, OrderReference: order.OrderReference,
				Amount: payments.AmountValue(order.Amount), Currency: payments.TextValue(payments.Currency),
			}, nil, s.now.AddDate(0, 0, -1).Add(time.Minute))
			must(t, err)
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
	if _, err := s.Close(t.Context(), "T1", "", 0, cashier); !errors.Is(err, staff.ErrNotOwner) {
		t.Errorf("days begin at midnight: a cashier closes with the error %v", err)
	}
	s.DayBegins = 4 * time.Hour
	_, err := s.Close(t.Context(), "T1", "", 0, cashier)
	must(t, err)
}

// A cashier cannot choose a time zone in which yesterday's account is today's.
func TestAnotherZoneDoesNotMakeYesterdayToday(t *testing.T) {
	s := open(t)
	owner, cashier := s.hire(t)
	shop, pagoPago := s.now.Location(), time.FixedZone("", -11*60*60)
	_, err := s.Close(t.Context(), "T1", "", 20, owner)
	must(t, err)
	s.now = time.Date(2026, 11, 27, 17, 0, 0, 0, shop)
	s.cash(t, "S1")
	s.now = time.Date(2026, 11, 28, 9, 0, 0, 0, shop).In(pagoPago) // There it is still the 27th.
	if _, err := s.Close(t.Context(), "T1", "", 20, cashier); !errors.Is(err, staff.ErrNotOwner) {
		t.Errorf("a cashier closes with the error %v", err)
	}
	closing, err := s.Close(t.Context(), "T1", "", 20, owner)
	must(t, err)
	s.now = s.now.In(shop)
	all, err := s.Closings(t.Context(), money.Day(s.now, 0))
	must(t, err)
	const want = "2026-11-27 19:00 -11:00"
	for _, closing := range append(all, closing) {
		if got := closing.At.Format("2006-01-02 15:04 -07:00"); got != want || closing.VAT != 20 || closing.GrandTotal != 7000 {
			t.Errorf("closed at %s, VAT %d, grand total %d", got, closing.VAT, closing.GrandTotal)
		}
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
	if _, err := s.IssueReceipt(t.Context(), order.Reference); !errors.Is(err, drawer.ErrNoReceipt) {
		t.Errorf("a receipt for an order that is not paid: %v", err)
	}
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
	if _, err := s.IssueReceipt(t.Context(), "T1-GT-C-999999"); !errors.Is(err, payments.ErrNotFound) {
		t.Errorf("a receipt for nothing: %v", err)
	}
}

func TestTheTakingsOfADayIncludeCash(t *testing.T) {
	s := open(t)
	order := s.order(t, "S1")
	s.pay(t, order)
	for _, sale := range []string{"S2", "S3"} {
		s.cash(t, sale)
	}
	s.void(t, "T1", "T1-GT-C-000002")
	period := money.Day(s.now, 0)
	period.Sold = true
	day := s.day(t, period)
	if day.Taken() != (money.Sum{Count: 2, Amount: 14_000}) || len(day.Hours) != 1 || day.Hours[0].Count != 2 ||
		len(day.Sold) != 1 || day.Sold[0].Quantity != 4 {
		t.Errorf("got %+v", day)
	}
}

func TestTheJournalHasTheSumsOfTheTakings(t *testing.T) {
	s := open(t)
	first := money.Day(s.now, 0)
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
	for _, period := range []money.Period{first, money.Day(s.now, 0), {From: first.From, To: money.Day(s.now, 0).To}} {
		day := s.day(t, period)
		entries, err := s.Journal(t.Context(), period)
		must(t, err)
		var amount, refunded money.Ariary
		for _, entry := range entries {
			amount, refunded = amount+entry.Amount, refunded+entry.Refunded
		}
		if amount-refunded != day.Taken().Amount || refunded != day.Refunded.Amount {
			t.Errorf("from %s: the journal has %d and %d given back, the takings %d and %d",
				period.From, amount-refunded, refunded, day.Taken().Amount, day.Refunded.Amount)
		}
	}
}

func TestTheJournalNamesTheReceiptOfTheSale(t *testing.T) {
	s := open(t)
	issue := func(ref string) {
		t.Helper()
		_, err := s.IssueReceipt(t.Context(), ref)
		must(t, err)
	}
	for _, sale := range []string{"S1", "S2", "S3"} { // S1 has a receipt of the sale and one of the refund, S2 only that of the refund, and S3 no receipt.
		order := s.order(t, sale)
		s.pay(t, order)
		if sale == "S1" {
			issue(order.Reference)
		}
		if sale != "S3" {
			s.refund(t, "T1", order.Reference, false, order.Amount)
			issue(order.Reference)
		}
	}
	entries, err := s.Journal(t.Context(), money.Day(s.now, 0))
	must(t, err)
	got := make([]string, len(entries))
	for i, entry := range entries {
		got[i] = entry.Receipt
	}
	if !slices.Equal(got, []string{"T1-GT-000001", "T1-GT-000003", ""}) {
		t.Errorf("got the receipts %v", got)
	}
}

func TestTheJournalNamesWhoSold(t *testing.T) {
	s := open(t)
	for _, by := range []string{"Soa", ""} {
		terms := payments.Terms{Sale: "S" + by, Till: "T1", By: by, Items: []payments.Item{{Label: "Vary", UnitPrice: 9000, Quantity: 1}}}
		order, err := s.Checkout(t.Context(), terms)
		must(t, err)
		s.pay(t, order)
	}
	entries, err := s.Journal(t.Context(), money.Day(s.now, 0))
	must(t, err)
	if len(entries) != 2 || entries[0].By != "Soa" || entries[1].By != "" {
		t.Errorf("got %+v, want a sale by Soa and one by nobody", entries)
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

// A second till with the code of the first one would share its numbers, but not its account.
func TestATillWithAnotherTillsCodeRecordsNothing(t *testing.T) {
	s := open(t)
	order, sale := s.order(t, "S1"), s.cash(t, "S2")
	s.pay(t, order)
	for what, err := range map[string]error{
		"a float":   failure(s.Move(t.Context(), "t1", drawer.Float, 1000, "", staff.Identity{})),
		"a sale":    failure(s.Take(t.Context(), payments.Terms{Till: "T-1", Items: terms("").Items}, drawer.Paying{Tender: drawer.TenderCash})),
		"a closing": failure(s.Close(t.Context(), "T 1 é", "Soa", 0, staff.Identity{})),
		"a refund":  s.Refund(t.Context(), "t1", drawer.Given{Ref: order.Reference, InCash: true, Amount: 500, Net: 7000, Note: "broken"}, staff.Identity{}),
		"a refund of a cash sale": s.Refund(t.Context(), "t1", drawer.Given{
			Ref: sale.Number, InCash: true, Amount: 500, Net: 7000, Note: "broken",
		}, staff.Identity{}),
		"a void":    failure(s.VoidSale(t.Context(), "t1", sale.Number, "mistake", staff.Identity{})),
		"a restore": s.NoteRestore(t.Context(), "t1"),
	} {
		if refused, is := errors.AsType[*payments.TillError](err); !is || refused.Other != "T1" {
			t.Errorf("%s: error %v", what, err)
		}
	}
	if account, err := s.Account(t.Context(), "t1"); err != nil || !account.Empty() {
		t.Errorf("the account of the second till: %+v, %v", account, err)
	}
}

func failure[T any](_ T, err error) error { return err }

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
