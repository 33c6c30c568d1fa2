package payments

import (
	"context"
	"time"
)

// Gateway is the payment service's order call.
type Gateway interface {
	// Create asks the service once for a payment order; it never tries again.
	// A [*Refusal] says that the service does not take the order, an error
	// that wraps [ErrNotSent] that the call never left this machine. After any
	// other error the outcome is unknown: the service may have the order.
	Create(ctx context.Context, order Order) (Created, error)
}

// Created is the service's sound answer to an order call.
type Created struct {
	OrderReference string // Checked: not empty, and as events will name it.
	CheckoutURL    string // Checked: safe to draw and to open.
	ExpiresMinutes int    // The link's lifetime, 1 to 1,440.
	Assumed        bool   // The lifetime was missing or unsound; 10 minutes are assumed.
}

// Visit is what a look at an address found: the header of its answer to a request
// that asks for nothing.
type Visit struct {
	Status   int           // Of the HTTP answer.
	Listener string        // Which of till's listeners answered; empty for another program.
	Ahead    time.Duration // By how much its clock is ahead of this machine's; zero where it does not tell.
	Expires  time.Time     // When its certificate ends; zero without TLS.
}
