package sandbox

import (
	"slices"
	"strings"
	"time"

	"checkout/till/payments"
)

// scenarioJSON is a [Scenario] in the fault lab's answers.
type scenarioJSON struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	Faults  Faults `json:"faults"`
}

// orderJSON is an order in the fault lab's answers.
type orderJSON struct {
	OrderReference string          `json:"order_reference"`
	Reference      string          `json:"reference"`
	Description    string          `json:"description"`
	Amount         payments.Ariary `json:"amount"`
	Currency       string          `json:"currency"`
	State          state           `json:"state"`
	CheckoutURL    string          `json:"checkout_url"`
	ExpiresAt      time.Time       `json:"expires_at"`
	FailedTries    int             `json:"failed_tries"`
	Faults         *EventFaults    `json:"faults"` // Null when it has none of its own.
}

// deliveryJSON is a delivery in the fault lab's answers.
type deliveryJSON struct {
	ID             int64              `json:"id"`
	OrderReference string             `json:"order_reference"`
	Event          payments.EventKind `json:"event"`
	Stage          string             `json:"stage"`
	CreatedAt      time.Time          `json:"created_at"`
	NextTryAt      *time.Time         `json:"next_try_at"` // Null unless it waits.
	Body           string             `json:"body"`
	Tries          []tryJSON          `json:"tries"` // The newest last.
}

// tryJSON is one try of a delivery in the fault lab's answers.
type tryJSON struct {
	At        time.Time `json:"at"`
	Took      string    `json:"took"`
	Signature string    `json:"signature"` // How it was signed, never the signature.
	Status    int       `json:"status"`    // 0 when no reply came.
	Reply     string    `json:"reply"`     // Its beginning, cleaned.
	Failure   string    `json:"failure"`   // Why no reply came.
}

func labScenario(scenario Scenario) scenarioJSON { return scenarioJSON(scenario) }

func labScenarios() []scenarioJSON {
	var all []scenarioJSON
	for _, scenario := range Scenarios() {
		all = append(all, labScenario(scenario))
	}
	return all
}

// labOrders returns the newest orders, newest first.
func (s *Sandbox) labOrders(base string, limit int) []orderJSON {
	s.mu.Lock()
	defer s.mu.Unlock()
	views := []orderJSON{}
	for _, order := range slices.Backward(s.book.all[max(0, len(s.book.all)-limit):]) {
		views = append(views, order.json(base))
	}
	return views
}

// labOrder returns one order, and [ErrNoSuchOrder] when it is no longer kept.
func (s *Sandbox) labOrder(base, orderReference string) (orderJSON, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	order, found := s.book.byName[orderReference]
	if !found {
		return orderJSON{}, ErrNoSuchOrder
	}
	return order.json(base), nil
}

// json returns the order for an answer. The lock must be held.
func (o *order) json(base string) orderJSON {
	return orderJSON{
		OrderReference: o.reference, Reference: o.request.Reference, Description: o.request.Description,
		Amount: o.request.Amount, Currency: o.request.Currency, State: o.state,
		CheckoutURL: base + linkPrefix + o.link, ExpiresAt: o.ends.UTC(), FailedTries: o.failures,
		Faults: o.faults, // Never changed, only replaced.
	}
}

// labDeliveries returns the newest deliveries, newest first.
func (s *Sandbox) labDeliveries(limit int) []deliveryJSON {
	s.sender.mu.Lock()
	defer s.sender.mu.Unlock()
	kept := s.sender.kept
	views := []deliveryJSON{}
	for _, shown := range slices.Backward(kept[max(0, len(kept)-limit):]) {
		views = append(views, shown.json())
	}
	return views
}

// labDelivery returns one delivery, and false when it is no longer kept.
func (s *Sandbox) labDelivery(id int64) (deliveryJSON, bool) {
	s.sender.mu.Lock()
	defer s.sender.mu.Unlock()
	for _, kept := range s.sender.kept {
		if kept.id == id {
			return kept.json(), true
		}
	}
	return deliveryJSON{}, false
}

// json returns the delivery for an answer. The sender's lock must be held.
func (d *delivery) json() deliveryJSON {
	view := deliveryJSON{
		ID: d.id, OrderReference: d.order, Event: d.kind, CreatedAt: d.made.UTC(),
		Stage: strings.ReplaceAll(string(d.stage), " ", "_"), Body: string(d.body), Tries: []tryJSON{},
	}
	if d.stage == waiting {
		next := d.next.UTC()
		view.NextTryAt = &next
	}
	for _, tried := range d.attempts {
		view.Tries = append(view.Tries, tryJSON{
			At: tried.at.UTC(), Took: tried.took.String(), Signature: tried.signed, Status: tried.status,
			Reply: payments.Clean(string(tried.reply), maxKeptReply), Failure: tried.failure,
		})
	}
	return view
}

// outcomes returns what a customer can do, and the clock.
func outcomes() []payments.Status {
	var all []payments.Status
	for _, kind := range payments.EventKinds() {
		status, _ := kind.Status()
		all = append(all, status)
	}
	return all
}
