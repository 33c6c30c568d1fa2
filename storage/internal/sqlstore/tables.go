package sqlstore

import "strings"

// SchemaVersion is the version of the tables that this program creates, and the only one that it
// reads. [UpdateSchema] stores it in the database. Every change of the tables below, or of a
// schema.sql, increments it.
const SchemaVersion = 7

// CreateTables returns the SQL that creates what both databases have. words are pairs of a word in
// the tables below and the word of the database, as for [strings.NewReplacer].
func CreateTables(words ...string) string { return strings.NewReplacer(words...).Replace(tables) }

// tables is SQL for SQLite, except that a flag is BOOLEAN, and FALSE by default. Times are
// milliseconds since 1970 in UTC. Amounts are whole ariary.
const tables = `
CREATE TABLE orders (
	id              INTEGER PRIMARY KEY,
	reference       TEXT    NOT NULL UNIQUE,
	sale            TEXT    NOT NULL,
	till            TEXT    NOT NULL,
	sold_by         TEXT    NOT NULL DEFAULT '',  -- '' if no cashier had signed in
	amount          INTEGER NOT NULL,
	total           INTEGER NOT NULL,
	rest_of         TEXT    NOT NULL, -- cash_sales.number of the payment that began the sale, or ''
	debt            TEXT    NOT NULL, -- account of the customer whose debt the order pays, or ''
	description     TEXT    NOT NULL,
	created_at      INTEGER NOT NULL,
	order_reference TEXT    NOT NULL,           -- '' until the answer of the service
	link_url        TEXT    NOT NULL,
	expires_at      INTEGER,
	link_assumed    BOOLEAN NOT NULL,
	status          TEXT    NOT NULL,
	error           TEXT    NOT NULL,
	paid_at         INTEGER,
	success_seen    BOOLEAN NOT NULL,
	expired_seen    BOOLEAN NOT NULL,
	given_up        BOOLEAN NOT NULL,
	not_sent        BOOLEAN NOT NULL,
	acknowledged    BOOLEAN NOT NULL,
	superseded      BOOLEAN NOT NULL,
	paid_otherwise  BOOLEAN NOT NULL DEFAULT FALSE,
	sent_at         INTEGER,                    -- when the last order call began
	attention       TEXT    NOT NULL,           -- reasons, separated by commas
	reported_amount TEXT    NOT NULL,
	reported_unit   TEXT    NOT NULL,
	open            BOOLEAN NOT NULL,           -- Order.Open of the stored order
	search          TEXT    NOT NULL            -- searchable text, folded
) STRICT;

CREATE INDEX orders_rest ON orders (reference) WHERE rest_of <> '';
CREATE INDEX orders_debt ON orders (debt) WHERE debt <> '';
CREATE UNIQUE INDEX orders_order_reference ON orders (order_reference) WHERE order_reference <> '';
CREATE INDEX orders_sale ON orders (sale) WHERE sale <> '';

CREATE TABLE order_items (
	order_id   INTEGER NOT NULL REFERENCES orders (id),
	position   INTEGER NOT NULL,
	label      TEXT    NOT NULL,
	unit_price INTEGER NOT NULL,
	quantity   INTEGER NOT NULL,
	list_price INTEGER NOT NULL,                -- 0 without a discount
	measure    TEXT    NOT NULL DEFAULT '',     -- JSON; '' for an article sold by the piece
	PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;

-- What people found out about orders. Rows are only inserted. The last finding of an order
-- decides.
CREATE TABLE findings (
	order_id INTEGER NOT NULL REFERENCES orders (id),
	position INTEGER NOT NULL,                  -- 1, 2, 3 … for each order
	kind     TEXT    NOT NULL,                  -- paid, unpaid
	found_by TEXT    NOT NULL,
	note     TEXT    NOT NULL,
	found_at INTEGER NOT NULL,
	seen     TEXT    NOT NULL,                  -- verdict that the person saw
	PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX findings_at ON findings (found_at);

-- The index leads with the order reference, because an order's events are found by it. With
-- an index of only the ids, which are hashes, each event would write a different page. The
-- body is the last column, so that reading the other columns does not read it.
CREATE TABLE events (
	sequence        INTEGER PRIMARY KEY,        -- order of arrival
	id              BLOB    NOT NULL,           -- identity of the event
	order_id        INTEGER,                    -- orders.id; NULL while unmatched
	order_reference TEXT    NOT NULL,
	kind            TEXT    NOT NULL,
	kinds           BLOB    NOT NULL,           -- JSON types of the next five columns, one byte each
	reference       BLOB    NOT NULL,
	amount          BLOB    NOT NULL,
	currency        BLOB    NOT NULL,
	description     BLOB    NOT NULL,
	error           BLOB    NOT NULL,
	received_at     INTEGER NOT NULL,
	outcome         TEXT    NOT NULL,
	count           INTEGER NOT NULL,
	body_sha256     BLOB    NOT NULL,
	body_size       INTEGER NOT NULL,
	body            BLOB    NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_identity ON events (order_reference, id);
CREATE INDEX events_unmatched ON events (sequence, kind, outcome, body_size) WHERE order_id IS NULL;

CREATE TABLE sales (
	id          TEXT    PRIMARY KEY,
	till        TEXT    NOT NULL,
	name        TEXT    NOT NULL,               -- '' for the current sale
	items       TEXT    NOT NULL,               -- JSON
	description TEXT    NOT NULL,
	debt        TEXT    NOT NULL DEFAULT '',    -- as orders.debt
	updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
	series  TEXT    PRIMARY KEY,                -- payments.NumberKind.Series, or another name
	value   INTEGER NOT NULL,
	skipped INTEGER NOT NULL DEFAULT 0          -- how many numbers a restored backup skipped
) STRICT, WITHOUT ROWID;

-- Which till has a code, and so a series of numbers and an account. Rows are only inserted.
CREATE TABLE tills (
	code TEXT PRIMARY KEY,                      -- payments.TillCode of the name
	name TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Names of the accounts of customers. A forgotten customer has no row.
CREATE TABLE customers (
	code    TEXT    PRIMARY KEY,                -- the account is customer/code
	name    TEXT    NOT NULL,
	key     TEXT    NOT NULL UNIQUE,            -- folded name
	made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE articles (
	id         TEXT    PRIMARY KEY,
	label      TEXT    NOT NULL UNIQUE,
	unit_price INTEGER NOT NULL,
	code       TEXT    NOT NULL,                -- '' without a code
	favourite  INTEGER NOT NULL,                -- 0 if it is not a favourite
	uses       INTEGER NOT NULL,
	unit       TEXT    NOT NULL DEFAULT ''      -- kg, l, m; '' if it is sold by the piece
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX articles_code ON articles (code) WHERE code <> '';

CREATE TABLE cashiers (
	name       TEXT    PRIMARY KEY,
	role       TEXT    NOT NULL,
	salt       BLOB    NOT NULL,
	sum        BLOB    NOT NULL,                -- PBKDF2 with HMAC-SHA-256 of the PIN
	iterations INTEGER NOT NULL,
	tries      TEXT    NOT NULL                 -- JSON: wrong PINs since the last right one, by till
) STRICT, WITHOUT ROWID;

-- The row change_seq has the head of the ledger, too, because each change locks and writes that row.
CREATE TABLE meta (
	key       TEXT    PRIMARY KEY,
	value     INTEGER NOT NULL,
	transfers INTEGER NOT NULL DEFAULT 0,       -- highest transfers.id
	digest    BLOB    NOT NULL DEFAULT x''      -- digest of that transfer
) STRICT, WITHOUT ROWID;

-- UpdateSchema adds the version of the schema, and the tag of the database: 26 times the place of
-- its first letter in the alphabet, from 0, plus that of the second.
INSERT INTO meta (key, value) VALUES ('change_seq', 0), ('probe', 0), ('dropped', 0);

-- Payments at the counter, and sales on account. Rows are only inserted.
CREATE TABLE cash_sales (
	number      TEXT    PRIMARY KEY,            -- as T1-GT-C-000123
	sale        TEXT    NOT NULL,               -- sales.id, as in orders.sale
	till        TEXT    NOT NULL,
	items       TEXT    NOT NULL,               -- JSON
	description TEXT    NOT NULL,
	amount      INTEGER NOT NULL,
	total       INTEGER NOT NULL,
	rest_of     TEXT    NOT NULL, -- cash_sales.number of the payment that began the sale, or ''
	given       INTEGER NOT NULL,
	sold_by     TEXT    NOT NULL,
	sold_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX cash_sales_rest ON cash_sales (number) WHERE rest_of <> '';
CREATE INDEX cash_sales_part ON cash_sales (till, sold_at) WHERE rest_of = '' AND amount < total;

CREATE INDEX cash_sales_at ON cash_sales (sold_at);
CREATE INDEX cash_sales_sale ON cash_sales (sale);

-- Money that moved from one account to another: see package ledger. Rows are only inserted.
CREATE TABLE transfers (
	id           INTEGER PRIMARY KEY,             -- 1, 2, 3 … without gaps, in the order of commits
	moved_at     INTEGER NOT NULL,
	booked_at    INTEGER NOT NULL,
	kind         TEXT    NOT NULL,                -- a ledger.Kind
	from_account TEXT    NOT NULL,
	to_account   TEXT    NOT NULL,
	amount       INTEGER NOT NULL,
	till         TEXT    NOT NULL,                -- name of the till whose closing has it
	moved_by     TEXT    NOT NULL,
	payment      TEXT    NOT NULL,                -- a ledger.PaymentKind, or ''
	ref          TEXT    NOT NULL,                -- number or reference of the payment, or ''
	corrects     INTEGER NOT NULL,                -- id of the transfer that this one takes back, or 0
	note         TEXT    NOT NULL,
	digest       BLOB    NOT NULL                 -- SHA-256 of the digest before it and of its columns
) STRICT;

CREATE INDEX transfers_till ON transfers (till, id);
CREATE INDEX transfers_moved ON transfers (moved_at);
CREATE INDEX transfers_ref ON transfers (ref);
CREATE INDEX transfers_closing ON transfers (till, id) WHERE kind = 'closing';
-- The names of the accounts of customers begin with customer/, and 0 follows the slash.
CREATE INDEX transfers_owed ON transfers (to_account, id, amount, moved_at) WHERE to_account > 'customer/' AND to_account < 'customer0';
CREATE INDEX transfers_repaid ON transfers (from_account, id, amount, moved_at) WHERE from_account > 'customer/' AND from_account < 'customer0';

CREATE TABLE receipts (
	number    TEXT    PRIMARY KEY,              -- as T1-GT-000123
	till      TEXT    NOT NULL,
	ref       TEXT    NOT NULL,                 -- cash_sales.number or orders.reference
	kind      TEXT    NOT NULL,                 -- paid, marked_paid, refunded, or a tender
	issued_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX receipts_ref ON receipts (ref, kind);

-- Changes of the drawer by their IDs, so that a repeated change is made once.
CREATE TABLE requests (
	id      TEXT    PRIMARY KEY,
	digest  BLOB    NOT NULL,                   -- SHA-256 of what was asked
	ref     TEXT    NOT NULL,                   -- number of the cash sale or the closing that was made, or ''
	made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`
