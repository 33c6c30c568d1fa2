package counter

import (
	"time"

	"checkout/till/tui/entry"
)

// refreshing is how long after a change of the store [Counter.Tick] reads the articles, because
// another process may have imported some. The pause joins several changes into one read. It also
// leaves the connection to a distant database free while the cashier waits for a code.
const refreshing = 5 * time.Second

// catalogue has the articles of the last read, and knows when to read them again. At most one read runs.
type catalogue struct {
	shelf   entry.Shelf
	loaded  bool      // A read has ended.
	changed time.Time // Since when the articles may have changed after the last read; zero if they have not.
	reading bool
}

// touch records that the articles may have changed.
func (c *catalogue) touch(now time.Time) {
	if c.changed.IsZero() {
		c.changed = now
	}
}

// read returns the effect that reads the articles. It returns false if they have not changed, and while a read
// runs.
func (c *catalogue) read() (ReadArticles, bool) {
	if c.changed.IsZero() || c.reading {
		return ReadArticles{}, false
	}
	c.changed = time.Time{}
	c.reading = true
	return ReadArticles{Shelf: c.shelf}, true
}

// take stores the result of a read. After a failure, the articles are read again.
func (c *catalogue) take(read ReadArticles, now time.Time) {
	c.reading = false
	c.loaded = true
	c.shelf = read.Shelf
	if read.Err != nil {
		c.changed = now
	}
}
