package entry

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
	"checkout/till/payments/barcode"
)

// Shelf is the catalogue as an index for the entry line. It does not change once
// it is built, and is safe for concurrent use; the zero value is an empty one.
type Shelf struct {
	articles   []payments.Article // What is sold most often first, then by label.
	names      []string           // Their labels, folded, with a blank before each word.
	codes      map[string]payments.Article
	labels     map[string][]int // Which articles have a folded label.
	favourites map[int]payments.Article
}

// NewShelf puts articles on a shelf, in the order in which a store returns them. They
// must not be changed afterwards. Building it takes a few milliseconds for 5,000 of
// them; finding something takes well under one.
func NewShelf(articles []payments.Article) Shelf {
	s := Shelf{
		articles:   articles,
		names:      make([]string, len(articles)),
		codes:      make(map[string]payments.Article, len(articles)),
		labels:     make(map[string][]int, len(articles)),
		favourites: map[int]payments.Article{},
	}
	// If articles share a key, the first one counts.
	for i, article := range slices.Backward(articles) {
		name := Fold(article.Label)
		s.names[i] = " " + name
		s.labels[name] = append([]int{i}, s.labels[name]...)
		s.codes[barcode.Canonical(article.Code)], s.favourites[article.Favourite] = article, article
	}
	delete(s.labels, "")
	delete(s.codes, "")
	delete(s.favourites, 0)
	return s
}

// Coded returns the article of a code in any form; see [barcode.Canonical].
func (s Shelf) Coded(code string) (payments.Article, bool) {
	article, found := s.codes[barcode.Canonical(code)]
	return article, found
}

// Labelled returns the article of exactly this label, else of this label in another
// case, else of a label that differs in case, accents and signs.
func (s Shelf) Labelled(label string) (payments.Article, bool) {
	alike := s.labels[Fold(label)]
	if len(alike) == 0 {
		return payments.Article{}, false
	}
	best := s.articles[alike[0]]
	for _, i := range slices.Backward(alike) {
		article := s.articles[i]
		if article.Label == label {
			return article, true
		}
		if strings.EqualFold(article.Label, label) {
			best = article
		}
	}
	return best, true
}

// Favourites returns all favourites in the order of their places.
func (s Shelf) Favourites() []payments.Article {
	var all []payments.Article
	for _, place := range slices.Sorted(maps.Keys(s.favourites)) {
		all = append(all, s.favourites[place])
	}
	return all
}

// Favourite returns the article at a place among the favourites, 1 to
// payments.MaxFavourite.
func (s Shelf) Favourite(place int) (payments.Article, bool) {
	article, found := s.favourites[place]
	return article, found
}

// Fit is what of a shelf fits some letters.
type Fit struct {
	// Best are the best articles in this order: the letters are its label, its label in
	// another case, its label folded, begin its label, begin a word of it, are in it.
	// Within each rank, the article that is sold most often comes first.
	Best []payments.Article
	// Total is how many fit at all.
	Total int
	// Sure says that no other fits as well as the first, so that the letters
	// alone name it.
	Sure bool
}

// The ranks of a fit, the best first.
const (
	sameName = iota
	otherCase
	wholeName
	nameBegins
	wordBegins
	anywhere
	ranks
)

// Find returns what fits letters of a name, at most limit of the best. Case,
// accents and signs do not matter; blanks in a row count as one. Words may stand in
// any order when each begins a word of the name: "zero coca" means Coca Cola Zero.
func (s Shelf) Find(letters string, limit int) Fit {
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
	// The beginnings of a name and of its words count as one.
	begins := len(ranked[nameBegins]) + len(ranked[wordBegins])
	fit.Sure = cmp.Or(len(ranked[sameName]), len(ranked[otherCase]), len(ranked[wholeName]), begins, len(ranked[anywhere])) == 1
	return fit
}

// begin reports whether each of the words begins a word of a name.
func begin(words []string, name string) bool {
	for _, word := range words {
		if !strings.Contains(name, " "+word) {
			return false
		}
	}
	return true
}

// Fold makes texts alike that a person takes for the same: without case,
// accents and signs, with one blank between words.
func Fold(text string) string {
	folded := strings.Map(foldRune, norm.NFKD.String(text))
	// Unicode does not take these two apart.
	folded = strings.ReplaceAll(strings.ReplaceAll(folded, "œ", "oe"), "æ", "ae")
	return strings.Join(strings.Fields(folded), " ")
}

// foldRune drops marks, and replaces signs by blanks.
func foldRune(r rune) rune {
	switch {
	case unicode.IsMark(r):
		return -1
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return unicode.ToLower(r)
	}
	return ' '
}
