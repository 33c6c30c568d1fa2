package sale

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"checkout/till/assets/i18n"
	"checkout/till/payments"
)

// Article is something the shop sells at a fixed price.
type Article struct {
	Label     string
	UnitPrice payments.Ariary
	Code      string // What a scanner types; blank when there is none.
}

// The ways in which an entry is not understood.
var (
	// ErrNotUnderstood says that the entry is neither a price nor an article.
	ErrNotUnderstood = errors.New("neither a price nor an article")
	// ErrNoPrice says that a label has no price behind it.
	ErrNoPrice = errors.New("the price is missing")
	// ErrQuantity says that a quantity is not a whole number above zero.
	ErrQuantity = errors.New("not a quantity")
	// ErrTwoQuantities says that there is a quantity before and behind.
	ErrTwoQuantities = errors.New("two quantities")
)

// SeveralError says that more than one article fits the letters typed.
type SeveralError struct {
	Labels []string // At most five of them, cleaned.
}

// Error names the articles.
func (e *SeveralError) Error() string { return "several articles fit: " + strings.Join(e.Labels, ", ") }

// Parse reads an entry line: LABEL PRICE [xQTY], QTY*LABEL PRICE, a bare price,
// an article's code, or a few letters of an article's name. A price may be
// grouped in threes by blanks. free is the label of a bare price. The errors
// are this package's, payments.ErrNotAmount, payments.ErrTooLarge and
// payments.ErrInvalidItem.
func Parse(entry string, articles []Article, free string) (payments.Item, error) {
	words := strings.FieldsFunc(payments.Clean(entry, maxEntry), unicode.IsSpace)
	words, quantity, err := takeQuantity(words)
	if err != nil {
		return payments.Item{}, err
	}
	if len(words) == 0 {
		return payments.Item{}, ErrNotUnderstood
	}
	if article, found := byCode(articles, words); found {
		return payments.NewItem(article.Label, article.UnitPrice, quantity)
	}
	label, price := splitPrice(words)
	if price == "" {
		return fromName(articles, label, quantity)
	}
	if label == "" {
		label = free
	}
	amount, err := payments.ParseAriary(price)
	if err != nil {
		// The last word may belong to a name: "Coca 1L".
		if named, nameErr := fromName(articles, strings.Join(words, " "), quantity); nameErr == nil {
			return named, nil
		}
		return payments.Item{}, err
	}
	return payments.NewItem(label, amount, quantity)
}

// Format writes an item as an entry that Parse reads back. A label may end or
// begin like a price or a quantity ("Eau 150"): then the entry says more than
// it otherwise would.
func Format(item payments.Item) string {
	ways := spellings(item)
	for _, entry := range ways {
		if read, err := Parse(entry, nil, ""); err == nil && read == item {
			return entry
		}
	}
	return ways[0]
}

// spellings are the ways to write an item, the plainest first.
func spellings(item payments.Item) []string {
	var ways []string
	price, quantity := item.UnitPrice.String(), strconv.FormatInt(item.Quantity, 10)
	for _, price := range []string{price, "0" + price, i18n.Number(int64(item.UnitPrice))} {
		entry := item.Label + " " + price
		if item.Quantity == 1 {
			ways = append(ways, entry)
		}
		ways = append(ways, entry+" x"+quantity, quantity+"*"+entry)
	}
	return ways
}

// takeQuantity takes a quantity off the front ("2*Vary") or the back ("x2")
// and returns what is left; without one it is 1.
func takeQuantity(words []string) ([]string, int64, error) {
	if len(words) == 0 {
		return nil, 1, nil
	}
	words = joinTimes(words)
	front, found := "", false
	if head, rest, star := cutTimes(words[0]); star && isNumeric(head) {
		front, found = head, true
		if words[0] = rest; rest == "" {
			words = words[1:]
		}
	}
	last := len(words) - 1
	if last >= 0 {
		if back, is := behind(words[last]); is {
			if found {
				return nil, 0, ErrTwoQuantities
			}
			front, found, words = back, true, words[:last]
		}
	}
	if !found {
		return words, 1, nil
	}
	quantity, err := strconv.ParseInt(front, 10, 64)
	if err != nil || quantity < 1 {
		return nil, 0, ErrQuantity
	}
	return words, quantity, nil
}

