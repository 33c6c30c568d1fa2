package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"checkout/till/payments"
	"checkout/till/payments/clean"
	"checkout/till/payments/money"
)

func saleColumns(s *payments.Sale) []any {
	return []any{
		cleaned(&s.ID, maxKey), cleaned(&s.Till, payments.MaxTillWidth), cleaned(&s.Name, payments.MaxLabelWidth),
		itemsText(&s.Items), cleaned(&s.Description, payments.MaxDescriptionWidth), cleaned(&s.Debt, maxKey), instant(&s.UpdatedAt),
	}
}

type saleItem struct {
	Label     string       `json:"label"`
	UnitPrice money.Ariary `json:"unit_price"`
	Quantity  int64        `json:"quantity"`
	ListPrice money.Ariary `json:"list_price,omitzero"`
	Measure   measure      `json:"measure,omitzero"`
}

type measure struct {
	Article     string       `json:"article"`
	Thousandths int64        `json:"thousandths"`
	Unit        string       `json:"unit"`
	Price       money.Ariary `json:"price"`
}

func (m measure) clean() payments.Measure {
	m.Article = clean.Text(m.Article, payments.MaxLabelWidth)
	m.Unit = clean.Text(m.Unit, maxUnit)
	return payments.Measure(m)
}

// measureText returns a scanner for the JSON of a measure. An empty text gives the zero
// measure.
func measureText(into *payments.Measure) scanner {
	return jsonText(func(row measure) { *into = row.clean() })
}

func encodeMeasure(m payments.Measure) string {
	if m == (payments.Measure{}) {
		return ""
	}
	encoded, _ := json.Marshal(measure(m)) //nolint:errchkjson // Texts and numbers can always be encoded.
	return string(encoded)
}

// maxUnit is the maximum width of an article's unit, in terminal columns.
const maxUnit = 8

// itemsText returns a scanner for the JSON of items. It appends the items to *into, with texts that
// are safe to display.
func itemsText(into *[]payments.Item) scanner {
	return jsonText(func(items []saleItem) {
		for _, item := range items {
			*into = append(*into, payments.Item{
				Label: clean.Text(item.Label, payments.MaxLabelWidth), UnitPrice: item.UnitPrice,
				Quantity: item.Quantity, ListPrice: item.ListPrice, Measure: item.Measure.clean(),
			})
		}
	})
}

func encodeItems(items []payments.Item) (string, error) {
	rows := make([]saleItem, 0, len(items))
	for _, item := range items {
		rows = append(rows, saleItem{item.Label, item.UnitPrice, item.Quantity, item.ListPrice, measure(item.Measure)})
	}
	encoded, err := json.Marshal(rows)
	if err != nil {
		return "", fmt.Errorf("encode items: %w", err)
	}
	return string(encoded), nil
}

// Sales implements [payments.Store].
func (s *Store) Sales(ctx context.Context, till string) ([]payments.Sale, error) {
	return readAll(ctx, s, "read sales", saleColumns,
		`SELECT id, till, name, items, description, debt, updated_at FROM sales WHERE till = $1 ORDER BY updated_at DESC, id`, till)
}

func (t *tx) NextNumber(series string) (int64, error) {
	t.note(1)
	return one(t, "take a number", column[int64], `INSERT INTO counters (series, value) VALUES ($1, 1)
		ON CONFLICT (series) DO UPDATE SET value = counters.value + 1 RETURNING value`, series)
}

func (t *tx) Tag() (string, error) {
	number, err := one(t, "read the tag", column[int64], `SELECT value FROM meta WHERE key = 'tag'`)
	return fmt.Sprintf("%c%c", 'A'+number/letters, 'A'+number%letters), err
}

func (t *tx) ClaimTill(code, name string) (string, error) {
	if err := t.write("hold a till's code", `INSERT INTO tills (code, name) VALUES ($1, $2) ON CONFLICT (code) DO NOTHING`, code, name); err != nil {
		return "", err
	}
	return one(t, "read a till's name", tillColumns, `SELECT name FROM tills WHERE code = $1`, code)
}

