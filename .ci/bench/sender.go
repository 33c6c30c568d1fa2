package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// sender posts events with net/http's client. It shares the machine with the
// server, and so what it costs is in every ratio: a leaner one lowers that to a
// handler that stores nothing.
type sender struct {
	client    *http.Client
	address   string // Of the webhook.
	signature string
}

// newSender returns a sender that keeps so many connections open.
func newSender(address string, connections int) *sender {
	return &sender{
		client:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}},
		address:   address,
		signature: gateway.Sign(gateway.Static, payments.NewSecret(secret), nil),
	}
}

// close closes the connections.
func (s *sender) close() { s.client.CloseIdleConnections() }

// post sends one event and wants it acknowledged.
func (s *sender) post(ctx context.Context, event []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(event))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(header, s.signature)
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err == nil && (response.StatusCode != http.StatusOK || !bytes.Contains(answer, []byte(`"received":true`))) {
		err = fmt.Errorf("answered %s %s", response.Status, answer)
	}
	return err
}
