package storagetest

import (
	"cmp"
	"context"
	"errors"

	"checkout/till/payments"
	"checkout/till/payments/drawer"
	"checkout/till/payments/ledger"
	"checkout/till/payments/money"
	"checkout/till/payments/staff"
)

// ErrDisk is the error of the calls that [Away] and [Only] make fail.
var ErrDisk = errors.New("the disk is full")

// Away is a function for [Faulty].Fault. It makes every call fail that [Faulty] can make fail.
func Away(string) error { return ErrDisk }

// Only returns a function for [Faulty].Fault. It makes only the calls with this name fail.
func Only(call string) func(string) error {
	return func(asked string) error {
		if asked == call {
			return ErrDisk
		}
		return nil
	}
}

// Faulty wraps a store. A test can make the methods of Faulty and faultyTx fail. Other calls go to
// Store.
type Faulty struct {
	payments.Store
	// Fault is called with the name of each call that can fail. If it returns an error, the call
	// fails with that error. A nil Fault makes no call fail.
	Fault func(call string) error
}

func (s *Faulty) fails(call string) error {
	if s.Fault == nil {
		return nil
	}
	return s.Fault(call)
}

// Tx wraps a transaction, so that Fault can make its calls fail.
func (s *Faulty) Tx(tx payments.Tx) payments.Tx { return faultyTx{tx, s.fails} }

// Update runs change twice and rolls the first run back, because a store may run a change more than
// once.
func (s *Faulty) Update(ctx context.Context, change func(payments.Tx) error) error {
	if err := s.fails("begin"); err != nil {
		return err
	}
	Rehearse(ctx, s.Store, change)
	err := s.Store.Update(ctx, func(tx payments.Tx) error {
		if err := change(s.Tx(tx)); err != nil {
			return err
		}
		return s.fails("commit")
	})
	if err == nil {
		err = s.fails("answer to the commit")
	}
	return err
}

// Order fails if Fault returns an error for "read order".
func (s *Faulty) Order(ctx context.Context, ref string) (payments.Order, []payments.Record, error) {
	order, records, err := s.Store.Order(ctx, ref)
	return order, records, cmp.Or(s.fails("read order"), err)
}

// Orders fails if Fault returns an error for "read orders".
func (s *Faulty) Orders(ctx context.Context, query payments.Query) ([]payments.Order, error) {
	return unless[[]payments.Order](s.fails("read orders"))(s.Store.Orders(ctx, query))
}

// Cashiers fails if Fault returns an error for "read cashiers".
func (s *Faulty) Cashiers(ctx context.Context) ([]staff.Cashier, error) {
	return unless[[]staff.Cashier](s.fails("read cashiers"))(s.Store.Cashiers(ctx))
}

// Sales fails if Fault returns an error for "read sales".
func (s *Faulty) Sales(ctx context.Context, till string) ([]payments.Sale, error) {
	return unless[[]payments.Sale](s.fails("read sales"))(s.Store.Sales(ctx, till))
}

// unless returns a function that replaces a call's error with fault, unless fault is nil.
func unless[T any](fault error) func(T, error) (T, error) {
	return func(result T, err error) (T, error) { return result, cmp.Or(fault, err) }
}

type faultyTx struct {
	payments.Tx
	fault func(string) error
}

func (t faultyTx) Order(reference string) (payments.Order, error) {
	return unless[payments.Order](t.fault("order"))(t.Tx.Order(reference))
}

func (t faultyTx) OrderOf(orderReference string) (payments.Order, error) {
	return unless[payments.Order](t.fault("order"))(t.Tx.OrderOf(orderReference))
}

func (t faultyTx) Event(orderReference string, id payments.EventID) (payments.Record, int, error) {
	stored, count, err := t.Tx.Event(orderReference, id)
	return stored, count, cmp.Or(t.fault("event"), err)
}

func (t faultyTx) UnmatchedEvents(orderReference string) ([]payments.Record, error) {
	return unless[[]payments.Record](t.fault("unmatched"))(t.Tx.UnmatchedEvents(orderReference))
}

func (t faultyTx) Siblings(sale string) ([]payments.Order, error) {
	return unless[[]payments.Order](t.fault("siblings"))(t.Tx.Siblings(sale))
}

func (t faultyTx) InsertOrder(order payments.Order) error {
	return cmp.Or(t.fault("insert order"), t.Tx.InsertOrder(order))
}

