package sqlstore

import (
	"fmt"
	"slices"
	"strings"

	"checkout/till/payments"
)

// itemChunk is for how many orders the items are read at once. The number is
// fixed, so that one prepared statement serves every list of orders.
const itemChunk = 50

type itemRow struct {
	order int64
	item  payments.Item
}

// addItems reads the items of orders into them.
func addItems(query queryFunc, rows []orderRow) error {
	text, size := itemsOfOne, 1
	if len(rows) > 1 {
		text, size = itemsOfMany(), itemChunk
	}
	for chunk := range slices.Chunk(rows, size) {
		ids := make([]any, size)
		place := make(map[int64]int, len(chunk))
		for i := range ids {
			ids[i] = int64(0) // No order has the key 0.
			if i < len(chunk) {
				ids[i], place[chunk[i].id] = chunk[i].id, i
			}
		}
		items, err := list(query, scanItem, text, ids...)
		if err != nil {
			return fmt.Errorf("read items: %w", err)
		}
		for _, row := range items {
			order := &chunk[place[row.order]].order
			order.Items = append(order.Items, row.item)
		}
	}
	return nil
}

const itemsOfOne = `SELECT order_id, label, unit_price, quantity, list_price FROM order_items
	WHERE order_id = $1 ORDER BY position`

func itemsOfMany() string {
	places := make([]string, itemChunk)
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	return `SELECT order_id, label, unit_price, quantity, list_price FROM order_items
		WHERE order_id IN (` + strings.Join(places, ", ") + `) ORDER BY order_id, position`
}

// scanItem reads an item and its order's key.
func scanItem(scan scanFunc) (row itemRow, err error) {
	err = scan(&row.order, &row.item.Label, &row.item.UnitPrice, &row.item.Quantity, &row.item.ListPrice)
	return row, err
}
