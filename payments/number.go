package payments

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"checkout/till/payments/barcode"
	"checkout/till/payments/clean"
)

// NumberKind is a kind of numbers that customers and owners keep on paper. A number contains the
// tag of its database, which is two random letters.
type NumberKind string

// The kinds of numbers, each with an example.
const (
	OrderNumber   NumberKind = "order"   // T1-20261121-GT-0001, counted from 1 for each day.
	CashNumber    NumberKind = "cash"    // T1-GT-C-000123
	ReceiptNumber NumberKind = "receipt" // T1-GT-000123
	ClosingNumber NumberKind = "closing" // T1-GT-0123
)

// NumberKinds returns all kinds. Each till counts each kind separately.
func NumberKinds() []NumberKind {
	return []NumberKind{OrderNumber, CashNumber, ReceiptNumber, ClosingNumber}
}

// Series returns the name of the counter for a till's numbers of this kind. It consists of the
// kind, a slash, and the beginning of the numbers.
func (k NumberKind) Series(till, tag string, day time.Time) string {
	series := string(k) + "/" + TillCode(till) + "-"
	switch k {
	case OrderNumber:
		return series + day.Format("20060102") + "-" + tag
	case CashNumber:
		return series + tag + "-C"
	}
	return series + tag
}

// Number formats a count in a series: 7 in the series cash/T1-GT-C gives T1-GT-C-000007.
func (k NumberKind) Number(series string, count int64) string {
	digits := 6
	if k == OrderNumber || k == ClosingNumber {
		digits = 4
	}
	return fmt.Sprintf("%s-%0*d", series[len(k)+1:], digits, count)
}

var (
	orderNumber = regexp.MustCompile(`^[A-Z0-9]+-[0-9]{8}-[A-Z]{2}-[0-9]{4,}$`)
	cashNumber  = regexp.MustCompile(`^[A-Z0-9]+-[A-Z]{2}-C-[0-9]{6,}$`)
)

// IsCashNumber reports whether a text has the form of a [CashNumber] of any till. No order has a
// reference of this form.
func IsCashNumber(text string) bool { return cashNumber.MatchString(text) }

// SaleNumber returns the [OrderNumber] or [CashNumber] in a text that a person or a scanner typed.
// It does not check that a sale has the number.
func SaleNumber(text string) (number string, is bool) {
	number = barcode.Canonical(text) // In upper case and without the symbology identifier of a scanner.
	if !orderNumber.MatchString(number) && !cashNumber.MatchString(number) {
		return "", false
	}
	return number, true
}

// NextNumber takes a till's next number of a kind. It returns a [*TillError] if another till has
// the same [TillCode].
func (s *Service) NextNumber(tx Tx, kind NumberKind, till string) (string, error) {
	if err := s.HoldTillIn(tx, till); err != nil {
		return "", err
	}
	tag, err := s.databaseTag(tx)
	if err != nil {
		return "", err
	}
	series := kind.Series(till, tag, s.now())
	count, err := tx.NextNumber(series)
	return kind.Number(series, count), err
}

// databaseTag reads the tag only once, because a database keeps its tag.
func (s *Service) databaseTag(tx Tx) (string, error) {
	if tag := s.tag.Load(); tag != nil {
		return *tag, nil
	}
	tag, err := tx.Tag()
	if err == nil {
		s.tag.Store(&tag)
	}
	return tag, err
}

// TillError is returned for the name of a till if another till of the shop has the same [TillCode].
type TillError struct {
	Name  string // The refused name.
	Other string // Name of the till that has the code.
	Code  string
}

func (e *TillError) Error() string {
	return fmt.Sprintf("the till %q would have the numbers of the till %q (%s): give it another name", e.Name, e.Other, e.Code)
}

// HoldTill reserves the till's [TillCode]. It returns a [*TillError] if another till of the shop
// has that code.
func (s *Service) HoldTill(ctx context.Context, till string) error {
	err := s.store.Update(ctx, func(tx Tx) error { return s.HoldTillIn(tx, till) })
	if err == nil {
		s.held.Store(till, true)
	}
	return err
}

// HoldTillIn does the same as [Service.HoldTill] in the caller's transaction. Call it before a change
// that records money of the till, or takes one of the till's numbers.
func (s *Service) HoldTillIn(tx Tx, till string) error {
	if _, held := s.held.Load(till); held {
		return nil
	}
	name, code := clean.Text(till, MaxTillWidth), TillCode(till)
	other, err := tx.ClaimTill(code, name)
	if err == nil && other != name {
		err = &TillError{Name: name, Other: other, Code: code}
	}
	return err
}

// TillCode returns the ASCII letters and digits of a till's name in upper case, at most 20, for
// references and numbers. It returns "T" if the name has none.
func TillCode(till string) string {
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToUpper(r)
		}
		return -1
	}, till)
	return fmt.Sprintf("%.20s", cmp.Or(name, "T"))
}
