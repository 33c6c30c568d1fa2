package payments

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"checkout/till/payments/barcode"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

// Limits of an [Article].
const (
	MaxCodeLength = 64 // Longest code, in terminal columns.
	MaxFavourite  = 9  // Favourites have the numbers from 1 to this one.
)

// Errors of [NewArticle] and [Service.ChangeArticles].
var (
	ErrInvalidArticle = errors.New("invalid article")
	ErrCodeTaken      = errors.New("the code is another article's")
	ErrLabelTaken     = errors.New("the label is another article's")
)

// Article is something that the shop sells at a fixed price. Labels are unique, and so are codes
// that are not empty.
type Article struct {
	ID        string       // Key in the catalogue; empty for a new article.
	Label     string       // Cleaned by [clean.Text], not blank, at most MaxLabelWidth columns.
	UnitPrice money.Ariary // 1 to MaxAriary.
	Code      string       // Barcode in the form of [barcode.Canonical]; may be empty.
	Favourite int          // 1 to MaxFavourite; 0 if the article is not a favourite.
	Uses      int64        // Number of lines with this article in orders and cash sales. Payments of the rest of a sale add none.
	Unit      string       // kg, l or m; blank for an article that is sold by the piece.
}

// Units returns the valid units of an [Article]. The blank one means by the piece.
func Units() []string { return []string{"", "kg", "l", "m"} }

// NewArticle returns an article. It cleans the label with [clean.Text], and makes the code
// canonical. It returns [money.ErrTooLarge] for a price above [money.MaxAriary], and
// [ErrInvalidArticle] for any other invalid value.
func NewArticle(label string, unitPrice money.Ariary, code string) (Article, error) {
	item, err := NewItem(label, unitPrice, 1)
	if errors.Is(err, ErrInvalidItem) {
		return Article{}, fmt.Errorf("%w (%w)", ErrInvalidArticle, err)
	}
	if err != nil {
		return Article{}, err
	}
	code = barcode.Canonical(code)
	if clean.Text(code, MaxCodeLength) != code || strings.Contains(code, " ") {
		return Article{}, fmt.Errorf("%w: a code is at most %d visible characters without blanks", ErrInvalidArticle, MaxCodeLength)
	}
	return Article{Label: item.Label, UnitPrice: item.UnitPrice, Code: code}, nil
}

// ArticleChange is an article before and after a change. For a new article, From is empty and To has
// no ID.
type ArticleChange struct{ From, To Article }

// onto returns the stored article with To's values where From and To differ.
func (c ArticleChange) onto(stored Article) Article {
	if c.To.Label != c.From.Label {
		stored.Label = c.To.Label
	}
	if c.To.UnitPrice != c.From.UnitPrice {
		stored.UnitPrice = c.To.UnitPrice
	}
	if c.To.Code != c.From.Code {
		stored.Code = c.To.Code
	}
	if c.To.Unit != c.From.Unit {
		stored.Unit = c.To.Unit
	}
	if c.To.Favourite != c.From.Favourite {
		stored.Favourite = c.To.Favourite
	}
	return stored
}

// AddArticles adds new articles. The errors are those of [Service.ChangeArticles].
func (s *Service) AddArticles(ctx context.Context, articles []Article) error {
	var changes []ArticleChange
	for _, article := range articles {
		changes = append(changes, ArticleChange{To: article})
	}
	return s.ChangeArticles(ctx, changes)
}

// ChangeArticles adds and changes articles in one transaction. It writes only the values that
// differ between From and To, because another till may have changed the others. An article that was
// removed meanwhile is added again. The errors are those of [NewArticle], [ErrCodeTaken] and
// [ErrLabelTaken].
func (s *Service) ChangeArticles(ctx context.Context, changes []ArticleChange) error {
	return s.store.Update(ctx, func(tx Tx) error {
		for i, change := range changes {
			if err := change.save(tx); err != nil {
				return fmt.Errorf("article %d: %w", i+1, err)
			}
		}
		return nil
	})
}

func (c ArticleChange) save(tx Tx) error {
	article := c.To
	if article.ID == "" {
		article.ID, article.Uses = rand.Text(), 0
	} else if stored, err := tx.Article(article.ID); err == nil {
		article = c.onto(stored)
	} else if !errors.Is(err, ErrNotFound) {
		return err
	}
	checked, err := NewArticle(article.Label, article.UnitPrice, article.Code)
	switch {
	case err != nil:
		return err
	case article.Favourite < 0 || article.Favourite > MaxFavourite:
		return fmt.Errorf("%w: a favourite's place is 1 to %d", ErrInvalidArticle, MaxFavourite)
	case !slices.Contains(Units(), article.Unit):
		return fmt.Errorf("%w: a unit is kg, l, m or blank", ErrInvalidArticle)
	}
	article.Label, article.Code = checked.Label, checked.Code
	return tx.SaveArticle(article)
}

// DropArticle removes an article by its ID. A missing article is not an error.
func (s *Service) DropArticle(ctx context.Context, id string) error {
	return s.store.Update(ctx, func(tx Tx) error { return tx.DropArticle(id) })
}
