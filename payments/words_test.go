package payments_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
)

func TestAListenersHealth(t *testing.T) {
	for _, kind := range payments.CauseKinds() {
		if kind == payments.CauseNone || !(payments.Health{Cause: payments.Cause{Kind: kind}}).Suspicious() {
			t.Errorf("the cause %q is no reason to look", kind)
		}
	}
	if !(payments.Health{Refused: 1}).Suspicious() || (payments.Health{Listening: true}).Suspicious() {
		t.Error("a refused webhook is the reason to look")
	}
	hostile := payments.Cause{Kind: payments.CauseOtherHeader, Detail: "X-\x1b[2J" + strings.Repeat("w", 100)}
	if shown := hostile.Shown(); strings.Contains(shown, "\x1b") || len([]rune(shown)) > 40 {
		t.Errorf("the detail is shown as %q", shown)
	}
	if outcomes := payments.Outcomes(); len(slices.Compact(slices.Sorted(slices.Values(outcomes)))) != 6 {
		t.Errorf("the outcomes are %q", outcomes)
	}
}

func TestWhichOrdersMayBeRepeated(t *testing.T) {
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	order := func(status payments.Status, change func(o *payments.Order)) payments.Order {
		o := payments.Order{Reference: "T1-1", Status: status, Link: payments.Link{ExpiresAt: now.Add(time.Minute)}}
		if change != nil {
			change(&o)
		}
		return o
	}
	for name, c := range map[string]struct {
		order      payments.Order
		conditions payments.Conditions
		repeatable bool
	}{
		"waits":              {order: order(payments.StatusPending, nil), repeatable: true},
		"is under way":       {order: order(payments.StatusCreating, nil)},
		"failed":             {order: order(payments.StatusFailed, nil), repeatable: true},
		"over":               {order: order(payments.StatusPending, func(o *payments.Order) { o.Link.ExpiresAt = now }), repeatable: true},
		"has no answer":      {order: order(payments.StatusUnknown, nil), repeatable: true},
		"cannot be seen":     {order: order(payments.StatusPending, nil), conditions: payments.Conditions{StoreDown: true}},
		"is paid":            {order: order(payments.StatusSuccess, func(o *payments.Order) { o.Facts.PaidAt, o.Facts.SuccessSeen = now, true })},
		"has a paid sibling": {order: order(payments.StatusFailed, func(o *payments.Order) { o.Facts.Superseded = true })},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.order.Repeatable(c.conditions, now); got != c.repeatable {
				t.Errorf("it is repeatable: %v, as %s", got, c.order.Verdict(c.conditions, now))
			}
		})
	}
}
