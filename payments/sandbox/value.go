package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxSpan bounds how long a fault that is set by JSON may hold something up.
const maxSpan = time.Hour

// section is an object of settings.
func section(name string, settings []setting) setting {
	return setting{
		name: name,
		read: func(raw json.RawMessage, path string) error { return readObject(raw, path, settings) },
		write: func() any {
			// Nothing that a setting holds is refused by the encoder.
			text, _ := writeObject(settings)
			return json.RawMessage(text)
		},
	}
}

// flag is true or false.
func flag(name string, at *bool) setting {
	return value(name, at, "true or false", func(bool) bool { return true })
}

// words is any text.
func words(name string, at *string) setting {
	return value(name, at, "a string", func(string) bool { return true })
}

// choice is one of a few texts, or the empty one.
func choice[T ~string](name string, at *T, allowed ...T) setting {
	var quoted []string
	for _, one := range allowed {
		quoted = append(quoted, fmt.Sprintf("%q", one))
	}
	return value(name, at, "one of "+strings.Join(quoted, ", "), func(read T) bool {
		return read == "" || slices.Contains(allowed, read)
	})
}

// number is a whole number within bounds.
func number[T ~int | ~int64](name string, at *T, least, most T) setting {
	return value(name, at, fmt.Sprintf("a whole number from %d to %d", least, most), func(read T) bool {
		return least <= read && read <= most
	})
}

// value is a setting of any type that JSON has; sound says which of its values
// may stand there. The zero value is no fault.
func value[T comparable](name string, at *T, may string, sound func(T) bool) setting {
	var none T
	return setting{
		name: name,
		read: func(raw json.RawMessage, path string) error {
			var read T
			if string(raw) == "null" || json.Unmarshal(raw, &read) != nil || !sound(read) {
				return unsound(path, "must be "+may)
			}
			*at = read
			return nil
		},
		write: func() any {
			if *at == none {
				return nil
			}
			return *at
		},
	}
}

// span is a length of time as Go writes it.
func span(name string, at *time.Duration) setting {
	return setting{
		name: name,
		read: func(raw json.RawMessage, path string) error {
			var text string
			unread := json.Unmarshal(raw, &text)
			read, err := time.ParseDuration(text)
			if unread != nil || err != nil || read < 0 || read > maxSpan {
				return unsound(path, `must be a length of time from "0s" to "1h", as in "90s"`)
			}
			*at = read
			return nil
		},
		write: func() any {
			if *at == 0 {
				return nil
			}
			return at.String()
		},
	}
}
