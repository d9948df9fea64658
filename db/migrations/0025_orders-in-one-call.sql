-- A paid order in one call (docs/orders.md, docs/ledger.md). Many round trips cost an order most of its time, and hold the
-- wallet it is paid from until the last of them.

-- Posts transfers in their order, each by the one writer: an array of objects with the fields below.
CREATE FUNCTION ledger.post_transfers(p_transfers jsonb)
RETURNS TABLE (transfer_id text, replayed boolean, from_balance bigint, to_balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
	RETURN QUERY SELECT posted.transfer_id, posted.replayed, posted.from_balance, posted.to_balance
	FROM jsonb_to_recordset(p_transfers) AS t(
		id text, key text, kind text, from_kind text, from_owner text, to_kind text, to_owner text, amount bigint,
		currency text, order_id integer, actor text, method text, note text, meta jsonb, reverses text
	) CROSS JOIN LATERAL post_transfer(
		t.id, t.key, t.kind, t.from_kind, t.from_owner, t.to_kind, t.to_owner, t.amount, t.currency,
		t.order_id, t.actor, t.method, t.note, t.meta, t.reverses
	) AS posted;
END $$;
--> statement-breakpoint

-- Writes a checkout, its orders, their audit lines and mails, and posts their transfers last, so that the wallet is
-- locked for the shortest time. Everything is decided before (lib/orders/create.ts); the wallet decides whether it pays.
-- Returns false, and writes nothing, when the buyer used the idempotency key before. A call with the same key that runs
-- at the same moment waits for it. With the rights of the caller.
CREATE FUNCTION public.place_orders(p_checkout jsonb, p_orders jsonb, p_audit jsonb, p_mails jsonb, p_transfers jsonb)
RETURNS boolean LANGUAGE plpgsql SET search_path = public, pg_catalog, pg_temp AS $$
#variable_conflict use_column
BEGIN
	INSERT INTO checkouts (id, user_id, idempotency_key, request_hash, total_cents, answer)
	SELECT id, user_id, idempotency_key, request_hash, total_cents, answer
	FROM jsonb_populate_record(null::checkouts, p_checkout)
	ON CONFLICT (user_id, idempotency_key) DO NOTHING;
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	-- Whole rows: a column that the caller left out would be null, not its default.
	INSERT INTO orders SELECT * FROM jsonb_populate_recordset(null::orders, p_orders);
	INSERT INTO audit_logs (
		action, details, user_id, "user", role, amount_cents, source, entity_type, entity_id, before, after, ip, request_id
	)
	SELECT action, details, user_id, "user", role, amount_cents, source, entity_type, entity_id, before, after, ip, request_id
	FROM jsonb_populate_recordset(null::audit_logs, p_audit);
	INSERT INTO mails (id, kind, recipient, subject, html, text)
	SELECT id, kind, recipient, subject, html, text FROM jsonb_populate_recordset(null::mails, p_mails);
	PERFORM ledger.post_transfers(p_transfers);
	RETURN true;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION ledger.post_transfers, public.place_orders FROM PUBLIC;
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		GRANT EXECUTE ON FUNCTION ledger.post_transfers, public.place_orders TO linkmarket_app;
	END IF;
END $$;
