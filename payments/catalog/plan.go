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
	lines := map[string]int{}
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
		shall := row.Article
		shall.ID, shall.Uses, shall.Favourite, shall.Code = was.ID, was.Uses, was.Favourite, cmp.Or(shall.Code, was.Code)
		switch {
		case was.ID == "":
			plan.Added = append(plan.Added, shall)
		case shall == was:
			plan.Unchanged++
		default:
			plan.Changed = append(plan.Changed, shall)
		}
	}
	slices.SortStableFunc(plan.Faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return plan
}
