package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"

	"checkout/till/payments"
)

const salesOfTill = `SELECT id, till, name, items, description, updated_at FROM sales WHERE till = $1
	ORDER BY updated_at DESC, id`

func saleColumns(s *payments.Sale) []any {
	return []any{
		clean(&s.ID, maxKey), clean(&s.Till, payments.MaxTillWidth), clean(&s.Name, payments.MaxLabelWidth),
		jsonText(func(items []saleItem) {
			for _, item := range items {
				item.Label = payments.Clean(item.Label, payments.MaxLabelWidth)
				s.Items = append(s.Items, payments.Item(item))
			}
		}), clean(&s.Description, payments.MaxDescriptionWidth), instant(&s.UpdatedAt),
	}
}

// saleItem is an item as it stands in a sale's row.
type saleItem struct {
	Label     string          `json:"label"`
	UnitPrice payments.Ariary `json:"unit_price"`
	Quantity  int64           `json:"quantity"`
	ListPrice payments.Ariary `json:"list_price,omitzero"`
}

const (
	saveSale = `INSERT INTO sales (id, till, name, items, description, updated_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO UPDATE SET till = excluded.till, name = excluded.name, items = excluded.items,
			description = excluded.description, updated_at = excluded.updated_at`

	deleteSale = `DELETE FROM sales WHERE id = $1`

	nextNumber = `INSERT INTO counters (series, value) VALUES ($1, 1)
		ON CONFLICT (series) DO UPDATE SET value = counters.value + 1 RETURNING value`

	lastSeries = `SELECT coalesce(max(series), '') FROM counters WHERE series >= $1 AND series < $2`
)

// Sales returns the till's sales that are being entered, newest first.
func (s *Store) Sales(ctx context.Context, till string) ([]payments.Sale, error) {
	return readAll(ctx, s, "read sales", saleColumns, salesOfTill, till)
}

// Sales returns the transaction's part for sales, their numbers and articles.
func (t *tx) Sales() payments.Sales { return t }

// NextNumber returns the next number of a series.
func (t *tx) NextNumber(series string) (int64, error) {
	t.note(1)
	return one(t, "take a number", column[int64], nextNumber, series)
}

// LastSeries returns the last series of a range.
func (t *tx) LastSeries(from, to string) (string, error) {
	return one(t, "read a series", column[string], lastSeries, from, to)
}

// SaveSale writes a sale that is being entered.
func (t *tx) SaveSale(s payments.Sale) error {
	items := make([]saleItem, 0, len(s.Items))
	for _, item := range s.Items {
		items = append(items, saleItem(item))
	}
	encoded, err := json.Marshal(items)
	if err != nil {
		return fmt.Errorf("encode the sale's items: %w", err)
	}
	return t.write("save sale", saveSale, s.ID, s.Till, s.Name, string(encoded), s.Description, s.UpdatedAt.UnixMilli())
}

// DropSale removes a sale.
func (t *tx) DropSale(id string) error { return t.write("drop sale", deleteSale, id) }

const allArticles = `SELECT id, label, unit_price, code, favourite, uses FROM articles ORDER BY uses DESC, label`

func articleColumns(a *payments.Article) []any {
	return []any{
		clean(&a.ID, maxKey), clean(&a.Label, payments.MaxLabelWidth), &a.UnitPrice,
		clean(&a.Code, payments.MaxCodeLength), &a.Favourite, &a.Uses,
	}
}

const (
	saveArticle = `INSERT INTO articles (id, label, unit_price, code, favourite, uses) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO UPDATE SET label = excluded.label, unit_price = excluded.unit_price,
			code = excluded.code, favourite = excluded.favourite`

	// A unique index refuses what another article has, too, but on PostgreSQL a
	// refusal costs the whole transaction.
	selectTaken = `SELECT (SELECT count(*) FROM articles WHERE label = $1 AND id <> $3),
		(SELECT count(*) FROM articles WHERE code = $2 AND code <> '' AND id <> $3)`

	yieldFavourite = `UPDATE articles SET favourite = 0 WHERE favourite = $1 AND id <> $2`

	// An overflow would keep the article from being charged.
	countUse = `UPDATE articles SET uses = uses + 1 WHERE label = $1 AND uses < 1000000000000`

	deleteArticle = `DELETE FROM articles WHERE id = $1`
)

// Articles returns the catalogue, the most used first, and then by label.
func (s *Store) Articles(ctx context.Context) ([]payments.Article, error) {
	return readAll(ctx, s, "read articles", articleColumns, allArticles)
}

// SaveArticle writes an article, and takes its place among the favourites from
// whoever had it.
func (t *tx) SaveArticle(a payments.Article) error {
	type taken struct{ label, code int }
	columns := func(others *taken) []any { return []any{&others.label, &others.code} }
	others, err := one(t, "look for other articles", columns, selectTaken, a.Label, a.Code, a.ID)
	switch {
	case err != nil:
		return err
	case others.label > 0:
		return payments.ErrLabelTaken
	case others.code > 0:
		return payments.ErrCodeTaken
	}
	err = t.write("save article", saveArticle, a.ID, a.Label, int64(a.UnitPrice), a.Code, a.Favourite, a.Uses)
	if err != nil || a.Favourite == 0 {
		return err
	}
	return t.write("save article", yieldFavourite, a.Favourite, a.ID)
}

// CountUse counts that an order has the article of a label.
func (t *tx) CountUse(label string) error {
	return t.write("count the use of an article", countUse, label)
}

// DropArticle removes an article.
func (t *tx) DropArticle(id string) error { return t.write("drop article", deleteArticle, id) }
