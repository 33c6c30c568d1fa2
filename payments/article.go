package payments

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"checkout/till/payments/barcode"
)

// Bounds of an article.
const (
	MaxCodeLength = 64 // Of a code, in characters.
	MaxFavourite  = 9  // The highest place among the favourites.
)

// Why an article is not taken into the catalogue.
var (
	// ErrInvalidArticle says that an article cannot be sold as it is.
	ErrInvalidArticle = errors.New("invalid article")
	// ErrCodeTaken says that another article has the code already.
	ErrCodeTaken = errors.New("the code is another article's")
	// ErrLabelTaken says that another article has the label already.
	ErrLabelTaken = errors.New("the label is another article's")
)

// Article is something the shop sells at a fixed price. Labels are unique, and
// so are codes.
type Article struct {
	ID        string // The catalogue's own name of it; blank until it is stored.
	Label     string // Cleaned, never blank, at most MaxLabelWidth columns.
	UnitPrice Ariary // Price of one unit, 1 to MaxAriary.
	Code      string // What a scanner types, in the form of [barcode.Canonical], or blank.
	Favourite int    // Its place among the favourites, 1 to MaxFavourite; 0 for none.
	Uses      int64  // How many orders had it since it is in the catalogue.
}

// NewArticle returns an article with a clean label and a canonical code. Its errors
// are [ErrInvalidArticle] and [ErrTooLarge].
func NewArticle(label string, unitPrice Ariary, code string) (Article, error) {
	item, err := NewItem(label, unitPrice, 1)
	if errors.Is(err, ErrInvalidItem) {
		return Article{}, fmt.Errorf("%w (%w)", ErrInvalidArticle, err)
	}
	if err != nil {
		return Article{}, err
	}
	code = barcode.Canonical(code)
	if Clean(code, MaxCodeLength) != code || strings.Contains(code, " ") {
		return Article{}, fmt.Errorf("%w: a code is at most %d visible characters without blanks", ErrInvalidArticle, MaxCodeLength)
	}
	return Article{Label: item.Label, UnitPrice: item.UnitPrice, Code: code}, nil
}

// SaveArticles adds articles, or changes those that have their IDs, all of them or
// none. How often one was sold stays; one that is not stored, because it was dropped
// a moment ago, comes back with the count that it brings. Its errors are those of
// [NewArticle], [ErrCodeTaken], [ErrLabelTaken], and [ErrInvalidArticle] for a
// favourite beyond [MaxFavourite]; a favourite's place is taken from whoever had it.
func (s *Service) SaveArticles(ctx context.Context, articles []Article) error {
	saved := make([]Article, 0, len(articles))
	for _, article := range articles {
		checked, err := NewArticle(article.Label, article.UnitPrice, article.Code)
		if err != nil {
			return err
		}
		if article.Favourite < 0 || article.Favourite > MaxFavourite {
			return fmt.Errorf("%w: a favourite's place is 1 to %d", ErrInvalidArticle, MaxFavourite)
		}
		checked.ID, checked.Favourite = cmp.Or(article.ID, rand.Text()), article.Favourite
		if article.ID != "" {
			checked.Uses = max(0, article.Uses)
		}
		saved = append(saved, checked)
	}
	return s.store.Update(ctx, func(tx Tx) error {
		for i, article := range saved {
			if err := tx.SaveArticle(article); err != nil {
				return fmt.Errorf("article %d: %w", i+1, err)
			}
		}
		return nil
	})
}

// DropArticle takes an article out of the catalogue, by its ID. Orders keep
// their lines. It is no error when there is none.
func (s *Service) DropArticle(ctx context.Context, id string) error {
	return s.store.Update(ctx, func(tx Tx) error { return tx.DropArticle(id) })
}
