package receipt

import (
	"context"
	"net"
)

// UntilTaken lets a test replace the dial of untilTaken.
var UntilTaken = untilTaken

// Deliver sends a receipt over an open connection.
func Deliver(ctx context.Context, connection net.Conn, ticket []byte) (Outcome, error) {
	return newLine(connection).send(ctx, ticket, true)
}
