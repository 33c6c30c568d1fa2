// Package barcode makes the codes of articles comparable. It guarantees that two
// texts which stand for the same code have the same [Canonical] form, whether a
// scanner, a person or a spreadsheet wrote them, and that the canonical form of
// a canonical form is that form.
//
// # Sources
//
// The GS1 General Specifications define the GTIN, its check digit (section
// 7.9), its padding to 14 digits, the element strings and their predefined
// lengths (section 7.8). ISO/IEC 15424 defines the symbology identifiers that
// scanners put before the data, as in "]E0".
package barcode

import (
	"strings"
	"unicode"
)

// Canonical returns the form in which a code is stored and compared:
//
//   - without blanks around it and without a symbology identifier;
//   - of a GS1 element string, or of its form for people with brackets, the
//     GTIN of the application identifier 01;
//   - without the ".0" that a spreadsheet adds to a number;
//   - without blanks and hyphens if that leaves a GTIN;
//   - a GTIN in its shortest form of 8, 13 or 14 digits, so that equal GTINs
//     are equal texts: a UPC of 12 digits gets a leading zero;
//   - in upper case.
//
// A number is a GTIN if it has 8, 12, 13 or 14 digits and its check digit is
// right. Canonical returns any other text trimmed and in upper case.
func Canonical(text string) string {
	text = strings.TrimSpace(text)
	if identifier, data := cutIdentifier(text); identifier != "" {
		switch identifier {
		case "]C1", "]d2", "]Q3", "]J1", "]e0", "]e1", "]e2": // GS1 elements follow.
			data = separator + data
		}
		return Canonical(data)
	}
	if gtin, found := fromElements(text); found {
		text = gtin
	}
	digits := strings.Map(dropBlank, withoutFraction(text))
	if isGTIN(digits) {
		return shortest(digits)
	}
	canonical := strings.ToUpper(withoutFraction(strings.TrimLeft(text, separator)))
	if canonical != text {
		return Canonical(canonical)
	}
	return canonical
}

// dropBlank drops what people put between the digits of a code.
func dropBlank(r rune) rune {
	if r == '-' || unicode.IsSpace(r) {
		return -1
	}
	return r
}

// shortest returns the shortest form of a GTIN.
func shortest(gtin string) string {
	gtin = strings.Repeat("0", 14-len(gtin)) + gtin
	if short, padded := strings.CutPrefix(gtin, "000000"); padded {
		return short
	}
	return strings.TrimPrefix(gtin, "0")
}

// cutIdentifier splits a symbology identifier off: "]", a letter and a letter or
// digit. It is blank if there is none or no data after it.
func cutIdentifier(text string) (identifier, data string) {
	if len(text) <= 3 || text[0] != ']' || !isAlphanumeric(text[1]) || !isAlphanumeric(text[2]) {
		return "", text
	}
	return text[:3], text[3:]
}

func isAlphanumeric(b byte) bool {
	return '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
}

// separator ends an element of variable length: scanners send FNC1 as the
// control character GS. At the beginning it says that elements follow.
const separator = "\x1d"

// fromElements returns the GTIN of a GS1 element string: of "(01)…", or of a text
// that begins with a separator.
func fromElements(text string) (gtin string, found bool) {
	const gtinLength = 14
	if bracketed := strings.HasPrefix(text, "("); bracketed {
		_, text, _ = strings.Cut(text, "(01)")
	} else {
		text, found = strings.CutPrefix(text, separator)
		if !found {
			return "", false
		}
		text = skipElements(text)
	}
	if len(text) < gtinLength || !isGTIN(text[:gtinLength]) {
		return "", false
	}
	return text[:gtinLength], true
}

// skipElements returns what follows the application identifier 01; a blank text if
// there is none.
func skipElements(text string) string {
	for len(text) >= 2 {
		identifier := text[:2]
		if identifier == "01" {
			return text[2:]
		}
		if length := elementLength(identifier); length > 0 {
			text = strings.TrimPrefix(text[min(length, len(text)):], separator)
			continue
		}
		_, text, _ = strings.Cut(text, separator)
	}
	return ""
}

// elementLength returns how many characters an element has that begins with these
// two digits, its application identifier included; 0 if a separator ends it.
func elementLength(digits string) int {
	switch digits {
	case "20":
		return 4
	case "11", "12", "13", "14", "15", "16", "17", "18", "19":
		return 8
	case "31", "32", "33", "34", "35", "36":
		return 10
	case "02", "03", "41":
		return 16
	case "04":
		return 18
	case "00":
		return 20
	}
	return 0
}

// isGTIN reports whether a text is a number of the length of a GTIN whose last
// digit is its check digit: with it, the digits weigh a multiple of ten, where
// every second one from the right counts three times.
func isGTIN(text string) bool {
	if length := len(text); length != 8 && length != 12 && length != 13 && length != 14 {
		return false
	}
	sum := 0
	for i := range len(text) {
		digit := int(text[i]) - '0'
		if digit < 0 || digit > 9 {
			return false
		}
		if (len(text)-i)%2 == 0 {
			digit *= 3
		}
		sum += digit
	}
	return sum%10 == 0
}

// withoutFraction returns digits without the zeros behind a decimal mark, and any
// other text as it is.
func withoutFraction(text string) string {
	digits := strings.TrimRight(text, "0")
	if !strings.HasSuffix(digits, ".") && !strings.HasSuffix(digits, ",") || len(digits) == len(text) {
		return text
	}
	digits = digits[:len(digits)-1]
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return text
	}
	return digits
}
