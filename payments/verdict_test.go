package payments_test

import (
	"slices"
	"testing"
	"time"

	"checkout/till/payments"
)

// Each of these functions changes an order so that one rule of the verdict applies.
func blind(o *payments.Order, c *payments.Conditions) { c.StoreDown = true }
func lost(o *payments.Order, _ *payments.Conditions)  { o.Status = payments.StatusUnknown }
func markPaid(o *payments.Order, _ *payments.Conditions) {
	o.Finding = &payments.Finding{Kind: payments.FoundPaid, By: "Soa"}
}

func markUnpaid(o *payments.Order, _ *payments.Conditions) {
	o.Finding = &payments.Finding{Kind: payments.FoundUnpaid, By: "Soa"}
}

func refunded(o *payments.Order, _ *payments.Conditions) { o.Refunds.Area = o.Amount }

func toCheck(o *payments.Order, _ *payments.Conditions) {
	o.Facts.SuccessSeen, o.Facts.Attention = true, []payments.Attention{payments.Contradicted}
}

func paid(o *payments.Order, _ *payments.Conditions) {
	o.Facts.SuccessSeen, o.Facts.PaidAt = true, opening()
}
func rejected(o *payments.Order, _ *payments.Conditions) { o.Status = payments.StatusRejected }
func unreached(o *payments.Order, _ *payments.Conditions) {
	o.Status, o.Facts.NotSent = payments.StatusCreating, true
}
func failed(o *payments.Order, _ *payments.Conditions)   { o.Status = payments.StatusFailed }
func canceled(o *payments.Order, _ *payments.Conditions) { o.Status = payments.StatusCanceled }
func expired(o *payments.Order, _ *payments.Conditions)  { o.Status = payments.StatusExpired }
func over(o *payments.Order, _ *payments.Conditions)     { o.Link.ExpiresAt = opening() }

func otherwise(o *payments.Order, _ *payments.Conditions) {
	o.Facts.Superseded, o.Facts.PaidOtherwise = true, true
}

func deaf(_ *payments.Order, c *payments.Conditions) { c.Deaf = true }

type change = func(*payments.Order, *payments.Conditions)

// The rules are listed by priority. If two apply, the earlier one decides.
func TestTheEarlierRuleDecidesTheVerdict(t *testing.T) {
	ladder := []struct {
		name   string
		fact   change
		want   payments.Verdict
		status bool // Whether the rule sets the status. Two such rules cannot apply together.
	}{
		{"the store is down", blind, payments.VerdictUnknown, false},
		{"a person found it unpaid", markUnpaid, payments.VerdictMarkedUnpaid, false},
		{"all money was given back", refunded, payments.VerdictRefunded, false},
		{"a person found it paid", markPaid, payments.VerdictMarkedPaid, false},
		{"the creation's outcome is unknown", lost, payments.VerdictUnknown, true},
		{"a success was seen and a person must look", toCheck, payments.VerdictCheck, false},
		{"paid, and nothing to check", paid, payments.VerdictPaid, false},
		{"the service refused it", rejected, payments.VerdictRejected, true},
		{"the call never left", unreached, payments.VerdictNotSent, true},
		{"no payment would be seen, and the link lives or ended just now", deaf, payments.VerdictUnknown, false},
		{"failed is the last event", failed, payments.VerdictNotPaid, true},
		{"canceled is the last event", canceled, payments.VerdictNotPaid, true},
		{"expired is the last event", expired, payments.VerdictNotPaid, true},
		{"the countdown is at zero and no event came", over, payments.VerdictTimeOver, false},
		{"no other rule", func(*payments.Order, *payments.Conditions) {}, payments.VerdictWaiting, false},
	}
	for i, above := range ladder {
		for _, below := range ladder[i:] {
			if above.status && below.status && above.name != below.name {
				continue
			}
			t.Run(above.name+", and "+below.name, func(t *testing.T) {
				order, conditions := pending(), payments.Conditions{}
				below.fact(&order, &conditions)
				above.fact(&order, &conditions)
				if got := order.Verdict(conditions, opening()); got != above.want {
					t.Errorf("verdict %s, want %s", got, above.want)
				}
			})
		}
	}
	t.Run("overdue, and not reported as expired", func(t *testing.T) {
		order := pending()
		if got := verdict(order, order.Link.ExpiresAt.Add(payments.LinkGrace+1)); got != payments.VerdictTimeOver {
			t.Errorf("verdict %s", got)
		}
	})
}

