-- The tables of the drawer. Schema version 2 added them.
-- Sales that were paid in cash. Only the columns of the void change later.
CREATE TABLE cash_sales (
	number      TEXT    PRIMARY KEY,            -- as T1-C-000123
	sale        TEXT    NOT NULL,               -- sales.id, as in orders.sale
	till        TEXT    NOT NULL,
	items       TEXT    NOT NULL,               -- JSON
	description TEXT    NOT NULL,
	amount      INTEGER NOT NULL,
	given       INTEGER NOT NULL,
	sold_by     TEXT    NOT NULL,
	sold_at     INTEGER NOT NULL,
	voided_at   INTEGER,                        -- NULL unless the sale was voided
	voided_by   TEXT    NOT NULL,
	reason      TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX cash_sales_at ON cash_sales (sold_at);
CREATE INDEX cash_sales_voided ON cash_sales (voided_at) WHERE voided_at IS NOT NULL;
CREATE INDEX cash_sales_sale ON cash_sales (sale);

-- Money that was put into a drawer or taken out of it, and counts. Rows are only inserted;
-- a closing sets its number once.
CREATE TABLE moves (
	id       INTEGER PRIMARY KEY,
	till     TEXT    NOT NULL,
	kind     TEXT    NOT NULL,                  -- a drawer.Kind
	amount   INTEGER NOT NULL,
	ref      TEXT    NOT NULL,                  -- cash_sales.number or orders.reference, or ''
	moved_by TEXT    NOT NULL,
	note     TEXT    NOT NULL,
	moved_at INTEGER NOT NULL,
	closing  INTEGER NOT NULL                   -- 0 until a closing has the move
) STRICT;

CREATE INDEX moves_closing ON moves (till, closing);
CREATE INDEX moves_ref ON moves (ref);
CREATE INDEX moves_refunds ON moves (moved_at) WHERE kind IN ('refund', 'reversal');

CREATE TABLE receipts (
	till      TEXT    NOT NULL,
	number    INTEGER NOT NULL,                 -- 1, 2, 3 … for each till
	ref       TEXT    NOT NULL,                 -- cash_sales.number or orders.reference
	kind      TEXT    NOT NULL,                 -- paid, marked_paid, cash, refunded
	issued_at INTEGER NOT NULL,
	PRIMARY KEY (till, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX receipts_ref ON receipts (ref, kind);

-- Accounts of tills when they were closed.
CREATE TABLE till_closings (
	till      TEXT    NOT NULL,
	number    INTEGER NOT NULL,                 -- 1, 2, 3 … for each till
	since     INTEGER,                          -- when the closing before it was made
	closed_by TEXT    NOT NULL,
	closed_at INTEGER NOT NULL,
	sums      TEXT    NOT NULL,                 -- JSON
	digest    BLOB    NOT NULL,                 -- SHA-256 of the columns before it
	PRIMARY KEY (till, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX till_closings_at ON till_closings (closed_at);
