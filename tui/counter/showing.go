package counter

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/till/payments"
)

type showing struct {
	*Config
	*queue
	*asking
	*watch
	*sales
	*customers
	*announcer
	shown Shown
}

// Shown returns the shown order or cash sale, with its outcome in the last [Picture].
func (s *showing) Shown() Shown {
	shown := s.shown
	shown.picture = s.watch.picture
	shown.waiting = s.charging.waiting()
	return shown
}

func (s *showing) early() bool { return s.Now().Before(s.shown.graceEnds) }

// GraceEnds returns the time from which keys act on the shown outcome.
func (s *showing) GraceEnds() time.Time { return s.shown.graceEnds }

// Ready reports whether keys act on the shown order or cash sale. A final outcome and a cash sale
// must first be visible for [Config.Grace].
func (s *showing) Ready() bool { return !s.Shown().Final() && s.shown.Cash.Number == "" || !s.early() }

// Answerable identifies what a key press would answer or close now, such as "question 7" or the
// shown outcome. It is "" if a key press would do neither, or not yet: see [Config.Grace].
func (s *showing) Answerable() string {
	switch question := s.question; {
	case s.Charging(), s.early() && (question == nil || question.Unbidden):
		return ""
	case question != nil:
		return fmt.Sprint("question ", s.asked)
	case s.shown.Cash.Number != "":
		return "outcome: " + s.shown.Cash.Number
	case s.Shown().Final():
		return "outcome: " + s.shown.Order.Reference + " " + string(s.Shown().Verdict())
	}
	return ""
}

// Reappear starts the wait of [Config.Grace] again. Call it when an outcome or a question becomes
// visible again.
func (s *showing) Reappear() { s.shown.graceEnds = s.Now().Add(s.Grace) }

// SetAside closes the shown order or cash sale, calls [Counter.DismissQuestion], and stops waiting
// for an order call. The call continues, and its order can still be paid.
func (s *showing) SetAside() {
	s.shown = Shown{}
	s.charging.stopWaiting()
	s.DismissQuestion()
}

// Show shows an order that was made before, and queues a read of it. The QR code stays hidden until
// that read succeeds, because another order of the same sale may have been paid.
func (s *showing) Show(order payments.Order) {
	s.open(order, "")
	s.tell(Opened{Order: order})
}

// ShowAgain shows a payable order and its QR code, even after a failed payment. Keys act on the
// order immediately.
func (s *showing) ShowAgain(order payments.Order) {
	s.Show(order)
	s.shown.reshown = true
	s.shown.graceEnds = time.Time{}
}

// ShowNews shows the first of [Picture.News]. A payable order that it replaces is shown again
// afterwards. ShowNews reports [Refused] if there are no news, or while the cashier waits for an
// order call.
func (s *showing) ShowNews() {
	news := s.Picture().News()
	switch {
	case s.charging.waiting():
		s.tell(Refused{Busy})
	case len(news) == 0:
		s.tell(Refused{NoNews})
	default:
		parked := s.shown.parked
		if s.shown.Order.Live(s.Picture().Now) && s.shown.Order.Reference != news[0].Reference {
			parked = s.shown.Order.Reference
		}
		s.open(news[0], parked)
		s.tell(Opened{Order: news[0]})
	}
}

func (s *showing) open(order payments.Order, parked string) {
	s.SetAside()
	s.leftCode = ""
	s.shown.stale = true
	s.shown.parked = parked
	s.adopt(order)
	s.do(ReadOrder{Reference: order.Reference})
}

// TypeNext closes the shown order, because the cashier types the next sale. [Counter.BackToCode]
// shows it again after a mistake.
func (s *showing) TypeNext() {
	left := s.shown.Order.Reference
	s.SetAside()
	s.leftCode = left
}

// LeftCode reports whether [Counter.BackToCode] can show an order.
func (s *showing) LeftCode() bool {
	order, found := s.Picture().Find(s.leftCode)
	return found && order.Live(s.Picture().Now)
}

// BackToCode shows the order that [Counter.TypeNext] closed, if [Counter.LeftCode] returns true.
func (s *showing) BackToCode() {
	if s.LeftCode() {
		order, _ := s.Picture().Find(s.leftCode)
		s.ShowAgain(order)
	}
}

// adopt replaces the shown order by its current state. A new final outcome starts [Config.Grace]
// and closes a question about an order.
func (s *showing) adopt(order payments.Order) {
	before := s.shown
	s.shown.Order = order
	s.shown.Missing = false
	s.shown.graceFor = ""
	if !s.Shown().Final() {
		return
	}
	s.shown.graceFor = s.Shown().Verdict()
	if s.shown.graceFor == before.graceFor && order.Status == before.Order.Status {
		return
	}
	s.shown.reshown = false
	if s.Asking().OfOrder() {
		s.question = nil
	}
	s.debtOf(order.Debt)
	s.tell(ShownChanged{})
	s.Reappear()
}

