package entry

import (
	"cmp"
	"regexp"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/clean"
)

// Amount is a quantity as the cashier typed it, such as 0.75, 750 g or ½.
type Amount struct {
	Thousandths int64  // Quantity in thousandths of the typed unit.
	Unit        string // Typed unit, such as "g" or "kilo"; blank without one.
}

// Parts of an expression for an amount. units matches the units' names in three languages;
// [Amount.In] converts them.
const (
	amounts = `\d+ [1-3]/[234]|[1-3]/[234]|\d*[½¼¾]|\d*[.,]\d+|\d{1,4}`
	units   = `kgs?|kilos?|kilao|kilogrammes?|kilograms?|gr?|grammes?|grams?|grama|livres?` +
		`|l|litres?|liters?|litatra|dl|cl|ml|m|m[eè]tres?|meters?|metatra|cm`
)

// measured matches an amount with or without a unit.
var measured = regexp.MustCompile(`(?i)^(` + amounts + `) ?(` + units + `)?$`)

// ParseAmount reads a weight or measure, such as "0,75" or "750 g". The errors are ErrQuantity and
// ErrDecimal.
func ParseAmount(text string) (Amount, error) {
	m := measured.FindStringSubmatch(clean.Text(text, MaxWidth))
	if m == nil {
		return Amount{}, ErrQuantity
	}
	thousandths, err := parseFraction(m[1])
	return Amount{thousandths, strings.ToLower(m[2])}, err
}

// Whole reports whether the amount is at least 100 without a unit. Such a number is probably in the
// smaller unit (750 g, not 750 kg), or a price.
func (a Amount) Whole() bool { return a.Unit == "" && a.Thousandths >= minPrice*whole }

// In converts the amount to thousandths of an article's unit. An amount without a unit is in that
// unit already. The errors are ErrByPiece for a unit that the article does not have, and ErrDecimal
// if the result is not a whole number.
func (a Amount) In(unit string) (int64, error) {
	if a.Unit == "" {
		return a.Thousandths, nil
	}
	base, parts := baseOf(a.Unit)
	switch {
	case base != unit:
		return 0, ErrByPiece
	case a.Thousandths%parts != 0:
		return 0, ErrDecimal
	}
	return a.Thousandths / parts, nil
}

// SmallUnit returns the unit for less than one unit of an article, such as g for kg.
func SmallUnit(unit string) string {
	switch unit {
	case "kg":
		return "g"
	case "l":
		return "ml"
	}
	return "cm"
}

// Weigh reads a missing weight or measure, such as "0,75" or "half a kilo", and returns the
// complete entry. It returns ErrEither for a number that may lack its unit, and e itself for any
// other text.
func (e *WeightError) Weigh(text string) (Parsed, error) {
	amount, err := ParseAmount(inDigits(clean.Text(text, MaxWidth)))
	number := clean.Text(text, MaxWidth)
	if err == nil && amount.Whole() {
		return Parsed{}, &Error{Err: ErrEither, Text: number + " " + SmallUnit(e.Unit), Other: number + " " + e.Unit}
	}
	sold := e.Sold
	if err == nil {
		sold.Thousandths, err = amount.In(e.Unit)
	}
	if err != nil {
		return Parsed{}, e
	}
	return sold, nil
}

// baseOf returns the unit of an article that a typed unit belongs to, and how many typed units make
// one such unit.
func baseOf(typed string) (base string, parts int64) {
	switch typed {
	case "dl":
		return "l", 10
	case "cl":
		return "l", 100
	case "ml":
		return "l", 1000
	case "cm":
		return "m", 100
	}
	switch {
	case strings.HasPrefix(typed, "livre"): // In French, a "livre" is half a kilo.
		return "kg", 2
	case strings.HasPrefix(typed, "k"):
		return "kg", 1
	case strings.HasPrefix(typed, "g"):
		return "kg", 1000
	}
	return typed[:1], 1 // Litres and metres.
}

// Quantity reads a text that is only a quantity, such as "2*", "x2", "x1,2", "0,75" or "750 g". For
// a blank text, quantity is zero and ok is true. For a whole number without a sign or unit, ok is
// false, because it may be a price.
func Quantity(text string) (quantity Amount, ok bool) {
	text = clean.Text(text, MaxWidth)
	if text == "" {
		return Amount{}, true
	}
	if m := alone.FindStringSubmatch(text); m != nil {
		thousandths, err := parseQuantity(m[1] + m[2])
		return Amount{thousandths, ""}, err == nil
	}
	quantity, err := ParseAmount(text)
	bare := strings.Trim(text, "0123456789") == ""
	return quantity, err == nil && !bare
}

// parseFraction reads the digits of a quantity, which may be a fraction such as ½ or 1 1/2.
func parseFraction(digits string) (int64, error) {
	for _, fraction := range []struct {
		sign, digits string
		thousandths  int64
	}{{"½", "1/2", 500}, {"¼", "1/4", 250}, {"¾", "3/4", 750}} {
		for _, written := range []string{fraction.sign, fraction.digits} {
			count, is := strings.CutSuffix(digits, written)
			if !is {
				continue
			}
			if count = strings.TrimSpace(count); count == "" {
				return fraction.thousandths, nil
			}
			thousandths, err := parseQuantity(count)
			return thousandths + fraction.thousandths, err
		}
	}
	return parseQuantity(digits)
}

// format returns an entry that Parse reads as p, with the same shelf. A label such as "Eau 150"
// needs a longer form. If no form is right, format returns the shortest one.
func format(p Parsed, shelf Shelf) string {
	quantity := payments.Decimal(p.Thousandths, ".")
	var forms []string
	// A leading zero separates the price from a number at the end of the label, as in
	// "Eau 150 0700".
	for _, zero := range []string{"", "0"} {
		entry := p.Label + " " + zero + p.Price.String()
		forms = append(forms, entry, entry+" x"+quantity, quantity+"**"+entry)
	}
	for _, entry := range forms {
		if reads(entry, p, shelf) {
			return entry
		}
	}
	return forms[0]
}

func reads(entry string, p Parsed, shelf Shelf) bool {
	read, err := parse(entry, shelf, "")
	read.Thousandths = cmp.Or(read.Thousandths, whole)
	return err == nil && read == p
}

// Format returns an entry for the label, price and quantity of an item.
func Format(item payments.Item, shelf Shelf) string { return format(ParsedOf(item), shelf) }
