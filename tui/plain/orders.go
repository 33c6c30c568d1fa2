package plain

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
)

// waiting lists the orders that wait, with the numbers that commands take.
func (s *session) waiting(context.Context, string) { s.list(s.state.Board(), s.Texts.Board.Empty) }

// news lists the outcomes that were not acknowledged.
func (s *session) news(context.Context, string) { s.list(s.state.News(), s.Texts.Plain.NoNews) }

// list says orders with their numbers.
func (s *session) list(orders []payments.Order, none string) {
	s.listed = orders
	for i, order := range orders {
		s.out.Say(s.Texts.Plain.Listed.With(i+1, s.badge.Name(order, s.state.Verdict(order)),
			i18n.Money(order.Amount), order.Reference))
		if order.Live(s.state.Now) {
			s.sayTime(order)
		}
	}
	if len(orders) == 0 {
		s.out.Say(none)
	}
}

// check says which orders a person must look at, and why.
func (s *session) check(ctx context.Context, _ string) {
	doubtful, err := live.ReadDoubtful(ctx, s.Service, s.Service.Now())
	if err != nil {
		s.out.Say(s.Texts.Frame.StoreDown)
		return
	}
	orphans := s.state.Orphans()
	if len(orphans) == 0 || len(doubtful) > 0 {
		s.list(doubtful, s.Texts.Orders.NoneToCheck)
	}
	for i, order := range doubtful {
		for _, why := range s.badge.Why(order, order.Attention(s.state.Now)) {
			s.out.Say(strconv.Itoa(i+1) + ": " + why)
		}
	}
	if len(doubtful) > 0 {
		s.out.Say(s.Texts.Plain.Resolve)
	}
	for _, orphan := range slices.Backward(orphans) {
		s.sayOrphan(orphan)
	}
}

// noticed asks, and notes that somebody noticed for the oldest payment that no
// order has.
func (s *session) noticed(context.Context, string) {
	orphans := s.state.Orphans()
	if len(orphans) == 0 {
		s.out.Say(s.Texts.Orders.NoneToCheck)
		return
	}
	oldest := orphans[len(orphans)-1]
	s.confirm(s.Texts.Alarms.AskSeen.With(orphanName(oldest)), func(ctx context.Context) {
		switch err := s.Service.Notice(ctx, oldest, payments.Identity{}); {
		case errors.Is(err, payments.ErrIdentityNeeded):
			s.out.Say(s.Texts.Plain.Identity)
		case err != nil:
			s.out.Say(s.Texts.Hints.StoreFailed)
		default:
			s.out.Say(s.Texts.Plain.Seen.With(orphanName(oldest)))
			s.refresh(ctx)
		}
	})
}

// times says what time the orders that wait have left.
func (s *session) times(context.Context, string) {
	waiting := s.state.Waiting()
	for _, order := range slices.Backward(waiting) {
		s.sayTime(order)
	}
	if len(waiting) == 0 {
		s.out.Say(s.Texts.Board.Empty)
	}
}

// latest is the order that began to wait last; blank when none does.
func (s *session) latest() string {
	if waiting := s.state.Waiting(); len(waiting) > 0 {
		return waiting[0].Reference
	}
	return ""
}

// unseen is the oldest outcome that was not acknowledged; blank without one.
func (s *session) unseen() string {
	if news := s.state.News(); len(news) > 0 {
		return news[0].Reference
	}
	return ""
}

func (s *session) unseenOrLatest() string { return cmp.Or(s.unseen(), s.latest()) }

// unsent is the oldest order that never reached the service; blank without one.
func (s *session) unsent() (reference string) {
	for _, order := range s.state.Open {
		if order.Facts.NotSent {
			reference = order.Reference
		}
	}
	return reference
}

// pick reads the order of a number of the last list, or of a reference; without
// either, that of a default.
func (s *session) pick(ctx context.Context, rest, otherwise string) (order payments.Order, found bool) {
	if rest != "" && s.listed == nil {
		s.listed = s.state.Board()
	}
	reference := cmp.Or(rest, otherwise)
	if n, err := strconv.Atoi(rest); err == nil && n > 0 && n <= len(s.listed) {
		reference = s.listed[n-1].Reference
	}
	if reference == "" {
		s.out.Say(s.Texts.Board.Empty)
		return order, false
	}
	order, _, err := s.Service.Order(ctx, reference)
	switch {
	case errors.Is(err, payments.ErrNotFound):
		s.out.Say(s.Texts.Plain.NoOrder)
	case err != nil:
		s.out.Say(s.Texts.Frame.StoreDown)
	}
	s.state.Now = s.Service.Now()
	return order, err == nil
}

// payable tells whether the link of an order shall be paid: a payment by it can
// be seen and is wanted. Otherwise it says what the order has come to.
func (s *session) payable(order payments.Order) bool {
	waits := s.state.Verdict(order) == payments.VerdictWaiting || !s.unknown() && order.Retryable(s.state.Now)
	if waits && order.Payable(s.state.Now) {
		return true
	}
	s.sayOutcome(order)
	s.out.Say(s.Texts.Plain.NoLink)
	return false
}

// link says an order's link.
func (s *session) link(_ context.Context, order payments.Order) {
	if s.payable(order) {
		s.offer(order)
	}
}

// code draws an order's link as a code to scan.
func (s *session) code(_ context.Context, order payments.Order) {
	if !s.payable(order) {
		return
	}
	code, err := s.Code(order.Link.URL)
	if err != nil {
		s.out.Say(s.Texts.Plain.NoLink)
		return
	}
	s.out.Say(s.Texts.Plain.Time.With(s.Texts.Pay.Scan, i18n.Money(order.Amount), order.Reference))
	s.out.Say(code)
	s.sayLink(order)
}

