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
-- till_listener  stores events, updates orders from them, adds the transfers that
--                they cause, and leaves signs of life.
-- till_console   creates orders and stores what a person does with them.
--
-- The database prevents the users of tills and listeners, with any program, from
-- doing this:
--   * change or delete a transfer of money, a receipt, a finding, a cash sale, or an
--     event that an order has;
--   * leave a gap in the transfers, or write a head of the ledger that is not the
--     last transfer, which would stop every till;
--   * mark an order as paid without a linked success of its amount and currency,
--     or at another time than that success came;
--   * revoke that an order was paid, or that a success came;
--   * change an order's terms or items, its order reference after it is set, or
--     its link; delete an order. Only whose debt it pays may change, after that debt got
--     another name and before the order has money;
--   * write more than the next number into the change sequence or the probe, which
--     would block all writers; change the schema's version or the tag of the database;
--   * change or delete the code of a till, the record of a change, or the count of
--     skipped numbers;
--   * add or remove a cashier, or change more of one than the count of wrong PINs
--     and the pause after them.
-- A till's user is also prevented from this:
--   * store, count or delete an event, or write that a listener works;
--   * choose the key of an order, or create one with an amount that cannot be paid;
--   * skip or repeat a number of a series;
--   * write a finding in another place than the last, or an item that costs nothing.
-- A listener's user is also prevented from this:
--   * create orders, items, sales, cash sales or receipts, take numbers, write
--     findings, or change prices;
--   * add a transfer, except the money of an order between the account service and sales,
--     or the customer whose debt the order pays;
--   * give an order its order reference or its link;
--   * read or change a cashier.
--
-- The program, not the database, compares PINs and protects the name on a finding,
-- a transfer or a closing.
--
-- A till's user can do this:
--   * add any transfer of money, such as a refund or a void, with any digest, and write any
--     time into it and into a finding, in any name;
--   * find out PINs from their hashes; end or begin a cashier's pause;
--   * take the code of a till's name that no till has used yet, so that another
--     till with that name is refused;
--   * remove the name of a customer, whose debt stays in the account of the customer's code;
--   * change the prices of the catalogue, and change or delete the sales that
--     other tills hold;
--   * create orders in the name of any till, at any time; complete another till's
--     order call that has no answer yet, with any order reference and link, even
--     the order reference of an unmatched event;
--   * remove an order from the lists (acknowledged, open, superseded, paid_otherwise),
--     clear what a person must look at, or add items to an order; link an unmatched
--     event to its order without applying it, or to another order, or give it another
--     outcome, so that no order gets it. till verify reports all of this except what
--     people can do in the console;
--   * fill the disk, send many notifications or hold locks, like every user with
--     write access; a till's name is such a lock.
--
-- A listener's user is trusted: with its password one can store a success, and so mark
-- an order as paid; link or delete unmatched events, and use up their numbers, so that
-- no further event is stored; add and take back the money of orders in the account
-- service; and hide an order like a till's user.
--
-- Reports separate findings from what the service confirmed.

DO $$
DECLARE
	name text;
	columns text;
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
		'cashiers', 'cash_sales', 'transfers', 'receipts', 'requests', 'tills', 'customers', 'listeners'] LOOP
		EXECUTE format('REVOKE ALL ON %I FROM PUBLIC, till_listener, till_console', name);
		EXECUTE format('GRANT SELECT ON %I TO till_console', name);
		IF name <> 'cashiers' THEN
			EXECUTE format('GRANT SELECT ON %I TO till_listener', name);
		END IF;
		EXECUTE format('ALTER TABLE %I OWNER TO till_owner', name);
	END LOOP;
	-- The number of a new order is always the default.
	SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
		WHERE attrelid = 'orders'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'id';
	EXECUTE format('GRANT INSERT (%s) ON orders TO till_console', columns);
END
$$;

GRANT UPDATE (value, transfers, digest) ON meta TO till_listener, till_console;

-- The state of an order, but not its terms.
GRANT UPDATE (link_url, expires_at, link_assumed, status, error, paid_at, success_seen, expired_seen, given_up, not_sent,
	acknowledged, superseded, paid_otherwise, sent_at, attention, reported_amount, reported_unit, open)
	ON orders TO till_listener, till_console;
GRANT UPDATE (order_reference, search, debt) ON orders TO till_console; -- A debt can get another name.

GRANT INSERT, DELETE, UPDATE (order_id, outcome, count) ON events TO till_listener;
GRANT UPDATE (order_id, outcome) ON events TO till_console;
GRANT INSERT, DELETE, UPDATE (seen_at) ON listeners TO till_listener;

