package catalog

import (
	"slices"
	"strings"
	"unicode"

	"checkout/till/payments"
	"checkout/till/tui/component/list"
)

// stock is the list of articles, and which of them are shown.
type stock struct {
	rows  []row
	shown []int     // Places in rows.
	list  list.List // Of what is shown.
	words []string
}

// row is an article with its label as it is looked for.
type row struct {
	article payments.Article
	folded  string
}

// fill puts articles in the place of those that there were. The cursor stays on
// the article that it was on, if that is still shown.
func (s stock) fill(articles []payments.Article) stock {
	was, _ := s.chosen()
	s.rows = make([]row, 0, len(articles))
	for _, article := range articles {
		s.rows = append(s.rows, row{article, fold(article.Label)})
	}
	return s.filtered().to(was.ID)
}

// to moves the cursor to the article of an ID, if that is shown.
func (s stock) to(id string) stock {
	if at := slices.IndexFunc(s.shown, func(i int) bool { return s.rows[i].article.ID == id }); at >= 0 {
		s.list = s.list.Select(at)
	}
	return s
}

// find shows the articles whose label holds all the words, or whose code begins
// with the text. The cursor goes to the first of them.
func (s stock) find(text string) stock {
	words := strings.Fields(fold(text))
	if slices.Equal(words, s.words) && s.shown != nil {
		return s
	}
	s.words, s.list = words, s.list.Select(0)
	return s.filtered()
}

func (s stock) filtered() stock {
	s.shown = make([]int, 0, len(s.rows))
	for i, row := range s.rows {
		if row.fits(s.words) {
			s.shown = append(s.shown, i)
		}
	}
	s.list = s.list.SetRows(len(s.shown))
	return s
}

func (r row) fits(words []string) bool {
	if len(words) == 1 && strings.HasPrefix(strings.ToLower(r.article.Code), words[0]) {
		return true
	}
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(r.folded, word) })
}

// chosen returns the article under the cursor.
func (s stock) chosen() (payments.Article, bool) {
	if s.list.Cursor() >= len(s.shown) {
		return payments.Article{}, false
	}
	return s.rows[s.shown[s.list.Cursor()]].article, true
}

// with returns the first article of which something is true.
func (s stock) with(is func(payments.Article) bool) (payments.Article, bool) {
	i := slices.IndexFunc(s.rows, func(r row) bool { return is(r.article) })
	if i < 0 {
		return payments.Article{}, false
	}
	return s.rows[i].article, true
}

// fold makes letters alike that a person in a hurry does not tell apart: small
// and capital ones, with an accent and without.
func fold(text string) string {
	plain := func(r rune) rune {
		const accented, bare = "àâäáãåçéèêëíîïìñóôöòõúùûüýÿ’", "aaaaaaceeeeiiiinooooouuuuyy'"
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		if r < 0x80 {
			return r
		}
		at := 0
		for _, letter := range accented {
			if r == letter {
				return rune(bare[at])
			}
			at++
		}
		return r
	}
	return strings.Map(plain, strings.ToLower(text))
}
