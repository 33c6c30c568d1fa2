-- The order reference is found like the terms. It is added when it is known.
UPDATE orders SET search = search || char(10) || lower(order_reference) WHERE order_reference <> '';

-- Orders are searched by blocks of 64 neighbours. A block's document holds each
-- run of four characters that stands in a text of the block, once; the prefixes
-- of a run are those of shorter texts. Letters that are no ASCII letter or digit
-- stand for themselves by another letter. Nothing is ever removed.
CREATE VIRTUAL TABLE order_grams USING fts5 (
	grams, content = '', columnsize = 0, detail = none, tokenize = 'ascii', prefix = '1 2 3'
);
-- Merged a little with each block instead of much now and then.
INSERT INTO order_grams (order_grams, rank) VALUES ('automerge', 0), ('crisismerge', 1000);

CREATE TABLE order_blocks (
	block  INTEGER PRIMARY KEY,   -- of the orders 64 * block + 1 to 64 * block + 64
	oldest INTEGER NOT NULL,      -- the oldest order's created_at
	newest INTEGER NOT NULL       -- the newest order's, of this block and all before it
) STRICT;
