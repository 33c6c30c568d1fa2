package e2e_test

import (
	"testing"
	"time"

	"checkout/till/storage/storagetest/postgrestest"
)

// store is what a shop keeps its data in.
type store string

// The databases.
const (
	file   store = "SQLite"
	server store = "PostgreSQL"
)

// onEach tells a story on each database, at the same time: the same happens on
// both, and most of a story is waiting.
func onEach(t *testing.T, story func(t *testing.T, at store)) {
	t.Helper()
	for _, at := range []store{file, server} {
		t.Run("P8 on "+string(at), func(t *testing.T) {
			t.Parallel()
			story(t, at)
		})
	}
}

// open does what [open] does, for a shop on the database.
func (s store) open(t *testing.T, lifetime time.Duration) *shop {
	t.Helper()
	return s.place(t, open(t, lifetime))
}

// openAt does what [openAt] does, for a shop on the database.
func (s store) openAt(t *testing.T, baseURL string) *shop {
	t.Helper()
	return s.place(t, openAt(t, baseURL))
}

func (s store) place(t *testing.T, shop *shop) *shop {
	t.Helper()
	if s == server {
		shop.address = postgrestest.Database(t)
	}
	return shop
}
