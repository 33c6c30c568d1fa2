package entry

import (
	"cmp"
	"errors"
	"regexp"
	"strings"
	"unicode"

	"checkout/till/payments"
	"checkout/till/payments/money"
)

var errNotSpoken = errors.New("not an article with a quantity")

// spokenForm is one form in which people write an article with a quantity.
type spokenForm struct {
	expression *regexp.Regexp
	leads      bool // Whether the quantity comes before the article.
}

var (
	leading = regexp.MustCompile(
		`^(?:[xX×*] ?)?(?P<amount>` + amounts + `)(?:[ -]?(?P<unit>(?i:` + units + `)))?` +
			`(?P<sign> ?[xX×*]+ ?| )(?:(?i:of|de|du|des|ny) |(?i:d)['’])?(?P<label>\S.*)$`)
	trailing = regexp.MustCompile(
		`^(?P<label>.*?\S) (?P<sign>[xX×*]*) ?(?P<amount>` + amounts + `)(?: ?(?P<unit>(?i:` + units + `))| ?[xX×*]+)?$`)
	stuck     = regexp.MustCompile(`^([1-9]\d?)(\pL{2}.*)$`) // Pieces and a name without a space: "2coca".
	attached  = regexp.MustCompile(`([½¼¾])(\pL)`)           // A fraction and a unit or name without a space: "½kg".
	thousands = regexp.MustCompile(`^[1-9]\d*[.,]\d{3}$`)    // May have a separator of thousands, as in "1.500".
	// Words for quantities in English, French and Malagasy. fractionOf matches "¾ de kilo", andHalf
	// "1 kilo et ½".
	threeQuarters = regexp.MustCompile(`(?i)\b(?:three quarters|trois quarts)\b`)
	quarter       = regexp.MustCompile(`(?i)(?:\b(?:a|un) )?\b(?:quarter|quart)\b`)
	fractionOf    = regexp.MustCompile(`(?i)([½¼¾]) (?:de|of(?: an?)?) (` + units + `)\b`)
	andHalf       = regexp.MustCompile(`(?i)(?:(\d+) ?)?(` + units + `)?(?: |\b)(?:and|et) ½ ?`)
	half          = regexp.MustCompile(`(?i)(?:\b(?:a|une?) )?\b(?:half|demie?|antsasaky ny|antsasaka|antsasa)\b[ -]?(?:an? )?`)
	numerals      = regexp.MustCompile(`(?i)(^| )(?:(an?|une?|one|iray)|(two|deux|roa)|(three|trois|telo)|(four|quatre|efatra)` +
		`|(five|cinq|dimy)|(six|enina)|(seven|sept|fito)|(eight|huit|valo)|(nine|neuf|sivy)|(ten|dix|folo))( |$)`)
)

func spokenForms() []spokenForm { return []spokenForm{{leading, true}, {trailing, false}} }

// split splits a text into the name of an article and a quantity. After the name, a whole number
// needs a sign or a unit.
func (f spokenForm) split(text string) (name string, amount Amount, err error) {
	m := f.expression.FindStringSubmatch(text)
	if m == nil {
		return "", Amount{}, errNotSpoken
	}
	group := func(name string) string { return m[f.expression.SubexpIndex(name)] }
	digits := group("amount")
	amount.Unit = strings.ToLower(group("unit"))
	amount.Thousandths, err = parseFraction(digits)
	bare := amount.Unit == "" && strings.TrimSpace(group("sign")) == "" && !strings.ContainsAny(m[0][len(m[0])-1:], "xX*")
	switch {
	case bare && thousands.MatchString(digits):
		return group("label"), Amount{}, ErrDotted // "1.500" is more probably a price than a weight.
	case bare && !f.leads && strings.Trim(digits, "0123456789") == "":
		return "", Amount{}, errNotSpoken
	}
	return group("label"), amount, err
}

// spoken reads an article with a quantity in the forms in which people say or write it, such as "2
// coca", "750g tomate" and "half a kilo of rice". It returns errNotSpoken for any other text.
func spoken(text string, shelf Shelf) (Parsed, error) {
	text = inDigits(text)
	if m := stuck.FindStringSubmatch(text); len(m) > 0 && shelf.Find(m[2], 1).Sure {
		text = m[1] + " " + m[2]
	}
	for _, form := range spokenForms() {
		name, amount, err := form.split(text)
		if errors.Is(err, errNotSpoken) {
			continue
		}
		article, found := shelf.Coded(name)
		fit := shelf.Find(name, maxFit)
		if !found && (fit.Total == 0 || !strings.ContainsFunc(name, unicode.IsLetter)) {
			continue
		}
		if !found && !fit.Sure {
			return Parsed{}, severalFit(fit)
		}
		if !found {
			article = fit.Best[0]
		}
		if err == nil {
			return form.sold(text, article, amount)
		}
		return Parsed{}, err
	}
	return Parsed{}, errNotSpoken
}

// sold returns the entry for an amount of an article. text is the whole entry. For a number that is
// probably a price, sold returns errNotSpoken.
func (f spokenForm) sold(text string, article payments.Article, amount Amount) (Parsed, error) {
	quantity, err := amount.In(article.Unit)
	bare := amount.Unit == "" && !strings.ContainsAny(text, "xX×*")
	switch {
	case errors.Is(err, ErrByPiece):
		return Parsed{}, &Error{Err: ErrByPiece, Text: article.Label}
	case err != nil:
		return Parsed{}, err
	case bare && amount.Whole() && article.Unit != "":
		return Parsed{}, weightOrPrice(article, money.Ariary(amount.Thousandths/whole))
	case bare && amount.Whole(), bare && !f.leads && article.Unit == "":
		return Parsed{}, errNotSpoken // The number is probably a price.
	}
	return Parsed{article.Label, article.UnitPrice, quantity}, nil
}

// inDigits replaces words for quantities by digits and signs: "two" by "2" at the beginning of the
// text and by "x2" elsewhere, and "half" by "½".
func inDigits(text string) string {
	text = threeQuarters.ReplaceAllString(text, "¾")
	text = quarter.ReplaceAllString(text, "¼")
	text = half.ReplaceAllString(text, "½ ")
	text = attached.ReplaceAllString(text, "$1 $2")
	text = fractionOf.ReplaceAllString(text, "$1 $2")
	for range 2 { // "a two" contains two such words.
		m := numerals.FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		for number := 1; number <= 10; number++ {
			if m[2*(number+1)] < 0 {
				continue
			}
			digits := payments.Decimal(int64(number)*whole, ".")
			if m[0] > 0 {
				digits = "x" + digits
			}
			text = text[:m[3]] + digits + text[m[2*(number+1)+1]:]
			break
		}
	}
	if m := andHalf.FindStringSubmatch(text); len(m) > 0 && m[1]+m[2] != "" {
		text = strings.Replace(text, m[0], cmp.Or(m[1], "1")+"½ "+m[2]+" ", 1)
	}
	return strings.Join(strings.Fields(text), " ")
}
