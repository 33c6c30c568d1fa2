package counter

import (
	"time"

	"checkout/till/tui/entry"
)

// refreshing is how long after a change of the store [Counter.Tick] reads the articles. The delay
// combines several changes into one read, and keeps a slow connection free while the cashier waits
// for a QR code.
const refreshing = 5 * time.Second

type catalogue struct {
	*Config
	*queue
	shelf   entry.Shelf
	loaded  bool      // A read has ended.
	changed time.Time // When the articles changed, or a read of them failed; zero once the next read has begun.
	reading bool
}

// Shelf returns the articles of the last read.
func (c *catalogue) Shelf() entry.Shelf { return c.shelf }

// ArticlesRead reports whether a read of the articles has ended, with or without an error.
func (c *catalogue) ArticlesRead() bool { return c.loaded }

// touch records that the articles may have changed. It keeps the time of the first change, so that
// further changes do not delay the read.
func (c *catalogue) touch() {
	if c.changed.IsZero() {
		c.changed = c.Now()
	}
}

func (c *catalogue) tick() {
	if c.Now().Sub(c.changed) >= refreshing {
		c.RefreshArticles()
	}
}

// RefreshArticles queues a read of the articles if they may have changed since the last read. It
// does nothing while a read runs.
func (c *catalogue) RefreshArticles() {
	if c.changed.IsZero() || c.reading {
		return
	}
	c.changed = time.Time{}
	c.reading = true
	c.do(ReadArticles{Shelf: c.shelf})
}

// ArticlesChanged queues a read of the articles. While another read runs, [Counter.Tick] queues it
// later. Call ArticlesChanged after a change of the articles.
func (c *catalogue) ArticlesChanged() {
	c.changed = c.Now()
	c.RefreshArticles()
}

func (c *catalogue) articlesRead(read ReadArticles) {
	c.reading = false
	c.loaded = true
	c.shelf = read.Shelf
	if read.Err != nil {
		c.changed = c.Now()
	}
	c.tell(ArticlesRead{})
}
