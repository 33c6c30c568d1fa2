package sqlstore

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"checkout/till/payments"
)

// A packed row is one column that holds all others: of reading a row, SQLite's
// driver spends most on asking for the name, the type and the value of each.
// None of them may be null.
const (
	packBegin = `concat_ws('` + separator + `', `
	packEnd   = `)`

	// separator is the control character for that, which no cleaned text has.
	separator = "\x1f"
)

// errPacked says that a packed row cannot be taken apart: a text in it holds the
// separator.
var errPacked = errors.New("a packed row cannot be taken apart")

// unpacked returns how to read a packed row, as its columns would be read. Its
// error is [errPacked].
func unpacked(row string) scanFunc {
	return func(dest ...any) error {
		rest, more := row, true
		for i, place := range dest {
			if !more {
				return fmt.Errorf("%w: it has %d columns for %d", errPacked, i, len(dest))
			}
			var column string
			column, rest, more = strings.Cut(rest, separator)
			if err := unpack(column, place); err != nil {
				return fmt.Errorf("%w: %w", errPacked, err)
			}
		}
		if more {
			return fmt.Errorf("%w: it has more columns than %d", errPacked, len(dest))
		}
		return nil
	}
}

// unpack reads a column of a packed row.
func unpack(column string, dest any) (err error) {
	switch dest := dest.(type) {
	case *string:
		*dest = column
	case *int64:
		*dest, err = strconv.ParseInt(column, 10, 64)
	case *payments.Ariary:
		var amount int64
		amount, err = strconv.ParseInt(column, 10, 64)
		*dest = payments.Ariary(amount)
	default:
		err = fmt.Errorf("a column is read as %T", dest)
	}
	return err
}
