package payments_test

import (
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
)

// The rows of the table of verdicts, most urgent first. Each makes its own row
// true of an order and leaves the rest of the order as it was.
func blind(o *payments.Order, c *payments.Conditions) { c.StoreDown = true }
func lost(o *payments.Order, _ *payments.Conditions)  { o.Status = payments.StatusUnknown }
func markPaid(o *payments.Order, _ *payments.Conditions) {
	o.Finding = &payments.Finding{Paid: true, By: "Soa"}
}

func markUnpaid(o *payments.Order, _ *payments.Conditions) { o.Finding = &payments.Finding{By: "Soa"} }

func toCheck(o *payments.Order, _ *payments.Conditions) {
	o.Facts.SuccessSeen, o.Facts.Attention = true, []payments.Attention{payments.Contradicted}
}

func paid(o *payments.Order, _ *payments.Conditions) {
	o.Facts.SuccessSeen, o.Facts.PaidAt = true, opening()
}
func rejected(o *payments.Order, _ *payments.Conditions) { o.Status = payments.StatusRejected }
func failed(o *payments.Order, _ *payments.Conditions)   { o.Status = payments.StatusFailed }
func canceled(o *payments.Order, _ *payments.Conditions) { o.Status = payments.StatusCanceled }
func expired(o *payments.Order, _ *payments.Conditions)  { o.Status = payments.StatusExpired }
func over(o *payments.Order, _ *payments.Conditions)     { o.Link.ExpiresAt = opening() }
func overdue(o *payments.Order, _ *payments.Conditions) {
	o.Link.ExpiresAt = opening().Add(-payments.Grace - 1)
}

type change = func(*payments.Order, *payments.Conditions)

func TestVerdict(t *testing.T) {
	tests := []struct {
		name  string
		facts []change
		want  payments.Verdict
	}{
		{"the store is down", []change{blind}, payments.VerdictUnknown},
		{"the listener is down", []change{func(_ *payments.Order, c *payments.Conditions) { c.ListenerDown = true }}, payments.VerdictUnknown},
		{"the till is cut off", []change{func(_ *payments.Order, c *payments.Conditions) { c.CutOff = true }}, payments.VerdictUnknown},
		{"the creation's outcome is unknown", []change{lost}, payments.VerdictUnknown},
		{"a person found it paid", []change{markPaid}, payments.VerdictMarkedPaid},
		{"a person found it unpaid", []change{markUnpaid}, payments.VerdictMarkedUnpaid},
		{"a success was seen and a person must look", []change{toCheck}, payments.VerdictCheck},
		{"paid, and nothing to check", []change{paid}, payments.VerdictPaid},
		{"the service refused it", []change{rejected}, payments.VerdictRejected},
		{"failed is the last event", []change{failed}, payments.VerdictNotPaid},
		{"canceled is the last event", []change{canceled}, payments.VerdictNotPaid},
		{"expired is the last event", []change{expired}, payments.VerdictNotPaid},
		{"T9 the countdown is at zero and no event came", []change{over}, payments.VerdictTimeOver},
		{"T9 overdue, and still not expired", []change{overdue}, payments.VerdictTimeOver},
		{"none of all this", nil, payments.VerdictWaiting},

		{"unknown goes before marked", []change{blind, markPaid}, payments.VerdictUnknown},
		{"unknown goes before check", []change{blind, toCheck}, payments.VerdictUnknown},
		{"unknown goes before paid", []change{blind, paid}, payments.VerdictUnknown},
		{"unknown goes before not paid", []change{blind, failed}, payments.VerdictUnknown},
		{"an unknown outcome goes before time over", []change{lost, over}, payments.VerdictUnknown},
		{"a finding settles an unknown outcome", []change{lost, markUnpaid}, payments.VerdictMarkedUnpaid},
		{"marked goes before check", []change{markUnpaid, toCheck}, payments.VerdictMarkedUnpaid},
		{"marked is never the green of paid", []change{markPaid, paid}, payments.VerdictMarkedPaid},
		{"marked goes before rejected", []change{markPaid, rejected}, payments.VerdictMarkedPaid},
		{"marked goes before not paid", []change{markPaid, failed}, payments.VerdictMarkedPaid},
		{"marked goes before time over", []change{markUnpaid, over}, payments.VerdictMarkedUnpaid},
		{"check goes before paid", []change{toCheck, paid}, payments.VerdictCheck},
		{"check goes before not paid", []change{toCheck, expired}, payments.VerdictCheck},
		{"check goes before time over", []change{toCheck, over}, payments.VerdictCheck},
		{"paid goes before not paid", []change{paid, failed}, payments.VerdictPaid},
		{"paid goes before time over", []change{paid, over}, payments.VerdictPaid},
		{"rejected goes before time over", []change{rejected, over}, payments.VerdictRejected},
		{"not paid goes before time over", []change{failed, over}, payments.VerdictNotPaid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			order, conditions := pending(), payments.Conditions{}
			for _, fact := range test.facts {
				fact(&order, &conditions)
			}
			if got := order.Verdict(conditions, opening()); got != test.want {
				t.Errorf("verdict %s, want %s", got, test.want)
			}
		})
	}
}

