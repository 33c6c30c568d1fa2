package gateway

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"checkout/till/payments"
)

// maxDepth bounds the nesting of JSON from outside.
const maxDepth = 32

const byteOrderMark = "\xef\xbb\xbf"

var (
	errSyntax  = errors.New("it is not one JSON value")
	errTooDeep = errors.New("it is nested too deeply")
)

// parse returns the one JSON value of a body. A byte order mark before it is
// skipped, data after it and nesting deeper than maxDepth are refused. Its errors
// hold no byte of the body.
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
		if depth == 0 { // The value has ended.
			break
		}
	}
	end := decoder.InputOffset()
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errSyntax
	}
	return body[:end], nil
}

// newDecoder returns a decoder that takes repeated keys, and invalid UTF-8 inside
// a text, which becomes U+FFFD.
func newDecoder(body []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// fields are the fields of a JSON object by their exact keys; each has several
// values when it is repeated.
type fields map[string][]jsontext.Value

// fieldsOf returns the fields of a value that parse has read; none of what is no
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

// first returns the first value of a field, nil for none.
func (f fields) first(key string) jsontext.Value {
	if len(f[key]) == 0 {
		return nil
	}
	return f[key][0]
}

// textOf returns the text of a JSON string, blank of anything else.
func textOf(value jsontext.Value) string {
	if value.Kind() != jsontext.KindString {
		return ""
	}
	token, _ := newDecoder(value).ReadToken() // It was read before.
	return token.String()
}

// usable returns the text of a value, and whether it can name something. U+FFFD
// stands where the JSON had invalid UTF-8 or half a surrogate pair.
func usable(value jsontext.Value) (text string, sound bool) {
	text = textOf(value)
	return text, strings.TrimSpace(text) != "" && !strings.ContainsAny(text, "\x00\ufffd") && len(text) <= MaxName
}

// value returns a field as an event keeps it. A repeated one says nothing for
// certain: it is kept as something that proves nothing.
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
			_ = each.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) // It was read as JSON.
			value = payments.Value{Kind: payments.Other, Text: strings.ToValidUTF8(string(each), "\ufffd")}
		}
		all = append(all, value.Text)
	}
	if len(all) > 1 {
		return payments.Value{Kind: payments.Other, Text: strings.Join(all, ",")}
	}
	return value
}
