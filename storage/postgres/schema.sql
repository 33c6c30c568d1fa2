-- The tables are the same as in the SQLite schema, and listeners. Times are milliseconds since 1970 in
-- UTC. Amounts are whole ariary.

CREATE TABLE orders (
	id              bigint  PRIMARY KEY,
	reference       text    COLLATE "C" NOT NULL UNIQUE,
	sale            text    COLLATE "C" NOT NULL,
	till            text    COLLATE "C" NOT NULL,
	sold_by         text    COLLATE "C" NOT NULL DEFAULT '',  -- '' if no cashier had signed in
	amount          bigint  NOT NULL,
	total           bigint  NOT NULL,
	rest_of         text    COLLATE "C" NOT NULL, -- cash_sales.number of the payment that began the sale, or ''
	debt            text    COLLATE "C" NOT NULL, -- account of the customer whose debt the order pays, or ''
	description     text    COLLATE "C" NOT NULL,
	created_at      bigint  NOT NULL,
	order_reference text    COLLATE "C" NOT NULL,  -- '' until the answer of the service
	link_url        text    COLLATE "C" NOT NULL,
	expires_at      bigint,
	link_assumed    boolean NOT NULL,
	status          text    COLLATE "C" NOT NULL,
	error           text    COLLATE "C" NOT NULL,
	paid_at         bigint,
	success_seen    boolean NOT NULL,
	expired_seen    boolean NOT NULL,
	given_up        boolean NOT NULL,
	not_sent        boolean NOT NULL,
	acknowledged    boolean NOT NULL,
	superseded      boolean NOT NULL,
	paid_otherwise  boolean NOT NULL DEFAULT false,
	sent_at         bigint,
	attention       text    COLLATE "C" NOT NULL,  -- reasons, separated by commas
	reported_amount text    COLLATE "C" NOT NULL,
	reported_unit   text    COLLATE "C" NOT NULL,
	open            boolean NOT NULL,  -- Order.Open of the stored order
	search          text    COLLATE "C" NOT NULL  -- searchable text, folded
);

CREATE INDEX orders_rest ON orders (reference) WHERE rest_of <> '';
CREATE INDEX orders_debt ON orders (debt) WHERE debt <> '';

-- Keys have no gaps and follow the commit order, because only one transaction writes at a
-- time: it locks the row of the change sequence.
CREATE FUNCTION next_order() RETURNS bigint LANGUAGE sql VOLATILE
	AS 'SELECT coalesce(max(id), 0) + 1 FROM orders';
ALTER TABLE orders ALTER COLUMN id SET DEFAULT next_order();

CREATE UNIQUE INDEX orders_order_reference ON orders (order_reference) WHERE order_reference <> '';
CREATE INDEX orders_created ON orders (created_at, id);
CREATE INDEX orders_status ON orders (status, created_at, id);
CREATE INDEX orders_till ON orders (till, created_at, id);
CREATE INDEX orders_open ON orders (created_at, id) WHERE open;
CREATE INDEX orders_sale ON orders (sale) WHERE sale <> '';
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

CREATE TABLE order_items (
	order_id        bigint  NOT NULL REFERENCES orders (id),
	position        bigint  NOT NULL,
	label           text    COLLATE "C" NOT NULL,
	unit_price      bigint  NOT NULL,
	quantity        bigint  NOT NULL,
	list_price      bigint  NOT NULL,  -- 0 without a discount
	measure         text    COLLATE "C" NOT NULL DEFAULT '',  -- JSON; '' for an article sold by the piece
	PRIMARY KEY (order_id, position)
);

-- What people found out about orders. Rows are only inserted. The last finding of an order
-- decides.
CREATE TABLE findings (
	order_id        bigint  NOT NULL REFERENCES orders (id),
	position        bigint  NOT NULL,  -- 1, 2, 3 … for each order
	kind            text    COLLATE "C" NOT NULL,  -- paid, unpaid
	found_by        text    COLLATE "C" NOT NULL,
	note            text    COLLATE "C" NOT NULL,
	found_at        bigint  NOT NULL,
	seen            text    COLLATE "C" NOT NULL,  -- verdict that the person saw
	PRIMARY KEY (order_id, position)
);

CREATE INDEX findings_at ON findings (found_at);

