package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"checkout/till/payments"
)

// ErrField says that a field of JSON is not what it may be. The error around it
// names the field and says what it may be.
var ErrField = errors.New("unsound field")

// setting is one field of the faults as JSON has it.
type setting struct {
	name string
	// read takes the value. Its error names the field by the path.
	read func(raw json.RawMessage, path string) error
	// write returns the value, and nil for one that is no fault.
	write func() any
}

func (f *Faults) settings() []setting {
	return []setting{
		section("call", f.Call.settings()),
		section("event", f.Event.settings()),
	}
}

func (f *CallFaults) settings() []setting {
	return []setting{
		flag("break", &f.Break),
		words("refuse", &f.Refuse),
		choice("event_first", &f.EventFirst, payments.EventKinds()...),
		span("slow", &f.Slow),
		flag("cut", &f.Cut),
		flag("break_after", &f.BreakAfter),
		choice("reply", &f.Reply, ReplyEmpty, ReplyHTML, ReplyCutJSON, ReplyWrongFields),
		words("checkout_url", &f.CheckoutURL),
	}
}

func (f *EventFaults) settings() []setting {
	return []setting{
		flag("drop", &f.Drop),
		span("delay", &f.Delay),
		number("copies", &f.Copies, 0, maxCopies),
		flag("reorder", &f.Reorder),
		choice("then", &f.Then, payments.EventKinds()...),
		choice("signature", &f.Signature,
			SignatureWrong, SignatureMissing, SignatureDoubled, SignatureStatic, SignatureBody),
		number("amount_off", &f.AmountOff, -payments.MaxAriary, payments.MaxAriary),
		words("currency", &f.Currency),
		choice("shape", &f.Shape, ShapeAmountText, ShapeAmountDecimal, ShapeAmountMissing,
			ShapeCurrencyMissing, ShapeCurrencyMisspelt, ShapeUnknownKind),
		words("reason", &f.Reason),
		number("padding", &f.Padding, 0, maxPadding),
		span("slow", &f.Slow),
	}
}

// MarshalJSON returns an object with the faults under "call" and "event", by
// the names of their fields in lower case, as in "amount_off". Spans of time
// are texts as in "1m30s". What is no fault does not stand there.
func (f Faults) MarshalJSON() ([]byte, error) { return writeObject(f.settings()) }

// UnmarshalJSON reads what [Faults.MarshalJSON] writes, and sets what does not
// stand there to no fault. A field that is unknown or repeated and a value that
// it may not have are [ErrField]; the faults are then as they were.
func (f *Faults) UnmarshalJSON(body []byte) error { return readInto(f, body, (*Faults).settings) }

// MarshalJSON returns the object under "call" of [Faults.MarshalJSON].
func (f CallFaults) MarshalJSON() ([]byte, error) { return writeObject(f.settings()) }

// UnmarshalJSON reads the object under "call" as [Faults.UnmarshalJSON] does.
func (f *CallFaults) UnmarshalJSON(body []byte) error {
	return readInto(f, body, (*CallFaults).settings)
}

// MarshalJSON returns the object under "event" of [Faults.MarshalJSON].
func (f EventFaults) MarshalJSON() ([]byte, error) { return writeObject(f.settings()) }

// UnmarshalJSON reads the object under "event" as [Faults.UnmarshalJSON] does.
func (f *EventFaults) UnmarshalJSON(body []byte) error {
	return readInto(f, body, (*EventFaults).settings)
}

// readInto replaces a value by what an object says, unless there is an error.
func readInto[T any](value *T, body []byte, settings func(*T) []setting) error {
	var read T
	if err := readObject(body, "", settings(&read)); err != nil {
		return err
	}
	*value = read
	return nil
}

// readObject takes an object's fields by settings. The path stands before the
// names in an error. Names are compared exactly, and each may stand there once.
func readObject(body []byte, path string, settings []setting) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return unsound(path, "must be a JSON object")
	}
	var seen []string
	for decoder.More() {
		key, err := decoder.Token()
		name, _ := key.(string)
		var raw json.RawMessage
		if err != nil || decoder.Decode(&raw) != nil {
			return unsound(path, "must be a JSON object")
		}
		at := slices.IndexFunc(settings, func(known setting) bool { return known.name == name })
		field := join(path, payments.Clean(name, payments.MaxLabelWidth))
		switch {
		case at < 0:
			return unsound(field, "is not known: there are "+names(settings))
		case slices.Contains(seen, name):
			return unsound(field, "is repeated")
		}
		seen = append(seen, name)
		if err := settings[at].read(raw, field); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return unsound(path, "must be a JSON object")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return unsound(path, "must be one JSON object and nothing after it")
	}
	return nil
}

// writeObject returns the settings that are not empty as one object.
func writeObject(settings []setting) ([]byte, error) {
	var text bytes.Buffer
	for _, written := range settings {
		value := written.write()
		if value == nil {
			continue
		}
		encoded, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", written.name, err)
		}
		separator := byte(',')
		if text.Len() == 0 {
			separator = '{'
		}
		text.WriteByte(separator)
		text.WriteString(strconv.Quote(written.name) + ":")
		text.Write(encoded)
	}
	if text.Len() == 0 {
		return []byte("{}"), nil
	}
	text.WriteByte('}')
	return text.Bytes(), nil
}

// unsound returns the error about a field, or about the whole when the path is
// empty.
func unsound(path, problem string) error {
	if path == "" {
		path = "body"
	}
	return fmt.Errorf("%w: %s %s", ErrField, path, problem)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func names(settings []setting) string {
	var all []string
	for _, known := range settings {
		all = append(all, known.name)
	}
	return strings.Join(all, ", ")
}