// refresh updates the shown order from the [Picture] of the store. After a new picture, it queues a
// read of the order if the picture lacks the order, or if the order was not read since it was
// opened.
func (s *showing) refresh() {
	if !s.Shown().Current() {
		return
	}
	order, open := s.Picture().Find(s.shown.Order.Reference)
	if !open || order.Status == payments.StatusCreating && s.shown.Order.Status != payments.StatusCreating {
		order = s.shown.Order // Keep the order if the picture lacks it, or still has it without the answer of the service.
	}
	if open || !s.shown.Missing {
		s.adopt(order)
	}
	if s.Picture().Changed && (!open || s.shown.stale) {
		s.do(ReadOrder{Reference: s.shown.Order.Reference})
	}
}

func (s *showing) reread(read ReadOrder) {
	switch {
	case read.Reference != s.shown.Order.Reference || !s.Shown().Current():
	case read.Err == nil:
		s.shown.stale = false
		s.adopt(read.Order)
	case errors.Is(read.Err, payments.ErrNotFound):
		// The database was replaced, for example by an older backup. The customer may have paid, so
		// the till offers no new order.
		lost := s.shown.Order
		lost.Status = payments.StatusUnknown
		lost.Reason = payments.Reason{}
		lost.Facts = payments.Facts{}
		lost.Finding = nil
		lost.Link = payments.Link{}
		s.adopt(lost)
		s.shown.Missing = true
	}
}

// DoneCash closes the shown cash sale if it has been visible for [Config.Grace].
func (s *showing) DoneCash() {
	if s.shown.Cash.Number != "" && !s.early() {
		s.SetAside()
		s.tell(OrderLeft{Paid: true})
	}
}

// Done acknowledges the outcome of an order, or closes a shown order that the database lacks. The
// shown order must have been visible for [Config.Grace]. If the customer can still pay the order,
// Done asks first.
func (s *showing) Done(order payments.Order) {
	isShown := order.Reference == s.shown.Order.Reference
	switch {
	case isShown && s.early(): // The outcome has not been visible for long enough.
	case isShown && s.shown.Missing:
		s.leave()
	case order.Payable(s.Picture().Now):
		s.ask(Question{Kind: AskDone, Order: order, seen: s.acknowledgement(order)})
	default:
		s.do(s.acknowledgement(order))
	}
}

// leave closes the shown order, and shows the payable order again that [Counter.ShowNews] had
// replaced.
func (s *showing) leave() {
	paid := s.shown.Order.Facts.Acknowledged && s.shown.Order.Paid()
	parked := s.shown.parked
	s.SetAside()
	s.tell(OrderLeft{Paid: paid})
	code, found := s.Picture().Find(parked)
	if found && code.Live(s.Picture().Now) {
		s.open(code, "")
		s.tell(Opened{Order: code, Back: true})
	}
}

func (s *showing) acknowledgement(order payments.Order) Acknowledge {
	seen := s.Shown().Verdict()
	if order.Reference != s.shown.Order.Reference {
		seen = s.announcer.announced[order.Reference].verdict
	}
	return Acknowledge{Reference: order.Reference, Seen: seen, Conditions: s.Picture().Reach.Conditions()}
}

// acknowledged handles the result of [Acknowledge]. An order whose verdict has changed was not
// acknowledged.
func (s *showing) acknowledged(done Acknowledge) {
	isShown := s.Shown().Current() && done.Reference == s.shown.Order.Reference
	switch {
	case done.Err != nil:
		s.tell(StoreFailed{})
		return
	case done.Order.Facts.Acknowledged:
		s.watch.seen(done.Order)
		delete(s.announcer.announced, done.Order.Reference)
		s.tell(Acknowledged{done.Order})
		if isShown {
			s.shown.Order = done.Order
			s.leave()
		}
	case isShown:
		s.adopt(done.Order)
	}
	s.read()
}

// Repeatable reports whether the lines of an order can be charged again: by sending the order, if it
// was never sent, or else by making another one.
func (s *showing) Repeatable(order payments.Order) bool {
	if order.Reference == s.shown.Order.Reference && s.shown.Missing {
		return false
	}
	unsent := order.Facts.NotSent && !order.Facts.Superseded
	return unsent || order.Repeatable(s.Picture().Reach.Conditions(), s.Picture().Now)
}

// backToSale closes the shown order, because the lines of an order return to the sale. If that
// order is the shown one and has a final outcome, backToSale acknowledges it, unless the customer
// can still pay.
func (s *showing) backToSale(order payments.Order) {
	if order.Reference == s.shown.Order.Reference && s.Shown().Final() && !order.Payable(s.Picture().Now) {
		s.do(s.acknowledgement(order)) // The cashier has seen the outcome.
	}
	s.SetAside()
	s.tell(BackToSale{})
}

// Awaited returns how many payments may still come. It adds running order calls, and shown or
// acknowledged orders that can still be paid, to [Picture.Awaited].
func (s *showing) Awaited() int {
	awaited := s.Picture().Awaited()
	others := s.watch.closed
	if s.Shown().Current() {
		others = append(slices.Clip(others), s.shown.Order)
	}
	for _, order := range others {
		if order.Payable(s.Picture().Now) && orderAt(awaited, order.Reference) < 0 {
			awaited = append(awaited, order)
		}
	}
	return len(awaited) + s.charging.running
}