GRANT INSERT ON transfers TO till_listener, till_console;
GRANT INSERT ON order_items, findings, cash_sales, receipts, requests, tills TO till_console;
GRANT INSERT (series, value), UPDATE (value) ON counters TO till_console;
GRANT INSERT, UPDATE, DELETE ON sales, articles TO till_console;
GRANT INSERT, DELETE ON customers TO till_console; -- A till forgets the name of a customer.
GRANT UPDATE (tries) ON cashiers TO till_console; -- A till counts wrong PINs.

-- The policies and the triggers below say what grants cannot say. They do not restrict the owner, who
-- copies and restores.

-- A till adds every kind of transfer. A listener adds only what an event changes: what the payment
-- service has for an order. Above 10^15 Ar, a few transfers would overflow every sum.
DROP POLICY IF EXISTS readers ON transfers;
DROP POLICY IF EXISTS console ON transfers;
DROP POLICY IF EXISTS listener ON transfers;
CREATE POLICY readers ON transfers FOR SELECT USING (true);
CREATE POLICY console ON transfers FOR INSERT TO till_console WITH CHECK (amount BETWEEN 0 AND 1000000000000000);
CREATE POLICY listener ON transfers FOR INSERT TO till_listener WITH CHECK (amount BETWEEN 0 AND 1000000000000000
	AND payment = 'order' AND (kind = 'sale' AND (from_account, to_account) IN (('sales', 'service'), ('service', 'sales'))
		OR kind = 'paid' AND EXISTS (SELECT FROM orders o WHERE o.reference = ref AND o.debt <> ''
			AND (from_account, to_account) IN ((o.debt, 'service'), ('service', o.debt)))));
ALTER TABLE transfers ENABLE ROW LEVEL SECURITY;

DROP FUNCTION IF EXISTS refuse, guard_transfer, guard_meta, guard_finding, guard_paid, guard_debt CASCADE; -- with their triggers

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE insufficient_privilege USING MESSAGE = TG_ARGV[0];
END
$$;

-- A change gives its transfer the number after the head. After a gap, or a transfer that is not in the
-- head, no till could add one. Checked at the commit, because the head is written last.
CREATE FUNCTION guard_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF new.id > (SELECT transfers FROM meta WHERE key = 'change_seq')
		OR new.id <> 1 AND NOT EXISTS (SELECT FROM transfers WHERE id = new.id - 1) THEN
		RAISE insufficient_privilege USING MESSAGE = 'transfers have no gaps, and the head has the last one';
	END IF;
	RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER guard_transfer AFTER INSERT ON transfers DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (NOT pg_has_role('till_owner', 'member')) EXECUTE FUNCTION guard_transfer();

-- With a wrong head, no till could add a transfer. After a jump of the change sequence, the tills would
-- wait for changes that never come, or have no number left.
CREATE FUNCTION guard_meta() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF new.key IN ('schema', 'tag') OR new.value <> old.value + 1
		OR (new.transfers, new.digest) <> (old.transfers, old.digest) AND (new.transfers <= old.transfers
			OR NOT EXISTS (SELECT FROM transfers t WHERE (t.id, t.digest) = (new.transfers, new.digest))) THEN
		RAISE insufficient_privilege USING MESSAGE = 'each change adds one, and the head is the last transfer';
	END IF;
	RETURN new;
END
$$;
CREATE TRIGGER guard_meta BEFORE UPDATE ON meta
	FOR EACH ROW WHEN (NOT pg_has_role('till_owner', 'member')) EXECUTE FUNCTION guard_meta();

-- A number that repeats would be on two papers, and a series at its end would stop a till.
CREATE TRIGGER guard_series BEFORE INSERT ON counters
	FOR EACH ROW WHEN (new.value <> 1 AND NOT pg_has_role('till_owner', 'member'))
	EXECUTE FUNCTION refuse('a series begins with one');
CREATE TRIGGER guard_counter BEFORE UPDATE ON counters
	FOR EACH ROW WHEN (new.value <> old.value + 1 AND NOT pg_has_role('till_owner', 'member'))
	EXECUTE FUNCTION refuse('numbers are taken one by one');

-- The program counts the findings of an order, and the highest position decides. Without this, no later
-- finding could replace one, and each attempt would post its money again.
CREATE FUNCTION guard_finding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF new.position <> (SELECT count(*) + 1 FROM findings WHERE order_id = new.order_id) THEN
		RAISE insufficient_privilege USING MESSAGE = 'findings are added one by one';
	END IF;
	RETURN new;
