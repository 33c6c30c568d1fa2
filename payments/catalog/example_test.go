package catalog_test

import (
	"fmt"
	"io"
	"strings"

	"checkout/till/payments"
	"checkout/till/payments/catalog"
)

// writeArticles writes articles with the headings that Read needs.
func writeArticles(to io.Writer, articles []payments.Article) error {
	headings := []any{"label", "unit_price", "code", "favourite", "unit"}
	return catalog.WriteTable(to, ',', append([][]any{headings}, catalog.Rows(articles)...))
}

func Example() {
	table, err := catalog.Read([]byte("label;unit_price;code\nVary;3 500;101\nCoca;free;\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	plan := table.Plan([]payments.Article{{ID: "1", Label: "Vary", UnitPrice: 3000, Code: "101"}})
	fmt.Println(len(plan.Added), len(plan.Changed), plan.Faults[0])
	var out strings.Builder
	if err := writeArticles(&out, []payments.Article{plan.Changed[0].To}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.ReplaceAll(out.String(), "\r\n", "\n"))
	// Output:
	// 0 1 line 3, column unit_price: "free": the price is not a whole number above zero: write it as 3500 or 3 500
	// label,unit_price,code,favourite,unit
	// Vary,3500,101,,
}
