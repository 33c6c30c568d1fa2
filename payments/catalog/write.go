package catalog

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"checkout/till/payments"
)

// Write writes articles as a table with headings, in the order they have, with
// the line ends that spreadsheets expect. The errors are the writer's.
func Write(to io.Writer, articles []payments.Article) error {
	favourites := slices.ContainsFunc(articles, func(a payments.Article) bool { return a.Favourite != 0 })
	rows := [][]string{{"label", "unit_price", "code"}}
	if favourites {
		rows[0] = append(rows[0], "favourite")
	}
	for _, article := range articles {
		row := []string{Guard(article.Label), article.UnitPrice.String(), Guard(article.Code)}
		if favourites {
			row = append(row, place(article.Favourite))
		}
		rows = append(rows, row)
	}
	table := csv.NewWriter(to)
	table.UseCRLF = true
	if err := table.WriteAll(rows); err != nil {
		return fmt.Errorf("write the articles: %w", err)
	}
	return nil
}

func place(favourite int) string {
	if favourite == 0 {
		return ""
	}
	return strconv.Itoa(favourite)
}
