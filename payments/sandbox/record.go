package sandbox

import (
	"strconv"
	"time"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// orderRecord is how an order is kept. Fields may be added; one that an older
// record lacks is empty.
type orderRecord struct {
	OrderReference string              `json:"order_reference"`
	Link           string              `json:"link"`
	Ends           time.Time           `json:"ends"`
	State          state               `json:"state"`
	Failures       int                 `json:"failures,omitzero"`
	Customer       customerRecord      `json:"customer,omitzero"`
	Faults         *faultsRecord       `json:"faults,omitempty"`
	Reference      string              `json:"reference"`
	Description    string              `json:"description"`
	Amount         payments.Ariary     `json:"amount"`
	Currency       string              `json:"currency"`
	Items          []gateway.OrderItem `json:"items"`
}

// record returns what is kept of an order. What is held back is kept with the
// deliveries.
func (o *order) record() orderRecord {
	return orderRecord{
		OrderReference: o.reference, Link: o.link, Ends: o.ends.UTC(), State: o.state,
		Failures: o.failures, Customer: o.customer.record(), Faults: (*faultsRecord)(o.faults),
		Reference: o.request.Reference, Description: o.request.Description,
		Amount: o.request.Amount, Currency: o.request.Currency, Items: o.request.Metadata,
	}
}

func (r orderRecord) order() *order {
	return &order{
		request: gateway.OrderRequest{
			Description: r.Description, Reference: r.Reference,
			Amount: r.Amount, Currency: r.Currency, Metadata: r.Items,
		},
		reference: r.OrderReference, link: r.Link, ends: r.Ends, state: r.State,
		failures: r.Failures, customer: r.Customer.customer(), faults: (*EventFaults)(r.Faults),
	}
}

// faultsRecord is how faults are kept: as they are, whether or not the lab
// would take them, for a record that is refused is a sandbox that does not
// start.
type faultsRecord EventFaults

// deliveryRecord is how a delivery is kept. What [orderRecord] says of fields
// holds here too.
type deliveryRecord struct {
	ID    int64              `json:"id"`
	Order string             `json:"order_reference"`
	Kind  payments.EventKind `json:"event"`
	Body  []byte             `json:"body"`
	Pad   int                `json:"padding,omitzero"`
	Slow  time.Duration      `json:"slow_ns,omitzero"`
	Made  time.Time          `json:"made"`
	Stage stage              `json:"stage"`
	Next  time.Time          `json:"next,omitzero"`
	Tries int                `json:"tries,omitzero"`
	Begun bool               `json:"begun,omitzero"`
	Log   []tryRecord        `json:"log,omitempty"`
}

// tryRecord is how a try of a delivery is kept.
type tryRecord struct {
	At      time.Time     `json:"at"`
	Took    time.Duration `json:"took_ns"`
	Signed  string        `json:"signed"`
	Status  int           `json:"status,omitzero"`
	Reply   []byte        `json:"reply,omitempty"`
	Failure string        `json:"failure,omitempty"`
}

func (d *delivery) record() deliveryRecord {
	kept := deliveryRecord{
		ID: d.id, Order: d.order, Kind: d.kind, Body: d.body, Pad: d.padding, Slow: d.slow,
		Made: d.made.UTC(), Stage: d.stage, Next: d.next.UTC(), Tries: d.tries, Begun: d.begun,
	}
	for _, tried := range d.attempts {
		kept.Log = append(kept.Log, tryRecord{
			At: tried.at.UTC(), Took: tried.took, Signed: tried.signed,
			Status: tried.status, Reply: tried.reply, Failure: tried.failure,
		})
	}
	return kept
}

func (r deliveryRecord) delivery() *delivery {
	restored := &delivery{
		id: r.ID, order: r.Order, kind: r.Kind, parcel: parcel{body: r.Body, padding: r.Pad, slow: r.Slow},
		made: r.Made, stage: r.Stage, next: r.Next, tries: r.Tries, begun: r.Begun, tried: make(chan struct{}),
	}
	if r.Begun {
		close(restored.tried)
	}
	for _, tried := range r.Log {
		restored.attempts = append(restored.attempts, attempt{
			at: tried.At, took: tried.Took, signed: tried.Signed,
			status: tried.Status, reply: tried.Reply, failure: tried.Failure,
		})
	}
	return restored
}

// name is what a delivery's record is called.
func (d *delivery) name() string { return strconv.FormatInt(d.id, 10) }
