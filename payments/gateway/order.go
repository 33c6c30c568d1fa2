package gateway

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"checkout/till/payments"
)

// DefaultOrderPath is the path of the order call; the spelling is the
// specification's.
const DefaultOrderPath = "/api/payement/service"

// OrderRequest is the body of an order call.
type OrderRequest struct {
	Description string          `json:"description"`
	Access      payments.Secret `json:"-"` // The access token; see [EncodeOrder].
	Reference   string          `json:"reference"`
	Amount      payments.Ariary `json:"amount"`
	Currency    string          `json:"currency"`
	Metadata    []OrderItem     `json:"metadata"`
	Unknown     []string        `json:"-"` // Fields that the specification does not have, as in "metadata[0].sku"; cleaned.
}

// OrderItem is one line of an order call.
type OrderItem struct {
	Label     string          `json:"label"`
	UnitPrice payments.Ariary `json:"unit_price"`
	Quantity  int64           `json:"quantity"`
}

// Item returns the line of the order.
func (i OrderItem) Item() payments.Item {
	return payments.Item{Label: i.Label, UnitPrice: i.UnitPrice, Quantity: i.Quantity}
}

// NewOrderRequest returns the request for an order.
func NewOrderRequest(order payments.Order, token payments.Secret) OrderRequest {
	items := make([]OrderItem, 0, len(order.Items))
	for _, item := range order.Items {
		items = append(items, OrderItem{item.Label, item.UnitPrice, item.Quantity})
	}
	return OrderRequest{
		Description: order.Description, Access: token, Reference: order.Reference,
		Amount: order.Amount, Currency: payments.Currency, Metadata: items,
	}
}

// EncodeOrder returns the JSON body of an order call, with the token in clear:
// it is for the wire alone.
func EncodeOrder(request OrderRequest) []byte {
	return encode(struct {
		Access string `json:"access"`
		OrderRequest
	}{request.Access.Reveal(), request})
}

// FieldError says what is wrong with one field of an order call.
type FieldError struct {
	Field   string // As in "metadata[0].quantity"; "body" for the whole, cleaned.
	Problem string
}

// Error returns the field and the problem.
func (e *FieldError) Error() string { return e.Field + " " + e.Problem }

// DecodeOrder reads the body of an order call strictly: one JSON object with the
// six fields, each once and of its type, prices and quantities whole numbers
// above zero, the currency Ar, and the amount the sum of the items. Its error is
// a [*FieldError] that names the first field at fault. Other fields are listed,
// and ignored. Whether the token is the merchant's is for the caller to check.
func DecodeOrder(body []byte) (OrderRequest, error) {
	root, err := parse(body)
	if err != nil {
		return OrderRequest{}, &FieldError{"body", "cannot be read: " + err.Error()}
	}
	if root.kind != jsontext.KindBeginObject {
		return OrderRequest{}, &FieldError{"body", "must be a JSON object"}
	}
	fields := strictFields{object: root}
	request := OrderRequest{
		Description: fields.text("description"),
		Access:      payments.NewSecret(fields.text("access")),
		Reference:   fields.text("reference"),
		Amount:      fields.amount("amount"),
		Currency:    fields.text("currency"),
	}
	metadata := fields.take("metadata")
	if fields.fault != nil {
		return OrderRequest{}, fields.fault
	}
	if !payments.IsToken(request.Access) {
		return OrderRequest{}, &FieldError{"access", "must begin with " + payments.TokenPrefix + " or " + payments.TestTokenPrefix}
	}
	if request.Currency != payments.Currency {
		return OrderRequest{}, &FieldError{"currency", "must be " + payments.Currency}
	}
	items, unknown, err := decodeItems("metadata", metadata)
	if err != nil {
		return OrderRequest{}, err
	}
	request.Metadata, request.Unknown = items, append(fields.unknown(), unknown...)
	lines := make([]payments.Item, 0, len(items))
	for _, item := range items {
		lines = append(lines, item.Item())
	}
	if sum, err := payments.Total(lines); err != nil || sum != request.Amount {
		return OrderRequest{}, &FieldError{"amount", "must equal the sum of unit_price times quantity"}
	}
	return request, nil
}

// DecodeItems reads a metadata array by itself, as strictly as [DecodeOrder], and
// refuses other fields.
func DecodeItems(body []byte) ([]OrderItem, error) {
	root, err := parse(body)
	if err != nil {
		return nil, &FieldError{"body", "cannot be read: " + err.Error()}
	}
	items, unknown, err := decodeItems("items", root)
	if err == nil && len(unknown) > 0 {
		err = &FieldError{unknown[0], "is not known"}
	}
	if err != nil {
		return nil, err
	}
	return items, nil
}

