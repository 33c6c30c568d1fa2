package payments_test

import (
	"testing"
	"time"

	"checkout/till/payments"
)

func TestResolveSetsTheFindingAndTheVerdict(t *testing.T) {
	for _, test := range []struct {
		name string
		kind payments.FindingKind
		want payments.Verdict
	}{
		{"found paid", payments.FoundPaid, payments.VerdictMarkedPaid},
		{"found unpaid", payments.FoundUnpaid, payments.VerdictMarkedUnpaid},
		{"found refunded", payments.FoundRefunded, payments.VerdictRefunded},
	} {
		t.Run(test.name+" changes neither status nor proof", func(t *testing.T) {
			s := newShop(t)
			order := s.charge(t, "S1")
			s.receive(t, event(payments.PaymentSuccess, order, ""))
			s.receive(t, event(payments.PaymentExpired, order, ""))
			before, _ := s.look(t, order.Reference)
			s.now = s.now.Add(time.Hour)
			finding := payments.Finding{Kind: test.kind, By: "Soa", Note: "looked"}
			resolved, err := s.resolve(t, order.OrderReference, finding)
			must(t, err)
			if resolved.Status != before.Status || resolved.Facts.PaidAt != before.Facts.PaidAt || resolved.Reason != before.Reason {
				t.Errorf("%+v became %+v", before, resolved)
			}
			want := payments.Finding{Kind: test.kind, By: "Soa", Note: "looked", At: s.now, Seen: payments.VerdictCheck}
			if test.kind == payments.FoundRefunded {
				want.Amount = order.Amount
			}
			if *resolved.Finding != want || verdict(resolved, s.now) != test.want || resolved.Open() {
				t.Errorf("finding %+v, %s, open %v", *resolved.Finding, verdict(resolved, s.now), resolved.Open())
			}
			mustAsk(t, resolved, s.now)
			if len(resolved.Items) != 2 {
				t.Errorf("items %v", resolved.Items)
			}
		})
	}
	t.Run("a refund of a part leaves a payment paid", func(t *testing.T) {
		part := payments.Finding{Kind: payments.FoundRefunded, Amount: 4000, Note: "broken"}
		refund := func(before payments.Order) payments.Order { return before.Resolve(part) }
		paid := after(pending(), payments.PaymentSuccess)
		marked := pending().Resolve(payments.Finding{Kind: payments.FoundPaid})
		late := after(pending(), payments.PaymentExpired, payments.PaymentSuccess)
		for name, test := range map[string]struct {
			order payments.Order
			want  payments.Verdict
		}{
			"proven":                          {refund(paid), payments.VerdictPaid},
			"then a failure":                  {after(refund(paid), payments.PaymentFailed), payments.VerdictCheck},
			"then another success":            {after(refund(paid), payments.PaymentSuccess), payments.VerdictPaid},
			"paid too late":                   {refund(late), payments.VerdictMarkedPaid},
			"found paid":                      {refund(marked), payments.VerdictMarkedPaid},
			"found paid, then proven":         {after(refund(marked), payments.PaymentSuccess), payments.VerdictPaid},
			"in two parts, until all is back": {refund(paid).Resolve(payments.Finding{Kind: payments.FoundRefunded, Amount: 9000}), payments.VerdictRefunded},
		} {
			if got := verdict(test.order, opening()); got != test.want {
				t.Errorf("%s: got %s, want %s", name, got, test.want)
			}
			objection := payments.MayCharge([]payments.Order{test.order}, "", nil, opening())
			if again := test.order.Repeatable(payments.Conditions{}, opening()); again != (test.want == payments.VerdictRefunded) || (objection == nil) != again {
				t.Errorf("%s: repeatable is %t, the objection is %v", name, again, objection)
			}
		}
	})
	t.Run("a refund knows how much of it was cash", func(t *testing.T) {
		order := after(pending(), payments.PaymentSuccess)
		for _, step := range []struct {
			amount          payments.Ariary
			cash            bool
			cashed, collect payments.Ariary
		}{
			{2000, false, 0, 7000},
			{5000, true, 5000, 7000},
			{2500, false, 5000, 6500},
			{1000, true, 1000, 6500},
			{0, true, 6500, 6500},
			{payments.NoRefund, false, 6500, 9000},
			{payments.NoRefund, true, 0, 9000},
		} {
			order = order.Resolve(payments.Finding{Kind: payments.FoundRefunded, Amount: step.amount, Cash: step.cash})
			if order.Finding.FromDrawer != step.cashed || order.Collected() != step.collect || order.Received() != step.collect-step.cashed {
				t.Errorf("after %+v: %+v, collected %d", step, order.Finding, order.Collected())
			}
		}
	})
	t.Run("money that was given back stays given back", func(t *testing.T) {
		order := after(pending(), payments.PaymentSuccess).Resolve(payments.Finding{Kind: payments.FoundRefunded, Amount: 4000, Cash: true})
		mixed := order.Resolve(payments.Finding{Kind: payments.FoundRefunded, Amount: 1000})
		if got := mixed.Resolve(payments.Finding{Kind: payments.FoundPaid}); got.Received() != 4000 {
			t.Errorf("found paid after a refund of a part: received %d", got.Received())
		}
		unpaid := order.Resolve(payments.Finding{Kind: payments.FoundUnpaid}).
			Resolve(payments.Finding{Kind: payments.FoundRefunded, Amount: payments.NoRefund, Cash: true})
		if verdict(unpaid, opening()) != payments.VerdictMarkedUnpaid || unpaid.Received() != 0 {
			t.Errorf("the cash was a mistake: %s, received %d", verdict(unpaid, opening()), unpaid.Received())
		}
		dispute := payments.Finding{Kind: payments.FoundUnpaid}
		again := mixed.Resolve(dispute)
		if again.Received() != -4000 || again.Refunded() != 4000 || again.Collected() != 0 {
			t.Errorf("found unpaid: received %d, refunded %d", again.Received(), again.Refunded())
		}
		for name, got := range map[string]payments.Order{
			"then another success": after(again, payments.PaymentSuccess), "then found paid": again.Resolve(payments.Finding{Kind: payments.FoundPaid}),
			"then both": after(again, payments.PaymentSuccess).Resolve(payments.Finding{Kind: payments.FoundPaid}),
		} {
			if got.Received() != 4000 || got.Collected() != 8000 {
				t.Errorf("found unpaid, %s: received %d, collected %d", name, got.Received(), got.Collected())
			}
		}
		for kind, received := range map[payments.FindingKind]payments.Ariary{payments.FoundPaid: 5000, payments.FoundUnpaid: -4000} {
			found := after(order, payments.PaymentFailed).Resolve(payments.Finding{Kind: kind})
			want := payments.Verdict("marked_" + kind)
			if found.Finding.FromDrawer != 4000 || found.Received() != received || verdict(found, opening()) != want {
				t.Errorf("found %s: %+v, received %d", kind, found.Finding, found.Received())
			}
		}
	})
	t.Run("a refund that is not there cannot be taken back", func(t *testing.T) {
		s := newShop(t)
		order := s.charge(t, "S1")
		_, err := s.resolve(t, order.Reference, payments.Finding{Kind: payments.FoundRefunded, Amount: payments.NoRefund})
		mustFail(t, err, payments.ErrNotAmount)
	})
	t.Run("a refund is outdated after another one", func(t *testing.T) {
		s := newShop(t)
		order := s.charge(t, "S1")
		s.receive(t, event(payments.PaymentSuccess, order, ""))
		refund := payments.Finding{Kind: payments.FoundRefunded, Amount: 4000, Note: "broken", Seen: payments.VerdictPaid}
		_, err := s.Resolve(t.Context(), order.Reference, refund, payments.Identity{})
		must(t, err)
		_, err = s.Resolve(t.Context(), order.Reference, refund, payments.Identity{}) // Another till still shows no refund.
		mustFail(t, err, payments.ErrOutdated)
		for _, step := range []payments.Finding{{Amount: 1000, Cash: true}, {Amount: 3000}} { // Still 4000 in all, but 1000 in cash.
			step.Kind = refund.Kind
			step.Note = refund.Note
			_, err = s.resolve(t, order.Reference, step)
			must(t, err)
		}
		refund.SeenRefund = 4000
		_, err = s.Resolve(t.Context(), order.Reference, refund, payments.Identity{})
		mustFail(t, err, payments.ErrOutdated)
	})
	t.Run("a change of the same transaction that fails undoes the finding", func(t *testing.T) {
		s := newShop(t)
		order := s.charge(t, "S1")
		finding := payments.Finding{Kind: payments.FoundPaid, Seen: payments.VerdictWaiting}
		err := s.Guarded(t.Context(), payments.Identity{}, func(tx payments.Tx, by payments.Cashier) error {
			before, after, err := s.ResolveIn(tx, order.Reference, finding, by)
			if err != nil || before.Finding != nil || after.Finding.Kind != payments.FoundPaid {
				t.Errorf("before %+v, after %+v, error %v", before.Finding, after.Finding, err)
			}
			return errDisk
		})
		mustFail(t, err, errDisk)
		if order, _ = s.look(t, order.Reference); order.Finding != nil {
			t.Errorf("finding %+v", order.Finding)
		}
	})
	t.Run("a later finding replaces an earlier one", func(t *testing.T) {
		order := pending().Resolve(payments.Finding{Kind: payments.FoundUnpaid, By: "Soa"}).Resolve(payments.Finding{Kind: payments.FoundPaid, By: "Hery"})
		if order.Finding.By != "Hery" || verdict(order, opening()) != payments.VerdictMarkedPaid {
			t.Errorf("%+v, %s", order.Finding, verdict(order, opening()))
		}
	})
}

