// Package barcode makes the codes of articles comparable. It guarantees that texts
// which stand for the same code have the same [Canonical] form, whether a scanner, a
// person or a spreadsheet wrote them, and that a canonical form is its own.
//
// The GS1 General Specifications define the GTIN with its check digit and its padding
// to 14 digits (section 7.9), and the element strings with their predefined lengths
// (section 7.8). ISO/IEC 15424 defines the symbology identifiers that scanners put
// before the data, as in "]E0".
package barcode

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	identified = regexp.MustCompile(`(?s)^(\][A-Za-z][A-Za-z0-9])(.+)$`)
	// elements finds the GTIN, which is the element 01. Elements before it end after
	// their predefined length or at the separator GS, as which scanners send FNC1.
	elements = regexp.MustCompile(`(?s)^\x1d(?:(?:20.{2}|1[1-9].{6}|3[1-6].{8}|(?:02|03|41).{14}|04.{16}|00.{18})\x1d?` +
		`|[^\x1d]*\x1d)*?01(\d{14})|^(?:\(.*)?\(01\)(\d{14})` + // With brackets it is the form for people.
		`|^(?i:https?)://[^?#]*/01/(\d{8,14})(?:[/?#]|$)`) // A GS1 Digital Link, which is in QR codes.
	fraction = regexp.MustCompile(`^(\d+)[.,]0+$`)
)

// Canonical returns the form in which a code is stored and compared: without a
// symbology identifier, and in upper case; of GS1 elements the GTIN; of a number
// without the ".0" of a spreadsheet.
//
// A number is a GTIN if it has 8, 12, 13 or 14 digits, perhaps with blanks and hyphens
// between them, and its check digit is right. So is one of 11 digits: a spreadsheet drops
// the leading zero of a UPC. Its canonical form is its shortest of 8, 13 or 14 digits: a
// UPC of 12 digits gets a leading zero. Any other text stays
// as it is but for the blanks around it.
func Canonical(text string) string {
	text = strings.TrimSpace(text)
	if parts := identified.FindStringSubmatch(text); parts != nil {
		switch parts[1] {
		case "]C1", "]d2", "]Q3", "]J1", "]e0", "]e1", "]e2": // GS1 elements follow.
			return Canonical("\x1d" + parts[2])
		}
		return Canonical(parts[2])
	}
	if gtin := elements.FindStringSubmatch(text); gtin != nil {
		if digits := strings.Join(gtin[1:], ""); isGTIN(digits) {
			text = digits
		}
	}
	number := fraction.ReplaceAllString(text, "$1")
	if digits := strings.Map(dropBlank, number); isGTIN(digits) {
		gtin := strings.Repeat("0", 14-len(digits)) + digits
		if short, padded := strings.CutPrefix(gtin, "000000"); padded {
			return short
		}
		return strings.TrimPrefix(gtin, "0")
	}
	if canonical := strings.ToUpper(strings.Trim(number, "\x1d")); canonical != text {
		return Canonical(canonical)
	}
	return text
}

// dropBlank drops what people put between the digits of a code.
func dropBlank(r rune) rune {
	if r == '-' || unicode.IsSpace(r) {
		return -1
	}
	return r
}

// isGTIN reports whether a text has the length and the check digit of a GTIN. With
// the check digit, the digits add up to a multiple of ten, where every second one
// from the right counts three times.
func isGTIN(text string) bool {
	if length := len(text); length != 8 && (length < 11 || length > 14) {
		return false
	}
	sum := 0
	for i := range len(text) {
		digit := int(text[i]) - '0'
		if digit < 0 || digit > 9 {
			return false
		}
		sum += digit * (1 + 2*((len(text)-i+1)%2))
	}
	return sum%10 == 0
}