// done acknowledges an outcome as it was said. While its link can still be paid
// it asks first.
func (s *session) done(ctx context.Context, rest string) {
	if s.unseen() == "" {
		s.out.Say(s.Texts.Plain.NoNews)
		return
	}
	order, found := s.pick(ctx, rest, s.unseen())
	if !found {
		return
	}
	said := s.of(order).outcome
	switch {
	case s.unknown():
		s.out.Say(s.light(s.Health()))
	case said == outcome{} || order.Facts.Acknowledged:
		s.sayOutcome(order)
	case order.Payable(s.state.Now):
		until := i18n.Clock(order.Link.ExpiresAt.In(s.Zone))
		s.confirm(s.Texts.Asks.Done.With(until), func(ctx context.Context) { s.acknowledge(ctx, order, said) })
	default:
		s.acknowledge(ctx, order, said)
	}
}

// acknowledge records that an outcome was heard. One that has changed since is
// said anew.
func (s *session) acknowledge(ctx context.Context, order payments.Order, said outcome) {
	seen, err := s.Service.Acknowledge(ctx, order.Reference, said.verdict, s.state.Conditions)
	if err != nil {
		s.out.Say(s.Texts.Hints.StoreFailed)
		return
	}
	if seen.Facts.Acknowledged {
		s.out.Say(s.Texts.Plain.Seen.With(order.Reference))
	}
	s.refresh(ctx)
}

// again makes a new order from the lines of one that was not paid, whose outcome
// is acknowledged by that.
func (s *session) again(_ context.Context, order payments.Order) {
	s.repeat(order, order.Repeatable(s.state.Conditions, s.state.Now), "", func(ctx context.Context) {
		if said := s.of(order).outcome; said != (outcome{}) {
			s.acknowledge(ctx, order, said)
		}
	})
}

// send sends an order again that never reached the service.
func (s *session) send(_ context.Context, order payments.Order) {
	s.repeat(order, order.Facts.NotSent && !order.Facts.Superseded, order.Reference, nil)
}

// repeat asks, and makes an order of another one's lines, under its reference or
// a new one, where that is allowed. While the link of the other one can still be
// paid the question says so.
func (s *session) repeat(order payments.Order, allowed bool, reference string, then func(ctx context.Context)) {
	if !allowed {
		s.sayOutcome(order)
		s.out.Say(s.Texts.Plain.NotAgain)
		return
	}
	terms := order.Terms()
	terms.Reference = reference
	question := s.Texts.Sale.Charge.With(i18n.Money(order.Amount))
	if order.Payable(s.state.Now) {
		question = s.Texts.Asks.Again.With(i18n.Clock(order.Link.ExpiresAt.In(s.Zone)))
		terms.DespitePayable = true
	}
	s.confirm(question, func(ctx context.Context) { s.checkout(ctx, terms, then) })
}

// offer says what a customer needs to pay an order.
func (s *session) offer(order payments.Order) {
	s.sayOutcome(order)
	s.sayTime(order)
	if order.Link.Assumed {
		s.out.Say(s.Texts.Pay.Assumed)
	}
	s.sayLink(order)
}

// sayOutcome says what an order has come to, and why.
func (s *session) sayOutcome(order payments.Order) {
	s.out.Say(s.Texts.Plain.Outcome.With(s.badge.Name(order, s.state.Verdict(order)), i18n.Money(order.Amount),
		order.Reference, order.Description))
	if order.Error != "" {
		s.out.Say(s.Texts.Pay.Reason.With(s.Texts.Reasons.Of(order)))
	}
	for _, why := range s.badge.Why(order, order.Attention(s.state.Now)) {
		s.out.Say(why)
	}
	if !s.unknown() && order.Retryable(s.state.Now) {
		s.out.Say(s.Texts.Pay.Retry)
		s.sayTime(order)
	}
	if order.Finding != nil && !order.Finding.Stale {
		s.out.Say(s.Texts.Pay.By.With(order.Finding.By))
	}
}

// sayTime says how much time an order has left, or that it has none.
func (s *session) sayTime(order payments.Order) {
	left := s.left(order)
	words := map[moment]i18n.Phrase{inTime: s.Texts.Pay.Left, soon: s.Texts.Facing.SoonOver, almost: s.Texts.Facing.AlmostOver}
	says := s.Texts.Verdicts.TimeOver
	if at := momentOf(left); at != over {
		says = words[at].With(i18n.Countdown(left))
	}
	s.out.Say(s.Texts.Plain.Time.With(says, i18n.Money(order.Amount), order.Reference))
}

// sayLink says an order's link, its host first: whom the customer's phone will
// call.
func (s *session) sayLink(order payments.Order) {
	if link, err := url.Parse(order.Link.URL); err == nil {
		s.out.Say(s.Texts.Pay.LinkOn.With(link.Host))
	}
	s.out.Say(s.Texts.Plain.Link.With(order.Link.URL))
}

// sayOrphan says what was paid by whom, as far as anybody knows.
func (s *session) sayOrphan(orphan payments.Record) {
	paid := orphan.Event.Amount.Shown()
	if amount, err := payments.ParseAriary(paid); err == nil && orphan.Event.Amount.Is(amount) {
		paid = i18n.Money(amount)
	}
	s.out.Say(s.Texts.Alarms.Orphan.With(cmp.Or(paid, s.Texts.Attention.Nothing), orphanName(orphan),
		i18n.Moment(orphan.ReceivedAt.In(s.Zone))))
}

// orphanName is what the service calls the order of an event.
func orphanName(orphan payments.Record) string {
	return payments.Clean(orphan.Event.OrderReference, payments.MaxShownWidth)
}
