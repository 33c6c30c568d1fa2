package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"checkout/till/payments"
)

// maxDepth bounds the nesting of JSON from outside.
const maxDepth = 32

const byteOrderMark = "\xef\xbb\xbf"

var (
	errSyntax   = errors.New("it is no JSON")
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
	text   string // Of a text, decoded; of a number, as it was sent.
	raw    []byte // Of an object, an array and a bool.
	fields []field
	items  []node
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
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	parser := parser{decoder: decoder, body: body}
	root, err := parser.value(1)
	if err != nil {
		return node{}, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return node{}, errTrailing
	}
	return root, nil
}

type parser struct {
	decoder *json.Decoder
	body    []byte
}

// value reads the next value. A container in it would have the given depth.
func (p parser) value(depth int) (node, error) {
	token, err := p.decoder.Token()
	if err != nil {
		return node{}, errSyntax
	}
	switch token := token.(type) {
	case nil:
		return node{shape: shapeNull}, nil
	case string:
		return node{shape: shapeText, text: token}, nil
	case json.Number:
		return node{shape: shapeNumber, text: token.String()}, nil
	case bool:
		raw := []byte("false")
		if token {
			raw = []byte("true")
		}
		return node{shape: shapeBool, raw: raw}, nil
	}
	return p.container(token == json.Delim('{'), depth)
}

// container reads an object or an array whose opening was just read.
func (p parser) container(object bool, depth int) (node, error) {
	if depth > maxDepth {
		return node{}, errTooDeep
	}
	start := p.decoder.InputOffset() - 1
	read := node{shape: shapeArray}
	if object {
		read.shape = shapeObject
	}
	for p.decoder.More() {
		key := ""
		if object {
			token, err := p.decoder.Token()
			if err != nil {
				return node{}, errSyntax
			}
			// The decoder gives nothing but a string where a key stands.
			key, _ = token.(string)
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return node{}, err
		}
		if object {
			read.fields = append(read.fields, field{key, value})
		} else {
			read.items = append(read.items, value)
		}
	}
	if _, err := p.decoder.Token(); err != nil {
		return node{}, errSyntax
	}
	read.raw = p.body[start:p.decoder.InputOffset()]
	return read, nil
}

// field returns the first field with exactly this key, and how many there are.
func (n node) field(key string) (node, int) {
	var first node
	count := 0
	for _, field := range n.fields {
		if field.key != key {
			continue
		}
		if count == 0 {
			first = field.node
		}
		count++
	}
	return first, count
}

// value returns the field with this key as an event keeps it. A repeated one
// says nothing for certain: it is kept as something that proves nothing.
func (n node) value(key string) payments.Value {
	var found []node
	for _, field := range n.fields {
		if field.key == key {
			found = append(found, field.node)
		}
	}
	switch len(found) {
	case 0:
		return payments.Value{}
	case 1:
		return found[0].asValue()
	}
	texts := make([]string, 0, len(found))
	for _, node := range found {
		texts = append(texts, node.asValue().Text)
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
