package sqlstore

import (
	"encoding/json"
	"fmt"
	"time"

	"checkout/till/payments"
)

const (
	nextNumber = `INSERT INTO counters (series, value) VALUES ($1, 1)
		ON CONFLICT (series) DO UPDATE SET value = counters.value + 1 RETURNING value`

	saveSale = `INSERT INTO sales (id, till, name, items, description, updated_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO UPDATE SET till = excluded.till, name = excluded.name, items = excluded.items,
			description = excluded.description, updated_at = excluded.updated_at`

	dropSale = `DELETE FROM sales WHERE id = $1`

	salesOfTill = `SELECT id, till, name, items, description, updated_at FROM sales WHERE till = $1
		ORDER BY updated_at DESC, id`
)

// desk is the part of a transaction that concerns a till's own work.
type desk struct{ tx *transaction }

// NextNumber returns the next number of a series.
func (d desk) NextNumber(series string) (int64, error) {
	number, err := one(d.tx.query, scanInt, nextNumber, series)
	if err != nil {
		return 0, fmt.Errorf("take a number: %w", err)
	}
	d.tx.note(1)
	return number, nil
}

// SaveSale writes a sale that is being entered.
func (d desk) SaveSale(sale payments.Sale) error {
	items := make([]saleItem, 0, len(sale.Items))
	for _, item := range sale.Items {
		items = append(items, saleItem(item))
	}
	text, err := json.Marshal(items)
	if err != nil {
		return fmt.Errorf("encode the sale's items: %w", err)
	}
	_, err = d.tx.exec(saveSale, sale.ID, sale.Till, sale.Name, string(text), sale.Description, sale.UpdatedAt.UnixMilli())
	if err != nil {
		return fmt.Errorf("save sale: %w", err)
	}
	return nil
}

// DropSale removes a sale.
func (d desk) DropSale(id string) error {
	if _, err := d.tx.exec(dropSale, id); err != nil {
		return fmt.Errorf("drop sale: %w", err)
	}
	return nil
}

// saleItem is an item as it stands in a sale's row.
type saleItem struct {
	Label     string          `json:"label"`
	UnitPrice payments.Ariary `json:"unit_price"`
	Quantity  int64           `json:"quantity"`
	ListPrice payments.Ariary `json:"list_price,omitzero"`
}

// scanSale reads a row of salesOfTill.
func scanSale(scan scanFunc) (payments.Sale, error) {
	var (
		sale    payments.Sale
		text    string
		updated int64
		items   []saleItem
	)
	if err := scan(&sale.ID, &sale.Till, &sale.Name, &text, &sale.Description, &updated); err != nil {
		return payments.Sale{}, err
	}
	if err := json.Unmarshal([]byte(text), &items); err != nil {
		return payments.Sale{}, fmt.Errorf("decode the sale's items: %w", err)
	}
	for _, item := range items {
		sale.Items = append(sale.Items, payments.Item(item))
	}
	sale.UpdatedAt = time.UnixMilli(updated).UTC()
	return sale, nil
}
