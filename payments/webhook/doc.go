// Package webhook receives the payment service's calls: it has an HTTP handler and its server.
//
// It guarantees that
//   - an event is answered with 200 only after the receiver reports it durable, or dropped because
//     of a limit;
//   - an event is accepted only after its signature is verified;
//   - a request without a valid signature is decoded only to recognize an event that the shop
//     expects, for the health report;
//   - no path is redirected;
//   - after a panic the request is answered with 500, and the process continues;
//   - slow, endless or idle connections do not block events;
//   - logs, metrics and the health report contain no signature and no secret. Of an event, they
//     contain only its kind and its order reference.
//
// A delivery passes through the [Server], which limits connections, and the [Handler]. ServeHTTP
// calls serveEvent, which calls admit (size, signature, content) and passes the event to the
// [Receiver]. The receiver is the [payments.Service], or an outbox that queues events for it.
//
// Content-Encoding is ignored: compressed bytes are not JSON, so a signed request with them is
// answered with 400.
package webhook
