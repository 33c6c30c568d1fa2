-- The versions are those of the SQLite schema, and so are the tables. Times are
-- milliseconds since 1970 in UTC. Amounts are whole ariary. Flags are 0 or 1.

CREATE TABLE orders (
	id              bigint   PRIMARY KEY,
	reference       text     COLLATE "C" NOT NULL UNIQUE,
	sale            text     COLLATE "C" NOT NULL,
	till            text     COLLATE "C" NOT NULL,
	amount          bigint   NOT NULL,
	description     text     COLLATE "C" NOT NULL,
	created_at      bigint   NOT NULL,
	order_reference text     COLLATE "C" NOT NULL,  -- '' until the service named it
	link_url        text     COLLATE "C" NOT NULL,
	expires_at      bigint,
	link_assumed    smallint NOT NULL,
	status          text     COLLATE "C" NOT NULL,
	error           text     COLLATE "C" NOT NULL,
	paid_at         bigint,
	success_seen    smallint NOT NULL,
	expired_seen    smallint NOT NULL,
	given_up        smallint NOT NULL,
	not_sent        smallint NOT NULL,
	acknowledged    smallint NOT NULL,
	attention       text     COLLATE "C" NOT NULL,  -- words, parted by commas
	reported_amount text     COLLATE "C" NOT NULL,
	reported_unit   text     COLLATE "C" NOT NULL,
	finding_paid    smallint,                       -- null: no finding
	finding_by      text     COLLATE "C" NOT NULL,
	finding_note    text     COLLATE "C" NOT NULL,
	finding_at      bigint,
	finding_stale   smallint NOT NULL,
	open            boolean  NOT NULL,              -- the domain's Order.Open, when the row was written
	change_seq      bigint   NOT NULL,              -- meta's change_seq, when the row was written
	search          text     COLLATE "C" NOT NULL   -- the terms, folded for searching
);

-- Keys have no gaps and follow the commits, for one transaction writes at a
-- time: it holds the row of the change sequence.
CREATE FUNCTION next_order() RETURNS bigint LANGUAGE sql VOLATILE
	AS 'SELECT coalesce(max(id), 0) + 1 FROM orders';
ALTER TABLE orders ALTER COLUMN id SET DEFAULT next_order();

CREATE UNIQUE INDEX orders_order_reference ON orders (order_reference) WHERE order_reference <> '';
CREATE INDEX orders_created ON orders (created_at, id);
CREATE INDEX orders_status ON orders (status, created_at, id);
CREATE INDEX orders_till ON orders (till, created_at, id);
CREATE INDEX orders_open ON orders (created_at, id) WHERE open;
CREATE INDEX orders_sale ON orders (sale) WHERE sale <> '';

CREATE TABLE order_items (
	order_id   bigint NOT NULL REFERENCES orders (id),
	position   bigint NOT NULL,
	label      text   COLLATE "C" NOT NULL,
	unit_price bigint NOT NULL,
	quantity   bigint NOT NULL,
	PRIMARY KEY (order_id, position)
);

CREATE TABLE events (
	sequence        bigint PRIMARY KEY,             -- the order of arrival
	id              bytea  NOT NULL UNIQUE,         -- the event's identity
	order_id        bigint,                         -- orders.id; null while unmatched
	order_reference text   COLLATE "C" NOT NULL,
	kind            text   COLLATE "C" NOT NULL,
	kinds           bytea  NOT NULL,                -- a byte for each of the next five: how it stood in the JSON
	reference       bytea  NOT NULL,
	amount          bytea  NOT NULL,
	currency        bytea  NOT NULL,
	description     bytea  NOT NULL,
	error           bytea  NOT NULL,
	received_at     bigint NOT NULL,
	outcome         text   COLLATE "C" NOT NULL,
	count           bigint NOT NULL,
	body            bytea  NOT NULL,
	body_sha256     bytea  NOT NULL
);

CREATE INDEX events_order ON events (order_id, sequence);
CREATE INDEX events_unmatched ON events (order_reference) WHERE order_id IS NULL;

CREATE TABLE sales (
	id          text   COLLATE "C" PRIMARY KEY,
	till        text   COLLATE "C" NOT NULL,
	items       text   COLLATE "C" NOT NULL,        -- JSON
	description text   COLLATE "C" NOT NULL,
	updated_at  bigint NOT NULL
);

CREATE TABLE counters (
	series text   COLLATE "C" PRIMARY KEY,
	value  bigint NOT NULL
);

CREATE TABLE meta (
	key   text   COLLATE "C" PRIMARY KEY,
	value bigint NOT NULL
);

INSERT INTO meta (key, value) VALUES ('change_seq', 0), ('probe', 0);

-- Who listens is woken by every commit that changed something, and reads the
-- sequence by itself: a notice can be lost with its connection.
CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql
	AS 'BEGIN PERFORM pg_notify(''till_change'', ''''); RETURN NULL; END';
CREATE TRIGGER meta_change AFTER UPDATE ON meta FOR EACH ROW
	WHEN (new.key = 'change_seq' AND new.value <> old.value) EXECUTE FUNCTION tell_change();
