-- What the domain makes of an order's facts. It is computed anew for all orders
-- when meta's row 'derive' says so.
ALTER TABLE orders ADD COLUMN verdict TEXT NOT NULL DEFAULT ''; -- '' while the clock can change it
ALTER TABLE orders ADD COLUMN check_from INTEGER;               -- from when on a person must look at it; null: never

CREATE INDEX orders_watched ON orders (created_at) WHERE verdict = '' OR check_from IS NOT NULL;
CREATE INDEX orders_paid ON orders (paid_at) WHERE verdict = 'paid';

-- The sums of the orders that have a verdict, by the quarter of an hour in
-- which they count.
CREATE TABLE takings (
	slot    INTEGER NOT NULL,
	verdict TEXT    NOT NULL,
	orders  INTEGER NOT NULL,
	amount  INTEGER NOT NULL,
	PRIMARY KEY (slot, verdict)
) STRICT, WITHOUT ROWID;

INSERT INTO meta (key, value) SELECT 'derive', EXISTS (SELECT 1 FROM orders);
