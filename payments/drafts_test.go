package payments_test

import (
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/storage/storagetest"
)

// newTill returns a shop that stores its unfinished sales in the separate database disk.
func newTill(t *testing.T) (s *shop, disk *store) {
	t.Helper()
	s, disk = newShop(t), openStore(t)
	s.Service = payments.New(s.store, s, s.clock, payments.WithDrafts(disk))
	return s, disk
}

// typed returns a sale of T1 that was changed just now.
func (s *shop) typed(id string) payments.Sale {
	return payments.Sale{ID: id, Till: "T1", Items: terms(id).Items, UpdatedAt: s.now}
}

// expectSales checks how many sales of T1 a store has, and the ID of the first one.
func expectSales(t *testing.T, disk *store, want ...string) {
	t.Helper()
	sales, err := disk.Sales(t.Context(), "T1")
	if err != nil || len(sales) != len(want) || len(want) > 0 && sales[0].ID != want[0] {
		t.Errorf("the disk has the sales %+v, %v, want %q", sales, err, want)
	}
}

func TestRecoverClosesSalesThatAnOrderCharged(t *testing.T) {
	if closed, err := newShop(t).Recover(t.Context(), "T1"); len(closed) > 0 || err != nil {
		t.Errorf("without drafts: %v, %v", closed, err)
	}
	failed := func(s *shop, order payments.Order) { s.receive(t, event(payments.PaymentFailed, order, "")) }
	found := func(kind payments.FindingKind) func(*shop, payments.Order) {
		return func(s *shop, order payments.Order) {
			must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: kind})))
		}
	}
	edited := func(sale *payments.Sale) { sale.Items[0].Quantity++ }
	for name, tt := range map[string]struct {
		later time.Duration // When the sale was last changed, relative to the order; negative means before.
		made  func(payments.Order) (payments.Created, error)
		then  func(*shop, payments.Order)
		edit  func(*payments.Sale)
		want  []string
	}{
		"the program ended before it closed the sale":           {},
		"the sale is older than its order":                      {later: -time.Minute},
		"the clock was set back between the sale and the order": {later: time.Hour},
		"its lines were corrected after the order":              {later: time.Second, edit: edited, want: []string{"S1"}},
		"its lines were corrected, and the clock was set back":  {later: -time.Hour, edit: edited, want: []string{"S1"}},
		"its description was changed, and the clock was set back": {
			later: -time.Hour, edit: func(sale *payments.Sale) { sale.Description = "Table 4" }, want: []string{"S1"},
		},
		"it was reopened after an unpaid order":                {later: time.Second, then: failed, want: []string{"S1"}},
		"it was reopened, and the clock was set back":          {later: -time.Hour, then: failed, want: []string{"S1"}},
		"it was reopened after an order that was found unpaid": {later: time.Second, then: found(payments.FoundUnpaid), want: []string{"S1"}},
		"the order was found paid":                             {then: found(payments.FoundPaid)},
		"the order was paid before it expired": {then: func(s *shop, order payments.Order) {
			s.receive(t, event(payments.PaymentSuccess, order, ""))
			s.receive(t, event(payments.PaymentExpired, order, ""))
		}},
		"the service refused the order":       {made: refusing, want: []string{"S1"}},
		"the outcome of the order is unknown": {made: ambiguous, want: []string{"S1"}},
		"the order was not sent":              {made: unsent, want: []string{"S1"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, disk := newTill(t)
			if tt.made != nil {
				s.answer = tt.made
			}
			order, _ := s.Checkout(t.Context(), terms("S1"))
			if tt.then != nil {
				tt.then(s, order)
			}
			s.now = s.now.Add(tt.later)
			sale := s.typed("S1")
			if tt.edit != nil {
				tt.edit(&sale)
			}
			must(t, s.SaveSale(t.Context(), sale))
			closed, err := s.Recover(t.Context(), "T1")
			if err != nil || len(closed) != 1-len(tt.want) {
				t.Errorf("closed %+v, %v", closed, err)
			}
			expectSales(t, disk, tt.want...)
		})
	}
}

