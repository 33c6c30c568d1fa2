-- Orders are searched by blocks of 64 neighbours. A block's document holds each
-- run of four characters that stands in a text of the block. Letters that are no
-- ASCII letter or digit stand for themselves by another letter. Nothing is ever
-- removed. An index of the server's own is enough for this; no extension is
-- needed, which a server may not have.
CREATE TABLE order_grams (
	rowid bigint   PRIMARY KEY,   -- the block
	grams tsvector NOT NULL
);

-- A planner takes a document that lies beside its row for one that costs nothing
-- to read, and would read all of them.
ALTER TABLE order_grams ALTER COLUMN grams SET STORAGE MAIN;

CREATE INDEX order_grams_index ON order_grams USING gin (grams);

CREATE TABLE order_blocks (
	block  bigint PRIMARY KEY,    -- of the orders 64 * block + 1 to 64 * block + 64
	oldest bigint NOT NULL,       -- the oldest order's created_at
	newest bigint NOT NULL        -- the newest order's, of this block and all before it
);
