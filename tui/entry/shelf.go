package entry

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
	"checkout/till/payments/barcode"
)

// Shelf finds articles for the entry line. It never changes, so it is safe for concurrent use.
// The zero Shelf is empty.
type Shelf struct {
	articles   []payments.Article // Most sold first; equally sold ones by label.
	names      []string           // Folded label of each article, with a blank before each word.
	codes      []string           // Code of each article in its canonical form.
	favourites []payments.Article // Sorted by favourite number.
}

// NewShelf builds a shelf. articles must be in the order in which the database returns them, and
// must not be changed afterwards. With 5,000 articles, NewShelf takes a few milliseconds, and a
// search less than one.
func NewShelf(articles []payments.Article) Shelf {
	s := Shelf{articles: articles}
	for _, article := range articles {
		s.names = append(s.names, " "+Fold(article.Label))
		s.codes = append(s.codes, barcode.Canonical(article.Code))
		if _, taken := s.Favourite(article.Favourite); article.Favourite > 0 && !taken {
			s.favourites = append(s.favourites, article)
		}
	}
	slices.SortFunc(s.favourites, func(a, b payments.Article) int { return cmp.Compare(a.Favourite, b.Favourite) })
	return s
}

// Coded returns the article with a code, compared by [barcode.Canonical].
func (s Shelf) Coded(code string) (payments.Article, bool) {
	code = barcode.Canonical(code)
	i := slices.Index(s.codes, code)
	if i < 0 || code == "" {
		return payments.Article{}, false
	}
	return s.articles[i], true
}

// Labelled returns the article with a label, compared by [Fold]. Of several such articles, it
// prefers exactly this label, then one that differs only in case.
func (s Shelf) Labelled(label string) (article payments.Article, found bool) {
	name := " " + Fold(label)
	sameLetters := false
	for i, other := range s.articles {
		switch {
		case s.names[i] != name || name == " ": // A label of signs only is blank after Fold.
			continue
		case other.Label == label:
			return other, true
		case !found, !sameLetters && strings.EqualFold(other.Label, label):
			article = other
			found = true
			sameLetters = strings.EqualFold(other.Label, label)
		}
	}
	return article, found
}

// has reports whether a text is the code or the complete name of an article.
func (s Shelf) has(text string) bool {
	_, coded := s.Coded(text)
	_, named := s.Labelled(text)
	return coded || named
}

// Fitting returns the articles that match an entry without a price, and the quantity in the entry.
// For an invalid entry or one with a price, it returns none.
func (s Shelf) Fitting(entry string) (Fit, Amount) {
	text, quantity, _, err := take(entry, s)
	if err != nil {
		return Fit{}, Amount{}
	}
	if article, found := s.Coded(text); found {
		return Fit{Best: []payments.Article{article}, Total: 1, Sure: true}, Amount{quantity, ""}
	}
	_, price := splitPrice(text)
	if _, err := ParsePrice(price); err == nil {
		return Fit{}, Amount{}
	}
	fit := s.Find(text, maxFit)
	name, amount, err := spokenForm{leading, true}.split(text)
	if fit.Total == 0 && err == nil && quantity == 0 && !amount.Whole() {
		return s.Find(name, maxFit), amount
	}
	return fit, Amount{quantity, ""}
}

// Favourites returns all favourites by number. The caller must not change the slice.
func (s Shelf) Favourites() []payments.Article { return s.favourites }

// Favourite returns the favourite with a number from 1 to payments.MaxFavourite, if there is one.
func (s Shelf) Favourite(place int) (payments.Article, bool) {
	i := slices.IndexFunc(s.favourites, func(article payments.Article) bool { return article.Favourite == place })
	if i < 0 {
		return payments.Article{}, false
	}
	return s.favourites[i], true
}

// Fit is the result of a search for articles by letters of their labels.
type Fit struct {
	// The best matches, by rank (sameName, otherCase and so on). Within a rank, the most sold
	// article comes first.
	Best []payments.Article
	// Number of all matching articles.
	Total int
	// Whether no other article matches as well as the first one.
	Sure bool
}

// The ranks of a match, the best first.
const (
	sameName   = iota // The letters are the label.
	otherCase         // The letters are the label in another case.
	wholeName         // The letters are equal to the label after [Fold].
	nameBegins        // The label begins with the letters.
	wordBegins        // A word of the label begins with the letters.
	anywhere          // Any other match, such as letters within a word.
	ranks
)

// Find returns the articles with a label that matches the letters, at most limit of them in Best.
// Case, accents and signs do not matter. Words may be in any order: "zero coca" finds Coca Cola
// Zero. A plural finds the singular.
func (s Shelf) Find(letters string, limit int) Fit {
	return s.find(s.singular(letters), limit)
}

// plural matches the end of a word in the plural, in English and in French.
var plural = regexp.MustCompile(`(?i)(\pL{3})[sx]( |$)`)

// singular removes plural endings if an article matches only without them: "tomates" becomes
// tomate.
func (s Shelf) singular(letters string) string {
	one := plural.ReplaceAllString(letters, "$1$2")
	if one != letters && s.find(letters, 1).Total == 0 && s.find(one, 1).Total > 0 {
		return one
	}
	return letters
}

func (s Shelf) find(letters string, limit int) Fit {
	written := strings.Join(strings.Fields(letters), " ")
	letters = Fold(letters)
	if letters == "" {
		return Fit{}
	}
	words := strings.Fields(letters)
	var ranked [ranks][]int
	for i, name := range s.names {
		at, rank := strings.Index(name, letters), anywhere
		switch {
		case at < 0 && (len(words) < 2 || !begin(words, name)):
			continue
		case s.articles[i].Label == written:
			rank = sameName
		case strings.EqualFold(s.articles[i].Label, written):
			rank = otherCase
		case name[1:] == letters:
			rank = wholeName
		case at == 1:
			rank = nameBegins
		case at > 0 && strings.Contains(name, " "+letters):
			rank = wordBegins
		}
		ranked[rank] = append(ranked[rank], i)
	}
	all := slices.Concat(ranked[:]...)
	fit := Fit{Total: len(all)}
	for _, i := range all[:min(limit, len(all))] {
		fit.Best = append(fit.Best, s.articles[i])
	}
	// For Sure, the beginning of the label counts like the beginning of another word.
	begins := len(ranked[nameBegins]) + len(ranked[wordBegins])
	fit.Sure = cmp.Or(len(ranked[sameName]), len(ranked[otherCase]), len(ranked[wholeName]), begins, len(ranked[anywhere])) == 1
	return fit
}

func begin(words []string, name string) bool {
	for _, word := range words {
		if !strings.Contains(name, " "+word) {
			return false
		}
	}
	return true
}

// Fold returns a text in lower case without accents and signs, with one blank between words.
func Fold(text string) string {
	folded := strings.Map(foldRune, norm.NFKD.String(text))
	// NFKD does not decompose œ and æ.
	folded = strings.ReplaceAll(strings.ReplaceAll(folded, "œ", "oe"), "æ", "ae")
	return strings.Join(strings.Fields(folded), " ")
}

func foldRune(r rune) rune {
	switch {
	case unicode.IsMark(r):
		return -1
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return unicode.ToLower(r)
	}
	return ' '
}