-- The index leads with the order reference, because an order's events are found by it. With
-- an index of only the ids, which are hashes, each event would write a different page. The
-- body is the last column, so that reading the other columns does not read it.
CREATE TABLE events (
	sequence        bigint  PRIMARY KEY,  -- order of arrival
	id              bytea   NOT NULL,  -- identity of the event
	order_id        bigint,  -- orders.id; NULL while unmatched
	order_reference text    COLLATE "C" NOT NULL,
	kind            text    COLLATE "C" NOT NULL,
	kinds           bytea   NOT NULL,  -- JSON types of the next five columns, one byte each
	reference       bytea   NOT NULL,
	amount          bytea   NOT NULL,
	currency        bytea   NOT NULL,
	description     bytea   NOT NULL,
	error           bytea   NOT NULL,
	received_at     bigint  NOT NULL,
	outcome         text    COLLATE "C" NOT NULL,
	count           bigint  NOT NULL,
	body_sha256     bytea   NOT NULL,
	body_size       bigint  NOT NULL,
	body            bytea   NOT NULL
);

CREATE UNIQUE INDEX events_identity ON events (order_reference, id);
CREATE INDEX events_unmatched ON events (sequence, kind, outcome, body_size) WHERE order_id IS NULL;

CREATE TABLE sales (
	id              text    COLLATE "C" PRIMARY KEY,
	till            text    COLLATE "C" NOT NULL,
	name            text    COLLATE "C" NOT NULL,  -- '' for the current sale
	items           text    COLLATE "C" NOT NULL,  -- JSON
	description     text    COLLATE "C" NOT NULL,
	debt            text    COLLATE "C" NOT NULL DEFAULT '',  -- as orders.debt
	updated_at      bigint  NOT NULL
);

CREATE TABLE counters (
	series          text    COLLATE "C" PRIMARY KEY,  -- payments.NumberKind.Series, or another name
	value           bigint  NOT NULL,
	skipped         bigint  NOT NULL DEFAULT 0  -- how many numbers a restored backup skipped
);

-- Which till has a code, and so a series of numbers and an account. Rows are only inserted.
CREATE TABLE tills (
	code            text    COLLATE "C" PRIMARY KEY,  -- payments.TillCode of the name
	name            text    COLLATE "C" NOT NULL
);

-- Names of the accounts of customers. A forgotten customer has no row.
CREATE TABLE customers (
	code            text    COLLATE "C" PRIMARY KEY,  -- the account is customer/code
	name            text    COLLATE "C" NOT NULL,
	key             text    COLLATE "C" NOT NULL UNIQUE,  -- folded name
	made_at         bigint  NOT NULL
);

CREATE TABLE articles (
	id              text    COLLATE "C" PRIMARY KEY,
	label           text    COLLATE "C" NOT NULL UNIQUE,
	unit_price      bigint  NOT NULL,
	code            text    COLLATE "C" NOT NULL,  -- '' without a code
	favourite       bigint  NOT NULL,  -- 0 if it is not a favourite
	uses            bigint  NOT NULL,
	unit            text    COLLATE "C" NOT NULL DEFAULT ''  -- kg, l, m; '' if it is sold by the piece
);

CREATE UNIQUE INDEX articles_code ON articles (code) WHERE code <> '';

CREATE TABLE cashiers (
	name            text    COLLATE "C" PRIMARY KEY,
	role            text    COLLATE "C" NOT NULL,
	salt            bytea   NOT NULL,
	sum             bytea   NOT NULL,  -- PBKDF2 with HMAC-SHA-256 of the PIN
	iterations      bigint  NOT NULL,
	tries           text    NOT NULL  -- JSON: wrong PINs since the last right one, by till
);

-- The row change_seq has the head of the ledger, too, because each change locks and writes that row.
CREATE TABLE meta (
	key             text    COLLATE "C" PRIMARY KEY,
	value           bigint  NOT NULL,
	transfers       bigint  NOT NULL DEFAULT 0,  -- highest transfers.id
	digest          bytea   NOT NULL DEFAULT ''  -- digest of that transfer
);

-- UpdateSchema adds the version of the schema, and the tag of the database: 26 times the place of
-- its first letter in the alphabet, from 0, plus that of the second.
INSERT INTO meta (key, value) VALUES ('change_seq', 0), ('probe', 0), ('dropped', 0);

-- Signs of life of the shop's webhook listeners. A sign is no change: it leaves the change
-- sequence as it is.
CREATE TABLE listeners (
	name            text    COLLATE "C" PRIMARY KEY,  -- the listener's machine and port
	seen_at         bigint  NOT NULL  -- by this server's clock
);

