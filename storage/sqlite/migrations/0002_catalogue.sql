CREATE TABLE articles (
	id         TEXT    PRIMARY KEY,
	label      TEXT    NOT NULL UNIQUE,
	unit_price INTEGER NOT NULL,
	code       TEXT    NOT NULL,            -- '' when there is none
	favourite  INTEGER NOT NULL,            -- 0 when it is none
	uses       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX articles_code ON articles (code) WHERE code <> '';

ALTER TABLE sales ADD COLUMN name TEXT NOT NULL DEFAULT '';              -- '' for the one being entered
ALTER TABLE order_items ADD COLUMN list_price INTEGER NOT NULL DEFAULT 0; -- 0 without a discount
