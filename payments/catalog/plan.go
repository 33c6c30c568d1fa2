package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"checkout/till/payments"
	"checkout/till/payments/barcode"
)

// Plan contains the changes that the import of a [Table] would make to the catalogue.
type Plan struct {
	Added     []payments.ArticleChange
	Changed   []payments.ArticleChange
	Unchanged int
	Faults    []LineError
}

// Changes returns all changes, the changed articles before the new ones.
func (p Plan) Changes() []payments.ArticleChange { return slices.Concat(p.Changed, p.Added) }

// Plan compares a table with the catalogue. A line changes the article that has its code, or else
// the one that has its label; without such an article, the line adds one. A line is a fault if its
// code and its label belong to two articles, or if an earlier line is for the same article. An
// article keeps the code, unit and favourite number that its line does not give, unless another
// line takes the favourite number.
func (t Table) Plan(articles []payments.Article) Plan {
	plan := Plan{Faults: slices.Clone(t.Faults)}
	codes, labels := map[string]payments.Article{}, map[string]payments.Article{}
	for _, article := range articles {
		labels[article.Label] = article
		codes[barcode.Canonical(article.Code)] = article
	}
	delete(codes, "")
	places := map[int]bool{}
	for _, row := range t.Rows {
		places[row.Article.Favourite] = row.Article.Favourite > 0
	}
	lines := map[string]int{}
	for _, row := range t.Rows {
		byCode, byLabel := codes[row.Article.Code], labels[row.Article.Label]
		was := cmp.Or(byCode, byLabel)
		var fault LineError
		switch {
		case byLabel.ID != "" && byLabel.ID != was.ID:
			fault = LineError{row.Line, t.columns.name(code), row.Article.Code, Problem{"others_code", byCode.Label, fmt.Sprintf(
				"the code is that of %q in the catalogue: correct the code or the label", byCode.Label)}}
		case was.ID != "" && lines[was.ID] != 0:
			fault = LineError{row.Line, t.columns.name(label), row.Article.Label, Problem{"same_article", strconv.Itoa(lines[was.ID]), fmt.Sprintf(
				"line %d is for the same article of the catalogue, %q: keep one of them", lines[was.ID], was.Label)}}
		}
		if fault.Kind != "" {
			plan.Faults = append(plan.Faults, fault)
			continue
		}
		lines[was.ID] = row.Line
		shall := row.Article
		shall.ID = was.ID
		shall.Uses = was.Uses
		shall.Code = cmp.Or(shall.Code, was.Code)
		if !row.Placed && !places[was.Favourite] {
			shall.Favourite = was.Favourite
		}
		if !row.Measured {
			shall.Unit = was.Unit
		}
		switch {
		case was.ID == "":
			plan.Added = append(plan.Added, payments.ArticleChange{To: shall})
		case shall == was:
			plan.Unchanged++
		default:
			plan.Changed = append(plan.Changed, payments.ArticleChange{From: was, To: shall})
		}
	}
	for _, was := range articles {
		if shall := was; lines[was.ID] == 0 && places[was.Favourite] {
			shall.Favourite = 0
			plan.Changed = append(plan.Changed, payments.ArticleChange{From: was, To: shall})
		}
	}
	slices.SortStableFunc(plan.Faults, func(a, b LineError) int { return cmp.Compare(a.Line, b.Line) })
	return plan
}
