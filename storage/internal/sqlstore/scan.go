package sqlstore

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"checkout/till/payments/clean"
)

type scanner func(value any) error

var _ sql.Scanner = scanner(nil)

func (s scanner) Scan(value any) error { return s(value) }

// column returns the scan destination for a row with a single column.
func column[T any](value *T) []any { return []any{value} }

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

// Limits, in terminal columns, of texts for which package payments has no limit.
const (
	maxKey = 512 // Identifiers, and words that programs generate.
	maxURL = 4_096
)

// cleaned returns a scanner that cleans a text for display and limits it to width terminal columns.
// The texts of a database are untrusted input, because other programs may write to it.
func cleaned[T ~string](into *T, width int) scanner {
	return text(func(value string) { *into = T(clean.Text(value, width)) })
}

// jsonText returns a scanner for JSON. It ignores an error in the JSON, so that the other rows can
// still be read.
func jsonText[T any](use func(T)) scanner {
	return text(func(value string) {
		var decoded T
		if value != "" { // Empty for an item without a measure, as most are.
			_ = json.Unmarshal([]byte(value), &decoded)
		}
		use(decoded)
	})
}

// raw returns a scanner that stores bytes unchanged in a string.
func raw(into *string) scanner {
	return func(value any) error {
		bytes, is := value.([]byte)
		if !is {
			return fmt.Errorf("a %T where bytes are stored", value)
		}
		*into = string(bytes)
		return nil
	}
}

// sized returns a scanner for exactly size bytes.
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

// The limits of the times that instant returns, in milliseconds since 1970: the beginning of the
// year 0 and the end of the year 9999. JSON output fails for other years, and one bad row must not
// make the others unreadable.
const (
	firstInstant = -62_167_219_200_000
	lastInstant  = 253_402_300_799_999
)

// instant returns a scanner for a time in milliseconds since 1970. NULL gives the zero
// time.
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

// millis returns a time in milliseconds since 1970, rounded down; NULL for the zero time.
func millis(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UnixMilli()
}