// decodeItems also returns the fields that the specification does not have.
func decodeItems(name string, list node) (items []OrderItem, unknown []string, err error) {
	if list.kind != jsontext.KindBeginArray || len(list.fields) == 0 {
		return nil, nil, &FieldError{name, "must be an array of at least one item"}
	}
	for i, each := range list.fields {
		object, path := each.node, fmt.Sprintf("%s[%d]", name, i)
		if object.kind != jsontext.KindBeginObject {
			return nil, nil, &FieldError{path, "must be an object"}
		}
		fields := strictFields{object: object, path: path + "."}
		item := OrderItem{
			Label:     fields.text("label"),
			UnitPrice: fields.amount("unit_price"),
			Quantity:  int64(fields.amount("quantity")),
		}
		if fields.fault != nil {
			return nil, nil, fields.fault
		}
		items, unknown = append(items, item), append(unknown, fields.unknown()...)
	}
	return items, unknown, nil
}

// strictFields takes fields from an object and remembers the first fault.
type strictFields struct {
	object node
	path   string // Stands before a field's name in an error.
	taken  []string
	fault  error // The first [*FieldError].
}

func (f *strictFields) fail(name, problem string) {
	if f.fault == nil {
		f.fault = &FieldError{f.path + name, problem}
	}
}

// take returns a required field.
func (f *strictFields) take(name string) node {
	f.taken = append(f.taken, name)
	value, count := f.object.field(name)
	switch {
	case count == 0:
		f.fail(name, "is missing")
	case count > 1:
		f.fail(name, "is repeated")
	}
	return value
}

// text returns a required text that is not blank.
func (f *strictFields) text(name string) string {
	value := f.take(name)
	if !value.usable() {
		f.fail(name, "must be a string that is not blank")
	}
	return value.text
}

// amount returns a required whole number above zero, at most
// [payments.MaxAriary].
func (f *strictFields) amount(name string) payments.Ariary {
	value := f.take(name)
	number, err := strconv.ParseInt(value.text, 10, 64)
	switch {
	case value.kind != jsontext.KindNumber || err != nil || number <= 0:
		f.fail(name, "must be a whole number above zero")
	case payments.Ariary(number) > payments.MaxAriary:
		f.fail(name, "must be at most "+payments.MaxAriary.String())
	}
	return payments.Ariary(number)
}

// unknown returns the fields that were not taken.
func (f *strictFields) unknown() []string {
	var names []string
	for _, field := range f.object.fields {
		if !slices.Contains(f.taken, field.key) {
			names = append(names, f.path+payments.Clean(field.key, payments.MaxLabelWidth))
		}
	}
	return names
}

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
	Message          string `json:"-"` // It stands beside the data.
	CheckoutURL      string `json:"checkout_url"`
	ExpiresInMinutes int    `json:"expires_in_minutes"`
	OrderReference   string `json:"order_reference"`
}

// EncodeReply returns the JSON body of an answer.
func EncodeReply(reply OrderReply) []byte {
	return encode(struct {
		Message string     `json:"message"`
		Data    OrderReply `json:"data"`
	}{reply.Message, reply})
}

// EncodeMessage returns the JSON body of an answer that says only a message:
// a refusal.
func EncodeMessage(message string) []byte {
	return encode(struct {
		Message string `json:"message"`
	}{message})
}

// DecodeReply reads the answer to an order call. It must be one JSON object
// with data.order_reference, a text that is clean, not blank and no longer than
// an event's, and data.checkout_url, a link that links allows; both once. A lifetime that is
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
	if !reference.usable() || len(reference.text) > MaxName || payments.Clean(reference.text, maxOrderReferenceWidth) != reference.text {
		return payments.Created{}, unsound(errors.New("it has no usable order_reference"))
	}
	if link.kind != jsontext.KindString {
		return payments.Created{}, unsound(errors.New("it has no checkout_url"))
	}
	checked, err := CheckLink(link.text, links)
	if err != nil {
		return payments.Created{}, unsound(err)
	}
	created := payments.Created{OrderReference: reference.text, CheckoutURL: checked}
	lifetime, count := data.field("expires_in_minutes")
	created.ExpiresMinutes, err = strconv.Atoi(lifetime.text)
	if count != 1 || lifetime.kind != jsontext.KindNumber || err != nil || created.ExpiresMinutes < 1 || created.ExpiresMinutes > MaxMinutes {
		created.ExpiresMinutes, created.Assumed = DefaultMinutes, true
	}
	return created, nil
}

func unsound(cause error) error { return fmt.Errorf("%w: %w", payments.ErrUnsoundReply, cause) }
