package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"

	"checkout/till/payments"
)

const (
	salesOfTill = `SELECT id, till, name, items, description, updated_at FROM sales WHERE till = $1
		ORDER BY updated_at DESC, id`

	saveSale = `INSERT INTO sales (id, till, name, items, description, updated_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO UPDATE SET till = excluded.till, name = excluded.name, items = excluded.items,
			description = excluded.description, updated_at = excluded.updated_at`

	deleteSale = `DELETE FROM sales WHERE id = $1`

	nextNumber = `INSERT INTO counters (series, value) VALUES ($1, 1)
		ON CONFLICT (series) DO UPDATE SET value = counters.value + 1 RETURNING value`
)

// saleItem is an item as it stands in a sale's row.
type saleItem struct {
	Label     string          `json:"label"`
	UnitPrice payments.Ariary `json:"unit_price"`
	Quantity  int64           `json:"quantity"`
	ListPrice payments.Ariary `json:"list_price,omitzero"`
}

// scanSale reads a row of salesOfTill.
func scanSale(scan scanFunc) (sale payments.Sale, err error) {
	var text string
	err = scan(clean(&sale.ID, maxKey), clean(&sale.Till, payments.MaxTillWidth), clean(&sale.Name, payments.MaxLabelWidth),
		&text, clean(&sale.Description, payments.MaxDescriptionWidth), instant{&sale.UpdatedAt})
	if err != nil {
		return payments.Sale{}, err
	}
	// Items that cannot be read must not hide the other sales. [Verify] names them.
	var items []saleItem
	_ = json.Unmarshal([]byte(text), &items)
	for _, item := range items {
		item.Label = payments.Clean(item.Label, payments.MaxLabelWidth)
		sale.Items = append(sale.Items, payments.Item(item))
	}
	return sale, nil
}

// Sales returns the till's sales that are being entered, newest first.
func (s *Store) Sales(ctx context.Context, till string) ([]payments.Sale, error) {
	return readAll(ctx, s, "read sales", scanSale, salesOfTill, till)
}

// Sales returns the transaction's part for sales, their numbers and articles.
func (t *tx) Sales() payments.Sales { return t }

// NextNumber returns the next number of a series.
func (t *tx) NextNumber(series string) (int64, error) {
	number, err := one(t, scanOne[int64], nextNumber, series)
	t.note(1)
	return number, wrap("take a number", err)
}

// SaveSale writes a sale that is being entered.
func (t *tx) SaveSale(sale payments.Sale) error {
	items := make([]saleItem, 0, len(sale.Items))
	for _, item := range sale.Items {
		items = append(items, saleItem(item))
	}
	text, err := json.Marshal(items)
	if err != nil {
		return fmt.Errorf("encode the sale's items: %w", err)
	}
	_, err = t.exec(saveSale, sale.ID, sale.Till, sale.Name, string(text), sale.Description, sale.UpdatedAt.UnixMilli())
	return wrap("save sale", err)
}

// DropSale removes a sale.
func (t *tx) DropSale(id string) error {
	_, err := t.exec(deleteSale, id)
	return wrap("drop sale", err)
}
