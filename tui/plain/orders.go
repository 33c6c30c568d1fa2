package plain

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/cart"
	"checkout/till/tui/component/badge"
	"checkout/till/tui/component/qr"
	"checkout/till/tui/live"
)

// charge asks whether to charge the sale. While no payment would be seen none is
// asked for.
func (s *session) charge(ctx context.Context, _ string) {
	switch {
	case s.cart.Empty():
		s.say(s.Texts.Plain.Empty)
	case !s.refuseBlind():
		s.confirm(s.inDoubt(s.Texts.Sale.Charge.With(cart.Worth(s.cart.Items()))), func(ctx context.Context) {
			if s.keep(ctx, s.cart.Save()); len(s.cart.Unsaved) == 0 {
				s.checkout(ctx, s.cart.Terms(), payments.Order{})
			}
		})
	}
}

// refuseBlind says so when a payment would not be seen, and returns whether that is.
func (s *session) refuseBlind() bool {
	reach := s.state.Reach
	if reach.Blind() {
		s.say(s.Texts.Charging[reach])
	}
	return reach.Blind()
}

// inDoubt returns a question about a charge; when its payment may not be seen, the
// question says so first.
func (s *session) inDoubt(question string) string {
	if !s.state.Reach.Doubtful() {
		return question
	}
	return s.Texts.Charging[s.state.Reach] + " " + question
}

// checkout makes an order, of the lines of another one unless that is zero: with the
// new order the outcome of that is acknowledged, as it was said.
func (s *session) checkout(ctx context.Context, terms payments.Terms, repeated payments.Order) {
	if s.refuseBlind() {
		return
	}
	s.say(s.Texts.Pay.Sending)
	answers := make(chan func(), 1)
	s.answers = answers
	go func() {
		order, err := s.Service.Checkout(ctx, terms)
		answers <- func() { s.answered(ctx, terms, repeated, order, err) }
	}()
}

// answered says how an order call ended. A sale whose order was taken is over.
func (s *session) answered(ctx context.Context, terms payments.Terms, repeated, order payments.Order, err error) {
	s.answers = nil
	s.state.Now = s.Service.Now()
	// The sale is paid, or can be paid by an earlier link.
	if question, despite := cart.Again(err, terms, s.Zone); question != nil {
		s.confirm(question(s.Texts), func(ctx context.Context) { s.checkout(ctx, despite, repeated) })
		return
	}
	if said := s.outcomes[repeated.Reference]; order.Reference != "" && said != (outcome{}) && !repeated.Facts.NotSent {
		s.acknowledge(ctx, repeated, said)
	}
	if err == nil {
		s.keep(ctx, s.cart.Charged(cart.SaleOf(terms)))
		s.offer(order)
	} else {
		s.declined(ctx, terms, order, err)
	}
	s.refresh(ctx)
}

// declined says why an order was not taken, and keeps its lines.
func (s *session) declined(ctx context.Context, terms payments.Terms, order payments.Order, err error) {
	// An order that is still under way is one whose answer could not be stored.
	if order.Reference != "" && (order.Status != payments.StatusCreating || order.Facts.NotSent) {
		s.sayOutcome(order)
		s.outcomes[order.Reference] = outcome{s.state.Verdict(order), order.Status}
	}
	s.say(s.Texts.Declined(err))
	c, name, ok := s.cart.GiveBack(terms, s.Service.Now())
	s.keep(ctx, c)
	switch {
	case ok && name == "":
		s.say(s.Texts.Held.Returned)
	case ok:
		s.say(s.Texts.Held.Kept.With(name))
	}
}

func (s *session) waiting(context.Context, string) { s.list(s.state.Board(), s.Texts.Board.Empty) }

func (s *session) list(orders []payments.Order, none string) {
	s.listed = orders
	for i, order := range orders {
		s.say(s.Texts.Plain.Listed.With(i+1, badge.Of(s.Texts, order, s.state.Verdict(order)).Name,
			i18n.Money(order.Amount), order.Reference))
		if order.Live(s.state.Now) {
			s.sayTime(order)
		}
	}
	if len(orders) == 0 {
		s.say(none)
	}
}

func (s *session) check(ctx context.Context, _ string) {
	if s.read(ctx); s.unread {
		s.say(s.Texts.Reach[payments.ReachStoreDown])
		return
	}
	doubtful, orphans := s.state.Doubtful, s.state.Orphans()
	if len(orphans) == 0 || len(doubtful) > 0 {
		s.list(doubtful, s.Texts.Orders.NoneToCheck)
	}
	for i, order := range doubtful {
		for _, why := range badge.Why(s.Texts, s.Zone, order, order.Attention(s.state.Now)) {
			s.say(s.Texts.Frame.Labelled.With(strconv.Itoa(i+1), why))
		}
	}
	if len(doubtful) > 0 {
		s.say(s.Texts.Plain.Resolve)
	}
	for _, orphan := range slices.Backward(orphans) {
		s.say(badge.Orphan(s.Texts, orphan, s.Zone))
	}
}

// looked asks, and notes that somebody looked for the oldest payment that no
// order has.
func (s *session) looked(context.Context, string) {
	orphans := s.state.Orphans()
	if len(orphans) == 0 {
		s.say(s.Texts.Orders.NoneToCheck)
		return
	}
	oldest := orphans[len(orphans)-1]
	s.confirm(s.Texts.Alarms.AskSeen.With(badge.OrphanName(oldest)), func(ctx context.Context) {
		switch err := s.Service.Notice(ctx, oldest, payments.Identity{}); {
		case errors.Is(err, payments.ErrIdentityNeeded):
			s.say(s.Texts.Plain.Identity)
		case err != nil:
			s.say(s.Texts.Hints.StoreFailed)
		default:
			s.say(s.Texts.Plain.Seen.With(badge.OrphanName(oldest)))
			s.refresh(ctx)
		}
	})
}

