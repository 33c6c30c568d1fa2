CREATE TABLE articles (
	id         text   COLLATE "C" PRIMARY KEY,
	label      text   COLLATE "C" NOT NULL UNIQUE,
	unit_price bigint NOT NULL,
	code       text   COLLATE "C" NOT NULL,         -- '' when there is none
	favourite  bigint NOT NULL,                     -- 0 when it is none
	uses       bigint NOT NULL
);

CREATE UNIQUE INDEX articles_code ON articles (code) WHERE code <> '';

ALTER TABLE sales ADD COLUMN name text COLLATE "C" NOT NULL DEFAULT '';      -- '' for the one being entered
ALTER TABLE order_items ADD COLUMN list_price bigint NOT NULL DEFAULT 0;     -- 0 without a discount
