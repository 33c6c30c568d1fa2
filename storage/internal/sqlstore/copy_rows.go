package sqlstore

import (
	"context"
	"fmt"
)

// orders copies the orders with their items, and leaves those that the target
// has as they are: every change of an order has a number of its own.
func (c *copying) orders(ctx context.Context) error {
	orders, items := newPart(orderTable()), newPart(itemTable())
	err := c.pages(ctx, orders, c.newest, func(page []row, after, upto int64) (func(*transaction) error, error) {
		ofThem, err := items.table.between(c.source.query, after, upto)
		if err != nil {
			return nil, err
		}
		items.count(ofThem)
		return func(tx *transaction) error {
			for _, t := range []table{items.table, orders.table} {
				if _, err := tx.exec(t.clear(), after, upto); err != nil {
					return err
				}
			}
			if err := c.insert(tx, orders.table, page); err != nil {
				return err
			}
			if err := c.insert(tx, items.table, ofThem); err != nil {
				return err
			}
			return c.indexPage(tx, page)
		}, nil
	})
	c.copied.Tables = append(c.copied.Tables, orders.tally(), items.tally())
	return err
}

// indexPage lets orders be found that the index held already as they were.
func (c *copying) indexPage(tx *transaction, page []row) error {
	t := orderTable()
	id, search := t.place("id"), t.place("search")
	for _, values := range page {
		key, _ := values[id].(int64)
		text, _ := values[search].(string)
		if key > c.indexed {
			return nil
		}
		if err := tx.indexLate(key, text); err != nil {
			return err
		}
	}
	return nil
}

// events copies the events. The source may have dropped some since they were
// copied.
func (c *copying) events(ctx context.Context) error {
	events := newPart(eventTable())
	newest, err := c.newestEvent(ctx)
	if err != nil {
		return err
	}
	err = c.pages(ctx, events, newest, func(page []row, after, upto int64) (func(*transaction) error, error) {
		return func(tx *transaction) error {
			if _, err := tx.exec(events.table.clear(), after, upto); err != nil {
				return err
			}
			return c.insert(tx, events.table, page)
		}, nil
	})
	if err == nil && newest > events.last {
		err = c.write(ctx, func(tx *transaction) error {
			_, err := tx.exec(events.table.clear(), events.last, newest)
			return err
		})
	}
	c.copied.Tables = append(c.copied.Tables, events.tally())
	return err
}

// newestEvent is the number of the target's newest event.
func (c *copying) newestEvent(ctx context.Context) (newest int64, err error) {
	err = c.store.readers.read(ctx, func(query queryFunc) (err error) {
		newest, err = one(query, scanInt, lastSequence)
		return err
	})
	return newest, err
}

// pages copies a table page by page. held is the target's last key; change
// returns what writes a page in place of the target's rows between two keys.
func (c *copying) pages(
	ctx context.Context, p *part, held int64,
	change func(page []row, after, upto int64) (func(*transaction) error, error),
) error {
	of, err := one(c.source.query, scanInt, p.table.countRows())
	if err != nil {
		return fmt.Errorf("read the source: %w", err)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		after := p.last
		page, err := p.table.page(c.source.query, after)
		if err != nil {
			return fmt.Errorf("read the source: %w", err)
		}
		if len(page) == 0 {
			return nil
		}
		p.count(page)
		write, err := change(page, after, p.last)
		if err != nil {
			return fmt.Errorf("read the source: %w", err)
		}
		same, err := c.holds(ctx, p.table, page, after, min(held, p.last))
		if err == nil && !same {
			err = c.write(ctx, write)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", p.table.name, err)
		}
		c.told(Progress{Table: p.table.name, Done: p.rows, Of: of})
	}
}

// holds tells whether the target's rows between two keys are those of a page.
func (c *copying) holds(ctx context.Context, t table, page []row, after, upto int64) (same bool, err error) {
	if upto <= after {
		return false, nil
	}
	want := newDigest()
	for _, values := range page {
		for _, column := range t.proof {
			want.add(values[t.place(column)])
		}
	}
	got := newDigest()
	err = c.store.readers.read(ctx, func(query queryFunc) error {
		proofs := table{name: t.name, columns: t.proof, key: t.key, order: t.order}
		rows, err := proofs.between(query, after, upto)
		for _, values := range rows {
			got.addAll(values)
		}
		return err
	})
	return err == nil && got.sum() == want.sum(), err
}

// rest copies the tables that are small.
func (c *copying) rest(ctx context.Context) error {
	for _, t := range restTables() {
		p := newPart(t)
		all, err := list(c.source.query, t.scan, t.whole())
		if err != nil {
			return fmt.Errorf("read the source: %w", err)
		}
		p.count(all)
		err = c.write(ctx, func(tx *transaction) error {
			if _, err := tx.exec(`DELETE FROM ` + t.name); err != nil {
				return err
			}
			return c.insert(tx, t, all)
		})
		if err != nil {
			return fmt.Errorf("write %s: %w", t.name, err)
		}
		c.copied.Tables = append(c.copied.Tables, p.tally())
		c.told(Progress{Table: t.name, Done: p.rows, Of: p.rows})
	}
	return nil
}

// insert writes rows, many with a statement. The numbers of rows are few, so
// that the statements are prepared once.
func (c *copying) insert(tx *transaction, t table, rows []row) error {
	for _, size := range []int{copyChunk, 64, 16, 4, 1} {
		for len(rows) >= size {
			values := make([]any, 0, size*len(t.columns))
			for _, row := range rows[:size] {
				values = append(values, row...)
			}
			if _, err := tx.exec(t.insert(size), values...); err != nil {
				return fmt.Errorf("insert: %w", err)
			}
			c.copied.Written += int64(size)
			rows = rows[size:]
		}
	}
	return nil
}
