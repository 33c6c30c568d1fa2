package gateway

import (
	"errors"
	"fmt"
	"strconv"

	"checkout/till/payments"
)

const (
	// DefaultMinutes is the lifetime of a link that states none, as the
	// specification's example has it.
	DefaultMinutes = 10
	// MaxMinutes is the longest lifetime of a link that is believed.
	MaxMinutes = 1440
	// maxOrderReferenceWidth bounds an order reference, in terminal columns.
	maxOrderReferenceWidth = 128
)

// OrderReply is the service's answer to an order call that it takes.
type OrderReply struct {
	Message          string
	CheckoutURL      string
	ExpiresInMinutes int
	OrderReference   string
}

// EncodeReply returns the JSON body of an answer.
func EncodeReply(reply OrderReply) []byte {
	type data struct {
		CheckoutURL      string `json:"checkout_url"`
		ExpiresInMinutes int    `json:"expires_in_minutes"`
		OrderReference   string `json:"order_reference"`
	}
	return encode(struct {
		Message string `json:"message"`
		Data    data   `json:"data"`
	}{reply.Message, data{reply.CheckoutURL, reply.ExpiresInMinutes, reply.OrderReference}})
}

// EncodeMessage returns the JSON body of an answer that says only a message:
// a refusal.
func EncodeMessage(message string) []byte {
	return encode(struct {
		Message string `json:"message"`
	}{message})
}

// DecodeReply reads the answer to an order call. It must be one JSON object
// with data.order_reference, a text that is clean and not blank, and
// data.checkout_url, a link that links allows; both once. A lifetime that is
// no whole number from 1 to [MaxMinutes] becomes [DefaultMinutes] and is
// marked as assumed. Its error wraps [payments.ErrUnsoundReply].
func DecodeReply(body []byte, links LinkPolicy) (payments.Created, error) {
	root, err := parse(body)
	if err != nil {
		return payments.Created{}, unsound(err)
	}
	data, datas := root.field("data")
	reference, references := data.field("order_reference")
	link, linkCount := data.field("checkout_url")
	if datas > 1 || references > 1 || linkCount > 1 {
		return payments.Created{}, unsound(errors.New("a field is repeated"))
	}
	if !reference.usable() || payments.Clean(reference.text, maxOrderReferenceWidth) != reference.text {
		return payments.Created{}, unsound(errors.New("it has no usable order_reference"))
	}
	if link.shape != shapeText {
		return payments.Created{}, unsound(errors.New("it has no checkout_url"))
	}
	checked, err := CheckLink(link.text, links)
	if err != nil {
		return payments.Created{}, unsound(err)
	}
	created := payments.Created{OrderReference: reference.text, CheckoutURL: checked}
	created.ExpiresMinutes, created.Assumed = lifetime(data)
	return created, nil
}

// lifetime returns the link's lifetime in minutes, and whether it is assumed.
func lifetime(data node) (minutes int, assumed bool) {
	stated, count := data.field("expires_in_minutes")
	minutes, err := strconv.Atoi(stated.text)
	if count != 1 || stated.shape != shapeNumber || err != nil || minutes < 1 || minutes > MaxMinutes {
		return DefaultMinutes, true
	}
	return minutes, false
}

func unsound(cause error) error { return fmt.Errorf("%w: %w", payments.ErrUnsoundReply, cause) }
