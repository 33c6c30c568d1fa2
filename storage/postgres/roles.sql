-- The rights in a shop's database. Run this in that database as its owner, who
-- must be allowed to create roles, or as a superuser. Run it when the tables exist
-- and again after each update of till. It can be run any number of times:
--
--   till database update
--   till database roles | psql --set ON_ERROR_STOP=1 --single-transaction "$TILL_DATABASE"
--
-- Then create a separate user for each program:
--
--   CREATE USER listener PASSWORD '…' IN ROLE till_listener;
--   CREATE USER t1       PASSWORD '…' IN ROLE till_console;
--   CREATE USER keeper   PASSWORD '…' IN ROLE till_owner;
--
-- till_owner     creates the tables, copies, restores, and adds and removes
--                cashiers. No program uses it in daily work.
-- till_listener  stores events, updates orders from them and leaves signs of life.
--                It is trusted: with its password one can store a success, delete
--                unmatched events, or prevent further events from being stored.
-- till_console   creates orders and stores what a person does with them.
--
-- The database prevents a till's user, with any program, from doing this:
--   * store, change or delete an event. An unmatched event can be linked to the
--     order with its order reference, and marked as reviewed;
--   * mark an order as paid without a linked success of its amount and currency,
--     or at another time than that success came;
--   * revoke that an order was paid, or that a success came;
--   * change an order's terms, its items, its order reference after it is set, or
--     its link; delete an order;
--   * use up the keys of orders or the numbers of a series; delete the row of the
--     change sequence or of the probe, or write other values into them, which
--     would block all writers; change the schema's version or the tag of the database;
--   * change or delete a finding, a cash sale, a transfer of money or a receipt;
--   * add or remove a cashier, or change more of one than the count of wrong PINs
--     and the pause after them.
-- It prevents the listener's user from all of that except storing events, and also
-- from this: create orders, write findings and closings, read cashiers, and unlink,
-- delete or change a matched event.
--
-- The program, not the database, compares PINs and protects the name on a finding
-- or a closing. With the password of a till's user one can read the hashes of the
-- PINs, and write a finding or a closing in any name.
--
-- A till's user can do this:
--   * add any transfer of money, such as a refund or a void, with any digest, and write any
--     time into it and into a finding, in any name;
--   * find out PINs from their hashes; end or begin a cashier's pause;
--   * take the code of a till's name that no till has used yet, so that another
--     till with that name is refused;
--   * change the prices of the catalogue, and change or delete the sales that
--     other tills hold;
--   * create orders in the name of any till, at any time; complete another till's
--     order call that has no answer yet, with any order reference and link, even
--     the order reference of an unmatched event;
--   * remove an order from the lists (acknowledged, open, superseded, paid_otherwise), clear what
--     a person must look at, and link an event to its order without applying it.
--     till verify reports all of this except what people can do in the console;
--   * fill the disk, send many notifications or hold locks, like every user with
--     write access; a till's name is such a lock.
-- Reports separate findings from what the service confirmed.

DO $$
DECLARE
	name text;
BEGIN
	FOREACH name IN ARRAY ARRAY['till_owner', 'till_listener', 'till_console'] LOOP
		IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = name) THEN
			EXECUTE format('CREATE ROLE %I NOLOGIN', name);
		END IF;
	END LOOP;
	-- Up to PostgreSQL 14 everyone may create tables in the schema public.
	EXECUTE format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', current_schema());
	EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
	EXECUTE format('GRANT USAGE ON SCHEMA %I TO till_listener, till_console', current_schema());
	EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %I TO till_owner', current_schema());
	FOREACH name IN ARRAY ARRAY['meta', 'orders', 'order_items', 'findings', 'events', 'sales', 'counters', 'articles',
		'cashiers', 'cash_sales', 'transfers', 'receipts', 'requests', 'tills', 'listeners'] LOOP
		EXECUTE format('REVOKE ALL ON %I FROM PUBLIC, till_listener, till_console', name);
		EXECUTE format('GRANT SELECT ON %I TO till_console', name);
		IF name <> 'cashiers' THEN
			EXECUTE format('GRANT SELECT ON %I TO till_listener', name);
		END IF;
		EXECUTE format('ALTER TABLE %I OWNER TO till_owner', name);
	END LOOP;
END
$$;

GRANT UPDATE (value, transfers, digest) ON meta TO till_listener, till_console;

-- All columns except an order's terms.
GRANT UPDATE (order_reference, link_url, expires_at, link_assumed, status, error, paid_at, success_seen, expired_seen,
	given_up, not_sent, acknowledged, attention, reported_amount, reported_unit, open, superseded, paid_otherwise,
	sent_at, search)
	ON orders TO till_listener, till_console;

