package receipt

import (
	"context"
	"net"
)

// UntilTaken is untilTaken, for tests.
var UntilTaken = untilTaken

// Deliver sends a receipt on an open connection, for tests.
func Deliver(ctx context.Context, connection net.Conn, ticket []byte) (Outcome, error) {
	return newLine(connection).send(ctx, ticket, true)
}