func TestAcknowledgeIsIgnoredWhilePaymentsAreUnseen(t *testing.T) {
	for _, conditions := range []payments.Conditions{{StoreDown: true}, {Deaf: true}} {
		order := after(pending(), payments.PaymentFailed).Acknowledge(conditions, opening())
		if order.Facts.Acknowledged || order.Facts.GivenUp {
			t.Errorf("under %+v: %+v", conditions, order.Facts)
		}
	}
}

func TestAcknowledgeNeedsTheCurrentVerdict(t *testing.T) {
	for seen, want := range map[payments.Verdict]bool{payments.VerdictPaid: true, payments.VerdictNotPaid: false} {
		s := newShop(t)
		order := s.charge(t, "S1")
		s.receive(t, event(payments.PaymentFailed, order, ""))
		s.receive(t, event(payments.PaymentSuccess, order, ""))
		got, err := s.Acknowledge(t.Context(), order.Reference, seen, payments.Conditions{})
		if err != nil || got.Facts.Acknowledged != want || got.Facts.GivenUp || verdict(got, s.now) != payments.VerdictPaid {
			t.Errorf("%s was shown, then a payment came: %+v, %v", seen, got.Facts, err)
		}
	}
	s := newShop(t)
	order := s.charge(t, "S1")
	s.receive(t, event(payments.PaymentFailed, order, ""))
	got, err := s.Acknowledge(t.Context(), order.OrderReference, payments.VerdictNotPaid, payments.Conditions{})
	if err != nil || !got.Facts.Acknowledged || !got.Facts.GivenUp || len(got.Items) != 2 {
		t.Errorf("the shown verdict is current: %+v, %v", got, err)
	}
}
