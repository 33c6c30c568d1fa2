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
		{
			"stored reasons and those of the clock are sorted",
			with(toCheck), end.Add(time.Hour),
			[]payments.Attention{payments.Contradicted, payments.Overdue},
		},
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

func TestWhatCanStillBecomeOfAnOrder(t *testing.T) {
	const (
		success, failed   = payments.PaymentSuccess, payments.PaymentFailed
		canceled, expired = payments.PaymentCanceled, payments.PaymentExpired
	)
	end := pending().Link.ExpiresAt
	noLink := pending()
	noLink.Link = payments.Link{}
	mismatch := event(success, pending(), "")
	mismatch.Amount = payments.AmountValue(1)
	wrong, _ := pending().Apply(mismatch, nil, opening())
	foundPaid, foundUnpaid := payments.Finding{Paid: true}, payments.Finding{}
	with := func(status payments.Status) payments.Order {
		order := pending()
		order.Status = status
		return order
	}
	seen := func(order payments.Order) payments.Order { return order.Acknowledge(payments.Conditions{}, opening()) }
	const (
		live      = 1 << iota // The customer can still pay by the link.
		payable               // The customer may still be asked to.
		retryable             // The customer was refused, and can try again.
		open                  // The cashier still has to look at it.
	)
	tests := []struct {
		name  string
		order payments.Order
		now   time.Time
		want  int
	}{
		{"a new link", pending(), opening(), live | payable | open},
		{"its last moment", pending(), end.Add(-1), live | payable | open},
		{"its end", pending(), end, open},
		{"no link", noLink, opening(), open},
		{"the call is under way", with(payments.StatusCreating), end, open},
		{"the outcome is unknown", with(payments.StatusUnknown), end, open},
		{"refused, as the cashier was told", with(payments.StatusRejected), end, 0},
		{"paid, not yet seen", after(pending(), success), opening(), open},
		{"paid and seen", seen(after(pending(), success)), opening(), 0},
		{"paid and contradicted", after(pending(), success, failed), opening(), open},
		{"contradicted and seen, but not resolved", seen(after(pending(), success, failed)), opening(), open},
		{"contradicted and resolved", after(pending(), success, failed).Resolve(foundPaid), opening(), 0},
		{"a success that is no proof", wrong, opening(), live | open},
		{"failed: the customer may try again", after(pending(), failed), opening(), live | payable | retryable | open},
		{"failed, and the link is over", after(pending(), failed), end, open},
		{"failed and seen: it is given up", seen(after(pending(), failed)), opening(), live | payable},
		{"failed and found unpaid", after(pending(), failed).Resolve(foundUnpaid), opening(), live | payable},
		{"canceled: the customer may try again", after(pending(), canceled), opening(), live | payable | open},
		{"expired", after(pending(), expired), opening(), open},
		{"a person found it paid", pending().Resolve(foundPaid), opening(), live},
		{"a person found it unpaid", pending().Resolve(foundUnpaid), opening(), live | payable},
		{"unknown and resolved", with(payments.StatusUnknown).Resolve(foundUnpaid), end, 0},
		{"a finding before the last event", after(pending().Resolve(foundPaid), failed), opening(), live | payable | retryable | open},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := 0
			for flag, is := range map[int]bool{
				live: test.order.Live(test.now), payable: test.order.Payable(test.now),
				retryable: test.order.Retryable(test.now), open: test.order.Open(),
			} {
				if is {
					got |= flag
				}
			}
			if got != test.want {
				t.Errorf("got %04b, want %04b (open, retryable, payable, live)", got, test.want)
			}
		})
	}
}
