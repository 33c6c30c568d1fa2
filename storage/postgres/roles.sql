-- Who may do what in a shop's database. Run it in that database, as somebody
-- who may make roles and owns the tables (or as a superuser), once the tables
-- are there and again after each update of till. It can be run any number of
-- times:
--
--   till database update
--   till database roles | psql --set ON_ERROR_STOP=1 --single-transaction "$TILL_DATABASE"
--
-- Then give each program a user of its own:
--
--   CREATE USER listener PASSWORD '…' IN ROLE till_listener;
--   CREATE USER t1       PASSWORD '…' IN ROLE till_console;
--   CREATE USER keeper   PASSWORD '…' IN ROLE till_owner;
--
-- till_owner     brings the schema forward, copies and restores. No program
--                runs as it day by day.
-- till_listener  stores events and writes what they make of orders. It makes no
--                orders, and deletes nothing but events that no order has.
-- till_console   makes orders and sales, and writes what a person does with
--                them. It stores no events; it applies one that came before its
--                order was known, and notes that a person saw one of no order.
--                It cannot call an order paid for which no success came, and
--                deletes nothing but drafts and articles.
--
-- Neither of the two can alter a table, and what was sold can be deleted by
-- neither. Others see no events: give them a policy as below.

DO $$
DECLARE
	name text;
BEGIN
	FOREACH name IN ARRAY ARRAY['till_owner', 'till_listener', 'till_console'] LOOP
		IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) THEN
			EXECUTE format('CREATE ROLE %I NOLOGIN', name);
		END IF;
	END LOOP;
	-- Up to PostgreSQL 14 everybody may make tables in the schema public.
	EXECUTE format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', current_schema());
	EXECUTE format('GRANT USAGE ON SCHEMA %I TO till_listener, till_console', current_schema());
	EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %I TO till_owner', current_schema());
	FOREACH name IN ARRAY ARRAY['till_schema', 'meta', 'orders', 'order_items', 'events', 'sales', 'counters', 'articles',
		'takings', 'order_grams', 'order_blocks', 'cashiers', 'closings'] LOOP
		EXECUTE format('REVOKE ALL ON %I FROM PUBLIC, till_listener, till_console', name);
		EXECUTE format('GRANT SELECT ON %I TO till_listener, till_console', name);
		EXECUTE format('ALTER TABLE %I OWNER TO till_owner', name);
	END LOOP;
	ALTER FUNCTION next_order() OWNER TO till_owner;
	ALTER FUNCTION tell_change() OWNER TO till_owner;
END
$$;

GRANT UPDATE ON meta TO till_listener, till_console;
GRANT INSERT, UPDATE ON takings TO till_listener, till_console;

GRANT UPDATE ON orders TO till_listener;
GRANT INSERT, UPDATE, DELETE ON events TO till_listener;

GRANT INSERT, UPDATE ON orders, counters, order_grams, order_blocks TO till_console;
GRANT INSERT ON order_items TO till_console;
GRANT UPDATE (order_id, outcome) ON events TO till_console;
GRANT INSERT, UPDATE, DELETE ON sales, articles TO till_console;

-- A till looks at PINs and counts the tries. Who the cashiers are and what their
-- PINs are is written by the owner: till cashier.
REVOKE ALL ON cashiers FROM till_listener;
GRANT UPDATE (failed, until) ON cashiers TO till_console;
GRANT INSERT ON closings TO till_console;

ALTER TABLE events ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS events_read ON events;
DROP POLICY IF EXISTS events_come ON events;
DROP POLICY IF EXISTS events_count ON events;
DROP POLICY IF EXISTS events_trim ON events;
DROP POLICY IF EXISTS events_link ON events;
CREATE POLICY events_read ON events FOR SELECT TO till_listener, till_console USING (true);
CREATE POLICY events_come ON events FOR INSERT TO till_listener WITH CHECK (true);
CREATE POLICY events_count ON events FOR UPDATE TO till_listener USING (true);
CREATE POLICY events_trim ON events FOR DELETE TO till_listener USING (order_id IS NULL);
CREATE POLICY events_link ON events FOR UPDATE TO till_console USING (order_id IS NULL)
	WITH CHECK (order_id IS NOT NULL OR outcome = 'noticed');

-- An order is paid by an event that the listener stored, and not by a till.
CREATE OR REPLACE FUNCTION order_proof() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF pg_has_role(current_user, 'till_console', 'member') AND NOT pg_has_role(current_user, 'till_listener', 'member')
		AND NOT EXISTS (SELECT 1 FROM events WHERE order_id = new.id AND kind = 'payment.success') THEN
		RAISE insufficient_privilege USING MESSAGE = 'no success came for this order';
	END IF;
	RETURN new;
END
$$;
ALTER FUNCTION order_proof() OWNER TO till_owner;
DROP TRIGGER IF EXISTS order_proof ON orders;
CREATE TRIGGER order_proof BEFORE INSERT OR UPDATE ON orders FOR EACH ROW
	WHEN (new.paid_at IS NOT NULL OR new.success_seen <> 0 OR new.status = 'success' OR new.verdict = 'paid')
	EXECUTE FUNCTION order_proof();
