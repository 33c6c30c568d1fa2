-- The tables of the drawer. Schema version 2 added them.
-- Sales that were paid in cash. Only the columns of the void change later.
CREATE TABLE cash_sales (
	number          text    COLLATE "C" PRIMARY KEY,  -- as T1-C-000123
	sale            text    COLLATE "C" NOT NULL,  -- sales.id, as in orders.sale
	till            text    COLLATE "C" NOT NULL,
	items           text    COLLATE "C" NOT NULL,  -- JSON
	description     text    COLLATE "C" NOT NULL,
	amount          bigint  NOT NULL,
	given           bigint  NOT NULL,
	sold_by         text    COLLATE "C" NOT NULL,
	sold_at         bigint  NOT NULL,
	voided_at       bigint,  -- NULL unless the sale was voided
	voided_by       text    COLLATE "C" NOT NULL,
	reason          text    COLLATE "C" NOT NULL
);

CREATE INDEX cash_sales_at ON cash_sales (sold_at);
CREATE INDEX cash_sales_voided ON cash_sales (voided_at) WHERE voided_at IS NOT NULL;
CREATE INDEX cash_sales_sale ON cash_sales (sale);

-- Money that was put into a drawer or taken out of it, and counts. Rows are only inserted;
-- a closing sets its number once.
CREATE TABLE moves (
	id              bigint  PRIMARY KEY,
	till            text    COLLATE "C" NOT NULL,
	kind            text    COLLATE "C" NOT NULL,  -- a drawer.Kind
	amount          bigint  NOT NULL,
	ref             text    COLLATE "C" NOT NULL,  -- cash_sales.number or orders.reference, or ''
	moved_by        text    COLLATE "C" NOT NULL,
	note            text    COLLATE "C" NOT NULL,
	moved_at        bigint  NOT NULL,
	closing         bigint  NOT NULL  -- 0 until a closing has the move
);

CREATE INDEX moves_closing ON moves (till, closing);
CREATE INDEX moves_ref ON moves (ref);
CREATE INDEX moves_refunds ON moves (moved_at) WHERE kind IN ('refund', 'reversal');

CREATE TABLE receipts (
	till            text    COLLATE "C" NOT NULL,
	number          bigint  NOT NULL,  -- 1, 2, 3 … for each till
	ref             text    COLLATE "C" NOT NULL,  -- cash_sales.number or orders.reference
	kind            text    COLLATE "C" NOT NULL,  -- paid, marked_paid, cash, refunded
	issued_at       bigint  NOT NULL,
	PRIMARY KEY (till, number)
);

CREATE UNIQUE INDEX receipts_ref ON receipts (ref, kind);

-- Accounts of tills when they were closed.
CREATE TABLE till_closings (
	till            text    COLLATE "C" NOT NULL,
	number          bigint  NOT NULL,  -- 1, 2, 3 … for each till
	since           bigint,  -- when the closing before it was made
	closed_by       text    COLLATE "C" NOT NULL,
	closed_at       bigint  NOT NULL,
	sums            text    COLLATE "C" NOT NULL,  -- JSON
	digest          bytea   NOT NULL,  -- SHA-256 of the columns before it
	PRIMARY KEY (till, number)
);

CREATE INDEX till_closings_at ON till_closings (closed_at);
