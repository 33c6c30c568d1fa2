-- Updates the tables of schema version 1 to version 2, without those in drawer.sql.
ALTER TABLE orders ADD COLUMN received INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE order_items ADD COLUMN measure TEXT NOT NULL DEFAULT '';
ALTER TABLE findings ADD COLUMN from_drawer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE articles ADD COLUMN unit TEXT NOT NULL DEFAULT '';
CREATE INDEX orders_unclosed ON orders (till) WHERE received <> closed;

-- As Order.Collected computes it.
UPDATE orders SET received = coalesce((
	SELECT CASE
		WHEN f.kind = 'paid' THEN orders.amount
		WHEN f.kind = 'refunded' THEN orders.amount - f.amount
		WHEN orders.paid_at IS NOT NULL AND orders.attention LIKE '%finding_contradicted%' THEN orders.amount
		ELSE 0
	END FROM findings f WHERE f.order_id = orders.id ORDER BY f.position DESC LIMIT 1
), CASE WHEN paid_at IS NOT NULL THEN amount ELSE 0 END);

-- The first closing of a till has what came after the last day that was closed. The table of
-- those days stays, but till does not read it any more.
UPDATE orders SET closed = received
	WHERE coalesce(paid_at, created_at) < coalesce((SELECT max(ends_at) FROM closings), 0);
