package entry

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"checkout/till/payments"
)

// The parts of an entry. A number may be a wrong one, so that its error can be
// said; a price may be grouped in threes, by blanks or by commas. A dot never
// groups: some read it as a decimal mark.
const (
	sign     = `[xX×*]`
	number   = `[-+]*[\p{Nd}.,]+`
	digits   = `(?:\d{1,3}(?:,\d{3})+|\d+)`
	amount   = `(\d{1,3}(?: \d{3})+|[-+]*\p{Nd}\S*)`
	quantity = `(?:` + sign + `+(` + number + `)|(` + number + `)` + sign + `+|` + sign + ` (` + number + `)|(` + number + `) ` + sign + `)`
)

// The grammar of an entry, in which single blanks part words.
var (
	// literal is an escape: the label behind it is taken as it is written,
	// whatever it looks like ("1**Riz x2 3500").
	literal = regexp.MustCompile(`^(` + number + `)\*\* ?(.*)$`)
	// before and behind are a quantity at either end: "2*Riz", "2 x Riz"; "Riz x2".
	before = regexp.MustCompile(`^(` + number + `)(?:[*×]+| ` + sign + `(?: |$)) ?(.*)$`)
	behind = regexp.MustCompile(`^(?:(.*) )?(?:` + sign + `+(` + number + `)|` + sign + ` (\d+))$`)
	// first and between are a quantity with its sign before a label or a price:
	// "2x riz 3500", "Riz x2 3500".
	first   = regexp.MustCompile(`^` + quantity + ` (.+)$`)
	between = regexp.MustCompile(`^(?:(.+?) )??` + quantity + ` ` + amount + `$`)
	// attached is a quantity without a blank before it ("3500x2"); what has fewer
	// digits is rather a measure, as in "Vis 4x40".
	attached = regexp.MustCompile(`^((?:.* )?(?:\d{3,}|\d{1,3}(?:,\d{3})+))` + sign + `+(` + number + `)$`)
	// torn is half of such a quantity, or one that is none.
	torn = regexp.MustCompile(`(?:^| )(\d+)` + sign + `+(\d*)$`)
	// swapped is one that stands before its price.
	swapped = regexp.MustCompile(`^(\d{1,2})[xX×](\d{3,})$`)
	alone   = regexp.MustCompile(`^` + quantity + `$`)
	unit    = regexp.MustCompile(`^((?:.* )?` + digits + `) ?(?i:ariary|ar)$`)
	priced  = regexp.MustCompile(`^(?:(.+?) )??` + amount + `$`)
	grouped = regexp.MustCompile(`^\d{1,3}(,\d{3})+$`)
	counted = regexp.MustCompile(`(?:^| )` + number + `$`)
	dotted  = regexp.MustCompile(`^[\d.,]*[.,][\d.,]*$`)
	// code is a number of MinCode digits, and leading a shorter one before a label.
	code    = regexp.MustCompile(`^\d{8,}$`)
	leading = regexp.MustCompile(`^(\d{1,7}) (.+)$`)
	// upfront is a price, or another number, before a label.
	upfront = regexp.MustCompile(`^(\d{1,3}(?: \d{3})+|` + digits + `) (\D.*)$`)
	// spoken is a label behind a number of pieces, as one says it.
	spoken = regexp.MustCompile(`^([1-9]\d?) (\D.*)$`)
)

// parsed is an entry without its quantity and the unit of its price.
type parsed struct {
	text     string // Not blank.
	quantity int64
	priced   bool // A quantity or a unit says that the last number is a price.
}

