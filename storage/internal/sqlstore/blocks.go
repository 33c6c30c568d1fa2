package sqlstore

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"checkout/till/payments"
)

// fewOrders is among how many orders a text is looked for one by one.
const fewOrders = 5000

// someBlocks is how many blocks the index is asked for at a time.
const someBlocks = 32

// lastBlockBefore is the last block with an order made before a moment.
const lastBlockBefore = `SELECT block FROM order_blocks WHERE oldest < $1 ORDER BY block DESC LIMIT 1`

const placeOfOrder = `SELECT created_at, id FROM orders WHERE reference = $1`

// find returns the orders of a query, newest first. Where other conditions leave
// fewer than few, each is looked at.
func (g Grams) find(query queryFunc, asked payments.Query, few int) ([]orderRow, error) {
	text := searched(asked.Search)
	plain := g.Add == "" || text == ""
	if !plain && narrow(asked) {
		statement, args := countOrders(asked, few)
		count, err := one(query, scanInt, statement, args...)
		if err != nil {
			return nil, err
		}
		plain = count < int64(few)
	}
	if plain {
		statement, args := selectOrders(asked)
		return list(query, scanOrder, statement, args...)
	}
	search := blockSearch{query: query, grams: g, asked: asked, text: text, until: math.MaxInt64}
	return search.run()
}

// blockSearch finds the newest orders that hold a text: the index tells in
// which blocks they may lie, from the newest block on, and each order of such a
// block is looked at.
type blockSearch struct {
	query queryFunc
	grams Grams
	asked payments.Query
	text  string
	until int64 // Only what was made before can be found.
	found []orderRow
}

// block is a block that may hold the text.
type block struct{ number, newest int64 }

func (s *blockSearch) run() ([]orderRow, error) {
	c, err := s.conditions()
	if err != nil || c == nil {
		return nil, err
	}
	last, err := indexed(s.query)
	if err != nil {
		return nil, err
	}
	// What is not indexed yet is the newest of all.
	if err := s.look(c, last, math.MaxInt64); err != nil {
		return nil, err
	}
	newest := int64(math.MaxInt64)
	if s.until < math.MaxInt64 {
		if newest, err = one(s.query, scanInt, lastBlockBefore, s.until); missing(err) {
			newest, err = -1, nil
		}
		if err != nil {
			return nil, err
		}
	}
	if err := s.descend(c, newest); err != nil {
		return nil, err
	}
	s.cut()
	return s.found, nil
}

// descend looks at the blocks that may hold the text, from the newest on, some
// at a time: a connection may answer one query at a time.
func (s *blockSearch) descend(c *conditions, newest int64) error {
	statement, asked := s.grams.selectBlocks(), s.grams.Query(gramsOf(s.text))
	for {
		blocks, err := list(s.query, scanBlock, statement, asked, newest, s.until, someBlocks)
		if err != nil {
			return fmt.Errorf("search the index: %w", err)
		}
		for _, b := range blocks {
			if s.over(b.newest) {
				return nil
			}
			before, last := ends(b.number)
			if err := s.look(c, before, last); err != nil {
				return err
			}
			newest = b.number - 1
		}
		if len(blocks) < someBlocks {
			return nil
		}
	}
}

// selectBlocks is the statement that finds the blocks that may hold $1, from the
// newest on, up to block $2, with an order made before $3, at most $4 of them.
func (g Grams) selectBlocks() string {
	return `SELECT block, newest FROM ` + g.Table + ` JOIN order_blocks ON block = ` + g.Table + `.rowid
		WHERE ` + g.Match("$1") + ` AND ` + g.Table + `.rowid <= $2 AND oldest < $3
		ORDER BY ` + g.Table + `.rowid DESC LIMIT $4`
}

// conditions returns what the orders of a range of keys must fulfil; nil when
// none can. The first two parameters are the range, by which they are found;
// no other condition may lead to an index.
func (s *blockSearch) conditions() (*conditions, error) {
	c := &conditions{args: make([]any, 2), led: true}
	c.add(`id > $1 AND id <= $2`)
	asked := s.asked
	for _, equal := range []struct{ column, value string }{
		{"sale", asked.Sale}, {"status", string(asked.Status)}, {"till", asked.Till},
	} {
		if equal.value != "" {
			c.equal(equal.column, equal.value)
		}
	}
	if !asked.Check.IsZero() {
		c.add(`check_from + 0 < ` + c.parameter(checkedAt(asked)))
	}
	if asked.Open {
		c.add(`CASE WHEN open THEN 1 ELSE 0 END = 1`)
	}
	if !asked.Since.IsZero() {
		c.add(`created_at + 0 >= ` + c.parameter(asked.Since.UnixMilli()))
	}
	if !asked.Until.IsZero() {
		s.until = asked.Until.UnixMilli()
		c.add(`created_at + 0 < ` + c.parameter(s.until))
	}
	if asked.Before != "" {
		rows, err := list(s.query, scanPlace, placeOfOrder, asked.Before)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		created, id := rows[0].created, rows[0].id
		s.until = min(s.until, created+1)
		c.add(`(created_at + 0, id) < (` + c.parameter(created) + `, ` + c.parameter(id) + `)`)
	}
	c.add(`search LIKE ` + c.parameter(searchPattern(s.text)) + ` ESCAPE '\'`)
	return c, nil
}

// look adds the orders of a range of keys.
func (s *blockSearch) look(c *conditions, before, last int64) error {
	c.args[0], c.args[1] = before, last
	rows, err := list(s.query, scanOrder, selectOrder+c.where(), c.args...)
	s.found = append(s.found, rows...)
	return err
}

// over tells whether enough was found, of which nothing can be older than what
// lies in a block or in those before it: their newest order is this old.
// Orders are hardly ever made in another order than that of their keys, but
// clocks are set.
func (s *blockSearch) over(newest int64) bool {
	if !s.asked.Since.IsZero() && newest < s.asked.Since.UnixMilli() {
		return true
	}
	enough := limit(s.asked.Limit)
	if len(s.found) < enough {
		return false
	}
	s.cut()
	return s.found[enough-1].order.CreatedAt.UnixMilli() >= newest
}

// cut leaves as many orders as were asked for, newest first.
func (s *blockSearch) cut() {
	slices.SortFunc(s.found, func(a, b orderRow) int {
		return cmp.Or(b.order.CreatedAt.Compare(a.order.CreatedAt), cmp.Compare(b.id, a.id))
	})
	s.found = s.found[:min(len(s.found), limit(s.asked.Limit))]
}

func scanBlock(scan scanFunc) (b block, err error) {
	err = scan(&b.number, &b.newest)
	return b, err
}

// madeAt is when an order was made, and its key.
type madeAt struct{ created, id int64 }

func scanPlace(scan scanFunc) (at madeAt, err error) {
	err = scan(&at.created, &at.id)
	return at, err
}