GRANT INSERT, DELETE, UPDATE (order_id, outcome, count) ON events TO till_listener;
GRANT INSERT, DELETE, UPDATE (seen_at) ON listeners TO till_listener;

GRANT INSERT ON orders, order_items, findings, cash_sales, receipts, requests, tills TO till_console;
GRANT INSERT ON transfers TO till_listener, till_console;
GRANT INSERT (series, value), UPDATE (value) ON counters TO till_console;
GRANT INSERT, UPDATE, DELETE ON sales, articles TO till_console;
GRANT UPDATE (order_id, outcome) ON events TO till_console;
-- A till counts wrong PINs.
GRANT UPDATE (tries) ON cashiers TO till_console;

-- The triggers below apply to members of the two roles, but not to the owner, who copies
-- and restores.
CREATE OR REPLACE FUNCTION is_member(role text) RETURNS boolean LANGUAGE sql STABLE AS $$
	SELECT pg_has_role(current_user, role, 'member') AND NOT pg_has_role(current_user, 'till_owner', 'member')
$$;

CREATE OR REPLACE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	till     boolean := is_member('till_console');
	listener boolean := is_member('till_listener');
	refused  text;
BEGIN
	IF NOT till AND NOT listener THEN
		RETURN new;
	END IF;
	IF (new.status = 'success' OR new.success_seen OR new.paid_at IS NOT NULL)
		AND NOT EXISTS (SELECT 1 FROM events e WHERE e.order_id = new.id AND e.order_reference = new.order_reference
			AND e.kind = 'payment.success') THEN
		refused := 'no success came for this order';
	ELSIF new.paid_at IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM events e WHERE e.order_id = new.id AND e.order_reference = new.order_reference
			AND e.kind = 'payment.success' AND e.received_at = new.paid_at
			-- The kinds of the fields: amount is a number, currency a text.
			AND substr(e.kinds, 2, 2) = convert_to('ns', 'UTF8')
			AND e.amount = convert_to(new.amount::text, 'UTF8') AND e.currency = convert_to('Ar', 'UTF8')) THEN
		refused := 'no success of this amount came at this moment';
	ELSIF TG_OP = 'INSERT' AND (new.id <> next_order() OR new.amount NOT BETWEEN 1 AND 1000000000000) THEN
		refused := 'an order has the next key, and an amount that can be summed up';
	ELSIF TG_OP = 'INSERT' THEN
		RETURN new;
	ELSIF old.paid_at IS NOT NULL AND new.paid_at IS DISTINCT FROM old.paid_at
		OR old.success_seen AND NOT new.success_seen THEN
		refused := 'a payment is never taken back';
	ELSIF old.order_reference NOT IN ('', new.order_reference) OR old.link_url NOT IN ('', new.link_url)
		OR old.expires_at IS NOT NULL AND new.expires_at IS DISTINCT FROM old.expires_at THEN
		refused := 'an order reference and a link are given once';
	ELSIF NOT till AND (new.order_reference, new.link_url) IS DISTINCT FROM (old.order_reference, old.link_url) THEN
		refused := 'a listener writes what an event says';
	ELSE
		RETURN new;
	END IF;
	RAISE insufficient_privilege USING MESSAGE = refused;
END
$$;

-- Items are inserted with their order, and their sum is at most its amount.
CREATE OR REPLACE FUNCTION guard_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF is_member('till_console') AND (new.unit_price <= 0 OR new.quantity <= 0
		OR (SELECT coalesce(sum(unit_price * quantity), 0) FROM order_items WHERE order_id = new.order_id)
			+ new.unit_price * new.quantity > (SELECT amount FROM orders WHERE id = new.order_id)) THEN
		RAISE insufficient_privilege USING MESSAGE = 'the order has its items';
	END IF;
	RETURN new;
END
$$;

-- Findings of an order are numbered, so that the last one is the newest.
CREATE OR REPLACE FUNCTION guard_finding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF is_member('till_console') AND new.position <> (SELECT count(*) + 1 FROM findings WHERE order_id = new.order_id) THEN
		RAISE insufficient_privilege USING MESSAGE = 'findings are added one by one';
	END IF;
	RETURN new;
END
$$;

CREATE OR REPLACE FUNCTION guard_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	till     boolean := is_member('till_console');
	listener boolean := is_member('till_listener');
	refused  text;
