package payments_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/ledger"
)

// story is a list of what happens to the orders of a sale, and what the cashier sees at the end.
// Each order has a letter as its name.
type story struct{ name, steps, want string }

// play runs steps that are separated by commas:
//
//   - charge creates an order. charge? also confirms a payable link, and charge!
//     confirms every objection.
//   - lose creates an order of unknown outcome.
//   - unsent fails to send an order, and send sends it again.
//   - success, failed, canceled, expired and refunded deliver an event. A word after the
//     order's letter makes the event differ from other events of its kind.
//   - short delivers a success of too small an amount.
//   - ack acknowledges the verdict.
//   - found-paid and found-unpaid record a finding.
//   - refund gives back all that is left in the merchant area, or an amount of it; cash gives back from
//     a drawer. back takes the last refund back, if the order has money for it.
//   - wait moves the clock.
//
// A word after the letter of a new order names another sale; - means no sale.
func (s *shop) play(t *testing.T, steps string) (seen []string) {
	t.Helper()
	references := make(map[string]string)
	for step := range strings.SplitSeq(steps, ", ") {
		words := append(strings.Fields(step), "")
		verb, name, more := words[0], words[1], words[2]
		given := terms(strings.Trim(more, "-"))
		if more == "" {
			given = terms("S1")
		}
		order, _, err := s.Order(t.Context(), references[name])
		if known := err == nil; known != (references[name] != "") {
			t.Fatal(step, err)
		}
		taking := s.answer
		switch verb {
		case "wait":
			pause, err := time.ParseDuration(name)
			must(t, err)
			s.now = s.now.Add(pause)
			continue
		case "charge", "charge?", "charge!", "lose", "unsent", "send":
			given.Despite = map[string][]payments.ObjectionKind{
				"charge?": {payments.SalePayable}, "charge!": {payments.SalePaid, payments.SaleDoubtful, payments.SalePayable},
			}[verb]
			given.Reference = references[name]
			s.answer = map[string]func(payments.Order) (payments.Created, error){"lose": ambiguous, "unsent": unsent}[verb]
			if s.answer == nil {
				s.answer = taking
			}
			order, err = s.Checkout(t.Context(), given)
			s.answer = taking
			if order.Reference != "" {
				references[name] = order.Reference
			}
			if err != nil && !errors.Is(err, payments.ErrNotSent) && !errors.Is(err, payments.ErrAmbiguous) {
				seen = append(seen, err.Error())
			}
		case "ack":
			must(t, failure(s.Acknowledge(t.Context(), order.Reference, verdict(order, s.now), payments.Conditions{})))
		case "refund", "cash":
			from := map[string]ledger.Account{"refund": area, "cash": drawer}[verb]
			amount := order.Left(verb == "cash")
			if more != "" {
				_, err = fmt.Sscan(more, &amount)
				must(t, err)
			}
			must(t, s.refund(t, order.Reference, from, amount))
		case "back":
			if err := s.takeBack(t, order.Reference); err != nil {
				seen = append(seen, err.Error())
			}
		case "found-paid", "found-unpaid":
			kind := payments.FindingKind(strings.TrimPrefix(verb, "found-"))
			must(t, failure(s.resolve(t, order.Reference, payments.Finding{Kind: kind, By: "Soa", Note: "looked"})))
		case "short": // A success with a smaller amount.
			e := event(payments.PaymentSuccess, order, more)
			e.Amount = payments.AmountValue(order.Amount - 1)
			s.receive(t, e)
		default:
			s.receive(t, event(payments.EventKind("payment."+verb), order, more))
		}
	}
	var names []string
	for name, reference := range references {
		names = append(names, reference, name)
		order, _ := s.look(t, reference)
		text := fmt.Sprint(name, " ", verdict(order, s.now))
		for _, reason := range order.Attention(s.now) {
			text += fmt.Sprint(" ", reason)
		}
		if order.Open() {
			text += " open"
		}
		if order.Payable(s.now) {
			text += " code"
		}
		seen = append(seen, text)
	}
	for i := range seen {
		seen[i] = strings.NewReplacer(names...).Replace(seen[i])
	}
	slices.Sort(seen)
	return seen
}

