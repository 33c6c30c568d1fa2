// Package e2e drives the built program as a person does: in a pseudo-terminal,
// by keys, against a payment service over HTTP, with its database on disk. It
// holds tests alone; what they prove is what a user sees.
package e2e
