package gateway

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"

	"checkout/till/payments"
)

// lost says that the request may have arrived while its answer did not. It
// names the kind of fault in words of its own: net/http's text quotes what the
// service sent, which may be the request itself with the token in it.
func lost(cause error) error {
	timeout, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](cause)
	switch {
	case errors.Is(cause, context.Canceled):
		return payments.ErrInterrupted
	case errors.Is(cause, context.DeadlineExceeded), ok && timeout.Timeout():
		return payments.ErrNoAnswer
	case errors.Is(cause, io.EOF), errors.Is(cause, io.ErrUnexpectedEOF),
		errors.Is(cause, syscall.ECONNRESET), errors.Is(cause, syscall.EPIPE):
		return payments.ErrConnectionLost
	}
	return payments.ErrUnreadable
}

// said returns what the service says in an answer that takes no order: the text
// of "message" or "error" in JSON, or a plain text, cleaned and without the
// token. It is empty when the answer is a page or says nothing.
func (c *Client) said(answer []byte) string {
	text := string(answer[:min(len(answer), maxAnswer)])
	if root, err := parse(answer); err == nil {
		text = root.text
		for _, key := range []string{"error", "message"} {
			if said, count := root.field(key); count == 1 && said.shape == shapeText && !said.blank() {
				text = said.text
			}
		}
	} else if looksLikeMarkup(text) {
		return ""
	}
	// Cleaning joins what stood apart, so that the token is looked for after it.
	text = strings.ReplaceAll(payments.Clean(text, maxAnswer), c.token.Reveal(), "[redacted]")
	return payments.Clean(text, payments.MaxShownWidth)
}

// looksLikeMarkup tells whether a text is a page for browsers or broken JSON.
func looksLikeMarkup(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "<") || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}
