package entry

import (
	"regexp"
	"strconv"
	"strings"

	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

// Parts of the expressions below, which match cleaned entries. sign stands between a quantity and a
// price or article. number also matches invalid numbers, for which parseQuantity returns an error.
const (
	sign   = `[xX×*]`
	number = `[-+]*[\p{Nd}.,]+`
)

var (
	// literal matches a quantity and "**". After it, a text that looks like a quantity belongs to
	// the label: in "1**Riz x2 3500" the label is "Riz x2".
	literal = regexp.MustCompile(`^(` + number + `)\*\* ?(.*)$`)
	// before matches a quantity at the beginning ("2*Riz", "2 x Riz"). behind matches a quantity at
	// the end ("Riz x2", "Riz*2", "3500x2"). product matches a number of pieces that is attached to
	// a price ("3x1500"). size matches one or two digits with a quantity sign, as in "Vis 4x40".
	before  = regexp.MustCompile(`^(` + number + `)(?:[*×]+ ?| ?` + sign + `(?: |$))(.*)$`)
	behind  = regexp.MustCompile(`^(?:(?:(.*) )?` + sign + `+ ?|(.*\d{3})` + sign + `+|(.*\p{L})[*×]+)((?:` + number + `)?)$`)
	product = regexp.MustCompile(`^(?:(.+) )?([1-9]\d?)` + sign + `(\d{1,3}(?: \d{3})+|[1-9]\d{2,})$`)
	size    = regexp.MustCompile(`(?:^| )\d{1,2}` + sign + `+[\d.,]*$`)
	// at matches a word such as "at" and the price after it. multiplied matches a number and a word
	// such as "times". few matches a number that can only be a number of pieces. cheap matches a
	// number of pieces before a price, as in "3 x 500".
	at         = regexp.MustCompile(`(?i) (?:à|at|@) ?((?:\d{1,3}(?: \d{3})+|\d+)(?: ?ar(?:iary)?)?)$`)
	multiplied = regexp.MustCompile(`(?i)^(\d[\d ]*) (?:fois|times) `)
	few        = regexp.MustCompile(`^[1-9]\d?$`)
	cheap      = regexp.MustCompile(`^((?:.+ )?)([1-9]\d?)(?:` + sign + ` ?| ` + sign + ` )(\d{1,3}(?: \d{3})+|[1-9]\d{2,6})$`)
	// misplaced matches a label that begins or ends with a quantity, or begins with a decimal number.
	// alone matches a text that consists only of a quantity.
	misplaced = regexp.MustCompile(`^` + sign + ` ?[\d.,]+ |^\d+[.,]\d+ \D|(?:^| )(?:` + sign + ` ?[\d.,]+|\d*` + sign + `)$`)
	alone     = regexp.MustCompile(`^(?:` + sign + `+ ?(` + number + `)|(` + number + `) ?` + sign + `+)$`)
	// priced matches a label and a price, whose digits may be in groups of three. dotted matches a
	// price with a dot or comma, which is refused: for some people the sign is a decimal mark, for
	// others a separator.
	priced = regexp.MustCompile(`^(?:(.+?) )??(\d{1,3}(?: \d{3})+|[-+]*\p{Nd}\S*)$`)
	dotted = regexp.MustCompile(`^[\d.,]*[.,][\d.,]*$`)
	unit   = regexp.MustCompile(`(?i)(\d) ?ar(?:iary)?$`) // The currency (Ar) after a number.
	code   = regexp.MustCompile(`^\d{8,}$`)               // People write such a large price with blanks, so this is a code.
	// priceFirst matches a price before a label.
	priceFirst = regexp.MustCompile(`^(\d{1,3}(?: \d{3})+|\d{3,}) (\D.*)$`)
	// discount matches a word for a discount in English, French or Malagasy.
	discount = regexp.MustCompile(`(?i)^(discount|remise|rabais|r[ée]duction|fihenam-bidy|fihenana)$`)
	// decimal matches a decimal number before a sign, or after a sign at the end of the text.
	// fraction matches a quantity with at most three decimals.
	decimal  = regexp.MustCompile(`(?:^| )\d+[.,]\d+ ?` + sign + `|` + sign + ` ?\d+[.,]\d+$`)
	fraction = regexp.MustCompile(`^(\d*)[.,](\d{1,3})$`)
	// counted matches a number of pieces before a label, without a quantity sign, as in "3 coca".
	counted = regexp.MustCompile(`^[1-9]\d? \D`)
	// numbers matches a label that consists only of numbers. grouped matches a number in groups of
	// three digits.
	numbers = regexp.MustCompile(`^\d[\d ,;/]*$`)
	grouped = regexp.MustCompile(`^\d{1,3}(?: \d{3})+$`)
	// conjunction matches a word for "and" between two numbers. plus matches a plus sign between two
	// entries, not within a name.
	conjunction = regexp.MustCompile(`(?i)(\d) (?:and|et|sy|&) (\d)`)
	plus        = regexp.MustCompile(`(?i)\d(?: ?ar)? ?\+| \+ `)
)

// inSigns replaces words that mean the same as a sign, as in "1500 fois 2" and "bread at 500". It
// also removes the blanks in "3 x 1 500". It does not change the name or the code of an article.
func inSigns(entry string, shelf Shelf) string {
	text := clean.Text(entry, MaxWidth)
	if shelf.has(text) || literal.MatchString(text) {
		return entry
	}
	if m := at.FindStringSubmatch(text); m != nil {
		name, price := strings.TrimSuffix(text, m[0]), unit.ReplaceAllString(m[1], "$1")
		if few.MatchString(name) {
			return name + "x" + price
		}
		text = name + " " + price + " Ar"
	}
	text = multiplied.ReplaceAllString(text, "$1 x ")
	if m := cheap.FindStringSubmatch(text); m != nil {
		return m[1] + m[2] + "x" + strings.ReplaceAll(m[3], " ", "")
	}
	return text
}

// take removes the quantity from an entry. It returns the rest, and the quantity in thousandths, or
// 0. The code or complete name of an article stays whole. priced says that take removed a quantity
// or the currency, so that a last number in the rest is a price.
func take(entry string, shelf Shelf) (rest string, quantity int64, priced bool, err error) {
	text := clean.Text(entry, MaxWidth)
	switch {
	case text != clean.Text(entry, len(entry)):
		return "", 0, false, ErrTooLong
	case shelf.has(text):
		return text, 0, false, nil
	}
	digits := ""
	found := false
	rest = text
	m := behind.FindStringSubmatch(text)
	if len(m) > 0 && dotted.MatchString(m[2]) {
		if _, coded := shelf.Coded(m[4]); coded { // In "0.750*101" the quantity is 0.750 and the code is 101.
			m = nil
		}
	}
	if m != nil {
		rest, digits, found = m[1]+m[2]+m[3], m[4], true
	}
	escaped := literal.FindStringSubmatch(text)
	m = before.FindStringSubmatch(rest)
	switch {
	case escaped != nil:
		rest, digits, found = escaped[2], escaped[1], true
	case m != nil && rest != text:
		return "", 0, false, ErrTwoQuantities
	case m != nil:
		rest, digits, found = m[2], m[1], true
	}
	if found {
		quantity, err = parseQuantity(digits)
	}
	rest = unit.ReplaceAllString(rest, "$1")
	if err == nil && rest == "" {
		err = ErrNotUnderstood
	}
	return rest, quantity, rest != text, err
}

// splitPrice splits a text into a label and the price after it: "Vary 3 500" is Vary at 3 500. The
// price may be invalid.
func splitPrice(text string) (label, price string) {
	m := priced.FindStringSubmatch(text)
	if m == nil {
		return text, ""
	}
	return m[1], m[2]
}

// ParsePrice reads a price like [money.ParseAriary]. The currency (Ar) may follow. The errors are
// those of ParseAriary, ErrDotted and ErrPercent.
func ParsePrice(text string) (money.Ariary, error) {
	text = unit.ReplaceAllString(text, "$1")
	amount, err := money.ParseAriary(text)
	switch {
	case err != nil && dotted.MatchString(text):
		return 0, ErrDotted
	case err != nil && strings.HasPrefix(text, "-"), strings.HasSuffix(text, "%"):
		return 0, ErrPercent
	}
	return amount, err
}

func parseQuantity(digits string) (int64, error) {
	invalid := ErrQuantity
	if strings.ContainsAny(digits, ".,") {
		invalid = ErrDecimal
	}
	decimals := "000"
	if m := fraction.FindStringSubmatch(digits); m != nil {
		digits = m[1]
		decimals = m[2] + decimals[len(m[2]):]
	}
	thousandths, err := strconv.ParseInt(digits+decimals, 10, 64)
	if err != nil || thousandths < 1 {
		return 0, invalid
	}
	return thousandths, nil
}