func TestRecoverClosesThePaymentOfADebtThatAnOrderCharged(t *testing.T) {
	s, disk := newTill(t)
	s.owe(t, rabe, 9000)
	debt := terms("S1")
	debt.Debt = rabe
	s.checkout(t, debt)
	sale := s.typed("S1")
	sale.Debt = debt.Debt
	must(t, s.SaveSale(t.Context(), sale))
	closed, err := s.Recover(t.Context(), "T1")
	if err != nil || len(closed) != 1 {
		t.Errorf("closed %+v, %v", closed, err)
	}
	expectSales(t, disk)
}

func TestOrderIsKeptWhenDropSaleFails(t *testing.T) {
	s, disk := newTill(t)
	must(t, s.SaveSale(t.Context(), s.typed("S1")))
	disk.Fault = storagetest.Only("read sales")
	mustFail(t, failure(s.Recover(t.Context(), "T1")), storagetest.ErrDisk)
	disk.Fault = storagetest.Only("drop sale")
	if order := s.charge(t, "S1"); order.Status != payments.StatusPending {
		t.Errorf("order %+v", order)
	}
	mustFail(t, failure(s.Recover(t.Context(), "T1")), storagetest.ErrDisk)
	expectSales(t, disk, "S1")
	disk.Fault = nil
	if closed, err := s.Recover(t.Context(), "T1"); err != nil || len(closed) != 1 || closed[0].ID != "S1" {
		t.Errorf("closed %+v, %v", closed, err)
	}
	expectSales(t, disk)
}

// A copy of a database file has the unfinished sales of the till, which had no separate store.
func TestRecoverMovesTheSalesOfACopiedDatabase(t *testing.T) {
	s, disk := newTill(t)
	single := payments.New(s.store, s, s.clock)
	must(t, s.SaveSale(t.Context(), s.typed("S1")))
	for _, id := range []string{"S1", "S2"} {
		s.now = s.now.Add(time.Minute)
		must(t, single.SaveSale(t.Context(), payments.Sale{ID: id, Till: "T1", Name: "Rado", Items: terms(id).Items}))
	}
	for _, broken := range []string{"read sales", "drop sale"} {
		s.store.Fault = storagetest.Only(broken)
		mustFail(t, failure(s.Recover(t.Context(), "T1")), storagetest.ErrDisk)
	}
	s.store.Fault = nil
	if closed, err := s.Recover(t.Context(), "T1"); err != nil || len(closed) != 0 {
		t.Errorf("closed %+v, %v", closed, err)
	}
	expectSales(t, disk, "S2", "S1")
	expectSales(t, s.store)
	if sales, err := disk.Sales(t.Context(), "T1"); err != nil || sales[0].Name != "Rado" || sales[1].Name != "" {
		t.Errorf("the sales are %+v, %v", sales, err)
	}
}

func TestASaleIsKeptWhileItHasLinesOrADescription(t *testing.T) {
	s := newShop(t)
	woken := s.Watch(t.Context())
	sale, other := s.NewSale(" T1\n"), s.NewSale("T1")
	if sale.ID == "" || sale.ID == other.ID || sale.Till != "T1" {
		t.Errorf("new sales %+v, %+v", sale, other)
	}
	for i, step := range []struct {
		name   string
		change func()
		stored bool
	}{
		{"an empty sale is not kept", func() {}, false},
		{"a line is kept", func() { sale.Items = terms("").Items[:1] }, true},
		{"the next line is kept", func() { sale.Items = terms("").Items }, true},
		{"a sale without lines is dropped", func() { sale.Items = nil }, false},
		{"a sale with only a description is kept", func() { sale.Description = "Latabatra 4" }, true},
		{"a sale with a blank description is dropped", func() { sale.Description = " \u200b" }, false},
	} {
		t.Run(step.name, func(t *testing.T) {
			step.change()
			s.now = s.now.Add(time.Second)
			must(t, s.SaveSale(t.Context(), sale))
			sales, err := s.Sales(t.Context(), "T1")
			if err != nil || (len(sales) == 1) != step.stored {
				t.Fatalf("sales %+v, %v", sales, err)
			}
			if i > 0 {
				<-woken // The first step changes nothing and notifies no watcher.
			}
			if step.stored && (!slices.Equal(sales[0].Items, sale.Items) || !sales[0].UpdatedAt.Equal(s.Now())) {
				t.Errorf("sale %+v", sales[0])
			}
		})
	}
}
