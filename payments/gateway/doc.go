// Package gateway is the payment service's wire protocol, once: the order call,
// its answer, the events, and their signatures. Both sides use it, the console
// that calls the service and the sandbox that stands in for it.
//
// It guarantees that JSON is read by exact keys (encoding/json matches them
// without regard to case and silently takes the last of two), that an order
// goes out as one POST that is never repeated, that a checkout link is checked
// before anybody sees it, that bytes of the service reach an error only
// cleaned, and that neither the access token nor a signature ever stands in an
// error or in any other text it returns.
package gateway