func tillColumns(name *string) []any { return []any{cleaned(name, payments.MaxTillWidth)} }

func (t *tx) Tills() ([]string, error) {
	return list(t, "read the tills", tillColumns, `SELECT name FROM tills ORDER BY code`)
}

func (t *tx) LastSeries(from, to string) (string, error) {
	return one(t, "read a series", column[string],
		`SELECT coalesce(max(series), '') FROM counters WHERE series >= $1 AND series < $2`, from, to)
}

func (t *tx) SaveSale(s payments.Sale) error {
	encoded, err := encodeItems(s.Items)
	if err != nil {
		return err
	}
	return t.write("save sale", `INSERT INTO sales (id, till, name, items, description, debt, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET till = excluded.till, name = excluded.name, items = excluded.items,
			description = excluded.description, debt = excluded.debt, updated_at = excluded.updated_at`,
		s.ID, s.Till, s.Name, encoded, s.Description, string(s.Debt), s.UpdatedAt.UnixMilli())
}

func (t *tx) DropSale(id string) error {
	return t.write("drop sale", `DELETE FROM sales WHERE id = $1`, id)
}

func articleColumns(a *payments.Article) []any {
	return []any{
		cleaned(&a.ID, maxKey), cleaned(&a.Label, payments.MaxLabelWidth), &a.UnitPrice,
		cleaned(&a.Code, payments.MaxCodeLength), &a.Favourite, &a.Uses, cleaned(&a.Unit, maxUnit),
	}
}

const selectArticle = `SELECT id, label, unit_price, code, favourite, uses, unit FROM articles `

// Articles implements [payments.Reader].
func (s *Store) Articles(ctx context.Context) ([]payments.Article, error) {
	return readAll(ctx, s, "read articles", articleColumns, selectArticle+`ORDER BY uses DESC, label`)
}

func (t *tx) Article(id string) (payments.Article, error) {
	article, err := one(t, "read article", articleColumns, selectArticle+`WHERE id = $1`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return payments.Article{}, payments.ErrNotFound
	}
	return article, err
}

func (t *tx) SaveArticle(a payments.Article) error {
	type taken struct{ label, code int }
	columns := func(others *taken) []any { return []any{&others.label, &others.code} }
	// Look for other articles first. The unique indexes would refuse the article, too, but on
	// PostgreSQL a refused statement aborts the transaction.
	others, err := one(t, "look for other articles", columns,
		`SELECT (SELECT count(*) FROM articles WHERE label = $1 AND id <> $3),
			(SELECT count(*) FROM articles WHERE code = $2 AND code <> '' AND id <> $3)`, a.Label, a.Code, a.ID)
	switch {
	case err != nil:
		return err
	case others.label > 0:
		return payments.ErrLabelTaken
	case others.code > 0:
		return payments.ErrCodeTaken
	}
	err = t.write("save article", `INSERT INTO articles (id, label, unit_price, code, favourite, uses, unit)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET label = excluded.label, unit_price = excluded.unit_price,
			code = excluded.code, favourite = excluded.favourite, unit = excluded.unit`,
		a.ID, a.Label, int64(a.UnitPrice), a.Code, a.Favourite, a.Uses, a.Unit)
	if err != nil || a.Favourite == 0 {
		return err
	}
	return t.write("save article", `UPDATE articles SET favourite = 0 WHERE favourite = $1 AND id <> $2`, a.Favourite, a.ID)
}

// CountUse adds one to the use count of an article. It stops counting at 10^12, because an
// overflow would make the order fail.
func (t *tx) CountUse(label string) error {
	return t.write("count the use of an article",
		`UPDATE articles SET uses = uses + 1 WHERE label = $1 AND uses < 1000000000000`, label)
}

func (t *tx) DropArticle(id string) error {
	return t.write("drop article", `DELETE FROM articles WHERE id = $1`, id)
}
