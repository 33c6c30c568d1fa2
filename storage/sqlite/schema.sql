-- What only SQLite has. The tables of both databases are in sqlstore/tables.go.
PRAGMA application_id = 1953066092; -- 'till'

-- The row ID, which is orders.id, is at the end of every index.
CREATE INDEX orders_created ON orders (created_at);
CREATE INDEX orders_status ON orders (status, created_at);
CREATE INDEX orders_till ON orders (till, created_at);
CREATE INDEX orders_open ON orders (created_at) WHERE open;
CREATE INDEX orders_paid ON orders (paid_at) WHERE paid_at IS NOT NULL;

-- Trigram index: it finds any part of a text.
CREATE VIRTUAL TABLE orders_search USING fts5 (
	search, content = 'orders', content_rowid = 'id', detail = none, columnsize = 0, tokenize = 'trigram case_sensitive 1'
);
-- Common trigrams are in nearly all orders: small pages skip them faster.
INSERT INTO orders_search (orders_search, rank) VALUES ('pgsz', 500);
CREATE TRIGGER orders_search_insert AFTER INSERT ON orders BEGIN
	INSERT INTO orders_search (rowid, search) VALUES (new.id, new.search);
END;
CREATE TRIGGER orders_search_update AFTER UPDATE OF search ON orders BEGIN
	INSERT INTO orders_search (orders_search, rowid, search) VALUES ('delete', old.id, old.search);
	INSERT INTO orders_search (rowid, search) VALUES (new.id, new.search);
END;
