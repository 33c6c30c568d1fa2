package entry

import (
	"strings"
	"unicode"

	"checkout/till/payments"
	"checkout/till/payments/money"
)

// ambiguous checks an entry that was split into a label and a price. It returns an error if one of
// the numbers may be something else, such as a quantity.
//
// If the label is the name of an article that is sold by the piece, ambiguous accepts any price of
// at least minPrice, and the price of the article.
func ambiguous(label string, price money.Ariary, shelf Shelf) error {
	label = shelf.singular(label)
	article, named := shelf.Labelled(label)
	coded, isCode := shelf.Coded(label)
	if isCode {
		article = coded
	}
	fit := shelf.Find(label, maxFit)
	begun := fit.Total > 0 && strings.Contains(" "+Fold(fit.Best[0].Label), " "+Fold(label))
	if !named && !isCode && begun && fit.Sure {
		article = fit.Best[0]
	}
	_, number := splitPrice(label)
	last, err := ParsePrice(number)
	larger := err == nil && last >= minPrice && last > price
	switch {
	case article.Unit != "":
		return weightOrPrice(article, price)
	case named && price >= minPrice, named && price == article.UnitPrice:
		return nil
	case !isCode && article.Label != "" && price < minPrice:
		return piecesOrPrice(Parsed{article.Label, article.UnitPrice, whole * int64(price)}, label)
	case code.MatchString(label) && !isCode:
		return &Error{Err: ErrUnknownCode, Text: label}
	case !isCode && begun && price < minPrice && strings.ContainsFunc(label, unicode.IsLetter):
		return &Error{
			Err: ErrPieces, Text: label + " x" + price.String(), Other: label + " " + price.String() + " Ar", Quantity: whole * int64(price),
		}
	case isCode:
		return &Error{Err: ErrPieces, Text: label + " x" + price.String(), Quantity: whole * int64(price)}
	case fraction.MatchString(label):
		return ErrNotUnderstood // The label is a decimal quantity, and the number may be a code.
	case numbers.MatchString(label):
		return twoNumbers(label, price)
	case larger:
		return &Error{Err: ErrPieces, Text: label + " x" + price.String(), Quantity: whole * int64(price)}
	}
	return quantityIn(label, price, shelf)
}

// ambiguousName checks the label of an entry whose number is certainly a price, because the
// currency follows it.
func ambiguousName(label string, price money.Ariary, shelf Shelf) error {
	switch {
	case shelf.has(label):
		return nil
	case numbers.MatchString(label):
		return twoNumbers(label, price)
	}
	return quantityIn(label, price, shelf)
}

// pieces returns the error for a number that is probably a quantity.
func pieces(sold Parsed) error {
	return &Error{Err: ErrPieces, Quantity: sold.Thousandths, meant: &sold}
}

// piecesOrPrice returns the error for a small number after an article.
func piecesOrPrice(sold Parsed, label string) error {
	price := money.Ariary(sold.Thousandths / whole)
	return &Error{Err: ErrPieces, Quantity: sold.Thousandths, Other: label + " " + price.String() + " Ar", meant: &sold}
}

// weightOrPrice returns the error for a number without a unit after an article that is sold by
// weight or measure: "tomate 750" may mean 750 g or 750 Ar a kilo.
func weightOrPrice(article payments.Article, number money.Ariary) error {
	unit := article.Unit
	if number >= minPrice {
		unit = SmallUnit(unit)
	}
	return &Error{
		Err: ErrWeightOrPrice, Text: article.Label + " " + number.String() + unit, Other: article.Label + " " + number.String() + " Ar",
	}
}

// twoNumbers returns the error for two numbers without a name. A number below minPrice is probably
// a quantity.
func twoNumbers(label string, price money.Ariary) error {
	first := strings.Join(strings.FieldsFunc(label, func(r rune) bool { return r < '0' || r > '9' }), "+")
	if grouped.MatchString(label) {
		first = strings.ReplaceAll(first, "+", "")
	}
	amount, err := money.ParseAriary(first)
	written := amount.String()
	if grouped.MatchString(label) {
		written = label
	}
	switch {
	case code.MatchString(price.String()):
		return &Error{Err: ErrUnknownCode, Text: price.String()}
	case err == nil && amount < minPrice:
		return &Error{Err: ErrPieces, Text: price.String() + " x" + written, Quantity: whole * int64(amount)}
	case err == nil && code.MatchString(written):
		return &Error{Err: ErrUnknownCode, Text: written}
	case err == nil && price < minPrice:
		return &Error{Err: ErrPieces, Text: written + " x" + price.String(), Quantity: whole * int64(price)}
	}
	return &Error{Err: ErrTwoPrices, Text: first + "+" + price.String(), meant: &Parsed{label, price, whole}}
}

// quantityIn returns an error if the label contains or is a quantity, as in "x4 1500".
func quantityIn(label string, price money.Ariary, shelf Shelf) error {
	said := inDigits(label)
	if counted.MatchString(said) && !strings.HasPrefix(said, "1 ") { // "Un pain" is a name.
		label = said
	}
	quantity, alone := Quantity(label)
	switch {
	case alone && quantity.Unit != "":
		return ErrNotUnderstood // The label is a weight, and the number may be a code.
	case alone && code.MatchString(price.String()):
		return &Error{Err: ErrUnknownCode, Text: price.String()}
	case alone && quantity.Thousandths > 0:
		return &Error{
			Err: ErrPieces, Text: price.String() + " x" + payments.Decimal(quantity.Thousandths, "."), Quantity: quantity.Thousandths,
		}
	}
	for _, form := range spokenForms() {
		name, amount, err := form.split(label)
		if err != nil {
			continue
		}
		article, known := shelf.Labelled(name)
		if fit := shelf.Find(name, 1); !known && amount.Unit != "" && fit.Sure && fit.Best[0].Unit != "" {
			article, known = fit.Best[0], true
		}
		quantity, err := amount.In(article.Unit)
		if err == nil && (known || counted.MatchString(label) || misplaced.MatchString(label)) {
			return pieces(Parsed{name, price, quantity})
		}
	}
	if misplaced.MatchString(label) {
		return ErrNotUnderstood
	}
	return nil
}