func TestADeafTillHidesVerdictsForHalfAnHourAfterTheLink(t *testing.T) {
	unseen, end := payments.Conditions{Deaf: true}, pending().Link.ExpiresAt
	noLink := pending()
	noLink.Status, noLink.Link, noLink.SentAt = payments.StatusCreating, payments.Link{}, opening()
	unpaid := after(pending(), payments.PaymentExpired)
	for _, test := range []struct {
		name  string
		order payments.Order
		now   time.Time
		want  payments.Verdict
	}{
		{"not paid, and the link lives", unpaid, end.Add(-1), payments.VerdictUnknown},
		{"the last moment", unpaid, end.Add(30*time.Minute - 1), payments.VerdictUnknown},
		{"half an hour later", unpaid, end.Add(30 * time.Minute), payments.VerdictNotPaid},
		{"no event came for half an hour", pending(), end.Add(30 * time.Minute), payments.VerdictTimeOver},
		{"an order without a link", noLink, opening(), payments.VerdictWaiting},
		{"paid", after(pending(), payments.PaymentSuccess), opening(), payments.VerdictPaid},
		{"to check", after(pending(), payments.PaymentSuccess, payments.PaymentFailed), opening(), payments.VerdictCheck},
	} {
		got := test.order.Verdict(unseen, test.now)
		if got != test.want || test.order.Hidden(unseen, test.now) != (got == payments.VerdictUnknown) {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
		if !test.order.Hidden(payments.Conditions{StoreDown: true}, test.now) || test.order.Hidden(payments.Conditions{}, test.now) {
			t.Errorf("%s: only a failed database hides every verdict", test.name)
		}
	}
}

func TestAnOrderOfASaleThatWasPaidOtherwiseAwaitsNothing(t *testing.T) {
	end := pending().Link.ExpiresAt
	for _, test := range []struct {
		name       string
		facts      []change
		conditions payments.Conditions
		want       payments.Verdict
	}{
		{"the link lives", nil, payments.Conditions{}, payments.VerdictPaidOtherwise},
		{"the link is over, and no event came", []change{over}, payments.Conditions{}, payments.VerdictPaidOtherwise},
		{"no payment would be seen", nil, payments.Conditions{Deaf: true}, payments.VerdictPaidOtherwise},
		{"the store is down", nil, payments.Conditions{StoreDown: true}, payments.VerdictUnknown},
		{"the creation's outcome is unknown", []change{lost}, payments.Conditions{}, payments.VerdictUnknown},
		{"the call never left", []change{unreached}, payments.Conditions{}, payments.VerdictPaidOtherwise},
		{"failed", []change{failed}, payments.Conditions{}, payments.VerdictNotPaid},
		{"canceled", []change{canceled}, payments.Conditions{}, payments.VerdictNotPaid},
		{"expired", []change{expired}, payments.Conditions{}, payments.VerdictNotPaid},
		{"it was paid, too", []change{paid}, payments.Conditions{}, payments.VerdictPaid},
	} {
		order := pending()
		for _, fact := range append(test.facts, otherwise) {
			fact(&order, &payments.Conditions{})
		}
		if got := order.Verdict(test.conditions, end); got != test.want {
			t.Errorf("%s: verdict %s, want %s", test.name, got, test.want)
		}
		if awaited := pending().Open(); test.want == payments.VerdictPaidOtherwise && (order.Open() == awaited || order.Attention(end.Add(time.Hour)) != nil) {
			t.Errorf("%s: a person must look at it", test.name)
		}
	}
}

func TestOnlyFinalVerdictsAreDecided(t *testing.T) {
	decided := []payments.Verdict{
		payments.VerdictPaid, payments.VerdictMarkedPaid, payments.VerdictMarkedUnpaid, payments.VerdictRefunded,
		payments.VerdictRejected, payments.VerdictNotPaid, payments.VerdictPaidOtherwise, payments.VerdictNotSent,
	}
	for _, verdict := range payments.Verdicts() {
		if verdict.Undecided() == slices.Contains(decided, verdict) {
			t.Errorf("%s: undecided is %t", verdict, verdict.Undecided())
		}
	}
}

func TestAttentionListsStoredAndTimedReasons(t *testing.T) {
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
	for _, test := range []struct {
		name  string
		order payments.Order
		now   time.Time
		want  []payments.Attention
	}{
		{"nothing", pending(), opening(), nil},
		{"the outcome is unknown", with(lost), opening(), []payments.Attention{payments.UnknownOutcome}},
		{"the link has ended", pending(), end, nil},
		{"the link ended two minutes ago", pending(), end.Add(payments.LinkGrace), nil},
		{"the link ended earlier: overdue", pending(), end.Add(payments.LinkGrace + 1), []payments.Attention{payments.Overdue}},
		{"an event came: not overdue", with(failed), end.Add(time.Hour), nil},
		{"without a link: not overdue", noLink, end.Add(time.Hour), nil},
		{
			"stored reasons and those of time are sorted",
			with(toCheck), end.Add(time.Hour),
			[]payments.Attention{payments.Contradicted, payments.Overdue},
		},
		{"a reason of time may come first", paidLate, end.Add(time.Hour), []payments.Attention{payments.Overdue, payments.PaidLate}},
		{"a person's finding settles all", with(toCheck, lost, markPaid), end.Add(time.Hour), nil},
	} {
		t.Run(test.name, func(t *testing.T) { mustAsk(t, test.order, test.now, test.want...) })
	}
	t.Run("asking changes nothing", func(t *testing.T) {
		_ = paidLate.Attention(end.Add(time.Hour))
		mustAsk(t, paidLate, opening(), payments.PaidLate)
	})
}

func TestWhenAnOrderIsLivePayableOrRepeatable(t *testing.T) {
	const (
		success, failed   = payments.PaymentSuccess, payments.PaymentFailed
		canceled, expired = payments.PaymentCanceled, payments.PaymentExpired
	)
	end := pending().Link.ExpiresAt
	noLink := pending()
	noLink.Link = payments.Link{}
	underWay := noLink
	underWay.Status, underWay.SentAt = payments.StatusCreating, opening()
	mismatch := event(success, pending(), "")
	mismatch.Amount = payments.AmountValue(1)
	wrong, _ := pending().Apply(mismatch, payments.Order{}, opening())
	foundPaid, foundUnpaid := payments.Finding{Kind: payments.FoundPaid}, payments.Finding{Kind: payments.FoundUnpaid}
	with := func(status payments.Status) payments.Order {
		order := pending()
		order.Status = status
		return order
	}
	seen := func(order payments.Order) payments.Order { return order.Acknowledge(payments.Conditions{}, opening()) }
	back := func(order payments.Order) payments.Order {
		refunded(&order, nil)
		return seen(order)
	}
	givenBack := after(pending(), failed)
	givenBack.Facts.Superseded = true
	superseded := givenBack
	superseded.Facts.PaidOtherwise = true
	const (
		live       = 1 << iota // The link still accepts a payment.
		payable                // The code may be shown.
		retryable              // The payment failed, and the customer can try again.
		open                   // The order may need a person.
		repeatable             // The same items may be charged again.
	)
	for _, test := range []struct {
		name  string
		order payments.Order
		now   time.Time
		want  int
	}{
		{"a new link", pending(), opening(), live | payable | open | repeatable},
		{"its last moment", pending(), end.Add(-1), live | payable | open | repeatable},
		{"its end", pending(), end, open | repeatable},
		{"no link", noLink, opening(), open | repeatable},
		{"the call is under way", underWay, opening(), open},
		{"the outcome is unknown", with(payments.StatusUnknown), end, open | repeatable},
		{"rejected by the service", with(payments.StatusRejected), end, 0},
		{"paid, not yet acknowledged", after(pending(), success), opening(), open},
		{"paid and acknowledged", seen(after(pending(), success)), opening(), 0},
		{"paid and contradicted", after(pending(), success, failed), opening(), open},
		{"contradicted and acknowledged, but not resolved", seen(after(pending(), success, failed)), opening(), open},
		{"contradicted and resolved", after(pending(), success, failed).Resolve(foundPaid), opening(), 0},
		{"a success without proof", wrong, opening(), live | open},
		{"failed: the customer may try again", after(pending(), failed), opening(), live | payable | retryable | open | repeatable},
		{"failed, and the link is over", after(pending(), failed), end, open | repeatable},
		{"failed, and another order of the sale is paid", superseded, opening(), live | open},
		{"failed, and the other order's money was given back", givenBack, opening(), live | open | repeatable},
		{"failed and acknowledged: it is given up", seen(after(pending(), failed)), opening(), live | payable | repeatable},
		{"failed and found unpaid", after(pending(), failed).Resolve(foundUnpaid), opening(), live | payable | repeatable},
		{"canceled: the customer may try again", after(pending(), canceled), opening(), live | payable | open | repeatable},
		{"expired", after(pending(), expired), opening(), open | repeatable},
		{"a person found it paid", pending().Resolve(foundPaid), opening(), live},
		{"a person found it unpaid", pending().Resolve(foundUnpaid), opening(), live | payable | repeatable},
		{"unknown and resolved", with(payments.StatusUnknown).Resolve(foundUnpaid), end, repeatable},
		{"all money was given back", back(after(pending(), success)), opening(), repeatable},
		{"found paid, and all money was given back", back(pending().Resolve(foundPaid)), opening(), live | repeatable},
		{"all money was given back, then a success", after(back(after(pending(), success)), success), opening(), open},
		{"found paid, then failed", after(pending().Resolve(foundPaid), failed), opening(), live | open},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := 0
			for flag, is := range map[int]bool{
				live: test.order.Live(test.now), payable: test.order.Payable(test.now),
				retryable: test.order.Retryable(test.now), open: test.order.Open(),
				repeatable: test.order.Repeatable(payments.Conditions{}, test.now),
			} {
				if is {
					got |= flag
				}
			}
			if got != test.want {
				t.Errorf("got %05b, want %05b (repeatable, open, retryable, payable, live)", got, test.want)
			}
		})
	}
}
