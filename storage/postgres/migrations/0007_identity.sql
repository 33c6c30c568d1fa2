-- The order reference is part of an event's identity, and leads the index: an
-- index of the identities alone, which are hashes, cost each event a page of its
-- own. Events are found by it, those of an order too.
ALTER TABLE events DROP CONSTRAINT events_id_key;
DROP INDEX events_order;
DROP INDEX events_unmatched;

CREATE UNIQUE INDEX events_identity ON events (order_reference, id);
CREATE INDEX events_unmatched ON events (order_id, sequence) WHERE order_id IS NULL;
