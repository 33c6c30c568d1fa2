package gateway

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
	"checkout/till/payments/secret"
)

// DefaultOrderPath is the path of the order call, spelled as in the specification.
const DefaultOrderPath = "/api/payement/service"

// OrderRequest contains the fields of the HTTP request that creates an order.
type OrderRequest struct {
	Access      secret.Text
	Description string
	Reference   string
	Amount      money.Ariary
	Currency    string
	Items       []payments.Item
	Unknown     []string // Paths of fields that are not in the specification, such as "metadata[0].sku", cleaned by [clean.Text].
}

type wireOrder struct {
	Access      string                    `json:"access"`
	Description string                    `json:"description"`
	Reference   string                    `json:"reference"`
	Amount      money.Ariary              `json:"amount"`
	Currency    string                    `json:"currency"`
	Items       []wireItem                `json:"metadata"`
	Other       map[string]jsontext.Value `json:",embed"` // Fields that are not in the specification.
}

type wireItem struct {
	Label     string                    `json:"label"`
	UnitPrice money.Ariary              `json:"unit_price"`
	Quantity  int64                     `json:"quantity"`
	Other     map[string]jsontext.Value `json:",embed"` // Fields that are not in the specification.
}

// EncodeOrder returns the JSON body of an order call. It contains the token in plain text.
func EncodeOrder(request OrderRequest) []byte {
	wire := wireOrder{
		Access: request.Access.Reveal(), Description: request.Description, Reference: request.Reference,
		Amount: request.Amount, Currency: request.Currency,
	}
	for _, item := range request.Items {
		wire.Items = append(wire.Items, wireItem{Label: item.Label, UnitPrice: item.UnitPrice, Quantity: item.Quantity})
	}
	return encode(wire)
}

// FieldError is the reason why an order call is invalid: one of its fields is wrong.
type FieldError struct {
	Field   string // Path of the field, such as "metadata[0].quantity", or "body" for the whole body. It is safe to show.
	Problem string
}

func (e *FieldError) Error() string { return e.Field + " " + e.Problem }

// DecodeOrder decodes the body of an order call strictly. The body must be one JSON object that has
// each of the six fields once, with its type. Prices and quantities must be whole numbers above
// zero. The currency must be Ar, and the amount must be the sum of the items. The error is a
// [*FieldError] for the first invalid field.
//
// Other fields are only listed in Unknown. The caller checks whether the token is the merchant's.
func DecodeOrder(body []byte) (OrderRequest, error) {
	var wire wireOrder
	err := decodeStrict(body, "body", &wire)
	request := OrderRequest{
		Access: secret.New(wire.Access), Description: wire.Description, Reference: wire.Reference,
		Amount: wire.Amount, Currency: wire.Currency, Unknown: unknown("", wire.Other),
	}
	items, others := itemsOf("metadata", wire.Items)
	request.Items = items
	request.Unknown = append(request.Unknown, others...)
	sum, sumErr := payments.Total(request.Items)
	return request, cmp.Or(
		err,
		checkText("description", request.Description),
		check("access", payments.IsToken(request.Access), "must begin with "+payments.TokenPrefix+" or "+payments.TestTokenPrefix),
		checkText("reference", request.Reference),
		checkAmount("amount", int64(request.Amount)),
		check("currency", request.Currency == payments.Currency, "must be "+payments.Currency),
		checkItems("metadata", request.Items),
		check("amount", sumErr == nil && sum == request.Amount, "must equal the sum of unit_price times quantity"),
	)
}

// DecodeItems decodes a metadata array, as strictly as [DecodeOrder]. It also refuses
// fields that are not in the specification.
func DecodeItems(body []byte) ([]payments.Item, error) {
	var wire []wireItem
	if err := decodeStrict(body, "items", &wire); err != nil {
		return nil, err
	}
	items, others := itemsOf("items", wire)
	if len(others) > 0 {
		return nil, &FieldError{others[0], "is not known"}
	}
	return items, checkItems("items", items)
}

// itemsOf returns the items of a JSON list, and the paths of the fields that are not in the
// specification. name is the JSON name of the list.
func itemsOf(name string, wire []wireItem) (items []payments.Item, others []string) {
	for i, item := range wire {
		items = append(items, payments.Item{Label: item.Label, UnitPrice: item.UnitPrice, Quantity: item.Quantity})
		others = append(others, unknown(fmt.Sprintf("%s[%d].", name, i), item.Other)...)
	}
	return items, others
}

func checkItems(name string, items []payments.Item) error {
	for i, item := range items {
		path := fmt.Sprintf("%s[%d].", name, i)
		err := cmp.Or(
			checkText(path+"label", item.Label),
			checkAmount(path+"unit_price", int64(item.UnitPrice)),
			checkAmount(path+"quantity", item.Quantity),
		)
		if err != nil {
			return err
		}
	}
	return check(name, len(items) > 0, "must be an array of at least one item")
}

func unknown(path string, fields map[string]jsontext.Value) []string {
	var names []string
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		names = append(names, path+clean.Text(key, payments.MaxLabelWidth))
	}
	return names
}