// take cleans an entry and takes off its quantity, and the unit of its price.
// What is an article's code or whole name stays whole.
func take(entry string, shelf Shelf) (parsed, error) {
	text := payments.Clean(entry, MaxWidth)
	if text != payments.Clean(entry, len(entry)) {
		return parsed{}, ErrTooLong
	}
	text, count, escaped, err := outer(text)
	switch {
	case err != nil:
		return parsed{}, err
	case text == "":
		return parsed{}, ErrNotUnderstood
	}
	_, coded := shelf.Coded(text)
	if _, named := shelf.Labelled(text); coded || named || escaped {
		return parsed{text, max(1, count), count > 0}, nil
	}
	unitless := unit.ReplaceAllString(text, "$1")
	rest, within, err := inner(unitless, shelf)
	if err == nil && within > 0 && count > 0 {
		err = ErrTwoQuantities
	}
	count = max(count, within)
	return parsed{rest, max(1, count), unitless != text || count > 0}, err
}

// outer takes off a quantity at either end; without one it is 0. escaped says
// that the rest is to be taken as it is written.
func outer(text string) (rest string, count int64, escaped bool, err error) {
	if m := literal.FindStringSubmatch(text); m != nil {
		count, err = parseQuantity(m[1])
		return m[2], count, true, err
	}
	digits := ""
	if m := behind.FindStringSubmatch(text); m != nil {
		text, digits = m[1], m[2]+m[3]
	}
	if m := before.FindStringSubmatch(text); m != nil {
		if digits != "" || behind.MatchString(m[2]) {
			return "", 0, false, ErrTwoQuantities
		}
		digits, text = m[1], m[2]
	}
	if digits != "" {
		count, err = parseQuantity(digits)
	}
	return text, count, false, err
}

// inner takes off a quantity that stands with its sign before the label or the
// price, or attached to that, unless an article is called so; without one it is 0.
// A sign between two numbers is rather a measure ("Planche 20 x 30 5000"), unless
// the price behind it is in groups.
func inner(text string, shelf Shelf) (rest string, count int64, err error) {
	rest = text
	var found []string
	if m := first.FindStringSubmatch(rest); m != nil {
		found, rest = append(found, cmp.Or(m[1:5]...)), m[5]
	}
	if m := between.FindStringSubmatch(rest); len(m) > 0 && (m[4] == "" || !counted.MatchString(m[1])) {
		found, rest = append(found, cmp.Or(m[2:6]...)), strings.TrimSpace(m[1]+" "+m[6])
	}
	if m := attached.FindStringSubmatch(rest); m != nil {
		found, rest = append(found, m[2]), m[1]
	}
	switch {
	case len(found) == 0 || namesSigned(text, shelf):
		return text, 0, nil
	case len(found) > 1:
		return "", 0, ErrTwoQuantities
	}
	count, err = parseQuantity(found[0])
	return rest, count, err
}

// namesSigned tells whether an article is called what a text says, be it with a
// price behind it or by letters of its name, the sign of multiplication being a
// part of it.
func namesSigned(text string, shelf Shelf) bool {
	label, _ := splitPrice(text)
	article, found := shelf.Labelled(label)
	if fit := shelf.Find(text, 1); !found && fit.Total > 0 {
		article = fit.Best[0]
	}
	return strings.ContainsAny(article.Label, "xX×*")
}

// splitPrice parts a label from the price behind it, which may be grouped: "Vary
// 3 500" is Vary at 3 500. A last word that begins like a number is a price, be
// it a wrong one.
func splitPrice(text string) (label, price string) {
	m := priced.FindStringSubmatch(text)
	if m == nil {
		return text, ""
	}
	return m[1], m[2]
}

// ParsePrice reads a price as [payments.ParseAriary] does, also with commas
// between its groups: "3,500". The errors are those, ErrDotted and ErrPercent.
func ParsePrice(text string) (payments.Ariary, error) {
	if grouped.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	amount, err := payments.ParseAriary(text)
	switch {
	case err != nil && strings.HasSuffix(text, "%"):
		return 0, ErrPercent
	case err != nil && dotted.MatchString(text):
		return 0, ErrDotted
	}
	return amount, err
}

// parseQuantity reads a whole number above zero.
func parseQuantity(digits string) (int64, error) {
	count, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || count < 1 {
		return 0, ErrQuantity
	}
	return count, nil
}
