// Package gateway contains the payment service's wire protocol: the order call, its answer,
// the events, and their signatures. Both the console, which calls the service, and the
// sandbox, which simulates the service, use it.
//
// It guarantees that
//   - JSON keys match exactly (encoding/json ignores case and takes the last of two equal
//     keys);
//   - an order is sent as one POST that is never repeated;
//   - a checkout link is checked before it is shown;
//   - text from the service is cleaned before it appears in an error;
//   - errors, and texts from the service's answers, contain neither the access token nor a signature.
package gateway