// joinTimes joins a sign of multiplication that stands alone with its number:
// "x 2" at the end, "2 *" at the beginning.
func joinTimes(words []string) []string {
	words = slices.Clone(words)
	last := len(words) - 1
	if last > 0 && isTimes(words[last-1]) && isDigits(words[last]) {
		words = append(words[:last-1], words[last-1]+words[last])
	}
	if len(words) > 1 && isNumeric(words[0]) && isTimes(words[1]) {
		words = append([]string{words[0] + "*"}, words[2:]...)
	}
	return words
}

func isTimes(word string) bool { return word == "x" || word == "X" || word == "×" || word == "*" }

// cutTimes cuts a word at its first sign of multiplication.
func cutTimes(word string) (before, after string, found bool) {
	i := strings.IndexAny(word, "*×")
	if i < 0 {
		return "", "", false
	}
	return word[:i], strings.TrimLeft(word[i:], "*×"), true
}

// behind returns the digits of a last word like x2, X2, ×2 or *2.
func behind(word string) (digits string, is bool) {
	rest := strings.TrimLeft(word, "xX×*")
	if len(rest) == len(word) {
		return "", false
	}
	return rest, isNumeric(rest)
}

// splitPrice splits the words into a label and the price behind it, which may
// be grouped: "Vary 3 500" is Vary at 3 500. A last word that begins like a
// number is a price, be it a wrong one.
func splitPrice(words []string) (label, price string) {
	first := len(words) - 1
	if !beginsLikeNumber(words[first]) {
		return strings.Join(words, " "), ""
	}
	for first > 0 && isGroup(words[first]) && isDigits(words[first-1]) && len(words[first-1]) <= 3 {
		first--
	}
	return strings.Join(words[:first], " "), strings.Join(words[first:], " ")
}

func beginsLikeNumber(word string) bool {
	digits := strings.TrimLeft(word, "-+")
	return digits != "" && unicode.IsDigit([]rune(digits)[0])
}

// isNumeric tells whether a word is meant as a number, be it a wrong one.
func isNumeric(word string) bool {
	word = strings.TrimLeft(word, "-+")
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsDigit(r) && r != '.' && r != ','
	})
}

func isGroup(word string) bool { return len(word) == 3 && isDigits(word) }

func isDigits(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// byCode finds the article that has the single word as its code.
func byCode(articles []Article, words []string) (Article, bool) {
	for _, article := range articles {
		if len(words) == 1 && article.Code != "" && article.Code == words[0] {
			return article, true
		}
	}
	return Article{}, false
}

// fromName finds the article by letters of its name: the whole name first,
// then the beginning of one of its words.
func fromName(articles []Article, letters string, quantity int64) (payments.Item, error) {
	wanted := strings.ToLower(letters)
	var fitting []Article
	for _, article := range articles {
		name := strings.ToLower(article.Label)
		if name == wanted {
			fitting = []Article{article}
			break
		}
		if strings.HasPrefix(name, wanted) || strings.Contains(name, " "+wanted) {
			fitting = append(fitting, article)
		}
	}
	switch len(fitting) {
	case 0:
		return payments.Item{}, ErrNoPrice
	case 1:
		return payments.NewItem(fitting[0].Label, fitting[0].UnitPrice, quantity)
	}
	var several SeveralError
	for _, article := range fitting[:min(len(fitting), 5)] {
		several.Labels = append(several.Labels, payments.Clean(article.Label, payments.MaxLabelWidth))
	}
	return payments.Item{}, &several
}
