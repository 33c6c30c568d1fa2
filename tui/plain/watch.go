package plain

import (
	"context"
	"errors"
	"slices"
	"time"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
	"checkout/till/tui/live"
	"checkout/till/tui/sound"
)

// watch is what was said of what goes on.
type watch struct {
	failing bool   // The last reading failed.
	light   string // What was said last of the till's health.
	heard   map[string]heard
	clocks  map[string]*clock
	listed  []string                  // The references of the list that was said last.
	strays  map[payments.EventID]bool // Those that were said.
	toCheck int
}

// heard is the outcome of an order as it was said last.
type heard struct {
	verdict payments.Verdict
	status  payments.Status
}

// clock counts an order's time down.
type clock struct {
	countdown payments.Countdown
	started   time.Time
	said      int // How many of the moments were said.
}

// When it is said that a link's time runs out.
const (
	soonOver   = 2 * time.Minute
	almostOver = 30 * time.Second
)

// maxSounds is how many sounds are played at once.
const maxSounds = 2

// look reads what goes on, and says what is new of it. When the store works
// again, what was under way is settled first.
func (s *session) look(ctx context.Context) {
	s.read(ctx)
	if s.state.Conditions.StoreDown && !s.watch.failing && !s.Health().StoreDown {
		s.recover(ctx)
		s.read(ctx)
	}
	s.announce(ctx)
}

// read reads what goes on, or notes that it cannot be read.
func (s *session) read(ctx context.Context) {
	open, err := live.Read(ctx, s.Service, s.Till)
	var doubtful []payments.Order
	if err == nil {
		doubtful, err = live.ReadDoubtful(ctx, s.Service, s.Service.Now())
	}
	var unmatched []payments.Record
	if err == nil {
		unmatched, err = live.ReadUnmatched(ctx, s.Service)
	}
	s.watch.failing = err != nil
	if err == nil {
		s.state.Open, s.state.Doubtful, s.state.Unmatched = open, doubtful, unmatched
	}
}

// tick moves the time on. A store that failed, and a sale that could not be
// written, are tried again.
func (s *session) tick(ctx context.Context) {
	s.sayWaited()
	if s.watch.failing || s.state.Conditions.StoreDown {
		s.look(ctx)
	} else {
		s.announce(ctx)
	}
	if !s.watch.failing {
		s.write(ctx)
	}
}

// announce says what is new: the till's health first, for the rest rests on it.
func (s *session) announce(ctx context.Context) {
	health := s.Health()
	s.state.Now = s.Service.Now()
	s.state.Conditions = payments.Conditions{
		StoreDown: s.watch.failing || health.StoreDown, ListenerDown: !health.Listening,
	}
	if light := s.light(health); light != s.watch.light {
		s.watch.light = light
		s.out.Say(light)
	}
	s.announceNews(ctx)
	s.announceStrays(ctx)
	s.announceTimes()
	if count := s.state.ToCheck(); count != s.watch.toCheck && !s.blind() {
		if count > s.watch.toCheck {
			s.out.Say(s.Texts.Plain.ToCheck.With(count))
		}
		s.watch.toCheck = count
	}
}

// blind tells whether nothing can be said of any order.
func (s *session) blind() bool { return s.state.Conditions != payments.Conditions{} }

// blindHint says why nothing can be charged, and what becomes of the lines.
func (s *session) blindHint() string {
	if s.state.Conditions.StoreDown && s.Health().Shared {
		return s.Texts.Hints.CutOff
	}
	return s.Texts.Hints.Blind
}

// light says whether payments can be seen.
func (s *session) light(health Health) string {
	words := s.Texts.Frame
	switch {
	case s.state.Conditions.StoreDown && health.Shared:
		return words.CutOff
	case s.state.Conditions.StoreDown:
		return words.StoreDown
	case s.state.Conditions.ListenerDown:
		return words.NotListening
	case health.Suspicious():
		return s.Texts.WhyRefused(health.Cause)
	}
	return words.Listening
}

// announceNews says each outcome that was not said yet, and rings. One that was
// said stays as it was said while nothing can be known.
func (s *session) announceNews(ctx context.Context) {
	news := s.state.News()
	fresh, tune := false, sound.Unpaid
	for _, order := range news {
		now := heard{s.state.Verdict(order), order.Status}
		before, known := s.watch.heard[order.Reference]
		if before == now || known && s.blind() {
			continue
		}
		s.watch.heard[order.Reference] = now
		s.outcome(order)
		if fresh = true; now.verdict == payments.VerdictPaid {
			tune = sound.Paid
		}
	}
	for reference := range s.watch.heard {
		if !slices.ContainsFunc(news, func(o payments.Order) bool { return o.Reference == reference }) {
			delete(s.watch.heard, reference)
		}
	}
	if fresh {
		s.out.Say(s.Texts.Plain.Unseen.With(len(news)))
		s.ring(ctx, tune)
	}
}

// ring sounds, unless as many sounds are being played as can be told apart.
func (s *session) ring(ctx context.Context, tune sound.Tune) {
	if s.Sound == nil {
		return
	}
	select {
	case s.calls.sounds <- struct{}{}:
		go func() {
			s.Sound(ctx, tune)
			<-s.calls.sounds
		}()
	default:
	}
}

