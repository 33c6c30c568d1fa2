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

// shape is the JSON type of a node.
type shape byte

const (
	shapeNone shape = iota // Not there.
	shapeNull
	shapeText
	shapeNumber
	shapeBool
	shapeObject
	shapeArray
)

// node is one JSON value with its fields as they stand in the text: exact
// keys, in order, repeated ones included.
type node struct {
	shape  shape
	text   string  // Of a text, decoded; of a number, as it was sent.
	raw    []byte  // Of an object, an array and a bool.
	fields []field // Of an object; of an array its items, without keys.
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

// value reads the next value.
func (p parser) value() (node, error) {
	token, err := p.decoder.ReadToken()
	if err != nil {
		return node{}, errSyntax
	}
	switch token.Kind() {
	case jsontext.KindNull:
		return node{shape: shapeNull}, nil
	case jsontext.KindString:
		return node{shape: shapeText, text: token.String()}, nil
	case jsontext.KindNumber:
		return node{shape: shapeNumber, text: token.String()}, nil
	case jsontext.KindTrue, jsontext.KindFalse:
		return node{shape: shapeBool, raw: []byte(token.String())}, nil
	case jsontext.KindBeginObject:
		return p.container(shapeObject)
	}
	return p.container(shapeArray)
}

// container reads an object or an array whose opening was just read.
func (p parser) container(shape shape) (node, error) {
	if p.decoder.StackDepth() > maxDepth {
		return node{}, errTooDeep
	}
	start := p.decoder.InputOffset() - 1
	read := node{shape: shape}
	for kind := p.decoder.PeekKind(); kind != jsontext.KindEndObject && kind != jsontext.KindEndArray; kind = p.decoder.PeekKind() {
		var child field
		if shape == shapeObject {
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

// all returns the fields with exactly this key.
func (n node) all(key string) []node {
	var found []node
	for _, field := range n.fields {
		if field.key == key {
			found = append(found, field.node)
		}
	}
	return found
}

// field returns the first field with exactly this key, and how many there are.
func (n node) field(key string) (node, int) {
	found := n.all(key)
	if len(found) == 0 {
		return node{}, 0
	}
	return found[0], len(found)
}

// value returns the field with this key as an event keeps it. A repeated one
// says nothing for certain: it is kept as something that proves nothing.
func (n node) value(key string) payments.Value {
	found := n.all(key)
	switch len(found) {
	case 0:
		return payments.Value{}
	case 1:
		return found[0].asValue()
	}
	texts := make([]string, 0, len(found))
	for _, each := range found {
		texts = append(texts, each.asValue().Text)
	}
	return payments.Value{Kind: payments.Other, Text: strings.Join(texts, ",")}
}

func (n node) asValue() payments.Value {
	switch n.shape {
	case shapeNull:
		return payments.Value{Kind: payments.Null}
	case shapeText:
		return payments.TextValue(n.text)
	case shapeNumber:
		return payments.Value{Kind: payments.Number, Text: n.text}
	}
	var compact bytes.Buffer
	// The raw text was just read as JSON.
	_ = json.Compact(&compact, n.raw)
	text := strings.ToValidUTF8(compact.String(), "\ufffd")
	return payments.Value{Kind: payments.Other, Text: text}
}
