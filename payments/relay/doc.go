// Package relay brings webhooks to a till that has no public address. A relay is a program on a
// public machine: it takes the payment service's webhooks, stores them, and passes them to the till
// over a connection that the till opens.
//
// [Server] is the relay, and [Fetcher] is the part of the till that fetches from the relay. They
// guarantee:
//   - The relay answers 200 only after the request is durable.
//   - The relay deletes a request only after the till has acknowledged it. The exceptions are requests
//     for a former key of the till in a full box, and those of a box that the operator removes.
//   - The till stores each request as soon as it has arrived, so a broken answer on a slow line
//     loses only the rest. The time limit for a silent connection starts again with each byte. Every
//     read from the relay has a limit.
//   - The till acknowledges a request only after the till has stored or finally refused the request.
//     After a crash before the acknowledgement, the till gets the request again, as a duplicate.
//   - The time of an event is its arrival at the relay, so a payment is not late because the
//     till was off.
//   - Only the till can decrypt the stored requests. The relay knows no webhook secret: with
//     the scheme static it compares the signature with a hash.
//
// A [Box] is the mailbox of one shop. A [Letter] is a stored request. The webhook address of a box
// contains a random ID, which is a secret of the shop, the payment service and the relay.
package relay
