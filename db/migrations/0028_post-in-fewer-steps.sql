-- The books' writer in fewer steps (docs/ledger.md). One statement finds both accounts and locks the wallet, one writes the
-- transfer unless its key is known, one moves the balance: each statement of a function costs as much as a bare UPDATE's
-- own work, and so does every change of user or search path. These functions therefore run inside those that changed both
-- (ledger.post_transfers, take_back, settle_receivable), name every table in full, and nobody else may call them.
CREATE OR REPLACE FUNCTION ledger.account_id(p_kind text, p_owner text, p_currency text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
	v_id bigint;
BEGIN
	SELECT id INTO v_id FROM ledger.accounts WHERE kind = p_kind AND owner = p_owner AND currency = p_currency;
	IF v_id IS NULL THEN
		IF p_kind = 'wallet' AND p_currency <> 'USD' THEN
			RAISE EXCEPTION 'A wallet holds USD, not %', p_currency USING ERRCODE = 'LM003';
		END IF;
		INSERT INTO ledger.accounts (kind, owner, currency, guarded)
		VALUES (p_kind, p_owner, p_currency, p_kind = 'wallet')
		ON CONFLICT (kind, owner, currency) DO NOTHING;
		SELECT id INTO STRICT v_id FROM ledger.accounts
		WHERE kind = p_kind AND owner = p_owner AND currency = p_currency;
	END IF;
	RETURN v_id;
END $$;
--> statement-breakpoint
DROP FUNCTION ledger.post_transfer;
--> statement-breakpoint

-- Moves p_amount minor units from one account to another, exactly once for each key.
--   LM001 the paying wallet holds less; LM002 the key was used for another transfer;
--   LM003 the accounts cannot hold the currency; 23514 the amount is not positive or both sides are one account.
-- Order of steps: lock the wallets by id (no deadlock), THEN write under the key (a racing duplicate has waited for the
-- wallet, finds the key taken and answers the first result instead of an error), then move the balances.
CREATE FUNCTION ledger.post_transfer(
	p_id text, p_key text, p_kind text,
	p_from_kind text, p_from_owner text, p_to_kind text, p_to_owner text,
	p_amount bigint, p_currency text,
	p_order integer DEFAULT NULL, p_actor text DEFAULT NULL, p_method text DEFAULT '', p_note text DEFAULT '',
	p_meta jsonb DEFAULT '{}', p_reverses text DEFAULT NULL,
	OUT transfer_id text, OUT replayed boolean, OUT from_balance bigint, OUT to_balance bigint
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
	v_from bigint;
	v_to bigint;
	v_from_version integer;
	v_to_version integer;
	v_known ledger.transfers%ROWTYPE;
BEGIN
	LOOP
		IF p_from_kind = 'wallet' AND p_to_kind = 'wallet' THEN
			PERFORM FROM ledger.accounts
			WHERE kind = 'wallet' AND owner IN (p_from_owner, p_to_owner) AND currency = p_currency
			ORDER BY id FOR NO KEY UPDATE;
			SELECT f.id, f.balance_cents - p_amount, f.version + 1, t.id, t.balance_cents + p_amount, t.version + 1
			INTO v_from, from_balance, v_from_version, v_to, to_balance, v_to_version
			FROM ledger.accounts f, ledger.accounts t
			WHERE f.kind = 'wallet' AND f.owner = p_from_owner AND f.currency = p_currency
				AND t.kind = 'wallet' AND t.owner = p_to_owner AND t.currency = p_currency;
		ELSIF p_from_kind = 'wallet' THEN
			SELECT f.id, f.balance_cents - p_amount, f.version + 1, t.id
			INTO v_from, from_balance, v_from_version, v_to
			FROM ledger.accounts f, ledger.accounts t
			WHERE f.kind = 'wallet' AND f.owner = p_from_owner AND f.currency = p_currency
				AND t.kind = p_to_kind AND t.owner = p_to_owner AND t.currency = p_currency
			FOR NO KEY UPDATE OF f;
		ELSIF p_to_kind = 'wallet' THEN
			SELECT f.id, t.id, t.balance_cents + p_amount, t.version + 1
			INTO v_from, v_to, to_balance, v_to_version
			FROM ledger.accounts f, ledger.accounts t
			WHERE f.kind = p_from_kind AND f.owner = p_from_owner AND f.currency = p_currency
				AND t.kind = 'wallet' AND t.owner = p_to_owner AND t.currency = p_currency
			FOR NO KEY UPDATE OF t;
		ELSE
			-- No wallet to queue on: queue on the key itself.
			PERFORM pg_advisory_xact_lock(hashtextextended(p_key, 0));
			SELECT f.id, t.id INTO v_from, v_to
			FROM ledger.accounts f, ledger.accounts t
			WHERE f.kind = p_from_kind AND f.owner = p_from_owner AND f.currency = p_currency
				AND t.kind = p_to_kind AND t.owner = p_to_owner AND t.currency = p_currency;
		END IF;
		EXIT WHEN FOUND;
		-- An account's first transfer.
		PERFORM ledger.account_id(p_from_kind, p_from_owner, p_currency), ledger.account_id(p_to_kind, p_to_owner, p_currency);
	END LOOP;

	replayed := false;
	IF coalesce(from_balance, 0) >= 0 THEN
		INSERT INTO ledger.transfers (
			id, key, kind, from_account, to_account, amount_cents, currency,
			from_version, from_balance_cents, to_version, to_balance_cents,
			reverses_id, order_id, actor_id, method, note, meta
		) VALUES (
			p_id, p_key, p_kind, v_from, v_to, p_amount, p_currency,
			v_from_version, from_balance, v_to_version, to_balance,
			p_reverses, p_order, p_actor, p_method, p_note, p_meta
		) ON CONFLICT (key) DO NOTHING;
		replayed := NOT FOUND;
	END IF;

	IF replayed OR from_balance < 0 THEN
		SELECT * INTO v_known FROM ledger.transfers WHERE key = p_key;
		IF NOT FOUND THEN
			RAISE EXCEPTION 'The wallet holds less than the amount' USING ERRCODE = 'LM001';
		END IF;
		IF v_known.kind = p_kind AND v_known.from_account = v_from AND v_known.to_account = v_to
			AND v_known.amount_cents = p_amount AND v_known.currency = p_currency
			AND v_known.order_id IS NOT DISTINCT FROM p_order AND v_known.reverses_id IS NOT DISTINCT FROM p_reverses THEN
			transfer_id := v_known.id;
			replayed := true;
			from_balance := v_known.from_balance_cents;
			to_balance := v_known.to_balance_cents;
			RETURN;
		END IF;
		RAISE EXCEPTION 'The key % was used for another transfer', p_key USING ERRCODE = 'LM002';
	END IF;

	IF v_from_version IS NOT NULL THEN
		UPDATE ledger.accounts SET balance_cents = from_balance, version = v_from_version WHERE id = v_from;
	END IF;
	IF v_to_version IS NOT NULL THEN
		UPDATE ledger.accounts SET balance_cents = to_balance, version = v_to_version WHERE id = v_to;
	END IF;
	transfer_id := p_id;
END $$;
--> statement-breakpoint

-- Posts transfers in their order, each by the one writer: an array of objects with the fields below.
CREATE OR REPLACE FUNCTION ledger.post_transfers(p_transfers jsonb)
RETURNS TABLE (transfer_id text, replayed boolean, from_balance bigint, to_balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog, pg_temp AS $$
DECLARE
	t record;
	v_posted record;
BEGIN
	FOR t IN
		SELECT * FROM jsonb_to_recordset(p_transfers) AS one(
			id text, key text, kind text, from_kind text, from_owner text, to_kind text, to_owner text, amount bigint,
			currency text, order_id integer, actor text, method text, note text, meta jsonb, reverses text
		)
	LOOP
		-- An assignment of one call, not a query: it needs no plan.
		v_posted := post_transfer(
			t.id, t.key, t.kind, t.from_kind, t.from_owner, t.to_kind, t.to_owner, t.amount, t.currency,
			t.order_id, t.actor, t.method, t.note, t.meta, t.reverses
		);
		transfer_id := v_posted.transfer_id;
		replayed := v_posted.replayed;
		from_balance := v_posted.from_balance;
		to_balance := v_posted.to_balance;
		RETURN NEXT;
	END LOOP;
END $$;
--> statement-breakpoint

-- As 0025 has it, told where its tables are instead of by a search path of its own.
CREATE OR REPLACE FUNCTION public.place_orders(p_checkout jsonb, p_orders jsonb, p_audit jsonb, p_mails jsonb, p_transfers jsonb)
RETURNS boolean LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
	INSERT INTO public.checkouts (id, user_id, idempotency_key, request_hash, total_cents, answer)
	SELECT id, user_id, idempotency_key, request_hash, total_cents, answer
	FROM jsonb_populate_record(null::public.checkouts, p_checkout)
	ON CONFLICT (user_id, idempotency_key) DO NOTHING;
	IF NOT FOUND THEN
		RETURN false;
	END IF;
	-- Whole rows: a column that the caller left out would be null, not its default.
	INSERT INTO public.orders SELECT * FROM jsonb_populate_recordset(null::public.orders, p_orders);
	INSERT INTO public.audit_logs (
		action, details, user_id, "user", role, amount_cents, source, entity_type, entity_id, before, after, ip, request_id
	)
	SELECT action, details, user_id, "user", role, amount_cents, source, entity_type, entity_id, before, after, ip, request_id
	FROM jsonb_populate_recordset(null::public.audit_logs, p_audit);
	IF jsonb_array_length(p_mails) > 0 THEN
		INSERT INTO public.mails (id, kind, recipient, subject, html, text)
		SELECT id, kind, recipient, subject, html, text FROM jsonb_populate_recordset(null::public.mails, p_mails);
	END IF;
	PERFORM ledger.post_transfers(p_transfers);
	RETURN true;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION ledger.account_id, ledger.post_transfer FROM PUBLIC;
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE ALL ON FUNCTION ledger.account_id, ledger.post_transfer FROM linkmarket_app;
	END IF;
END $$;
