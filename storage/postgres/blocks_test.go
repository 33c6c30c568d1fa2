package postgres_test

import (
	"strings"
	"testing"

	"checkout/till/storage/storagetest/postgrestest"
)

// A block of the index for searching is made from its own 64 orders, however
// many there are before and after: otherwise each 64th order, and a copy of a
// shop, would take the longer the more the shop has sold.
func TestABlockIsIndexedFromItsOwnOrders(t *testing.T) {
	address := postgrestest.Database(t)
	store := openAt(t, address)
	fill(t, store, 1)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	postgrestest.Script(t, address, `INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('id', n,
		'reference', 'T1-' || n, 'order_reference', 'REF_' || n, 'created_at', o.created_at + n))).*
		FROM orders o, generate_series(2, 10000) n WHERE o.id = 1`, "VACUUM ANALYZE orders")
	// The opening indexes them.
	if err := openAt(t, address).Close(); err != nil {
		t.Fatal(err)
	}
	const read = "SELECT coalesce(sum(idx_tup_read), 0)::text FROM pg_stat_user_indexes WHERE indexrelname = 'orders_created'"
	var got string
	expectSoon(t, "the blocks are read by key", func() bool {
		got = strings.Join(ask(t, address, "SELECT sum(idx_tup_read)::text FROM pg_stat_user_indexes WHERE indexrelname = 'orders_pkey'"), "")
		return len(got) >= len("10000")
	})
	if got = strings.Join(ask(t, address, read), ""); len(got) > len("10000") {
		t.Errorf("%s entries of the index of times were read for 156 blocks of 10 000 orders", got)
	}
}