func TestAttention(t *testing.T) {
	end := pending().Link.ExpiresAt
	with := func(facts ...change) payments.Order {
		order := pending()
		for _, fact := range facts {
			fact(&order, &payments.Conditions{})
		}
		return order
	}
	noLink := pending()
	noLink.Link = payments.Link{}
	paidLate := pending()
	paidLate.Facts.Attention = slices.Grow([]payments.Attention{payments.PaidLate}, 4)
	tests := []struct {
		name  string
		order payments.Order
		now   time.Time
		want  []payments.Attention
	}{
		{"nothing", pending(), opening(), nil},
		{"the outcome is unknown", with(lost), opening(), []payments.Attention{payments.UnknownOutcome}},
		{"the link is over", pending(), end, nil},
		{"the link is over for two minutes", pending(), end.Add(payments.Grace), nil},
		{"the link is over for longer: overdue", pending(), end.Add(payments.Grace + 1), []payments.Attention{payments.Overdue}},
		{"an event came: not overdue", with(failed), end.Add(time.Hour), nil},
		{"refused: not overdue", with(rejected), end.Add(time.Hour), nil},
		{"without a link: not overdue", noLink, end.Add(time.Hour), nil},
		{"stored reasons and those of the clock are sorted", with(toCheck), end.Add(time.Hour), []payments.Attention{payments.Contradicted, payments.Overdue}},
		{"a reason of the clock may come first", paidLate, end.Add(time.Hour), []payments.Attention{payments.Overdue, payments.PaidLate}},
		{"a person's finding settles all", with(toCheck, lost, markPaid), end.Add(time.Hour), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { mustAsk(t, test.order, test.now, test.want...) })
	}
	t.Run("asking changes nothing", func(t *testing.T) {
		_ = paidLate.Attention(end.Add(time.Hour))
		mustAsk(t, paidLate, opening(), payments.PaidLate)
	})
}

func TestPayable(t *testing.T) {
	mismatch := event(payments.PaymentSuccess, pending(), "")
	mismatch.Amount = payments.AmountValue(1)
	wrong, _ := pending().Apply(mismatch, nil, opening())
	outdated := after(pending().Resolve(payments.Finding{Paid: true}), payments.PaymentFailed)
	tests := []struct {
		name  string
		order payments.Order
		now   time.Time
		want  bool
	}{
		{"a new link", pending(), opening(), true},
		{"its end", pending(), pending().Link.ExpiresAt, false},
		{"failed: the customer may try again", after(pending(), payments.PaymentFailed), opening(), true},
		{"paid", after(pending(), payments.PaymentSuccess), opening(), false},
		{"a success that is no proof", wrong, opening(), false},
		{"a person found it paid", pending().Resolve(payments.Finding{Paid: true}), opening(), false},
		{"a person found it unpaid", pending().Resolve(payments.Finding{}), opening(), true},
		{"a finding before the last event", outdated, opening(), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.order.Payable(test.now); got != test.want {
				t.Errorf("payable is %v", got)
			}
		})
	}
}

func TestLive(t *testing.T) {
	end := pending().Link.ExpiresAt
	noLink := pending()
	noLink.Link = payments.Link{}
	mismatch := event(payments.PaymentSuccess, pending(), "")
	mismatch.Amount = payments.AmountValue(1)
	wrong, _ := pending().Apply(mismatch, nil, opening())
	tests := []struct {
		name  string
		order payments.Order
		now   time.Time
		want  bool
	}{
		{"a new link", pending(), opening(), true},
		{"its last moment", pending(), end.Add(-1), true},
		{"its end", pending(), end, false},
		{"no link", noLink, opening(), false},
		{"paid", after(pending(), payments.PaymentSuccess), opening(), false},
		{"paid and contradicted", after(pending(), payments.PaymentSuccess, payments.PaymentFailed), opening(), false},
		{"a success that is no proof", wrong, opening(), true},
		{"failed: the customer may try again", after(pending(), payments.PaymentFailed), opening(), true},
		{"canceled: the customer may try again", after(pending(), payments.PaymentCanceled), opening(), true},
		{"expired", after(pending(), payments.PaymentExpired), opening(), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.order.Live(test.now); got != test.want {
				t.Errorf("live is %v", got)
			}
		})
	}
}

func TestOpen(t *testing.T) {
	seen := func(order payments.Order) payments.Order {
		return order.Acknowledge(payments.Conditions{}, opening())
	}
	with := func(status payments.Status) payments.Order {
		order := pending()
		order.Status = status
		return order
	}
	tests := []struct {
		name  string
		order payments.Order
		want  bool
	}{
		{"the call is under way", with(payments.StatusCreating), true},
		{"the outcome is unknown", with(payments.StatusUnknown), true},
		{"refused, as the cashier was told", with(payments.StatusRejected), false},
		{"pending", pending(), true},
		{"pending and resolved", pending().Resolve(payments.Finding{}), false},
		{"unknown and resolved", with(payments.StatusUnknown).Resolve(payments.Finding{}), false},
		{"paid, not yet seen", after(pending(), payments.PaymentSuccess), true},
		{"paid and seen", seen(after(pending(), payments.PaymentSuccess)), false},
		{"failed, not yet seen", after(pending(), payments.PaymentFailed), true},
		{"failed and seen", seen(after(pending(), payments.PaymentFailed)), false},
		{"contradicted and seen, but not resolved", seen(after(pending(), payments.PaymentSuccess, payments.PaymentFailed)), true},
		{"contradicted and resolved", after(pending(), payments.PaymentSuccess, payments.PaymentFailed).Resolve(payments.Finding{Paid: true}), false},
		{"resolved, and something came since", after(pending().Resolve(payments.Finding{}), payments.PaymentFailed), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.order.Open(); got != test.want {
				t.Errorf("open is %v", got)
			}
		})
	}
}
