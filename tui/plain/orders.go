package plain

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
)

// waiting lists the orders that wait, with the numbers that commands take.
func (s *session) waiting(context.Context, string) { s.list(s.state.Board(), s.Texts.Board.Empty) }

// news says the outcomes that were not acknowledged, with their numbers.
func (s *session) news(context.Context, string) { s.list(s.state.News(), s.Texts.Plain.NoNews) }

// list says orders with their numbers.
func (s *session) list(orders []payments.Order, none string) {
	s.watch.listed = references(orders)
	for i, order := range orders {
		s.out.Say(s.Texts.Plain.Listed.With(i+1, s.badge.Name(order, s.state.Verdict(order)),
			i18n.Money(order.Amount), order.Reference))
		if order.Live(s.state.Now) {
			s.out.Say(s.timed(order))
		}
	}
	if len(orders) == 0 {
		s.out.Say(none)
	}
}

func references(orders []payments.Order) []string {
	var all []string
	for _, order := range orders {
		all = append(all, order.Reference)
	}
	return all
}

// check says which orders a person must look at, and why.
func (s *session) check(ctx context.Context, _ string) {
	doubtful, err := live.ReadDoubtful(ctx, s.Service, s.Service.Now())
	if err != nil {
		s.out.Say(s.Texts.Frame.StoreDown)
		return
	}
	strays := s.state.Strays()
	if len(strays) == 0 || len(doubtful) > 0 {
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
	for _, stray := range slices.Backward(strays) {
		s.sayStray(stray)
	}
}

// timeLeft says what time the orders that wait have left.
func (s *session) timeLeft(context.Context, string) {
	waiting := s.state.Waiting()
	for _, order := range slices.Backward(waiting) {
		s.out.Say(s.timed(order))
	}
	if len(waiting) == 0 {
		s.out.Say(s.Texts.Board.Empty)
	}
}

// health says whether payments can be seen, and when the last event came.
func (s *session) health(context.Context, string) {
	health := s.Health()
	s.out.Say(s.light(health))
	if health.Shared {
		s.out.Say(s.heard(health))
	}
	if last := health.LastEvent; !last.IsZero() {
		s.out.Say(s.Texts.Frame.LastEvent.With(i18n.Clock(last.In(s.Zone))))
	}
}

// heard says when the database at a server was heard of last.
func (s *session) heard(health Health) string {
	words, ill := s.Texts.Health, s.Texts.Illness
	says := words.Answered.With(i18n.Span(s.Service.Now().Sub(health.Heard)))
	switch {
	case health.Heard.IsZero():
		says = ill.NeverHeard
	case s.state.Conditions.StoreDown:
		says = ill.Silent.With(i18n.Span(s.Service.Now().Sub(health.Heard)))
	}
	return words.Database + ": " + says
}

// latest is the order that began to wait last; blank when none does.
func (s *session) latest() string {
	if waiting := s.state.Waiting(); len(waiting) > 0 {
		return waiting[0].Reference
	}
	return ""
}

// first is the oldest outcome that was not acknowledged; blank without one.
func (s *session) first() string {
	if news := s.state.News(); len(news) > 0 {
		return news[0].Reference
	}
	return ""
}

// pick reads the order of a number of the last list, or of a reference; without
// either, that of a default.
func (s *session) pick(ctx context.Context, rest, otherwise string) (payments.Order, bool) {
	reference := otherwise
	if rest != "" {
		if s.watch.listed == nil {
			s.watch.listed = references(s.state.Board())
		}
		reference = rest
		if n, err := strconv.Atoi(rest); err == nil && n > 0 && n <= len(s.watch.listed) {
			reference = s.watch.listed[n-1]
		}
	}
	if reference == "" {
		s.out.Say(s.Texts.Board.Empty)
		return payments.Order{}, false
	}
	order, _, err := s.Service.Order(ctx, reference)
	switch {
	case errors.Is(err, payments.ErrNotFound):
		s.out.Say(s.Texts.Plain.NoOrder)
	case err != nil:
		s.out.Say(s.Texts.Frame.StoreDown)
	default:
		s.state.Now = s.Service.Now()
		return order, true
	}
	return payments.Order{}, false
}

// payable picks an order whose link shall be paid: a payment by it can be seen
// and is wanted.
func (s *session) payable(ctx context.Context, rest string) (payments.Order, bool) {
	order, found := s.pick(ctx, rest, s.latest())
	if !found {
		return order, false
	}
	waits := s.state.Verdict(order) == payments.VerdictWaiting || !s.blind() && order.Retryable(s.state.Now)
	if !waits || !order.Payable(s.state.Now) {
		s.outcome(order)
		s.out.Say(s.Texts.Plain.NoLink)
		return order, false
	}
	return order, true
}

func (s *session) link(ctx context.Context, rest string) {
	if order, found := s.payable(ctx, rest); found {
		s.offer(order)
	}
}

// code draws a link as a code to scan.
func (s *session) code(ctx context.Context, rest string) {
	order, found := s.payable(ctx, rest)
	if !found {
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
	if s.first() == "" {
		s.out.Say(s.Texts.Plain.NoNews)
		return
	}
	order, found := s.pick(ctx, rest, s.first())
	if !found {
		return
	}
	said, known := s.watch.heard[order.Reference]
	switch {
	case s.blind():
		s.out.Say(s.light(s.Health()))
	case !known || order.Facts.Acknowledged:
		s.outcome(order)
	case order.Payable(s.state.Now):
		until := i18n.Clock(order.Link.ExpiresAt.In(s.Zone))
		s.ask(s.Texts.Asks.Done.With(until), func(ctx context.Context) { s.acknowledge(ctx, order, said) })
	default:
		s.acknowledge(ctx, order, said)
	}
}

// acknowledge records that an outcome was heard. One that has changed since is
// said anew.
func (s *session) acknowledge(ctx context.Context, order payments.Order, said heard) {
	seen, err := s.Service.Acknowledge(ctx, order.Reference, said.verdict, s.state.Conditions)
	if err != nil {
		s.out.Say(s.Texts.Hints.StoreFailed)
		return
	}
	if seen.Facts.Acknowledged {
		s.out.Say(s.Texts.Plain.Seen.With(order.Reference))
	}
	s.look(ctx)
}

// again makes a new order from the lines of one that was not paid. While the
// link of that can still be paid it says so, and asks.
func (s *session) again(ctx context.Context, rest string) {
	otherwise := s.first()
	if otherwise == "" {
		otherwise = s.latest()
	}
	order, found := s.pick(ctx, rest, otherwise)
	if !found {
		return
	}
	if !s.repeatable(order) {
		s.outcome(order)
		s.out.Say(s.Texts.Plain.NotAgain)
		return
	}
	s.repeat(order, "", func(ctx context.Context) {
		if said, unseen := s.watch.heard[order.Reference]; unseen {
			s.acknowledge(ctx, order, said)
		}
	})
}

// repeat asks, and makes another order of an order's lines or, when reference
// names the order that was not sent, sends that one. then is done once there is
// an order.
func (s *session) repeat(order payments.Order, reference string, then ...func(ctx context.Context)) {
	terms := order.Terms()
	terms.Reference = reference
	question := s.Texts.Sale.Charge.With(i18n.Money(order.Amount))
	if order.Payable(s.state.Now) {
		question = s.Texts.Asks.Again.With(i18n.Clock(order.Link.ExpiresAt.In(s.Zone)))
		terms.DespitePayable = true
	}
	s.ask(question, func(ctx context.Context) { s.checkout(ctx, terms, then...) })
}

// repeatable tells whether a new order may be made from an order's lines.
func (s *session) repeatable(order payments.Order) bool {
	if order.Facts.Superseded {
		return false
	}
	switch s.state.Verdict(order) {
	case payments.VerdictNotPaid, payments.VerdictTimeOver, payments.VerdictMarkedUnpaid:
		return true
	case payments.VerdictWaiting:
		return order.Status == payments.StatusPending
	case payments.VerdictUnknown:
		return order.Status == payments.StatusUnknown
	}
	return false
}

// send sends an order again that never reached the service.
func (s *session) send(ctx context.Context, rest string) {
	otherwise := ""
	for _, order := range s.state.Open {
		if order.Facts.NotSent {
			otherwise = order.Reference
		}
	}
	order, found := s.pick(ctx, rest, otherwise)
	if !found {
		return
	}
	if !order.Facts.NotSent || order.Facts.Superseded {
		s.outcome(order)
		s.out.Say(s.Texts.Plain.NotAgain)
		return
	}
	s.repeat(order, order.Reference)
}
