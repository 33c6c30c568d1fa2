package catalog

import (
	"fmt"
	"io"
	"slices"

	"checkout/till/payments"
)

// Write writes articles as a table with headings, in the order they have. The
// errors are the writer's.
func Write(to io.Writer, articles []payments.Article) error {
	rows := [][]any{{"label", "unit_price", "code"}}
	for _, article := range articles {
		rows = append(rows, []any{article.Label, article.UnitPrice, article.Code})
	}
	if slices.ContainsFunc(articles, func(a payments.Article) bool { return a.Favourite != 0 }) {
		rows[0] = append(rows[0], "favourite")
		for i, article := range articles {
			var place any = ""
			if article.Favourite != 0 {
				place = article.Favourite
			}
			rows[i+1] = append(rows[i+1], place)
		}
	}
	if err := WriteCSV(to, rows); err != nil {
		return fmt.Errorf("write the articles: %w", err)
	}
	return nil
}
