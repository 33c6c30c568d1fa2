package sqlstore

import (
	"context"
	"fmt"

	"checkout/till/payments"
)

const (
	allArticles = `SELECT id, label, unit_price, code, favourite, uses FROM articles ORDER BY uses DESC, label`

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

// scanArticle reads a row of allArticles.
func scanArticle(scan scanFunc) (article payments.Article, err error) {
	err = scan(clean(&article.ID, maxKey), clean(&article.Label, payments.MaxLabelWidth), &article.UnitPrice,
		clean(&article.Code, payments.MaxCodeLength), &article.Favourite, &article.Uses)
	return article, err
}

// Articles returns the catalogue, the most used first, and then by label.
func (s *Store) Articles(ctx context.Context) ([]payments.Article, error) {
	return readAll(ctx, s, "read articles", scanArticle, allArticles)
}

// SaveArticle writes an article, and takes its place among the favourites from
// whoever had it.
func (t *tx) SaveArticle(article payments.Article) error {
	for _, unique := range []struct {
		query, value string
		taken        error
	}{
		{labelTaken, article.Label, payments.ErrLabelTaken},
		{codeTaken, article.Code, payments.ErrCodeTaken},
	} {
		others, err := one(t, scanOne[int], unique.query, unique.value, article.ID)
		if err != nil {
			return fmt.Errorf("look for other articles: %w", err)
		}
		if others > 0 {
			return unique.taken
		}
	}
	_, err := t.exec(saveArticle, article.ID, article.Label, int64(article.UnitPrice), article.Code, article.Favourite, article.Uses)
	if err == nil {
		_, err = t.exec(yieldFavourite, article.Favourite, article.ID)
	}
	return wrap("save article", err)
}

// CountUse counts that an order has the article of a label.
func (t *tx) CountUse(label string) error {
	_, err := t.exec(countUse, label)
	return wrap("count the use of an article", err)
}

// DropArticle removes an article.
func (t *tx) DropArticle(id string) error {
	_, err := t.exec(deleteArticle, id)
	return wrap("drop article", err)
}