BEGIN
	IF TG_OP = 'DELETE' THEN
		IF (till OR listener) AND old.order_id IS NOT NULL THEN
			RAISE insufficient_privilege USING MESSAGE = 'an order has this event';
		END IF;
		RETURN old;
	ELSIF NOT till AND NOT listener THEN
		RETURN new;
	ELSIF TG_OP = 'UPDATE' AND old.order_id IS NOT NULL AND (NOT listener OR new.order_id IS DISTINCT FROM old.order_id) THEN
		refused := 'an order has this event';
	ELSIF new.order_id IS NOT NULL AND NOT EXISTS
		(SELECT 1 FROM orders o WHERE o.id = new.order_id AND o.order_reference = new.order_reference) THEN
		refused := 'the event is not of this order';
	ELSIF NOT listener AND new.order_id IS NULL AND new.outcome <> 'noticed' THEN
		refused := 'a till notes of an event that it was seen';
	ELSE
		RETURN new;
	END IF;
	RAISE insufficient_privilege USING MESSAGE = refused;
END
$$;

-- Transfers are numbered without gaps. A listener posts what the payment service paid for an order.
CREATE OR REPLACE FUNCTION guard_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	till     boolean := is_member('till_console');
	listener boolean := is_member('till_listener');
BEGIN
	IF (till OR listener) AND new.id <> (SELECT coalesce(max(id), 0) + 1 FROM transfers) THEN
		RAISE insufficient_privilege USING MESSAGE = 'transfers are added one by one';
	ELSIF listener AND NOT till AND (new.payment <> 'order' OR new.kind <> 'sale'
		OR (new.from_account, new.to_account) <> ('sales', 'service')) THEN
		RAISE insufficient_privilege USING MESSAGE = 'a listener posts what the payment service paid';
	END IF;
	RETURN new;
END
$$;

-- At the commit, the head names the last transfer: else the next change could not add one.
CREATE OR REPLACE FUNCTION guard_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF new.id > (SELECT transfers FROM meta WHERE key = 'change_seq') THEN
		RAISE insufficient_privilege USING MESSAGE = 'a transfer comes with the head of the ledger';
	END IF;
	RETURN NULL;
END
$$;

-- A series grows by one, and so do the change sequence and the probe's row. The head of the ledger is
-- its last transfer: a wrong head would stop every till.
CREATE OR REPLACE FUNCTION guard_counter() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF (is_member('till_console') OR is_member('till_listener')) AND (TG_TABLE_NAME = 'meta' AND to_json(new) ->> 'key' IN ('schema', 'tag')
		OR new.value <> (CASE TG_OP WHEN 'INSERT' THEN 1 ELSE old.value + 1 END)
		OR TG_TABLE_NAME = 'meta' AND to_json(new) ->> 'key' = 'change_seq'
			AND (to_json(new) ->> 'transfers')::bigint <> (SELECT coalesce(max(id), 0) FROM transfers)) THEN
		RAISE insufficient_privilege USING MESSAGE = 'numbers are taken one by one';
	END IF;
	RETURN new;
END
$$;

-- Functions look for tables only in this schema, and not first in a temporary one.
DO $$
DECLARE
	name text;
BEGIN
	FOREACH name IN ARRAY ARRAY['next_order()', 'tell_change()', 'is_member(text)', 'guard_order()', 'guard_item()', 'guard_finding()', 'guard_event()',
		'guard_transfer()', 'guard_head()', 'guard_counter()'] LOOP
		EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
		EXECUTE format('ALTER FUNCTION %s OWNER TO till_owner', name);
	END LOOP;
END
$$;

DROP TRIGGER IF EXISTS guard_order ON orders;
CREATE TRIGGER guard_order BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();
DROP TRIGGER IF EXISTS guard_item ON order_items;
CREATE TRIGGER guard_item BEFORE INSERT ON order_items FOR EACH ROW EXECUTE FUNCTION guard_item();
DROP TRIGGER IF EXISTS guard_finding ON findings;
CREATE TRIGGER guard_finding BEFORE INSERT ON findings FOR EACH ROW EXECUTE FUNCTION guard_finding();
DROP TRIGGER IF EXISTS guard_event ON events;
CREATE TRIGGER guard_event BEFORE INSERT OR UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION guard_event();
DROP TRIGGER IF EXISTS guard_transfer ON transfers;
CREATE TRIGGER guard_transfer BEFORE INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION guard_transfer();
DROP TRIGGER IF EXISTS guard_head ON transfers;
CREATE CONSTRAINT TRIGGER guard_head AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION guard_head();
DROP TRIGGER IF EXISTS guard_counter ON counters;
CREATE TRIGGER guard_counter BEFORE INSERT OR UPDATE ON counters FOR EACH ROW EXECUTE FUNCTION guard_counter();
DROP TRIGGER IF EXISTS guard_meta ON meta;
CREATE TRIGGER guard_meta BEFORE UPDATE ON meta FOR EACH ROW EXECUTE FUNCTION guard_counter();
