package gateway

import (
	"bytes"
	"encoding/json"
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
	errSyntax   = errors.New("it is not valid JSON")
	errTooDeep  = errors.New("it is nested too deeply")
	errTrailing = errors.New("data follows the JSON value")
)

// node is one JSON value with its fields as they stand in the text: exact
// keys, in order, repeated ones included.
type node struct {
	kind   jsontext.Kind // [jsontext.KindInvalid] when it is not there.
	text   string        // Of a text, decoded; of a number, as it was sent.
	raw    []byte        // Of an object, an array and a bool.
	fields []field       // Of an object; of an array its items, without keys.
}

type field struct {
	key  string
	node node
}

// parse reads one JSON value. A byte order mark before it is skipped, data
// after it and nesting deeper than maxDepth are refused. Invalid UTF-8 inside
// a text becomes U+FFFD. Its errors hold no byte of the body.
func parse(body []byte) (node, error) {
	body = bytes.TrimPrefix(body, []byte(byteOrderMark))
	parser := parser{body: body, decoder: jsontext.NewDecoder(bytes.NewBuffer(body),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	root, err := parser.value()
	if err != nil {
		return node{}, err
	}
	if _, err := parser.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return node{}, errTrailing
	}
	return root, nil
}

type parser struct {
	decoder *jsontext.Decoder
	body    []byte
}

func (p parser) value() (node, error) {
	token, err := p.decoder.ReadToken()
	if err != nil {
		return node{}, errSyntax
	}
	read := node{kind: token.Kind()}
	switch read.kind {
	case jsontext.KindString, jsontext.KindNumber:
		read.text = token.String()
	case jsontext.KindTrue, jsontext.KindFalse:
		read.raw = []byte(token.String())
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return p.container(read.kind)
	}
	return read, nil
}

// container reads an object or an array whose opening was just read.
func (p parser) container(kind jsontext.Kind) (node, error) {
	if p.decoder.StackDepth() > maxDepth {
		return node{}, errTooDeep
	}
	start := p.decoder.InputOffset() - 1
	read := node{kind: kind}
	for next := p.decoder.PeekKind(); next != jsontext.KindEndObject && next != jsontext.KindEndArray; next = p.decoder.PeekKind() {
		var child field
		if kind == jsontext.KindBeginObject {
			key, err := p.decoder.ReadToken()
			if err != nil {
				return node{}, errSyntax
			}
			child.key = key.String()
		}
		var err error
		if child.node, err = p.value(); err != nil {
			return node{}, err
		}
		read.fields = append(read.fields, child)
	}
	if _, err := p.decoder.ReadToken(); err != nil {
		return node{}, errSyntax
	}
	read.raw = p.body[start:p.decoder.InputOffset()]
	return read, nil
}

// field returns the first field with exactly this key, and how many there are.
func (n node) field(key string) (first node, count int) {
	for _, field := range n.fields {
		if field.key != key {
			continue
		}
		if count++; count == 1 {
			first = field.node
		}
	}
	return first, count
}

// value returns the field with this key as an event keeps it. A repeated one
// says nothing for certain: it is kept as something that proves nothing.
func (n node) value(key string) payments.Value {
	var all []string
	var value payments.Value
	for _, field := range n.fields {
		if field.key == key {
			value = field.node.asValue()
			all = append(all, value.Text)
		}
	}
	if len(all) > 1 {
		return payments.Value{Kind: payments.Other, Text: strings.Join(all, ",")}
	}
	return value
}

func (n node) asValue() payments.Value {
	switch n.kind {
	case jsontext.KindNull:
		return payments.Value{Kind: payments.Null}
	case jsontext.KindString:
		return payments.TextValue(n.text)
	case jsontext.KindNumber:
		return payments.Value{Kind: payments.Number, Text: n.text}
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, n.raw) // It was just read as JSON.
	return payments.Value{Kind: payments.Other, Text: strings.ToValidUTF8(compact.String(), "\ufffd")}
}