func check(field string, sound bool, problem string) error {
	if sound {
		return nil
	}
	return &FieldError{field, problem}
}

func checkText(field, value string) error {
	sound := strings.TrimSpace(value) != "" && !strings.ContainsAny(value, "\x00\ufffd")
	return check(field, sound, "must be a string that is not blank")
}

func checkAmount(field string, value int64) error {
	return cmp.Or(
		check(field, value > 0, "must be a whole number above zero"),
		check(field, value <= int64(money.MaxAriary), "must be at most "+money.MaxAriary.String()),
	)
}

// decodeStrict decodes one JSON value. Each field must occur at most once and have the right type.
// root is the name of the whole value in the error.
func decodeStrict(body []byte, root string, value any) error {
	body = bytes.TrimPrefix(body, []byte(byteOrderMark))
	err := json.Unmarshal(body, value)
	semantic, other := errors.AsType[*json.SemanticError](err)
	syntactic, broken := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case other:
		problem := "must be an object"
		switch semantic.GoType.Kind() {
		case reflect.String:
			problem = "must be a string that is not blank"
		case reflect.Int64:
			problem = "must be a whole number above zero"
		case reflect.Slice:
			problem = "must be an array of at least one item"
		}
		return &FieldError{fieldName(root, semantic.JSONPointer), problem}
	case broken && errors.Is(err, jsontext.ErrDuplicateName):
		return &FieldError{fieldName(root, syntactic.JSONPointer), "is repeated"}
	case broken:
		return &FieldError{"body", "cannot be read: it is not valid JSON at " + position(body, syntactic.ByteOffset)}
	case err != nil:
		return &FieldError{"body", "cannot be read: it is not valid JSON"}
	}
	return nil
}

// position returns the position of a byte offset in a text, such as "line 3, column 12".
func position(text []byte, offset int64) string {
	before := text[:min(offset, int64(len(text)))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return fmt.Sprintf("line %d, column %d", bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(line)+1)
}

func fieldName(root string, at jsontext.Pointer) string {
	name := regexp.MustCompile(`/(\d+)`).ReplaceAllString(string(at), "[$1]")
	name = strings.TrimPrefix(strings.ReplaceAll(name, "/", "."), ".")
	if name == "" || name[0] == '[' {
		name = root + name
	}
	return clean.Text(name, payments.MaxShownWidth)
}

// Limits of the answer to an order call.
const (
	defaultMinutes         = 10   // Lifetime of a link in minutes if the service gives no valid one, as in the specification's example.
	MaxMinutes             = 1440 // Longest accepted lifetime of a link, in minutes.
	maxOrderReferenceWidth = 128  // Maximum width of an order reference, in terminal columns.
)

// OrderReply is the data in the service's answer to an accepted order.
type OrderReply struct {
	CheckoutURL      string `json:"checkout_url"`
	ExpiresInMinutes int    `json:"expires_in_minutes"`
	OrderReference   string `json:"order_reference"`
}

// EncodeReply returns the JSON body of the answer to an accepted order.
func EncodeReply(reply OrderReply) []byte {
	return encode(struct {
		Message string     `json:"message"`
		Data    OrderReply `json:"data"`
	}{"Success", reply})
}

// EncodeMessage returns the JSON body of a refusal, which has only a message.
func EncodeMessage(message string) []byte {
	return encode(struct {
		Message string `json:"message"`
	}{message})
}

// DecodeReply decodes the answer to an order call. The answer must be one JSON object with
// data.order_reference and data.checkout_url, each once. The order reference must be a clean text
// of at most [MaxName] bytes and 128 columns, and not blank. The checkout link must be valid for
// the policy links. If the lifetime is not a whole number from 1 to [MaxMinutes], it becomes ten
// minutes and is marked as assumed. The error wraps [payments.ErrUnsoundReply].
func DecodeReply(body []byte, links LinkPolicy) (payments.Created, error) {
	root, err := parse(body)
	if err != nil {
		return payments.Created{}, unsound(err)
	}
	answer := fieldsOf(root)
	data := fieldsOf(answer.first("data"))
	if len(answer["data"]) > 1 || len(data["order_reference"]) > 1 || len(data["checkout_url"]) > 1 {
		return payments.Created{}, unsound(errors.New("a field is repeated"))
	}
	reference, sound := usable(data.first("order_reference"))
	if !sound || clean.Text(reference, maxOrderReferenceWidth) != reference {
		return payments.Created{}, unsound(errors.New("it has no usable order_reference"))
	}
	link := textOf(data.first("checkout_url"))
	if err := CheckLink(link, links); err != nil {
		return payments.Created{}, unsound(err)
	}
	created := payments.Created{OrderReference: reference, CheckoutURL: link}
	created.ExpiresMinutes, err = strconv.Atoi(string(data.first("expires_in_minutes")))
	if len(data["expires_in_minutes"]) != 1 || err != nil || created.ExpiresMinutes < 1 || created.ExpiresMinutes > MaxMinutes {
		created.ExpiresMinutes, created.Assumed = defaultMinutes, true
	}
	return created, nil
}

func unsound(cause error) error {
	return payments.Reason{Fault: payments.ErrUnsoundReply, Detail: cause.Error()}
}
