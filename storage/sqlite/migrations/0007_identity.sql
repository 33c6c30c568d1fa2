-- The order reference is part of an event's identity, and leads the index: an
-- index of the identities alone, which are hashes, cost each event a page of its
-- own. Events are found by it, those of an order too.
CREATE TABLE events_anew (
	sequence        INTEGER PRIMARY KEY,        -- the order of arrival
	id              BLOB    NOT NULL,           -- the event's identity
	order_id        INTEGER,                    -- orders.id; null while unmatched
	order_reference TEXT    NOT NULL,
	kind            TEXT    NOT NULL,
	kinds           BLOB    NOT NULL,           -- a byte for each of the next five: how it stood in the JSON
	reference       BLOB    NOT NULL,
	amount          BLOB    NOT NULL,
	currency        BLOB    NOT NULL,
	description     BLOB    NOT NULL,
	error           BLOB    NOT NULL,
	received_at     INTEGER NOT NULL,
	outcome         TEXT    NOT NULL,
	count           INTEGER NOT NULL,
	body            BLOB    NOT NULL,
	body_sha256     BLOB    NOT NULL
) STRICT;

INSERT INTO events_anew (sequence, id, order_id, order_reference, kind, kinds, reference, amount, currency,
		description, error, received_at, outcome, count, body, body_sha256)
	SELECT sequence, id, order_id, order_reference, kind, kinds, reference, amount, currency,
		description, error, received_at, outcome, count, body, body_sha256
	FROM events;

DROP TABLE events;
ALTER TABLE events_anew RENAME TO events;

CREATE UNIQUE INDEX events_identity ON events (order_reference, id);
CREATE INDEX events_unmatched ON events (order_id, sequence) WHERE order_id IS NULL;