func (t faultyTx) SaveOrder(order payments.Order) error {
	return cmp.Or(t.fault("save order"), t.Tx.SaveOrder(order))
}

func (t faultyTx) Post(transfer ledger.Transfer) error {
	return cmp.Or(t.fault("post"), t.Tx.Post(transfer))
}

func (t faultyTx) InsertEvent(record payments.Record) error {
	return cmp.Or(t.fault("insert event"), t.Tx.InsertEvent(record))
}

func (t faultyTx) SaveEvent(record payments.Record) error {
	return cmp.Or(t.fault("save event"), t.Tx.SaveEvent(record))
}

func (t faultyTx) TrimUnmatchedEvents(limit int, bytes int64) (int, error) {
	return unless[int](t.fault("trim"))(t.Tx.TrimUnmatchedEvents(limit, bytes))
}

func (t faultyTx) NextNumber(series string) (int64, error) {
	return unless[int64](t.fault("next number"))(t.Tx.NextNumber(series))
}

func (t faultyTx) Tag() (string, error) { return unless[string](t.fault("tag"))(t.Tx.Tag()) }

func (t faultyTx) ClaimTill(code, name string) (string, error) {
	return unless[string](t.fault("claim till"))(t.Tx.ClaimTill(code, name))
}

func (t faultyTx) Article(id string) (payments.Article, error) {
	return unless[payments.Article](t.fault("article"))(t.Tx.Article(id))
}

func (t faultyTx) SaveArticle(article payments.Article) error {
	return cmp.Or(t.fault("save article"), t.Tx.SaveArticle(article))
}

func (t faultyTx) DropSale(id string) error {
	return cmp.Or(t.fault("drop sale"), t.Tx.DropSale(id))
}

func (t faultyTx) CountUse(label string) error {
	return cmp.Or(t.fault("count use"), t.Tx.CountUse(label))
}

func (t faultyTx) Cashiers() ([]staff.Cashier, error) {
	return unless[[]staff.Cashier](t.fault("read cashiers"))(t.Tx.Cashiers())
}

func (t faultyTx) InsertFinding(reference string, finding payments.Finding) error {
	return cmp.Or(t.fault("insert finding"), t.Tx.InsertFinding(reference, finding))
}

func (t faultyTx) Owed(account ledger.Account) (money.Ariary, error) {
	return unless[money.Ariary](t.fault("owed"))(t.Tx.Owed(account))
}

func (t faultyTx) DebtOrders(account ledger.Account) ([]payments.Order, error) {
	return unless[[]payments.Order](t.fault("debt orders"))(t.Tx.DebtOrders(account))
}

func (t faultyTx) Taken(sale string) (payments.Taken, error) {
	return unless[payments.Taken](t.fault("taken"))(t.Tx.Taken(sale))
}

func (t faultyTx) SaveCashier(cashier staff.Cashier) error {
	return cmp.Or(t.fault("save cashier"), t.Tx.SaveCashier(cashier))
}

func (t faultyTx) SaveTries(name string, tries map[string]staff.Tries) error {
	return cmp.Or(t.fault("save tries"), t.Tx.SaveTries(name, tries))
}

func (t faultyTx) DropCashier(name string) error {
	return cmp.Or(t.fault("drop cashier"), t.Tx.DropCashier(name))
}

func (t faultyTx) LastSeries(from, to string) (string, error) {
	return unless[string](t.fault("last series"))(t.Tx.LastSeries(from, to))
}

// errRehearsed rolls the first run of a change back.
var errRehearsed = errors.New("rehearsed")

// Twice is a store that runs every change, and every read of a View, twice, because a store may run
// them more than once.
type Twice struct{ drawer.Store }

// Update runs change in a transaction that is rolled back, and then in another one.
func (s Twice) Update(ctx context.Context, change func(payments.Tx) error) error {
	Rehearse(ctx, s.Store, change)
	return s.Store.Update(ctx, change)
}

// View runs read on two snapshots.
func (s Twice) View(ctx context.Context, read func(drawer.Tx) error) error {
	_ = s.Store.View(ctx, read)
	return s.Store.View(ctx, read)
}

// Rehearse runs a change in a transaction that is rolled back.
func Rehearse(ctx context.Context, store payments.Store, change func(payments.Tx) error) {
	_ = store.Update(ctx, func(tx payments.Tx) error { return cmp.Or(change(tx), errRehearsed) })
}
