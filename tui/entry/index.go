package entry

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"checkout/till/payments"
)

// Shelf is the catalogue as the entry line looks things up in it. It does not
// change once it is built, and is safe for concurrent use; the zero value is an
// empty one.
type Shelf struct {
	articles   []payments.Article // What is sold most often first, then by label.
	names      []string           // Their labels, folded, with a blank before each word.
	codes      map[string]int
	labels     map[string]int // By folded label.
	favourites [payments.MaxFavourite + 1]int
}

// NewShelf puts articles on a shelf. Building it takes a few milliseconds for
// 5,000 of them; finding something takes well under one.
func NewShelf(articles []payments.Article) Shelf {
	s := Shelf{
		articles: slices.Clone(articles),
		names:    make([]string, len(articles)),
		codes:    make(map[string]int, len(articles)),
		labels:   make(map[string]int, len(articles)),
	}
	for i := range s.articles {
		s.articles[i].Label = payments.Clean(s.articles[i].Label, payments.MaxLabelWidth)
	}
	slices.SortStableFunc(s.articles, func(a, b payments.Article) int {
		return cmp.Or(cmp.Compare(b.Uses, a.Uses), cmp.Compare(a.Label, b.Label))
	})
	for i, article := range s.articles {
		name := fold(article.Label)
		s.names[i] = " " + name
		keep(s.labels, name, i)
		keep(s.codes, article.Code, i)
		if place := article.Favourite; place > 0 && place < len(s.favourites) && s.favourites[place] == 0 {
			s.favourites[place] = i + 1
		}
	}
	return s
}

// keep notes where something stands, unless it is blank or noted already.
func keep(places map[string]int, what string, where int) {
	if _, known := places[what]; !known && what != "" {
		places[what] = where
	}
}

// Coded returns the article that has exactly this code.
func (s Shelf) Coded(code string) (payments.Article, bool) { return s.at(s.codes, code) }

// Labelled returns the article of a label; case, accents and signs do not
// matter.
func (s Shelf) Labelled(label string) (payments.Article, bool) { return s.at(s.labels, fold(label)) }

// Favourite returns the article at a place among the favourites, 1 to
// payments.MaxFavourite.
func (s Shelf) Favourite(place int) (payments.Article, bool) {
	if place < 1 || place >= len(s.favourites) || s.favourites[place] == 0 {
		return payments.Article{}, false
	}
	return s.articles[s.favourites[place]-1], true
}

func (s Shelf) at(places map[string]int, what string) (payments.Article, bool) {
	i, found := places[what]
	if !found {
		return payments.Article{}, false
	}
	return s.articles[i], true
}

// Priced is an item as the shelf knows it: an article keeps its own label, and
// below its price it has that as its list price. The errors are those of
// payments.NewItem.
func (s Shelf) Priced(item payments.Item) (payments.Item, error) {
	article, found := s.Labelled(item.Label)
	if !found {
		return item, nil
	}
	full := payments.Item{Label: article.Label, UnitPrice: article.UnitPrice, Quantity: item.Quantity}
	return full.At(item.UnitPrice)
}

// Holds tells whether the shelf was built of exactly these articles, in the
// order in which it has them.
func (s Shelf) Holds(articles []payments.Article) bool { return slices.Equal(articles, s.articles) }

// Fit is what of a shelf fits some letters.
type Fit struct {
	// Best are the best, the very best first: whose whole name it is, then
	// whose name begins so, then of which a word does, then where the letters
	// stand anywhere. Within each, what is sold most often comes first.
	Best []payments.Article
	// Total is how many fit at all.
	Total int
	// Sure says that no other fits as well as the first, so that the letters
	// alone name it.
	Sure bool
}

// The ranks of a fit, the best first.
const (
	wholeName = iota
	nameBegins
	wordBegins
	anywhere
	noFit
)

// Find returns what fits letters of a name, at most limit of the best. Case,
// accents and signs do not matter; blanks in a row count as one.
func (s Shelf) Find(letters string, limit int) Fit {
	wanted := newQuery(letters)
	if wanted.begins == " " {
		return Fit{}
	}
	var ranked [noFit][]int
	var counts [noFit]int
	for i, name := range s.names {
		rank := wanted.rank(name)
		if rank == noFit {
			continue
		}
		counts[rank]++
		if len(ranked[rank]) < limit {
			ranked[rank] = append(ranked[rank], i)
		}
	}
	fit := Fit{Total: counts[wholeName] + counts[nameBegins] + counts[wordBegins] + counts[anywhere]}
	for _, at := range slices.Concat(ranked[:]...)[:min(limit, fit.Total)] {
		fit.Best = append(fit.Best, s.articles[at])
	}
	// The beginnings of a name and of its words count as one.
	begins := counts[nameBegins] + counts[wordBegins]
	fit.Sure = cmp.Or(counts[wholeName], begins, counts[anywhere]) == 1
	return fit
}

// query is what is looked for.
type query struct {
	begins string   // Folded, with a blank before it, as where a word begins.
	words  []string // The same of each of its words, when there are several.
}

func newQuery(letters string) query {
	wanted := query{begins: " " + fold(letters)}
	if words := strings.Fields(wanted.begins); len(words) > 1 {
		for _, word := range words {
			wanted.words = append(wanted.words, " "+word)
		}
	}
	return wanted
}

// rank tells how well a name of the shelf fits.
func (q query) rank(name string) int {
	switch {
	case !strings.Contains(name, q.begins[1:]):
		if len(q.words) > 0 && q.eachBegins(name) {
			return anywhere
		}
		return noFit
	case name == q.begins:
		return wholeName
	case strings.HasPrefix(name, q.begins):
		return nameBegins
	case strings.Contains(name, q.begins):
		return wordBegins
	}
	return anywhere
}

// eachBegins tells whether each of the words begins a word of the name, in any
// order: "zero coca" means Coca Cola Zero.
func (q query) eachBegins(name string) bool {
	for _, word := range q.words {
		if !strings.Contains(name, word) {
			return false
		}
	}
	return true
}

// Same tells whether a person takes two texts for the same: case, accents and
// signs do not matter. A text of signs alone is the same as itself only.
func Same(one, other string) bool {
	return one == other || fold(one) != "" && fold(one) == fold(other)
}

// fold makes texts alike that a person takes for the same: without case,
// accents and signs, with one blank between words.
func fold(text string) string {
	var folded strings.Builder
	blank := false
	for _, r := range norm.NFKD.String(text) {
		if unicode.IsMark(r) {
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			blank = folded.Len() > 0
			continue
		}
		if blank {
			folded.WriteByte(' ')
			blank = false
		}
		switch r = unicode.ToLower(r); r {
		case 'œ':
			folded.WriteString("oe")
		case 'æ':
			folded.WriteString("ae")
		default:
			folded.WriteRune(r)
		}
	}
	return folded.String()
}
