PRAGMA application_id = 1953066092;
PRAGMA user_version = 7;
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
, verdict TEXT NOT NULL DEFAULT '', check_from INTEGER) STRICT;
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
	quantity   INTEGER NOT NULL, list_price INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE sales (
	id          TEXT    PRIMARY KEY,
	till        TEXT    NOT NULL,
	items       TEXT    NOT NULL,               -- JSON
	description TEXT    NOT NULL,
	updated_at  INTEGER NOT NULL
, name TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;
CREATE TABLE counters (
	series TEXT    PRIMARY KEY,
	value  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE meta (
	key   TEXT    PRIMARY KEY,
	value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE articles (
	id         TEXT    PRIMARY KEY,
	label      TEXT    NOT NULL UNIQUE,
	unit_price INTEGER NOT NULL,
	code       TEXT    NOT NULL,            -- '' when there is none
	favourite  INTEGER NOT NULL,            -- 0 when it is none
	uses       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX articles_code ON articles (code) WHERE code <> '';
CREATE INDEX orders_watched ON orders (created_at) WHERE verdict = '' OR check_from IS NOT NULL;
CREATE INDEX orders_paid ON orders (paid_at) WHERE verdict = 'paid';
CREATE TABLE takings (
	slot    INTEGER NOT NULL,
	verdict TEXT    NOT NULL,
	orders  INTEGER NOT NULL,
	amount  INTEGER NOT NULL,
	PRIMARY KEY (slot, verdict)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE order_grams USING fts5 (
	grams, content = '', columnsize = 0, detail = none, tokenize = 'ascii', prefix = '1 2 3'
);
CREATE TABLE order_blocks (
	block  INTEGER PRIMARY KEY,   -- of the orders 64 * block + 1 to 64 * block + 64
	oldest INTEGER NOT NULL,      -- the oldest order's created_at
	newest INTEGER NOT NULL       -- the newest order's, of this block and all before it
) STRICT;
CREATE TABLE cashiers (
	name       TEXT    PRIMARY KEY,
	role       TEXT    NOT NULL,
	salt       BLOB    NOT NULL,
	sum        BLOB    NOT NULL,            -- PBKDF2 with HMAC-SHA-256 of the PIN
	iterations INTEGER NOT NULL,
	failed     INTEGER NOT NULL,            -- wrong PINs since the last right one
	until      INTEGER NOT NULL             -- no PIN is looked at before; 0: no pause
) STRICT, WITHOUT ROWID;
CREATE TABLE closings (
	day       TEXT    PRIMARY KEY,          -- the shop's, as 2026-11-21
	starts_at INTEGER NOT NULL,
	ends_at   INTEGER NOT NULL,
	till      TEXT    NOT NULL,
	closed_by TEXT    NOT NULL,
	closed_at INTEGER NOT NULL,
	orders    INTEGER NOT NULL,
	sums      TEXT    NOT NULL              -- JSON: by verdict, as they were at that moment
) STRICT, WITHOUT ROWID;
CREATE TABLE "events" (
	sequence        INTEGER PRIMARY KEY,        -- the order of arrival
	id              BLOB    NOT NULL,           -- the event's identity
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
CREATE UNIQUE INDEX events_identity ON events (order_reference, id);
CREATE INDEX events_unmatched ON events (order_id, sequence) WHERE order_id IS NULL;
DELETE FROM order_grams_data;
DELETE FROM order_grams_idx;
DELETE FROM order_grams_config;
INSERT INTO orders (id, reference, sale, till, amount, description, created_at, order_reference, link_url, expires_at, link_assumed, status, error, paid_at, success_seen, expired_seen, given_up, not_sent, acknowledged, attention, reported_amount, reported_unit, finding_paid, finding_by, finding_note, finding_at, finding_stale, open, change_seq, search, verdict, check_from) VALUES (1, 'T1-20261121-000001', 'sale-1', 'T1', 9000, '2 × Vary, Coca', 1795240801000, 'REF_700001', 'https://pay.example/checkout/00000000000000000000000000000001', 1795241400000, 0, 'expired', 'Lien expiré', 1795240861000, 1, 1, 0, 0, 0, 'contradicted', '1', 'MGA', 1, 'Hasina', 'vu', 1795244401000, 0, 1, 1, 't1-20261121-000001
2 × vary, coca
ref_700001', 'marked_paid', NULL);
INSERT INTO orders (id, reference, sale, till, amount, description, created_at, order_reference, link_url, expires_at, link_assumed, status, error, paid_at, success_seen, expired_seen, given_up, not_sent, acknowledged, attention, reported_amount, reported_unit, finding_paid, finding_by, finding_note, finding_at, finding_stale, open, change_seq, search, verdict, check_from) VALUES (2, 'T1-20261121-000002', 'sale-2', 'T1', 9000, '2 × Vary, Coca', 1795240802000, 'REF_700002', 'https://pay.example/checkout/00000000000000000000000000000002', 1795241400000, 0, 'pending', '', NULL, 0, 0, 0, 0, 1, '', '', '', NULL, '', '', NULL, 0, 1, 1, 't1-20261121-000002
2 × vary, coca
ref_700002', '', 1795241520000);
INSERT INTO order_items (order_id, position, label, unit_price, quantity, list_price) VALUES (1, 1, 'Vary', 3500, 2, 0);
INSERT INTO order_items (order_id, position, label, unit_price, quantity, list_price) VALUES (1, 2, 'Coca', 2000, 1, 0);
INSERT INTO order_items (order_id, position, label, unit_price, quantity, list_price) VALUES (2, 1, 'Vary', 3500, 2, 0);
INSERT INTO order_items (order_id, position, label, unit_price, quantity, list_price) VALUES (2, 2, 'Coca', 2000, 1, 0);
INSERT INTO sales (id, till, items, description, updated_at, name) VALUES ('h', 'T2', '[{"label":"Vary","unit_price":3000,"quantity":1,"list_price":3500}]', '', 1795240803000, 'Rado');
INSERT INTO sales (id, till, items, description, updated_at, name) VALUES ('s', 'T1', '[{"label":"Vary","unit_price":3500,"quantity":2},{"label":"Coca","unit_price":2000,"quantity":1}]', 'd''accord', 1795240802000, '');
INSERT INTO counters (series, value) VALUES ('T1-20261121-0000', 1);
INSERT INTO meta (key, value) VALUES ('change_seq', 4);
INSERT INTO meta (key, value) VALUES ('derive', 0);
INSERT INTO meta (key, value) VALUES ('probe', 0);
INSERT INTO articles (id, label, unit_price, code, favourite, uses) VALUES ('a', 'Vary', 3500, '101', 1, 1);
INSERT INTO takings (slot, verdict, orders, amount) VALUES (1795240800000, 'marked_paid', 1, 9000);
INSERT INTO order_grams_data (id, block) VALUES (1, X'');
INSERT INTO order_grams_data (id, block) VALUES (10, X'00000002000000');
INSERT INTO order_grams_config (k, v) VALUES ('automerge', 0);
INSERT INTO order_grams_config (k, v) VALUES ('crisismerge', 1000);
INSERT INTO order_grams_config (k, v) VALUES ('version', 4);
INSERT INTO cashiers (name, role, salt, sum, iterations, failed, until) VALUES ('Hasina', 'owner', X'01', X'02', 3, 4, 1795240801000);
INSERT INTO closings (day, starts_at, ends_at, till, closed_by, closed_at, orders, sums) VALUES ('2026-11-21', 1795240801000, 1795244401000, 'T1', 'Soa', 1795240801000, 1, '{"paid":{"count":1,"amount":9000}}');
INSERT INTO events (sequence, id, order_id, order_reference, kind, kinds, reference, amount, currency, description, error, received_at, outcome, count, body, body_sha256) VALUES (1, X'21624CF60FFA11CB92A5A95A0BEA2DEA4FA4AAFFBF37641190C65393EE346480', 1, 'REF_700001', 'payment.success', X'736E737300', X'434D445F31', X'39303030', X'4172', X'3220C39720566172792C20436F6361', X'', 1795240861000, 'applied', 1, X'7B27C3A9277D', X'0100000000000000000000000000000000000000000000000000000000000000');
INSERT INTO events (sequence, id, order_id, order_reference, kind, kinds, reference, amount, currency, description, error, received_at, outcome, count, body, body_sha256) VALUES (2, X'1B15875428A79CC69E0EDE347E41837E24B26F9B21456CD4FB26BD43CF08654F', NULL, 'REF_1', 'payment.success', X'736E737300', X'434D445F31', X'39303030', X'4172', X'3220C39720566172792C20436F6361', X'', 1795240861000, 'unmatched', 1, X'7B27C3A9277D', X'0100000000000000000000000000000000000000000000000000000000000000');
