package sqlstore

import (
	"context"

	"checkout/till/payments"
)

// What the tests look at from outside.
const (
	MaxTally = maxTally
)

func (s *Store) Sequence() int64 {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	return s.hub.sequence
}

var (
	SelectOrders = selectOrders
	SearchText   = searchText
	GramsOf      = gramsOf
	SelectBlocks = Grams.selectBlocks
)

// Pattern is the pattern of a text that is searched for.
func Pattern(text string) string { return searchPattern(searched(text)) }

// BlockSize is how many orders are searched together.
const BlockSize = blockSize

// SelectBlock returns the statement that searches a block, and its values.
func SelectBlock(asked payments.Query) (string, []any) {
	search := blockSearch{asked: asked, text: searched(asked.Search), until: 1}
	c, err := search.conditions()
	if err != nil {
		panic(err)
	}
	c.args[0], c.args[1] = 0, 64
	return selectOrder + c.where(), c.args
}

// Compared finds the orders of a query by comparing each order's text.
func (s *Store) Compared(ctx context.Context, asked payments.Query) ([]payments.Order, error) {
	return s.by(ctx, func(query queryFunc) ([]orderRow, error) { return Grams{}.find(query, asked, 0) })
}

// Searched finds the orders of a query by the index, but among few.
func (s *Store) Searched(ctx context.Context, asked payments.Query, few int) ([]payments.Order, error) {
	return s.by(ctx, func(query queryFunc) ([]orderRow, error) {
		return s.readers.dialect.Grams().find(query, asked, few)
	})
}

func (s *Store) by(ctx context.Context, find func(queryFunc) ([]orderRow, error)) (found []payments.Order, err error) {
	err = s.readers.read(ctx, func(query queryFunc) error {
		rows, err := find(query)
		if err == nil {
			err = addItems(query, rows)
		}
		for _, row := range rows {
			found = append(found, row.order)
		}
		return err
	})
	return found, err
}

// Statements are those whose speed must not depend on how much is stored.
func Statements() map[string]string {
	return map[string]string{
		"order by reference":       orderByReference,
		"order by order reference": orderByOrderReference,
		"orders of a sale":         ordersOfSale,
		"events of an order":       eventsOfOrder,
		"unmatched events":         unmatchedEvents,
		"unnoticed events":         unnoticedEvents,
		"backlog":                  backlogEvents,
		"event by identity":        eventByID,
		"last sequence":            lastSequence,
		"items of many orders":     itemsOfMany(),
		"order of an event":        packedOrderOfEvent,
		"takings":                  selectTakings,
		"last block":               lastBlock,
		"last order":               lastOrder,
		"texts of a block":         textsOfBlock,
		"place of an order":        placeOfOrder,
		"orders under way":         movingOrders,
		"orders by key":            ordersFrom,
		"unmatched events, count":  countUnmatched,
	}
}

// CopiedColumns is how many columns a copy of a database has.
func CopiedColumns() (count int) {
	for _, t := range copiedTables() {
		count += len(t.columns)
	}
	return count
}
