package entry

import (
	"regexp"
	"strconv"
	"strings"

	"checkout/till/payments"
)

// The parts of an entry. Single blanks separate its words. number also matches invalid
// numbers, so that parseQuantity can return their error.
const (
	sign   = `[xX×*]`
	number = `[-+]*[\p{Nd}.,]+`
)

// The grammar of an entry.
var (
	// literal is an escape: the label after it is taken as written ("1**Riz x2 3500").
	literal = regexp.MustCompile(`^(` + number + `)\*\* ?(.*)$`)
	// before and behind match a quantity at either end: "2*Riz", "2 x Riz"; "Riz x2",
	// "Riz*2", or without a blank "3500x2". Fewer digits before the sign are a measure,
	// as in "Vis 4x40".
	before  = regexp.MustCompile(`^(` + number + `)(?:[*×]+ ?| ?` + sign + `(?: |$))(.*)$`)
	behind  = regexp.MustCompile(`^(?:(?:(.*) )?` + sign + `+ ?|(.*\d{3})` + sign + `+|(.*\p{L})[*×]+)((?:` + number + `)?)$`)
	measure = regexp.MustCompile(`(?:^| )\d{1,2}` + sign + `+\d*$`)
	// misplaced is a quantity in another place, before or after the label.
	misplaced = regexp.MustCompile(`^` + sign + ` ?\d+ |(?:^| )(?:` + sign + ` ?\d+|\d*` + sign + `)$`)
	alone     = regexp.MustCompile(`^(?:` + sign + `+ ?(` + number + `)|(` + number + `) ?` + sign + `+)$`)
	// priced is a label with its price, which may be grouped in threes. A dot is never a
	// separator of groups: some read it as a decimal mark.
	priced = regexp.MustCompile(`^(?:(.+?) )??(\d{1,3}(?: \d{3})+|[-+]*\p{Nd}\S*)$`)
	dotted = regexp.MustCompile(`^[\d.,]*[.,][\d.,]*$`)
	unit   = regexp.MustCompile(`(?i)(\d) ?ar(?:iary)?$`)
	code   = regexp.MustCompile(`^\d{8,}$`) // Such a long price is written in groups.
	// priceFirst is a price with a label after it.
	priceFirst = regexp.MustCompile(`^(\d{1,3}(?: \d{3})+|\d{3,}) (\D.*)$`)
	// discount is a word for a discount in English, French or Malagasy.
	discount = regexp.MustCompile(`(?i)^(discount|remise|rabais|r[ée]duction|fihenam-bidy|fihenana)$`)
	// decimal is a quantity that is not a whole number.
	decimal = regexp.MustCompile(`(?:^| )\d+[.,]\d+ ?` + sign + `|` + sign + ` ?\d+[.,]\d+$`)
	// spoken is a label after a number of pieces, as in speech.
	spoken = regexp.MustCompile(`^([1-9]\d?) (\D.*)$`)
)

// take cleans an entry and removes its quantity. It never splits an article's code or
// whole name. priced reports whether a quantity or a unit was removed: then the last
// number is a price.
func take(entry string, shelf Shelf) (rest string, quantity int64, priced bool, err error) {
	text := payments.Clean(entry, MaxWidth)
	_, coded := shelf.Coded(text)
	_, named := shelf.Labelled(text)
	switch {
	case text != payments.Clean(entry, len(entry)):
		return "", 0, false, ErrTooLong
	case coded, named:
		return text, 1, false, nil
	}
	digits := "1"
	rest = text
	if m := behind.FindStringSubmatch(text); m != nil {
		rest, digits = m[1]+m[2]+m[3], m[4]
	}
	escaped, m := literal.FindStringSubmatch(text), before.FindStringSubmatch(rest)
	switch {
	case escaped != nil:
		rest, digits = escaped[2], escaped[1]
	case m != nil && rest != text:
		return "", 0, false, ErrTwoQuantities
	case m != nil:
		rest, digits = m[2], m[1]
	}
	quantity, err = parseQuantity(digits)
	rest = unit.ReplaceAllString(rest, "$1")
	if err == nil && rest == "" {
		err = ErrNotUnderstood
	}
	return rest, quantity, rest != text, err
}

// splitPrice splits a text into a label and the price after it, which may be grouped:
// "Vary 3 500" is Vary at 3 500. A last word that begins like a number is a price, even
// an invalid one.
func splitPrice(text string) (label, price string) {
	m := priced.FindStringSubmatch(text)
	if m == nil {
		return text, ""
	}
	return m[1], m[2]
}

// ParsePrice reads a price as [payments.ParseAriary] does, also with its unit. It returns
// the same errors, ErrDotted and ErrPercent.
func ParsePrice(text string) (payments.Ariary, error) {
	text = unit.ReplaceAllString(text, "$1")
	amount, err := payments.ParseAriary(text)
	switch {
	case err != nil && dotted.MatchString(text):
		return 0, ErrDotted
	case err != nil && strings.HasPrefix(text, "-"), strings.HasSuffix(text, "%"):
		return 0, ErrPercent
	}
	return amount, err
}

// parseQuantity reads a whole number above zero.
func parseQuantity(digits string) (int64, error) {
	count, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case strings.ContainsAny(digits, ".,"):
		return 0, ErrDecimal
	case err != nil, count < 1:
		return 0, ErrQuantity
	}
	return count, nil
}
