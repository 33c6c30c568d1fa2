// Package barcode normalizes the codes of articles: the ways in which scanners, people and
// spreadsheets usually write a code have one [Canonical] form. It guarantees that Canonical does
// not change a canonical form.
//
// The GS1 General Specifications define the GTIN with its check digit and its padding to 14
// digits (section 7.9), and the element strings with their predefined lengths (section
// 7.8). ISO/IEC 15424 defines the symbology identifiers that scanners put before the data,
// as in "]E0".
package barcode

import (
	"regexp"
	"strings"
)

var (
	identified = regexp.MustCompile(`(?s)^(\][A-Za-z][A-Za-z0-9])(.+)$`)
	// elements finds the GTIN in a code of GS1 elements: the GTIN is the element with the identifier
	// 01. Each element before it has a fixed length, or ends at the control character GS, which
	// scanners send for the symbol FNC1.
	elements = regexp.MustCompile(`(?s)^\x1d(?:(?:20.{2}|1[1-9].{6}|3[1-6].{8}|(?:02|03|41).{14}|04.{16}|00.{18})\x1d?` +
		`|[^\x1d]*\x1d)*?01(\d{14})|^(?:\(.*)?\(01\)(\d{14})` + // The form with identifiers in brackets, as printed under a barcode.
		`|^(?i:https?)://[^?#]*/01/(\d{8,14})(?:[/?#]|$)`) // A GS1 Digital Link, used in QR codes.
	fraction = regexp.MustCompile(`^(\d+)[.,]0+$`)
	between  = regexp.MustCompile(`[-\s\pZ]+`) // Blanks and hyphens, which people write between digits.
	gtin     = regexp.MustCompile(`^(\d{8}|\d{11,14})$`)
)

// Canonical returns the form in which a code is stored and compared. It removes blanks around the
// code, the symbology identifier and the ".0" that a spreadsheet adds to a number. It extracts the
// GTIN from GS1 elements, and converts letters to upper case.
//
// A number with a valid check digit counts as a GTIN if it has 8 or 11 to 14 digits. One of 11
// digits is a UPC without its leading zero, which spreadsheets drop. Canonical returns a GTIN
// without blanks and hyphens, in the shortest of the lengths 8, 13 and 14 that fits.
func Canonical(text string) string {
	text = strings.TrimSpace(text)
	if parts := identified.FindStringSubmatch(text); parts != nil {
		switch parts[1] {
		case "]C1", "]d2", "]Q3", "]J1", "]e0", "]e1", "]e2":
			return Canonical("\x1d" + parts[2])
		}
		return Canonical(parts[2])
	}
	if parts := elements.FindStringSubmatch(text); parts != nil {
		if digits := strings.Join(parts[1:], ""); isGTIN(digits) {
			text = digits
		}
	}
	number := fraction.ReplaceAllString(text, "$1")
	if digits := between.ReplaceAllString(number, ""); isGTIN(digits) {
		digits = strings.Repeat("0", 14-len(digits)) + digits
		if short, padded := strings.CutPrefix(digits, "000000"); padded {
			return short
		}
		return strings.TrimPrefix(digits, "0")
	}
	if canonical := strings.ToUpper(strings.Trim(number, "\x1d")); canonical != text {
		return Canonical(canonical)
	}
	return text
}

// isGTIN reports whether a text has a length and the check digit of a GTIN; a text of 11 digits may
// be a UPC without its leading zero.
func isGTIN(text string) bool {
	sum := 0
	for i, digit := range text {
		sum += int(digit-'0') * (1 + 2*((len(text)-i+1)%2))
	}
	return gtin.MatchString(text) && sum%10 == 0
}
