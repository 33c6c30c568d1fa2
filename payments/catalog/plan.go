package catalog

import (
	"cmp"
	"fmt"
	"slices"

	"checkout/till/payments"
)

// Plan is what the lines of a table do to a catalogue.
type Plan struct {
	Added     []payments.Article // Without an ID.
	Changed   []payments.Article // As they shall be, with the ID they have.
	Unchanged int
	Faults    []Fault // All of them, by line.
}

// Saves returns what is to be saved, in an order in which no article asks for
// what another one still has.
func (p Plan) Saves() []payments.Article { return slices.Concat(p.Changed, p.Added) }

// Plan compares a table with the catalogue. A line changes the article of its
// code, or else the one of its label, or else adds one. A line whose code is
// one article's and whose label is another's is a fault, and so is a second
// line for one article. A blank code keeps the code.
func (t Table) Plan(articles []payments.Article) Plan {
	var plan Plan
	plan.Faults = slices.Clone(t.Faults)
	codes, labels := map[string]payments.Article{}, map[string]payments.Article{}
	for _, article := range articles {
		labels[article.Label] = article
		if article.Code != "" {
			codes[article.Code] = article
		}
	}
	lines, claimed := map[string]int{}, map[int]bool{}
	var matches []match
	for _, row := range t.Rows {
		byCode, byLabel := codes[row.Article.Code], labels[row.Article.Label]
		was := byCode
		if was.ID == "" {
			was = byLabel
		}
		text, problem := row.Article.Label, ""
		switch {
		case byLabel.ID != "" && byLabel.ID != was.ID:
			text, problem = row.Article.Code, fmt.Sprintf("the code is that of %q in the catalogue", byCode.Label)
		case was.ID != "" && lines[was.ID] != 0:
			problem = fmt.Sprintf("line %d is for the same article of the catalogue, %q", lines[was.ID], was.Label)
		}
		if problem != "" {
			plan.Faults = append(plan.Faults, Fault{row.Line, text, problem})
			continue
		}
		lines[was.ID] = row.Line
		claimed[row.Article.Favourite] = true
		matches = append(matches, match{row, was})
	}
	for _, match := range matches {
		plan.apply(match, claimed)
	}
	slices.SortStableFunc(plan.Faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return plan
}

// match is a line and its article of the catalogue, which has no ID when the
// line adds one.
type match struct {
	row Row
	was payments.Article
}

// apply notes what a line makes of its article. A favourite's place that
// another line claims is not kept.
func (p *Plan) apply(match match, claimed map[int]bool) {
	shall, was := match.row.Article, match.was
	shall.ID, shall.Uses = was.ID, was.Uses
	shall.Code = cmp.Or(shall.Code, was.Code)
	if !match.row.Favourite && !claimed[was.Favourite] {
		shall.Favourite = was.Favourite
	}
	switch {
	case was.ID == "":
		p.Added = append(p.Added, shall)
	case shall == was:
		p.Unchanged++
	default:
		p.Changed = append(p.Changed, shall)
	}
}
