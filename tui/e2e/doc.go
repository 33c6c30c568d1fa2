// Package e2e tests the built program as a person uses it: in a pseudo-terminal, with keys,
// with a payment service over HTTP, and with its database on disk. It contains only tests,
// which check what a user sees.
package e2e