END
$$;
CREATE TRIGGER guard_finding BEFORE INSERT ON findings
	FOR EACH ROW WHEN (NOT pg_has_role('till_owner', 'member')) EXECUTE FUNCTION guard_finding();

-- An event proves a payment. The grants are for unmatched events, which are linked and deleted.
CREATE TRIGGER guard_event BEFORE DELETE OR UPDATE OF order_id, outcome ON events
	FOR EACH ROW WHEN (old.order_id IS NOT NULL AND NOT pg_has_role('till_owner', 'member'))
	EXECUTE FUNCTION refuse('an order has this event');

-- A till applies the events that came before the answer to its call, so grants let it mark an order as
-- paid. Goods are handed over for that, so it needs a proof.
CREATE FUNCTION guard_paid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT FROM events e WHERE e.order_id = new.id AND e.order_reference = new.order_reference
		AND e.kind = 'payment.success' AND (new.paid_at IS NULL OR e.received_at = new.paid_at
			-- The kinds of the fields: amount is a number, currency a text.
			AND substr(e.kinds, 2, 2) = 'ns' AND e.amount = new.amount::text::bytea AND e.currency = 'Ar')) THEN
		RAISE insufficient_privilege USING MESSAGE = 'no such success came for this order';
	END IF;
	RETURN new;
END
$$;
CREATE TRIGGER guard_paid BEFORE INSERT OR UPDATE ON orders
	FOR EACH ROW WHEN ((new.status = 'success' OR new.success_seen OR new.paid_at IS NOT NULL)
		AND NOT pg_has_role('till_owner', 'member'))
	EXECUTE FUNCTION guard_paid();

-- No transfer could pay an order of another amount.
CREATE TRIGGER guard_amount BEFORE INSERT ON orders
	FOR EACH ROW WHEN (new.amount NOT BETWEEN 1 AND 1000000000000 AND NOT pg_has_role('till_owner', 'member'))
	EXECUTE FUNCTION refuse('an order has an amount that can be paid');

-- An item that costs nothing could be added to an order without a difference that till verify finds.
CREATE TRIGGER guard_item BEFORE INSERT ON order_items
	FOR EACH ROW WHEN ((new.unit_price <= 0 OR new.quantity <= 0) AND NOT pg_has_role('till_owner', 'member'))
	EXECUTE FUNCTION refuse('an item has a price');

-- Without this, a paid order could become unpaid, an order could take another order's payment, and a
-- customer could be shown another link. A listener gives no order a link.
CREATE TRIGGER guard_order BEFORE UPDATE ON orders
	FOR EACH ROW WHEN ((old.paid_at IS NOT NULL AND new.paid_at IS DISTINCT FROM old.paid_at
			OR old.success_seen AND NOT new.success_seen
			OR old.order_reference NOT IN ('', new.order_reference) OR old.link_url NOT IN ('', new.link_url)
			OR old.expires_at IS NOT NULL AND new.expires_at IS DISTINCT FROM old.expires_at
			OR old.link_url <> new.link_url AND NOT pg_has_role('till_console', 'member'))
		AND NOT pg_has_role('till_owner', 'member'))
	EXECUTE FUNCTION refuse('a payment, an order reference and a link stay');

-- The order of a debt follows the debt to the account of another name. Without this, a customer's payment could
-- lower another one's debt.
CREATE FUNCTION guard_debt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM transfers WHERE payment = 'order' AND ref = old.reference)
		OR NOT EXISTS (SELECT FROM transfers WHERE kind = 'renamed'
			AND (from_account, to_account) IN ((old.debt, new.debt), (new.debt, old.debt))) THEN
		RAISE insufficient_privilege USING MESSAGE = 'an order pays another debt only after that debt got another name';
	END IF;
	RETURN new;
END
$$;
CREATE TRIGGER guard_debt BEFORE UPDATE OF debt ON orders
	FOR EACH ROW WHEN (old.debt <> new.debt AND NOT pg_has_role('till_owner', 'member'))
	EXECUTE FUNCTION guard_debt();

-- Functions look for tables only in this schema, and not first in a temporary one.
DO $$
DECLARE
	name text;
BEGIN
	FOREACH name IN ARRAY ARRAY['next_order', 'tell_change', 'refuse', 'guard_transfer', 'guard_meta', 'guard_finding', 'guard_paid', 'guard_debt'] LOOP
		EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', name, current_schema());
		EXECUTE format('ALTER FUNCTION %s OWNER TO till_owner', name);
	END LOOP;
END
$$;
