// Package webhook is the listener that the payment service calls: an HTTP
// handler and the server around it.
//
// It guarantees that an event is answered 200 only after the receiver said that
// it is durable; that nothing of a request is interpreted before its signature
// was verified; that no path is ever redirected; that a panic costs one answer
// and not the process; that slow, endless or idle connections keep no event
// out; and that no signature, secret or payload reaches a log, a metric or the
// health report.
//
// A delivery passes the [Server], whose limiter bounds connections, and the
// [Handler]: ServeHTTP, admit (size, signature, content), and serveEvent, which
// hands the event to the [Receiver]: the rules of money, or an outbox in front of
// them.
//
// A request body in a content encoding is not decoded: compressed bytes are no
// JSON, and are answered 400.
package webhook
