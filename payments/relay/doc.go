// Package relay brings webhooks to a till that has no public address. A relay is a mailbox
// on a public machine: it takes the payment service's webhooks, stores them, and passes
// them to the till over a connection that the till opens.
//
// [Server] is the relay, [Fetcher] the till's side. It is guaranteed that:
//   - The relay answers 200 only after the request is durable.
//   - The relay deletes a request only after the till has acknowledged it, or 30 days later.
//   - The till acknowledges a request only after its own commit. A crash between the two
//     delivers the request again, which changes nothing.
//   - An event counts from its arrival at the relay, so it is not late because the till was
//     off. The relay cannot make it earlier than the last time the till found its box empty.
//   - The stored requests are encrypted to the till. The relay knows no webhook secret: with
//     the scheme static it compares the signature with a hash.
//
// A box is the mailbox of one shop, a letter a stored request. The address of a box
// contains a random ID, which only the payment service and the shop know.
package relay
