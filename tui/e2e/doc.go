// Package e2e tests the built program as a person uses it: in a pseudo-terminal, with a payment
// service over HTTP and a database on disk.
package e2e