// pick reads the order of a number of the last list, or of a reference; without
// either, the first of otherwise.
func (s *session) pick(ctx context.Context, rest string, otherwise []payments.Order) (order payments.Order, found bool) {
	if rest != "" && s.listed == nil {
		s.listed = s.state.Board()
	}
	reference := rest
	if rest == "" && len(otherwise) > 0 {
		reference = otherwise[0].Reference
	}
	if n, err := strconv.Atoi(rest); err == nil && n > 0 && n <= len(s.listed) {
		reference = s.listed[n-1].Reference
	}
	if reference == "" {
		s.say(s.Texts.Board.Empty)
		return order, false
	}
	order, _, err := s.Service.Order(ctx, reference)
	switch {
	case errors.Is(err, payments.ErrNotFound):
		s.say(s.Texts.Plain.NoOrder)
	case err != nil:
		s.say(s.Texts.Reach[payments.ReachStoreDown])
	}
	s.state.Now = s.Service.Now()
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

// done acknowledges an outcome as it was said. While its link can still be paid
// it asks first.
func (s *session) done(ctx context.Context, rest string) {
	unseen := s.state.News()
	if len(unseen) == 0 {
		s.say(s.Texts.Plain.NoNews)
		return
	}
	order, found := s.pick(ctx, rest, unseen)
	if !found {
		return
	}
	said := s.outcomes[order.Reference]
	switch {
	case s.state.Hidden(order):
		s.say(s.light())
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
	seen, err := s.Service.Acknowledge(ctx, order.Reference, said.verdict, s.state.Reach.Conditions())
	if err != nil {
		s.say(s.Texts.Hints.StoreFailed)
		return
	}
	if seen.Facts.Acknowledged {
		s.say(s.Texts.Plain.Seen.With(order.Reference))
	}
	s.refresh(ctx)
}

// repeatables are the open orders of which another one can be made, those first
// whose outcome nobody has seen.
func repeatables(state live.State) []payments.Order {
	return slices.DeleteFunc(append(state.News(), state.Open...), func(order payments.Order) bool { return !repeatable(state, order) })
}

func repeatable(state live.State, order payments.Order) bool {
	return order.Facts.NotSent && !order.Facts.Superseded || order.Repeatable(state.Reach.Conditions(), state.Now)
}

// again asks, and makes another order from the lines of one that was not paid, whose
// outcome is acknowledged by that; one that was never sent is sent again. While the
// link of the other one can still be paid the question says so.
func (s *session) again(_ context.Context, order payments.Order) {
	if !repeatable(s.state, order) {
		s.sayOutcome(order)
		s.say(s.Texts.Plain.NotAgain)
		return
	}
	terms := order.Terms()
	if order.Facts.NotSent {
		terms.Reference = order.Reference
	}
	question := s.Texts.Sale.Charge.With(i18n.Money(order.Amount))
	if order.Payable(s.state.Now) {
		question = s.Texts.Asks.Again.With(i18n.Clock(order.Link.ExpiresAt.In(s.Zone)))
		terms.Despite = []payments.ObjectionKind{payments.SalePayable}
	}
	s.confirm(s.inDoubt(question), func(ctx context.Context) { s.checkout(ctx, terms, order) })
}

func (s *session) offer(order payments.Order) {
	s.sayOutcome(order)
	s.sayTime(order)
	if order.Link.Assumed {
		s.say(s.Texts.Pay.Assumed)
	}
	s.sayLink(order)
}

func (s *session) sayOutcome(order payments.Order) {
	s.say(s.Texts.Plain.Outcome.With(badge.Of(s.Texts, order, s.state.Verdict(order)).Name, i18n.Money(order.Amount),
		order.Reference, order.Description))
	if order.Reason != (payments.Reason{}) {
		s.say(s.Texts.Pay.Reason.With(s.Texts.Reasons.Of(order.Reason)))
	}
	for _, why := range badge.Why(s.Texts, s.Zone, order, order.Attention(s.state.Now)) {
		s.say(why)
	}
	if !s.state.Hidden(order) && order.Retryable(s.state.Now) {
		s.say(s.Texts.Pay.Retry)
		s.sayTime(order)
	}
	if order.Finding != nil && !order.Contradicted() {
		s.say(s.Texts.Pay.By.With(order.Finding.By))
	}
}

// sayTime says how much time an order has left, or that it has none.
func (s *session) sayTime(order payments.Order) {
	left, _ := s.state.Left(order)
	says := s.Texts.Verdicts[payments.VerdictTimeOver]
	if left > 0 {
		says = s.Texts.Pay.Left.With(i18n.Countdown(left))
	}
	s.say(s.Texts.Plain.Time.With(says, i18n.Money(order.Amount), order.Reference))
}

// sayLink says an order's link, its host first: whom the customer's phone will
// call.
func (s *session) sayLink(order payments.Order) {
	if link, err := url.Parse(order.Link.URL); err == nil {
		s.say(s.Texts.Pay.LinkOn.With(link.Host))
	}
	s.say(s.Texts.Frame.Labelled.With(s.Texts.PayKeys.Link, order.Link.URL))
}
