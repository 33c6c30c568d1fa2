package plain

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/wording/sheet"
)

// charge asks whether to charge the sale, or prints why the till would not see a payment.
func (s *session) charge(context.Context, string) {
	s.counter.Charge()
	if s.counter.ReachNow().Blind() {
		s.counter.No()
	}
}

func (s *session) waiting(context.Context, string) { s.list(s.state().Board(), s.Texts.Board.Empty) }

func (s *session) list(orders []payments.Order, none string) {
	s.listed = orders
	for i, order := range orders {
		s.say(s.Texts.Plain.Listed.With(i+1, badge.Of(s.Texts, order, s.state().Verdict(order)).Name,
			i18n.Money(order.Amount), order.Reference))
		s.see(order)
		if order.Live(s.state().Now) {
			s.sayTime(order)
		}
	}
	if len(orders) == 0 {
		s.say(none)
	}
}

func (s *session) check(ctx context.Context, _ string) {
	s.counter.Wake()
	s.drain(ctx)
	if s.state().Reach.Conditions().StoreDown {
		s.say(s.Texts.Reach[payments.ReachStoreDown])
		return
	}
	toCheck, orphans := s.state().Attention, s.state().Orphans()
	if len(orphans) == 0 || len(toCheck) > 0 {
		s.list(toCheck, s.Texts.Plain.NoneToCheck)
	}
	for i, order := range toCheck {
		for _, why := range badge.Why(s.Texts, s.Zone, order, order.Attention(s.state().Now)) {
			s.say(s.Texts.Frame.Labelled.With(strconv.Itoa(i+1), why))
		}
	}
	if len(toCheck) > 0 {
		s.say(s.Texts.Plain.Resolve)
	}
	for _, orphan := range slices.Backward(orphans) {
		s.say(badge.Orphan(s.Texts, orphan, s.Zone))
	}
}

// looked asks whether a person has reviewed the oldest payment without an order.
func (s *session) looked(context.Context, string) {
	orphans := s.state().Orphans()
	if len(orphans) == 0 {
		s.say(s.Texts.Plain.NoOrphan)
		return
	}
	s.counter.ReviewOrphan(orphans[len(orphans)-1])
}

// pick reads the order that rest names: by its number in the last printed list, or by its
// reference. A blank rest means otherwise[0].
func (s *session) pick(ctx context.Context, rest string, otherwise []payments.Order) (order payments.Order, found bool) {
	if rest != "" && s.listed == nil {
		s.listed = s.state().Board()
	}
	reference := s.referenceOf(rest)
	if rest == "" && len(otherwise) > 0 {
		reference = otherwise[0].Reference
	}
	if reference == "" {
		s.say(s.Texts.Board.Empty)
		return order, false
	}
	order, _, err := s.Service.Order(ctx, reference)
	if err != nil {
		s.sayError(err, s.Texts.Reach[payments.ReachStoreDown])
	}
	return order, err == nil
}

func (s *session) code(order payments.Order) {
	code, err := qr.New(order.Link.URL, s.Theme)
	if err != nil {
		s.say(s.Texts.Plain.NoLink)
		return
	}
	s.say(s.Texts.Plain.Time.With(s.Texts.Pay.Scan, i18n.Money(order.Amount), order.Reference))
	s.say(code.Text(s.Theme, s.Light))
	s.sayLink(order)
}

// done acknowledges the outcome of an order. An outcome that the cashier cannot have read is not
// acknowledged.
func (s *session) done(ctx context.Context, rest string) {
	unseen := s.state().News()
	if len(unseen) == 0 {
		s.say(s.Texts.Plain.NoNews)
		return
	}
	order, found := s.pick(ctx, rest, unseen)
	if !found {
		return
	}
	switch {
	case s.state().Hidden(order):
		s.say(s.healthText())
	case !s.counter.Announced(order) || order.Facts.Acknowledged:
		s.sayOutcome(order)
	default:
		s.counter.Done(order)
	}
}

// repeatables returns the open orders that [counter.Counter.Repeatable] accepts, unacknowledged
// orders first. The unacknowledged orders are in the list twice.
func (s *session) repeatables() []payments.Order {
	var found []payments.Order
	for _, order := range append(s.state().News(), s.state().Open...) {
		if s.counter.Repeatable(order) {
			found = append(found, order)
		}
	}
	return found
}

func (s *session) again(_ context.Context, order payments.Order) {
	if !s.counter.Repeatable(order) {
		s.sayOutcome(order)
	}
	s.counter.Again(order)
}

func (s *session) offer(order payments.Order) {
	s.sayOutcome(order)
	s.sayTime(order)
	if order.Link.Assumed {
		s.say(s.Texts.Pay.Assumed)
	}
	s.sayLink(order)
}

// see records the verdict of an order that is printed. It ignores a hidden verdict.
func (s *session) see(order payments.Order) {
	if !s.state().Hidden(order) {
		s.seen[order.Reference] = order.Verdict(payments.Conditions{}, s.state().Now)
	}
}

func (s *session) sayOutcome(order payments.Order) {
	s.see(order)
	teller := sheet.Teller{Texts: s.Texts, Theme: s.Theme, Zone: s.Zone, Moment: i18n.Moment}
	told := teller.Order(order, "", nil, s.state().Verdict(order), s.state().Now)
	s.say(s.Texts.Plain.Outcome.With(told.Badge.Name, i18n.Money(told.Amount), told.Title, order.Description))
	for _, row := range slices.Concat(told.Sums, told.Known) {
		s.say(s.Texts.Frame.Labelled.With(row.Label, row.Value))
	}
	if told.Reason != "" {
		s.say(s.Texts.Pay.Reason.With(told.Reason))
	}
	for _, why := range told.Why {
		s.say(why)
	}
	if !s.state().Hidden(order) && order.Retryable(s.state().Now) {
		s.say(s.Texts.Pay.Retry)
		s.sayTime(order)
	}
	if order.Finding != nil && !order.Contradicted() {
		s.say(s.Texts.Pay.By.With(order.Finding.By))
	}
}

func (s *session) sayTime(order payments.Order) {
	left, _ := s.state().Remaining(order)
	says := s.Texts.Verdicts[payments.VerdictTimeOver]
	if left > 0 {
		says = s.Texts.Pay.Left.With(i18n.Countdown(left))
	}
	s.say(s.Texts.Plain.Time.With(says, i18n.Money(order.Amount), order.Reference))
}

// sayLink prints an order's link, and first the host to which the customer's phone will connect.
func (s *session) sayLink(order payments.Order) {
	if link, err := url.Parse(order.Link.URL); err == nil {
		s.say(s.Texts.Pay.LinkOn.With(link.Host))
	}
	s.say(s.Texts.Frame.Labelled.With(s.Texts.Code.Link, order.Link.URL))
}
