package sqlstore

import (
	"context"

	"checkout/till/payments"
)

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
	labelTaken = `SELECT count(*) FROM articles WHERE label = $1 AND id <> $2`
	codeTaken  = `SELECT count(*) FROM articles WHERE code = $1 AND code <> '' AND id <> $2`

	yieldFavourite = `UPDATE articles SET favourite = 0 WHERE favourite = $1 AND favourite <> 0 AND id <> $2`

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
	for _, unique := range []struct {
		query, value string
		taken        error
	}{
		{labelTaken, a.Label, payments.ErrLabelTaken},
		{codeTaken, a.Code, payments.ErrCodeTaken},
	} {
		others, err := one(t, "look for other articles", column[int], unique.query, unique.value, a.ID)
		if err != nil {
			return err
		}
		if others > 0 {
			return unique.taken
		}
	}
	if err := t.write("save article", saveArticle, a.ID, a.Label, int64(a.UnitPrice), a.Code, a.Favourite, a.Uses); err != nil {
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
