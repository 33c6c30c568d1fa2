package sqlstore

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"checkout/till/payments"
)

// scanner is a [sql.Scanner] made of a function.
type scanner func(value any) error

var _ sql.Scanner = scanner(nil)

// Scan implements [sql.Scanner].
func (s scanner) Scan(value any) error { return s(value) }

// column is the columns of a row that has but one.
func column[T any](value *T) []any { return []any{value} }

// text is a scanner for a text that is taken apart.
func text(use func(string)) scanner {
	return func(value any) error {
		text, is := value.(string)
		if !is {
			return fmt.Errorf("a %T where a text is stored", value)
		}
		use(text)
		return nil
	}
}

// Widths of texts that the domain does not bound, in terminal columns.
const (
	maxKey = 512   // Names and words that are made by programs.
	maxURL = 4_096 // A link.
)

// clean is a scanner that sanitizes a text for display, of at most width terminal
// columns. Other programs may write to the database, so its texts are no more
// trusted than other input.
func clean[T ~string](into *T, width int) scanner {
	return text(func(value string) { *into = T(payments.Clean(value, width)) })
}

// jsonText is a scanner for JSON. What cannot be read must not hide the other
// rows and is left out; [Verify] names it.
func jsonText[T any](use func(T)) scanner {
	return text(func(value string) {
		var decoded T
		_ = json.Unmarshal([]byte(value), &decoded)
		use(decoded)
	})
}

// sized is a scanner for so many bytes.
func sized(size int, use func([]byte)) scanner {
	return func(value any) error {
		bytes, _ := value.([]byte)
		if len(bytes) != size {
			return fmt.Errorf("%d bytes where %d are stored", len(bytes), size)
		}
		use(bytes)
		return nil
	}
}

// The years 0 to 9999: JSON has no other, and one row that another program wrote
// must not keep the others from being printed.
const (
	firstInstant = -62_167_219_200_000
	lastInstant  = 253_402_300_799_999
)

// instant is a scanner for a time in milliseconds since 1970, or null.
func instant(at *time.Time) scanner {
	return func(value any) error {
		switch value := value.(type) {
		case nil:
			*at = time.Time{}
		case int64:
			*at = time.UnixMilli(min(max(value, firstInstant), lastInstant)).UTC()
		default:
			return fmt.Errorf("a %T where a time is stored", value)
		}
		return nil
	}
}

// millis encodes a time in milliseconds since 1970, rounded down; null for the
// zero time.
func millis(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UnixMilli()
}
