package receipt

import (
	"context"
	"net"
	"time"
)

// UntilTaken lets a test replace the dial of untilTaken.
var UntilTaken = untilTaken

// Deliver sends a receipt over an open connection.
func Deliver(ctx context.Context, connection net.Conn, ticket []byte) (Outcome, error) {
	return newLine(connection).send(ctx, ticket, true)
}

// Enqueue gives a receipt to a queue of CUPS and watches it until patience has passed.
func Enqueue(ctx context.Context, name string, ticket []byte, patience time.Duration) error {
	return queue(name).send(ctx, ticket, patience)
}
