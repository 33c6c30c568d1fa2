package sqlstore

import (
	"context"
	"fmt"

	"checkout/till/payments"
)

const (
	saveArticle = `INSERT INTO articles (id, label, unit_price, code, favourite, uses) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO UPDATE SET label = excluded.label, unit_price = excluded.unit_price,
			code = excluded.code, favourite = excluded.favourite`

	// A unique index refuses what another article has, too, but a refusal can
	// cost the whole transaction.
	othersLabel = `SELECT COUNT(*) FROM articles WHERE label = $1 AND id <> $2`
	othersCode  = `SELECT COUNT(*) FROM articles WHERE code = $1 AND code <> '' AND id <> $2`

	giveFavourite = `UPDATE articles SET favourite = 0 WHERE favourite = $1 AND favourite <> 0 AND id <> $2`

	dropArticle = `DELETE FROM articles WHERE id = $1`

	countUse = `UPDATE articles SET uses = uses + 1 WHERE label = $1`

	allArticles = `SELECT id, label, unit_price, code, favourite, uses FROM articles ORDER BY uses DESC, label`
)

// Articles returns the catalogue, the most used first, and then by label.
func (s *Store) Articles(ctx context.Context) ([]payments.Article, error) {
	var articles []payments.Article
	err := s.readers.read(ctx, func(query queryFunc) (err error) {
		if articles, err = list(query, scanArticle, allArticles); err != nil {
			return fmt.Errorf("read articles: %w", err)
		}
		return nil
	})
	return articles, err
}

// SaveArticle writes an article, and takes its place among the favourites from
// whoever had it.
func (d desk) SaveArticle(article payments.Article) error {
	for _, unique := range []struct {
		query, value string
		taken        error
	}{
		{othersLabel, article.Label, payments.ErrLabelTaken},
		{othersCode, article.Code, payments.ErrCodeTaken},
	} {
		others, err := one(d.tx.query, scanInt, unique.query, unique.value, article.ID)
		if err != nil {
			return fmt.Errorf("look for other articles: %w", err)
		}
		if others > 0 {
			return unique.taken
		}
	}
	_, err := d.tx.exec(saveArticle, article.ID, article.Label, int64(article.UnitPrice), article.Code,
		article.Favourite, article.Uses)
	if err != nil {
		return fmt.Errorf("save article: %w", err)
	}
	if _, err := d.tx.exec(giveFavourite, article.Favourite, article.ID); err != nil {
		return fmt.Errorf("give up a favourite's place: %w", err)
	}
	return nil
}

// DropArticle removes an article.
func (d desk) DropArticle(id string) error {
	if _, err := d.tx.exec(dropArticle, id); err != nil {
		return fmt.Errorf("drop article: %w", err)
	}
	return nil
}

// CountUse counts that an order has the article of a label.
func (d desk) CountUse(label string) error {
	if _, err := d.tx.exec(countUse, label); err != nil {
		return fmt.Errorf("count the use of an article: %w", err)
	}
	return nil
}

func scanArticle(scan scanFunc) (article payments.Article, err error) {
	err = scan(&article.ID, &article.Label, &article.UnitPrice, &article.Code, &article.Favourite, &article.Uses)
	return article, err
}
