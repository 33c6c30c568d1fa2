package order

import (
	"time"

	"checkout/till/payments"
	"checkout/till/tui/cli"
)

// orderJSON is an order as scripts see it. Its parts stand in the order of the
// contract.
type orderJSON struct {
	Reference      string               `json:"reference"`
	OrderReference string               `json:"order_reference"`
	Status         payments.Status      `json:"status"`
	Verdict        payments.Verdict     `json:"verdict"`
	Paid           bool                 `json:"paid"`
	Amount         payments.Ariary      `json:"amount"`
	Currency       string               `json:"currency"`
	Description    string               `json:"description"`
	Items          []itemJSON           `json:"items"`
	CheckoutURL    string               `json:"checkout_url"`
	Sale           string               `json:"sale"`
	CreatedAt      *string              `json:"created_at"`
	ExpiresAt      *string              `json:"expires_at"`
	PaidAt         *string              `json:"paid_at"`
	Error          string               `json:"error"`
	Attention      []payments.Attention `json:"attention"`
	Till           string               `json:"till"`
}

type itemJSON struct {
	Label     string          `json:"label"`
	UnitPrice payments.Ariary `json:"unit_price"`
	Quantity  int64           `json:"quantity"`
}

// shownJSON is an order with its events.
type shownJSON struct {
	orderJSON
	Events []eventJSON `json:"events"`
}

type eventJSON struct {
	Event      string           `json:"event"`
	ReceivedAt *string          `json:"received_at"`
	Outcome    payments.Outcome `json:"outcome"`
	Count      int64            `json:"count"`
	Error      string           `json:"error"`
}

// newOrderJSON returns the order as it stands at now.
func newOrderJSON(order payments.Order, now time.Time) orderJSON {
	items := make([]itemJSON, 0, len(order.Items))
	for _, item := range order.Items {
		items = append(items, itemJSON{item.Label, item.UnitPrice, item.Quantity})
	}
	return orderJSON{
		Reference: order.Reference, OrderReference: cli.Clean(order.OrderReference),
		Status: order.Status, Verdict: order.Verdict(payments.Conditions{}, now), Paid: order.Paid(),
		Amount: order.Amount, Currency: payments.Currency, Description: order.Description, Items: items,
		CheckoutURL: order.Link.URL, Sale: order.Sale, CreatedAt: cli.Stamp(order.CreatedAt),
		ExpiresAt: cli.Stamp(order.Link.ExpiresAt), PaidAt: cli.Stamp(order.Facts.PaidAt), Error: cli.Clean(order.Error),
		Attention: append([]payments.Attention{}, order.Attention(now)...), Till: order.Till,
	}
}

// newShownJSON returns the order and its events.
func newShownJSON(order payments.Order, records []payments.Record, now time.Time) shownJSON {
	events := make([]eventJSON, 0, len(records))
	for _, record := range records {
		events = append(events, eventJSON{
			Event: cli.Clean(string(record.Event.Kind)), ReceivedAt: cli.Stamp(record.ReceivedAt),
			Outcome: record.Outcome, Count: record.Count, Error: record.Event.Error.Shown(),
		})
	}
	return shownJSON{newOrderJSON(order, now), events}
}
