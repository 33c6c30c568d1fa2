package payments_test

import (
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
)

func TestOneSaleWithSeveralOrders(t *testing.T) {
	setUp := func(t *testing.T) (*shop, payments.Order, payments.Order) {
		s := newShop(t)
		return s, s.charge(t, "S1"), s.charge(t, "S1")
	}
	t.Run("W31 the end of the old link is no news after the new one was paid", func(t *testing.T) {
		for _, kind := range []payments.EventKind{payments.PaymentFailed, payments.PaymentCanceled, payments.PaymentExpired} {
			s, older, newer := setUp(t)
			s.receive(t, event(payments.PaymentSuccess, newer, ""))
			s.receive(t, event(kind, older, ""))
			older, _ = s.look(t, older.Reference)
			newer, _ = s.look(t, newer.Reference)
			if verdict(newer, s.now) != payments.VerdictPaid || verdict(older, s.now) != payments.VerdictNotPaid {
				t.Errorf("%s: newer %s, older %s", kind, verdict(newer, s.now), verdict(older, s.now))
			}
			if older.Open() || !newer.Open() {
				t.Errorf("%s: the cashier is asked to look at the older: %v, at the newer: %v", kind, older.Open(), newer.Open())
			}
		}
	})
	t.Run("the end of the old link is news while nothing is paid", func(t *testing.T) {
		s, older, newer := setUp(t)
		s.receive(t, event(payments.PaymentFailed, newer, ""))
		s.receive(t, event(payments.PaymentExpired, older, ""))
		if older, _ = s.look(t, older.Reference); !older.Open() {
			t.Error("the cashier is not told")
		}
	})
	t.Run("both paid: both are to be checked", func(t *testing.T) {
		s, older, newer := setUp(t)
		other := s.charge(t, "S2")
		for _, order := range []payments.Order{older, other, newer} {
			s.receive(t, event(payments.PaymentSuccess, order, ""))
			if order.Reference == newer.Reference {
				break
			}
			if _, err := s.Acknowledge(t.Context(), order.Reference, payments.VerdictPaid, payments.Conditions{}); err != nil {
				t.Fatal(err)
			}
		}
		for _, ref := range []string{older.Reference, newer.Reference} {
			order, _ := s.look(t, ref)
			mustAsk(t, order, s.now, payments.PaidTwice)
			if !order.Paid() || verdict(order, s.now) != payments.VerdictCheck || order.Facts.Acknowledged {
				t.Errorf("%s: paid %v, %s", ref, order.Paid(), verdict(order, s.now))
			}
		}
		if other, _ = s.look(t, other.Reference); verdict(other, s.now) != payments.VerdictPaid {
			t.Errorf("the other sale's order: %s", verdict(other, s.now))
		}
	})
	t.Run("a finding from before the second payment does not hide it", func(t *testing.T) {
		s, older, newer := setUp(t)
		s.receive(t, event(payments.PaymentSuccess, older, ""))
		if _, err := s.resolve(t, older.Reference, payments.Finding{Paid: true}); err != nil {
			t.Fatal(err)
		}
		s.receive(t, event(payments.PaymentSuccess, newer, ""))
		older, _ = s.look(t, older.Reference)
		mustAsk(t, older, s.now, payments.PaidTwice)
	})
	t.Run("orders without a sale are not each other's", func(t *testing.T) {
		s := newShop(t)
		one, other := s.charge(t, ""), s.charge(t, "")
		s.receive(t, event(payments.PaymentSuccess, one, ""))
		s.receive(t, event(payments.PaymentSuccess, other, ""))
		if one, _ = s.look(t, one.Reference); verdict(one, s.now) != payments.VerdictPaid {
			t.Errorf("verdict %s", verdict(one, s.now))
		}
	})
}

func TestSalesThatAreBeingEntered(t *testing.T) {
	s := newShop(t)
	woken := s.Watch(t.Context())
	sale, other := s.NewSale(" T1\n"), s.NewSale("T1")
	if sale.ID == "" || sale.ID == other.ID || sale.Till != "T1" {
		t.Errorf("new sales %+v, %+v", sale, other)
	}
	steps := []struct {
		name   string
		change func()
		stored bool
	}{
		{"an empty sale is not kept", func() {}, false},
		{"a line is kept", func() { sale.Items = terms("").Items[:1] }, true},
		{"the next line is kept", func() { sale.Items = terms("").Items }, true},
		{"a sale without lines is dropped", func() { sale.Items = nil }, false},
		{"a description alone is kept", func() { sale.Description = "Latabatra 4" }, true},
		{"a blank description is none", func() { sale.Description = " \u200b" }, false},
	}
	for i, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			step.change()
			s.now = s.now.Add(time.Second)
			must(t, s.SaveSale(t.Context(), sale))
			sales, err := s.Sales(t.Context(), "T1\x1b")
			if err != nil || (len(sales) == 1) != step.stored {
				t.Fatalf("sales %+v, %v", sales, err)
			}
			if i > 0 {
				<-woken // At the first step nothing changes.
			}
			if step.stored && (!slices.Equal(sales[0].Items, sale.Items) || !sales[0].UpdatedAt.Equal(s.Now())) {
				t.Errorf("sale %+v", sales[0])
			}
		})
	}
}
