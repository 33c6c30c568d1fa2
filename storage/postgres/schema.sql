-- What only PostgreSQL has. The tables of both databases are in sqlstore/tables.go.

-- Keys have no gaps and follow the commit order, because only one transaction writes at a
-- time: it locks the row of the change sequence.
CREATE FUNCTION next_order() RETURNS bigint LANGUAGE sql VOLATILE
	AS 'SELECT coalesce(max(id), 0) + 1 FROM orders';
ALTER TABLE orders ALTER COLUMN id SET DEFAULT next_order();

CREATE INDEX orders_created ON orders (created_at, id);
CREATE INDEX orders_status ON orders (status, created_at, id);
CREATE INDEX orders_till ON orders (till, created_at, id);
CREATE INDEX orders_open ON orders (created_at, id) WHERE open;
CREATE INDEX orders_paid ON orders (paid_at, id) WHERE paid_at IS NOT NULL;

-- Trigram index, if the database has the extension: it finds any part of a text. Without it
-- a search compares the text of each order.
DO $$
BEGIN
	IF EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm') THEN
		CREATE INDEX orders_search ON orders USING gin (search gin_trgm_ops);
	END IF;
END
$$;

-- Without this, the column would have another collation than in existing databases.
ALTER TABLE cashiers ALTER COLUMN tries TYPE text COLLATE "default";

-- Signs of life of the shop's webhook listeners. A sign is no change: it leaves the change
-- sequence as it is.
CREATE TABLE listeners (
	name    text COLLATE "C" PRIMARY KEY,  -- the listener's machine and port
	seen_at bigint NOT NULL  -- by this server's clock
);

-- Notifies watchers of every commit that changed something, with its change sequence. They
-- also poll the change sequence, because a notification can be lost with its connection.
CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql
	AS 'BEGIN PERFORM pg_notify(''till_change'', new.value::text); RETURN NULL; END';
CREATE TRIGGER meta_change AFTER UPDATE ON meta FOR EACH ROW
	WHEN (new.key = 'change_seq' AND new.value <> old.value) EXECUTE FUNCTION tell_change();
