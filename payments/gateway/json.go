package gateway

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"checkout/till/payments"
)

const maxDepth = 32

const byteOrderMark = "\xef\xbb\xbf"

var (
	errSyntax  = errors.New("it is not one JSON value")
	errTooDeep = errors.New("it is nested too deeply")
)

// parse returns the only JSON value in a body, without a byte order mark. Its errors contain no
// bytes of the body.
func parse(body []byte) (jsontext.Value, error) {
	body = bytes.TrimPrefix(body, []byte(byteOrderMark))
	decoder := newDecoder(body)
	for {
		if _, err := decoder.ReadToken(); err != nil {
			return nil, errSyntax
		}
		depth := decoder.StackDepth()
		if depth > maxDepth {
			return nil, errTooDeep
		}
		if depth == 0 {
			break
		}
	}
	end := decoder.InputOffset()
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errSyntax
	}
	return body[:end], nil
}

// lenient returns options that accept repeated keys, and replace invalid UTF-8 in texts by
// U+FFFD.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func newDecoder(body []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(body), lenient())
}

// fields maps the exact keys of a JSON object to their values.
type fields map[string][]jsontext.Value

// fieldsOf returns the fields of a value that parse returned, or nil if it is not an
// object.
func fieldsOf(value jsontext.Value) fields {
	decoder, all := newDecoder(value), fields{}
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != jsontext.KindBeginObject {
		return nil
	}
	for decoder.PeekKind() == jsontext.KindString {
		token, _ := decoder.ReadToken()
		key := token.String()
		field, _ := decoder.ReadValue()
		all[key] = append(all[key], field.Clone())
	}
	return all
}

func (f fields) first(key string) jsontext.Value {
	if len(f[key]) == 0 {
		return nil
	}
	return f[key][0]
}

func textOf(value jsontext.Value) string {
	if value.Kind() != jsontext.KindString {
		return ""
	}
	token, _ := newDecoder(value).ReadToken() // Cannot fail: the value was parsed before.
	return token.String()
}

// messages returns the texts in a decoded message, which is a string, a list or an object. An
// object without [usualMessages] gives all its texts, each after its key, for example "amount: is
// too small".
func messages(value any) []string {
	var texts []string
	switch value := value.(type) {
	case string:
		if text := strings.TrimSpace(value); text != "" {
			texts = append(texts, text)
		}
	case []any:
		for _, each := range value {
			texts = append(texts, messages(each)...)
		}
	case map[string]any:
		if texts = usualMessages(value); len(texts) > 0 {
			return texts
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			for _, text := range messages(value[key]) {
				texts = append(texts, key+": "+text)
			}
		}
	}
	return texts
}

// usualMessages returns the texts of the first of the fields message, error, detail and msg that has
// any, followed by the texts of the field "errors".
func usualMessages(object map[string]any) []string {
	var texts []string
	for _, key := range []string{"message", "error", "detail", "msg"} {
		texts = messages(object[key])
		if len(texts) > 0 {
			break
		}
	}
	return slices.Compact(append(texts, messages(object["errors"])...))
}

// usable returns the text of a value, and whether the text is valid as an event name or an order
// reference. A text with U+FFFD is not valid, because the decoder writes this character for
// invalid UTF-8.
func usable(value jsontext.Value) (text string, sound bool) {
	text = textOf(value)
	return text, strings.TrimSpace(text) != "" && !strings.ContainsAny(text, "\x00\ufffd") && len(text) <= MaxName
}

// value returns a field as a value for [payments.Event]. A missing field gets the kind Missing, a
// repeated one the kind Other, so that it proves no payment.
func (f fields) value(key string) payments.Value {
	var all []string
	var value payments.Value
	for _, each := range f[key] {
		switch each.Kind() {
		case jsontext.KindNull:
			value = payments.Value{Kind: payments.Null}
		case jsontext.KindString:
			value = payments.TextValue(textOf(each))
		case jsontext.KindNumber:
			value = payments.Value{Kind: payments.Number, Text: string(each)}
		default:
			_ = each.Compact(lenient()) // Cannot fail: the value was parsed before.
			value = payments.Value{Kind: payments.Other, Text: strings.ToValidUTF8(string(each), "\ufffd")}
		}
		all = append(all, value.Text)
	}
	if len(all) > 1 {
		return payments.Value{Kind: payments.Other, Text: strings.Join(all, ",")}
	}
	return value
}
