-- Times are milliseconds since 1970 in UTC. Amounts are whole ariary.
PRAGMA application_id = 1953066092; -- 'till'

CREATE TABLE orders (
	id              INTEGER PRIMARY KEY,
	reference       TEXT    NOT NULL UNIQUE,
	sale            TEXT    NOT NULL,
	till            TEXT    NOT NULL,
	amount          INTEGER NOT NULL,
	description     TEXT    NOT NULL,
	created_at      INTEGER NOT NULL,
	order_reference TEXT    NOT NULL,           -- '' until the service named it
	link_url        TEXT    NOT NULL,
	expires_at      INTEGER,
	link_assumed    INTEGER NOT NULL,
	status          TEXT    NOT NULL,
	error           TEXT    NOT NULL,
	paid_at         INTEGER,
	success_seen    INTEGER NOT NULL,
	expired_seen    INTEGER NOT NULL,
	given_up        INTEGER NOT NULL,
	not_sent        INTEGER NOT NULL,
	acknowledged    INTEGER NOT NULL,
	attention       TEXT    NOT NULL,           -- words, parted by commas
	reported_amount TEXT    NOT NULL,
	reported_unit   TEXT    NOT NULL,
	finding_paid    INTEGER,                    -- null: no finding
	finding_by      TEXT    NOT NULL,
	finding_note    TEXT    NOT NULL,
	finding_at      INTEGER,
	finding_stale   INTEGER NOT NULL,
	open            INTEGER NOT NULL,           -- the domain's Order.Open, when the row was written
	change_seq      INTEGER NOT NULL,           -- meta's change_seq, when the row was written
	search          TEXT    NOT NULL            -- the terms, folded for searching
) STRICT;

CREATE UNIQUE INDEX orders_order_reference ON orders (order_reference) WHERE order_reference <> '';
CREATE INDEX orders_created ON orders (created_at);
CREATE INDEX orders_status ON orders (status, created_at);
CREATE INDEX orders_till ON orders (till, created_at);
CREATE INDEX orders_open ON orders (created_at) WHERE open;
CREATE INDEX orders_sale ON orders (sale) WHERE sale <> '';

CREATE TABLE order_items (
	order_id   INTEGER NOT NULL REFERENCES orders (id),
	position   INTEGER NOT NULL,
	label      TEXT    NOT NULL,
	unit_price INTEGER NOT NULL,
	quantity   INTEGER NOT NULL,
	PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
	sequence        INTEGER PRIMARY KEY,        -- the order of arrival
	id              BLOB    NOT NULL UNIQUE,    -- the event's identity
	order_id        INTEGER,                    -- orders.id; null while unmatched
	order_reference TEXT    NOT NULL,
	kind            TEXT    NOT NULL,
	kinds           BLOB    NOT NULL,           -- a byte for each of the next five: how it stood in the JSON
	reference       BLOB    NOT NULL,
	amount          BLOB    NOT NULL,
	currency        BLOB    NOT NULL,
	description     BLOB    NOT NULL,
	error           BLOB    NOT NULL,
	received_at     INTEGER NOT NULL,
	outcome         TEXT    NOT NULL,
	count           INTEGER NOT NULL,
	body            BLOB    NOT NULL,
	body_sha256     BLOB    NOT NULL
) STRICT;

CREATE INDEX events_order ON events (order_id);
CREATE INDEX events_unmatched ON events (order_reference) WHERE order_id IS NULL;

CREATE TABLE sales (
	id          TEXT    PRIMARY KEY,
	till        TEXT    NOT NULL,
	items       TEXT    NOT NULL,               -- JSON
	description TEXT    NOT NULL,
	updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
	series TEXT    PRIMARY KEY,
	value  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
	key   TEXT    PRIMARY KEY,
	value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO meta (key, value) VALUES ('change_seq', 0), ('probe', 0);