// outcome says what an order has come to, and why.
func (s *session) outcome(order payments.Order) {
	verdict := s.state.Verdict(order)
	s.out.Say(s.Texts.Plain.Outcome.With(s.badge.Name(order, verdict), i18n.Money(order.Amount),
		order.Reference, order.Description))
	if order.Error != "" {
		s.out.Say(s.Texts.Pay.Reason.With(s.Texts.Reasons.Of(order)))
	}
	s.reasons(order)
	if !s.blind() && order.Retryable(s.state.Now) {
		s.out.Say(s.Texts.Pay.Retry)
		s.out.Say(s.timed(order))
	}
	if order.Finding != nil && !order.Finding.Stale {
		s.out.Say(s.Texts.Pay.By.With(order.Finding.By))
	}
}

// reasons says why a person must look at an order.
func (s *session) reasons(order payments.Order) {
	for _, why := range s.badge.Why(order, order.Attention(s.state.Now)) {
		s.out.Say(why)
	}
}

// announceTimes says that a link's time runs out: at two minutes, at thirty
// seconds, and when it is over.
func (s *session) announceTimes() {
	waiting := s.state.Waiting()
	for _, order := range waiting {
		left := s.remaining(order)
		c := s.watch.clocks[order.Reference]
		said := announcements(left)
		if said > c.said && !s.blind() {
			s.out.Say(s.timed(order))
			if said == over {
				until := order.Link.ExpiresAt.Add(payments.Grace).In(s.Zone)
				s.out.Say(s.Texts.Hints.TimeOver.With(i18n.Clock(until)))
			}
		}
		c.said = max(c.said, said)
	}
	for reference := range s.watch.clocks {
		if !slices.ContainsFunc(waiting, func(o payments.Order) bool { return o.Reference == reference }) {
			delete(s.watch.clocks, reference)
		}
	}
}

// The announcements of the time, in their order.
const (
	soon = iota + 1
	almost
	over
)

// announcements returns how many of the announcements of the time are due.
func announcements(left time.Duration) int {
	switch {
	case left <= 0:
		return over
	case left <= almostOver:
		return almost
	case left <= soonOver:
		return soon
	}
	return 0
}

// remaining is the time that an order's link has left.
func (s *session) remaining(order payments.Order) time.Duration {
	c, known := s.watch.clocks[order.Reference]
	if !known {
		c = &clock{payments.NewCountdown(order.Link.ExpiresAt, s.state.Now), s.state.Now, 0}
		s.watch.clocks[order.Reference] = c
	}
	left, _ := c.countdown.Left(s.state.Now, s.state.Now.Sub(c.started))
	return left
}

// timed says how much time an order has left, or that it has none.
func (s *session) timed(order payments.Order) string {
	left := s.remaining(order)
	says, figures := s.Texts.Pay.Left, i18n.Countdown(left)
	switch announcements(left) {
	case soon:
		says = s.Texts.Facing.SoonOver
	case almost:
		says = s.Texts.Facing.AlmostOver
	case over:
		return s.Texts.Plain.Time.With(s.Texts.Verdicts.TimeOver, i18n.Money(order.Amount), order.Reference)
	}
	return s.Texts.Plain.Time.With(says.With(figures), i18n.Money(order.Amount), order.Reference)
}

// announceStrays says each payment that no order has, the oldest first, and
// rings: no cashier may miss one.
func (s *session) announceStrays(ctx context.Context) {
	fresh := false
	for _, stray := range slices.Backward(s.state.Strays()) {
		if !s.watch.strays[stray.ID] {
			s.watch.strays[stray.ID], fresh = true, true
			s.sayStray(stray)
		}
	}
	if fresh {
		s.ring(ctx, sound.Alarm)
	}
}

// sayStray says what was paid by whom, as far as anybody knows.
func (s *session) sayStray(stray payments.Record) {
	paid := stray.Event.Amount.Shown()
	if amount, err := payments.ParseAriary(paid); err == nil && stray.Event.Amount.Is(amount) {
		paid = i18n.Money(amount)
	}
	if paid == "" {
		paid = s.Texts.Attention.Nothing
	}
	s.out.Say(s.Texts.Alarms.Stray.With(paid, strayName(stray), i18n.Moment(stray.ReceivedAt.In(s.Zone))))
}

// strayName is what the service calls the order of an event.
func strayName(stray payments.Record) string {
	return payments.Clean(stray.Event.OrderReference, payments.MaxShownWidth)
}

// looked asks, and notes that somebody looked for the oldest payment that no
// order has.
func (s *session) looked(context.Context, string) {
	strays := s.state.Strays()
	if len(strays) == 0 {
		s.out.Say(s.Texts.Orders.NoneToCheck)
		return
	}
	oldest := strays[len(strays)-1]
	s.ask(s.Texts.Alarms.AskSeen.With(strayName(oldest)), func(ctx context.Context) {
		switch err := s.Service.Notice(ctx, oldest, payments.Identity{}); {
		case errors.Is(err, payments.ErrIdentityNeeded):
			s.out.Say(s.Texts.Plain.Identity)
		case err != nil:
			s.out.Say(s.Texts.Hints.StoreFailed)
		default:
			s.out.Say(s.Texts.Plain.Seen.With(strayName(oldest)))
			s.look(ctx)
		}
	})
}