// For each order, the cashier sees its verdict and its reasons for attention, then "open" if
// [payments.Order.Open] is true, and "code" if [payments.Order.Payable] is true. The errors of
// charge follow.
func TestVerdictsAfterSequencesOfEvents(t *testing.T) {
	for _, story := range []story{
		{"no event", "charge a", "a waiting open code"},
		{"a success", "charge a, success a", "a paid open"},
		{"a second try after a failure", "charge a, failed a, success a", "a paid open"},
		{"a second try after a cancellation", "charge a, canceled a, success a", "a paid open"},
		{"two successes", "charge a, success a, success a again", "a paid open"},
		{"the same failure once more", "charge a, failed a, success a, failed a", "a paid open"},
		{"another failure after a success", "charge a, failed a, success a, failed a again", "a check contradicted open"},
		{"a success that comes again after a contradiction", "charge a, success a, expired a, success a again", "a check contradicted open"},
		{"a success after an expiry", "charge a, expired a, success a", "a check paid_late open"},
		{"late, then contradicted", "charge a, expired a, success a, canceled a", "a check contradicted paid_late open"},
		{"every event without a payment", "charge a, failed a, canceled a, expired a, failed a again", "a not_paid open code"},

		{"at the end of the link", "charge a, wait 10m, success a", "a paid open"},
		{"two minutes after its end", "charge a, wait 12m, success a", "a paid open"},
		{"more than two minutes after its end", "charge a, wait 12m0.001s, success a", "a check paid_late open"},
		{"after an acknowledged failure", "charge a, failed a, ack a, success a", "a check paid_late open"},
		{"after an acknowledged cancellation", "charge a, canceled a, ack a, success a", "a check paid_late open"},
		{"waiting and acknowledged: it is not given up", "charge a, ack a, success a", "a paid open"},
		{"another failure of a given-up order is no news", "charge a, failed a, ack a, failed a again", "a not_paid code"},
		{"a second success that is late adds nothing", "charge a, success a, ack a, wait 2h, success a again", "a paid"},
		{"an acknowledged unknown outcome", "lose a, ack a", "a unknown unknown_outcome open"},

		{"another kind of event does not change a finding", "charge a, found-unpaid a, refunded a", "a marked_unpaid code"},
		{"found unpaid, then a success", "charge a, found-unpaid a, success a", "a check finding_contradicted paid_late open"},
		{"found paid, then a success", "charge a, found-paid a, success a", "a marked_paid"},
		{"found paid, then an expiry", "charge a, found-paid a, expired a", "a check finding_contradicted open"},
		{"the reasons from before a finding come back", "charge a, success a, failed a, found-paid a, failed a again", "a check contradicted finding_contradicted open"},
		{"a new finding decides", "charge a, success a, failed a, found-paid a, failed a again, found-unpaid a", "a marked_unpaid"},
		{"found unpaid and acknowledged, then a success", "charge a, found-unpaid a, ack a, success a", "a check finding_contradicted paid_late open"},
		{"found unpaid, then an expiry", "charge a, found-unpaid a, expired a", "a marked_unpaid"},
		{"refunded, then a success", "charge a, success a, refund a, success a again", "a check finding_contradicted open"},
		{"refunded, then a failure", "charge a, success a, refund a, failed a", "a refunded"},
		{"refunded, and then found paid", "charge a, success a, refund a, found-paid a", "a refunded"},
		{"refunded, and then found unpaid", "charge a, success a, refund a, found-unpaid a", "a marked_unpaid"},
		{"refunded, then a success, and then found paid", "charge a, success a, refund a, success a again, found-paid a", "a refunded"},
		{"a refund that is taken back after a failure", "charge a, success a, refund a, failed a, back a", "a check contradicted open"},
		{"a refund that is taken back after a success", "charge a, success a, refund a, success a again, back a", "a check finding_contradicted open"},
		{"a part that is taken back, of all", "charge a, success a, refund a 4000, refund a, back a", "a paid"},
		{"a refund of what nobody knew to be paid", "charge a, refund a", "a refunded"},
		{"a part of what nobody knew to be paid", "charge a, refund a 4000", "a marked_paid"},
		{"a refund of what nobody knew to be paid, then a success", "charge a, refund a, success a", "a check finding_contradicted paid_late open"},
		{"a refund of what nobody knew to be paid, then a failure", "charge a, refund a, failed a", "a refunded"},
		{"a part of what nobody knew to be paid, then a failure", "charge a, refund a 4000, failed a", "a check finding_contradicted open"},
		{"a part of what nobody knew to be paid, then a success", "charge a, refund a 4000, success a", "a marked_paid"},
		{"a refund of what nobody knew to be paid, taken back", "charge a, refund a, back a", "a marked_paid"},
		{"a part of what was given up, then a success", "charge a, failed a, ack a, refund a 4000, failed a again, success a", "a check finding_contradicted paid_late open"},
		{"a refund of what failed", "charge a, failed a, refund a", "a refunded"},
		{"a part of what must be checked", "charge a, success a, failed a, refund a 4000", "a marked_paid"},
		{"a part of what came too late", "charge a, expired a, success a, refund a 4000", "a marked_paid"},
		{"a part of what was paid plainly", "charge a, success a, refund a 4000", "a paid"},
		{"a part of what was paid plainly, then a failure", "charge a, success a, refund a 4000, failed a", "a check contradicted open"},
		{"a part of what was paid plainly, then a success", "charge a, success a, refund a 4000, success a again", "a paid"},
		{"a refund of an order of unknown outcome", "lose a, refund a", "a refunded"},
		{"a contradicted finding is found again", "charge a, found-paid a, expired a, found-paid a", "a marked_paid"},

		{"the failure of the old link is no news after the new one was paid", "charge a, charge! b, success b, failed a", "a not_paid; b paid open"},
		{"the end of the old link is no news either", "charge a, charge! b, success b, expired a", "a not_paid; b paid open"},
		{"the end of the old link is news while nothing is paid", "charge a, charge! b, failed b, expired a", "a not_paid open; b not_paid open code"},
		{"two orders of a sale are paid, and one of another sale", "charge a, charge! b, charge c S2, success a, ack a, success c, success b", "a check paid_twice open; b check paid_twice open; c paid open"},
		{"a finding does not hide a second payment", "charge a, charge! b, success a, found-paid a, success b", "a marked_paid; b check paid_twice open"},
		{"found paid, and then another order is paid", "charge a, found-paid a, charge! b, success b", "a marked_paid; b check paid_twice open"},
		{"paid, and then another order is found paid", "charge a, charge! b, success b, found-paid a", "a marked_paid; b check paid_twice open"},
		{"paid twice, and one is refunded", "charge a, charge! b, success a, success b, refund a", "a refunded; b paid open"},
		{"paid twice, and a part of one is refunded", "charge a, charge! b, success a, success b, refund a 4000", "a check paid_twice open; b check paid_twice open"},
		{"paid twice, and the parts of both make one amount", "charge a, charge! b, success a, success b, refund a 4000, cash b 5000", "a paid; b paid"},
		{"a refund of one does not find it paid if it was only paid twice", "charge a, charge! b, success a, success b, refund a 4000, failed a", "a check contradicted paid_twice open; b check paid_twice open"},
		{"paid twice, one is refunded, and that is taken back", "charge a, charge! b, success a, success b, ack b, refund a, back a", "a check paid_twice open; b check paid_twice open"},
		{"a refund of what nobody knew to be paid hides the other codes", "charge a, charge! b, refund a 4000", "a marked_paid; b paid_otherwise"},
		{"a whole refund of what nobody knew to be paid hides no code", "charge a, charge! b, refund a", "a refunded; b waiting open code"},
		{"cash that was given back for nothing pays a part of another order", "charge a, charge! b, success a, cash a, found-unpaid a, charge! c, success b, success c", "a marked_unpaid; b paid open; c paid open"},
		{"paid twice, and one is found unpaid", "charge a, charge! b, success a, success b, found-unpaid b", "a paid open; b marked_unpaid"},
		{"paid twice, and one is found paid", "charge a, charge! b, success a, success b, found-paid a", "a marked_paid; b check paid_twice open"},
		{"paid twice, one is refunded, and then found paid", "charge a, charge! b, success a, success b, refund a, found-paid a", "a refunded; b paid open"},
		{"orders without a sale are independent", "charge a -, charge b -, success a, success b", "a paid open; b paid open"},

		{"a paid sale", "charge a, success a, charge? b", "a paid open; order a of the sale is paid"},
		{"a paid sale that was acknowledged", "charge a, success a, ack a, charge? b", "a paid; order a of the sale is paid"},
		{"a sale that was paid and refunded", "charge a, success a, refund a, charge b", "a refunded; b waiting open code"},
		{"a sale that was paid, of which a part was refunded", "charge a, success a, cash a 4000, charge b", "a paid; order a of the sale is paid"},
		{"a sale that was refunded, and then a success came", "charge a, success a, refund a, success a again, charge b", "a check finding_contradicted open; order a of the sale is doubtful"},
		{"a sale of which the shop has no money", "charge a, charge! b, success a, cash a, found-unpaid a, success b, charge c", "a marked_unpaid; b paid open; c waiting open code"},
		{"a sale that was marked paid", "charge a, found-paid a, charge? b", "a marked_paid; order a of the sale is paid"},
		{"a paid sale, after the question", "charge a, success a, charge! b", "a paid open; b waiting open code"},
		{"a paid sale with expired links", "charge a, charge? b, success b, wait 11m, charge c", "a paid_otherwise; b paid open; order b of the sale is paid"},
		{"a paid sale with an unsent order", "unsent a, charge b, success b, send a", "a paid_otherwise; b paid open; order b of the sale is paid"},
		{"an unsent order that is sent again for another sale", "unsent a, charge b, success b, send a S2", "a paid_otherwise; b paid open; order b of the sale is paid"},
		{"a sale with a valid link", "charge a, charge b", "a waiting open code; order a of the sale is payable until 2026-11-21T06:10:00Z"},
		{"a sale with a valid link, after the question", "charge a, charge? b", "a waiting open code; b waiting open code"},
		{"a sale with a doubtful success", "charge a, short a, charge? b", "a check amount_mismatch open; order a of the sale is doubtful"},
		{"a sale with a doubtful success and an expired link", "charge a, short a, wait 11m, charge b", "a check amount_mismatch open; order a of the sale is doubtful"},
		{"a sale with a doubtful finding", "charge a, found-paid a, expired a, charge? b", "a check finding_contradicted open; order a of the sale is doubtful"},
		{"a sale with a code that a mistaken finding had hidden", "charge a, charge? b, found-paid a, found-unpaid a, expired a, charge c", "a marked_unpaid; b waiting open; order b of the sale is payable until 2026-11-21T06:10:00Z"},
		{"a sale with a link that has just ended", "charge a, wait 11m59s, charge b", "a time_over open; order a of the sale is payable until 2026-11-21T06:10:00Z"},
		{"a sale with a link that has just ended and expired", "charge a, wait 10m, expired a, charge b", "a not_paid open; b waiting open code"},
		{"a sale with a link that ended two minutes ago", "charge a, wait 12m, charge b", "a time_over open; b waiting open code"},

		{"a code is hidden once the sale is paid", "charge a, charge! b, success a", "a paid open; b paid_otherwise"},
		{"it stays hidden after the payment was acknowledged", "charge a, charge! b, success a, ack a", "a paid; b paid_otherwise"},
		{"it stays hidden after the payment was marked unpaid", "charge a, charge! b, success a, found-unpaid a", "a marked_unpaid; b waiting open"},
		{"it stays hidden after a failed try", "charge a, charge! b, success a, found-unpaid a, failed b", "a marked_unpaid; b not_paid"},
	} {
		t.Run(story.name, func(t *testing.T) {
			if got := strings.Join(newShop(t).play(t, story.steps), "; "); got != story.want {
				t.Errorf("%s:\n got %s\nwant %s", story.steps, got, story.want)
			}
		})
	}
}
