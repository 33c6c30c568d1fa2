package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"

	"checkout/till/payments"
	"checkout/till/payments/gateway"
)

// sender posts events over one connection. It shares the machine with the
// server, which net/http's client would take a third of: it writes each request
// at once, and reads the answer itself.
type sender struct {
	net.Conn
	answers *bufio.Reader
	head    []byte // Of each request, up to the length of its body.
	request []byte
}

// dial connects a sender with a webhook's address.
func dial(ctx context.Context, address string) (*sender, error) {
	to, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", to.Host)
	if err != nil {
		return nil, err
	}
	signature := gateway.Sign(gateway.Static, payments.NewSecret(secret), nil)
	return &sender{
		Conn: conn, answers: bufio.NewReader(conn),
		head: fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n%s: %s\r\nContent-Length: ",
			to.Path, to.Host, header, signature),
	}, nil
}

// post sends one event and wants it acknowledged.
func (s *sender) post(event []byte) error {
	s.request = strconv.AppendInt(append(s.request[:0], s.head...), int64(len(event)), 10)
	s.request = append(append(s.request, "\r\n\r\n"...), event...)
	if _, err := s.Write(s.request); err != nil {
		return err
	}
	return s.acknowledged()
}

// acknowledged reads an answer, and wants it to say that the event was received.
func (s *sender) acknowledged() error {
	response, err := http.ReadResponse(s.answers, nil)
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
