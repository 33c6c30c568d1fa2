-- What the domain makes of an order's facts. It is computed anew for all orders
-- when meta's row 'derive' says so.
ALTER TABLE orders ADD COLUMN verdict text COLLATE "C" NOT NULL DEFAULT ''; -- '' while the clock can change it
ALTER TABLE orders ADD COLUMN check_from bigint;                            -- from when on a person must look at it; null: never

CREATE INDEX orders_watched ON orders (created_at, id) WHERE verdict = '' OR check_from IS NOT NULL;
CREATE INDEX orders_paid ON orders (paid_at) WHERE verdict = 'paid';

-- The sums of the orders that have a verdict, by the quarter of an hour in
-- which they count.
CREATE TABLE takings (
	slot    bigint NOT NULL,
	verdict text   COLLATE "C" NOT NULL,
	orders  bigint NOT NULL,
	amount  bigint NOT NULL,
	PRIMARY KEY (slot, verdict)
);

INSERT INTO meta (key, value) SELECT 'derive', CASE WHEN EXISTS (SELECT 1 FROM orders) THEN 1 ELSE 0 END;