-- Notifies watchers of every commit that changed something, with its change sequence. They
-- also poll the change sequence, because a notification can be lost with its connection.
CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql
	AS 'BEGIN PERFORM pg_notify(''till_change'', new.value::text); RETURN NULL; END';
CREATE TRIGGER meta_change AFTER UPDATE ON meta FOR EACH ROW
	WHEN (new.key = 'change_seq' AND new.value <> old.value) EXECUTE FUNCTION tell_change();

-- Payments at the counter, and sales on account. Rows are only inserted.
CREATE TABLE cash_sales (
	number          text    COLLATE "C" PRIMARY KEY,  -- as T1-GT-C-000123
	sale            text    COLLATE "C" NOT NULL,  -- sales.id, as in orders.sale
	till            text    COLLATE "C" NOT NULL,
	items           text    COLLATE "C" NOT NULL,  -- JSON
	description     text    COLLATE "C" NOT NULL,
	amount          bigint  NOT NULL,
	total           bigint  NOT NULL,
	rest_of         text    COLLATE "C" NOT NULL, -- cash_sales.number of the payment that began the sale, or ''
	given           bigint  NOT NULL,
	sold_by         text    COLLATE "C" NOT NULL,
	sold_at         bigint  NOT NULL
);

CREATE INDEX cash_sales_rest ON cash_sales (number) WHERE rest_of <> '';
CREATE INDEX cash_sales_part ON cash_sales (till, sold_at) WHERE rest_of = '' AND amount < total;

CREATE INDEX cash_sales_at ON cash_sales (sold_at);
CREATE INDEX cash_sales_sale ON cash_sales (sale);

-- Money that moved from one account to another: see package ledger. Rows are only inserted.
CREATE TABLE transfers (
	id              bigint  PRIMARY KEY,  -- 1, 2, 3 … without gaps, in the order of commits
	moved_at        bigint  NOT NULL,
	booked_at       bigint  NOT NULL,
	kind            text    COLLATE "C" NOT NULL,  -- a ledger.Kind
	from_account    text    COLLATE "C" NOT NULL,
	to_account      text    COLLATE "C" NOT NULL,
	amount          bigint  NOT NULL,
	till            text    COLLATE "C" NOT NULL,  -- name of the till whose closing has it
	moved_by        text    COLLATE "C" NOT NULL,
	payment         text    COLLATE "C" NOT NULL,  -- a ledger.PaymentKind, or ''
	ref             text    COLLATE "C" NOT NULL,  -- number or reference of the payment, or ''
	corrects        bigint  NOT NULL,  -- id of the transfer that this one takes back, or 0
	note            text    COLLATE "C" NOT NULL,
	digest          bytea   NOT NULL  -- SHA-256 of the digest before it and of its columns
);

CREATE INDEX transfers_till ON transfers (till, id);
CREATE INDEX transfers_moved ON transfers (moved_at);
CREATE INDEX transfers_ref ON transfers (ref);
CREATE INDEX transfers_closing ON transfers (till, id) WHERE kind = 'closing';
-- The names of the accounts of customers begin with customer/, and 0 follows the slash.
CREATE INDEX transfers_owed ON transfers (to_account, id, amount, moved_at) WHERE to_account > 'customer/' AND to_account < 'customer0';
CREATE INDEX transfers_repaid ON transfers (from_account, id, amount, moved_at) WHERE from_account > 'customer/' AND from_account < 'customer0';

CREATE TABLE receipts (
	number          text    COLLATE "C" PRIMARY KEY,  -- as T1-GT-000123
	till            text    COLLATE "C" NOT NULL,
	ref             text    COLLATE "C" NOT NULL,  -- cash_sales.number or orders.reference
	kind            text    COLLATE "C" NOT NULL,  -- paid, marked_paid, refunded, or a tender
	issued_at       bigint  NOT NULL
);

CREATE UNIQUE INDEX receipts_ref ON receipts (ref, kind);

-- Changes of the drawer by their IDs, so that a repeated change is made once.
CREATE TABLE requests (
	id              text    COLLATE "C" PRIMARY KEY,
	digest          bytea   NOT NULL,  -- SHA-256 of what was asked
	ref             text    COLLATE "C" NOT NULL,  -- number of the cash sale or the closing that was made, or ''
	made_at         bigint  NOT NULL
);
