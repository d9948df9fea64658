-- The ledger: its only writer, and the rules that keep its rows immutable (docs/internals/ledger.md).

-- Wallets and the accounts of sellers, and no others, store a balance. Wallets are in USD.
ALTER TABLE ledger.accounts
	ADD CONSTRAINT accounts_guarded_kinds CHECK (guarded = (kind IN ('wallet', 'seller_pending', 'seller_payable'))),
	ADD CONSTRAINT accounts_wallets_in_usd CHECK (kind <> 'wallet' OR currency = 'USD');
--> statement-breakpoint
CREATE FUNCTION ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME, TG_OP USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER transfers_immutable BEFORE UPDATE OR DELETE ON ledger.transfers FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER transfers_not_truncated BEFORE TRUNCATE ON ledger.transfers FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER accounts_not_deleted BEFORE DELETE ON ledger.accounts FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER accounts_not_truncated BEFORE TRUNCATE ON ledger.accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_logs_immutable BEFORE UPDATE OR DELETE ON public.audit_logs FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_logs_not_truncated BEFORE TRUNCATE ON public.audit_logs FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint

-- Returns the id of the account of a kind, owner and currency, and creates the account at its first use.
--
-- account_id and post_transfer have no rights and no search path of their own: every change of either costs as much as
-- a statement. They name every table in full and run inside the SECURITY DEFINER functions below; the application may
-- not call them.
CREATE FUNCTION ledger.account_id(p_kind text, p_owner text, p_currency text) RETURNS bigint
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
		VALUES (p_kind, p_owner, p_currency, p_kind IN ('wallet', 'seller_pending', 'seller_payable'))
		ON CONFLICT (kind, owner, currency) DO NOTHING;
		SELECT id INTO STRICT v_id FROM ledger.accounts
		WHERE kind = p_kind AND owner = p_owner AND currency = p_currency;
	END IF;
	RETURN v_id;
END $$;
--> statement-breakpoint

-- Moves p_amount minor units from one account to another, exactly once for each key.
--   LM001 the paying wallet holds less; LM002 the key was used for another transfer;
--   LM003 the accounts cannot hold the currency; 23514 the amount is not positive, both sides are one account, or the
--   paying account of a seller holds less.
-- The order of the steps matters: lock the guarded accounts by id (prevents deadlocks), THEN write under the key (a
-- concurrent duplicate has waited for the account, finds the key taken and returns the first result), then move the
-- balances. One statement finds both accounts and locks the guarded one, one writes the transfer, one moves the balance:
-- each statement of a function costs as much as the UPDATE itself.
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
	v_from_guarded boolean := p_from_kind IN ('wallet', 'seller_pending', 'seller_payable');
	v_to_guarded boolean := p_to_kind IN ('wallet', 'seller_pending', 'seller_payable');
	v_from bigint;
	v_to bigint;
	v_from_version integer;
	v_to_version integer;
	v_known ledger.transfers%ROWTYPE;
BEGIN
	LOOP
		IF v_from_guarded AND v_to_guarded THEN
			PERFORM FROM ledger.accounts
			WHERE (kind, owner, currency) IN ((p_from_kind, p_from_owner, p_currency), (p_to_kind, p_to_owner, p_currency))
			ORDER BY id FOR NO KEY UPDATE;
			SELECT f.id, f.balance_cents - p_amount, f.version + 1, t.id, t.balance_cents + p_amount, t.version + 1
			INTO v_from, from_balance, v_from_version, v_to, to_balance, v_to_version
			FROM ledger.accounts f, ledger.accounts t
			WHERE f.kind = p_from_kind AND f.owner = p_from_owner AND f.currency = p_currency
				AND t.kind = p_to_kind AND t.owner = p_to_owner AND t.currency = p_currency;
		ELSIF v_from_guarded THEN
			SELECT f.id, f.balance_cents - p_amount, f.version + 1, t.id
			INTO v_from, from_balance, v_from_version, v_to
			FROM ledger.accounts f, ledger.accounts t
			WHERE f.kind = p_from_kind AND f.owner = p_from_owner AND f.currency = p_currency
				AND t.kind = p_to_kind AND t.owner = p_to_owner AND t.currency = p_currency
			FOR NO KEY UPDATE OF f;
		ELSIF v_to_guarded THEN
			SELECT f.id, t.id, t.balance_cents + p_amount, t.version + 1
			INTO v_from, v_to, to_balance, v_to_version
			FROM ledger.accounts f, ledger.accounts t
			WHERE f.kind = p_from_kind AND f.owner = p_from_owner AND f.currency = p_currency
				AND t.kind = p_to_kind AND t.owner = p_to_owner AND t.currency = p_currency
			FOR NO KEY UPDATE OF t;
		ELSE
			-- No guarded account to lock: lock the key.
			PERFORM pg_advisory_xact_lock(hashtextextended(p_key, 0));
			SELECT f.id, t.id INTO v_from, v_to
			FROM ledger.accounts f, ledger.accounts t
			WHERE f.kind = p_from_kind AND f.owner = p_from_owner AND f.currency = p_currency
				AND t.kind = p_to_kind AND t.owner = p_to_owner AND t.currency = p_currency;
		END IF;
		EXIT WHEN FOUND;
		-- The first transfer of an account.
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
			IF p_from_kind = 'wallet' THEN
				RAISE EXCEPTION 'The wallet holds less than the amount' USING ERRCODE = 'LM001';
			END IF;
			RAISE EXCEPTION 'The % account of % holds less than the amount', p_from_kind, p_from_owner USING ERRCODE = '23514';
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

-- Posts transfers in their order: an array of objects with the fields below. The application posts through this function.
-- A list with accounts of sellers touches several guarded accounts. It creates and locks all of them first, in one order
-- in every transaction, because the transfers name them in another order. Other lists touch one wallet.
-- pg_temp comes last in every search path here: otherwise a temporary table of the caller would be found first.
CREATE FUNCTION ledger.post_transfers(p_transfers jsonb)
RETURNS TABLE (transfer_id text, replayed boolean, from_balance bigint, to_balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog, pg_temp AS $$
DECLARE
	t record;
	v_posted record;
	v_accounts bigint[];
BEGIN
	IF p_transfers @? '$[1]'
		AND p_transfers @? '$[*] ? (@.from_kind starts with "seller_" || @.to_kind starts with "seller_")' THEN
		v_accounts := array(
			SELECT account_id(sides.kind, sides.owner, sides.currency) FROM (
				SELECT DISTINCT side.kind, side.owner, one.currency
				FROM jsonb_to_recordset(p_transfers) AS one(
					from_kind text, from_owner text, to_kind text, to_owner text, currency text
				), LATERAL (VALUES (one.from_kind, one.from_owner), (one.to_kind, one.to_owner)) AS side(kind, owner)
				ORDER BY 1, 2, 3
			) AS sides
		);
		PERFORM FROM accounts WHERE id = ANY (v_accounts) AND guarded ORDER BY id FOR NO KEY UPDATE;
	END IF;
	FOR t IN
		SELECT * FROM jsonb_to_recordset(p_transfers) AS one(
			id text, key text, kind text, from_kind text, from_owner text, to_kind text, to_owner text, amount bigint,
			currency text, order_id integer, actor text, method text, note text, meta jsonb, reverses text
		)
	LOOP
		-- An assignment of one call needs no query plan.
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

-- Takes money back that a provider reclaimed: from the wallet what it holds, the rest from its owner's receivable, so
-- that the wallet stays at zero or above. Exactly once for each key; p_ids are the ids of the at most two transfers.
-- Returns the amount taken from the wallet and the amount owed.
CREATE FUNCTION ledger.take_back(
	p_ids text[], p_key text, p_kind text, p_owner text, p_to_kind text, p_to_owner text, p_amount bigint,
	p_currency text, p_actor text, p_method text, p_note text, p_meta jsonb
) RETURNS TABLE (from_wallet bigint, owed bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog, pg_temp AS $$
DECLARE
	v_wallet bigint := account_id('wallet', p_owner, p_currency);
	v_held bigint;
BEGIN
	SELECT balance_cents INTO v_held FROM accounts WHERE id = v_wallet FOR NO KEY UPDATE;
	SELECT coalesce(sum(amount_cents) FILTER (WHERE key = p_key), 0),
		coalesce(sum(amount_cents) FILTER (WHERE key = p_key || ':owed'), 0)
	INTO from_wallet, owed FROM transfers WHERE key IN (p_key, p_key || ':owed');
	IF from_wallet + owed > 0 THEN
		IF from_wallet + owed <> p_amount THEN
			RAISE EXCEPTION 'The key % was used for another transfer', p_key USING ERRCODE = 'LM002';
		END IF;
		RETURN NEXT;
		RETURN;
	END IF;
	from_wallet := least(v_held, p_amount);
	owed := p_amount - from_wallet;
	IF from_wallet > 0 THEN
		PERFORM post_transfer(p_ids[1], p_key, p_kind, 'wallet', p_owner, p_to_kind, p_to_owner, from_wallet,
			p_currency, NULL, p_actor, p_method, p_note, p_meta);
	END IF;
	IF owed > 0 THEN
		PERFORM post_transfer(p_ids[2], p_key || ':owed', p_kind, 'receivable', p_owner, p_to_kind, p_to_owner, owed,
			p_currency, NULL, p_actor, p_method, p_note, p_meta);
	END IF;
	RETURN NEXT;
END $$;
--> statement-breakpoint

-- Pays the receivable of a wallet's owner from the wallet, exactly once for each key. Everything that changes a
-- receivable holds the lock of its owner's wallet, so that two payments cannot pay the same debt. Returns the amount.
CREATE FUNCTION ledger.settle_receivable(
	p_id text, p_key text, p_owner text, p_currency text, p_actor text, p_note text, p_meta jsonb
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog, pg_temp AS $$
DECLARE
	v_debt bigint;
	v_held bigint;
	v_owed bigint;
	v_paid bigint;
BEGIN
	SELECT id INTO v_debt FROM accounts WHERE kind = 'receivable' AND owner = p_owner AND currency = p_currency;
	IF v_debt IS NULL THEN
		RETURN 0;
	END IF;
	SELECT balance_cents INTO v_held FROM accounts
	WHERE kind = 'wallet' AND owner = p_owner AND currency = p_currency FOR NO KEY UPDATE;
	SELECT amount_cents INTO v_paid FROM transfers WHERE key = p_key;
	IF FOUND THEN
		RETURN v_paid;
	END IF;
	SELECT coalesce(sum(CASE WHEN from_account = v_debt THEN amount_cents ELSE -amount_cents END), 0) INTO v_owed
	FROM transfers WHERE v_debt IN (from_account, to_account);
	v_paid := greatest(least(coalesce(v_held, 0), v_owed), 0);
	IF v_paid > 0 THEN
		PERFORM post_transfer(p_id, p_key, 'receivable', 'wallet', p_owner, 'receivable', p_owner, v_paid,
			p_currency, NULL, p_actor, '', p_note, p_meta);
	END IF;
	RETURN v_paid;
END $$;
--> statement-breakpoint

-- Compares a wallet's stored balance with the sum of its transfers and repairs the stored one, under the wallet's lock:
-- without the lock, a transfer in flight looks like a difference.
CREATE FUNCTION ledger.recalculate_wallet(p_owner text) RETURNS TABLE (stored bigint, derived bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog, pg_temp AS $$
DECLARE
	v_id bigint := account_id('wallet', p_owner, 'USD');
BEGIN
	SELECT balance_cents INTO stored FROM accounts WHERE id = v_id FOR NO KEY UPDATE;
	SELECT coalesce(sum(CASE WHEN to_account = v_id THEN amount_cents ELSE -amount_cents END), 0) INTO derived
	FROM transfers WHERE v_id IN (from_account, to_account);
	IF stored <> derived THEN
		UPDATE accounts SET balance_cents = derived WHERE id = v_id;
	END IF;
	RETURN NEXT;
END $$;
--> statement-breakpoint

-- Returns the transfers that are not in the roll-ups (lib/ledger/roll-up.ts), as the snapshot of the calling statement
-- shows both. The planner estimates the few rows that are usual, and no third of the table: the upper bound, which all
-- positions meet, makes the condition a range, which it takes for narrow while the table has no statistics.
CREATE FUNCTION ledger.transfers_since_rollup() RETURNS TABLE (
	kind text, from_account bigint, to_account bigint, amount_cents bigint, from_version integer, order_id integer,
	reverses_id text, created_at timestamptz
) LANGUAGE plpgsql STABLE ROWS 100 AS $$
DECLARE
	v_position bigint;
BEGIN
	SELECT r.position INTO v_position FROM public.ledger_rollup r;
	RETURN QUERY SELECT t.kind, t.from_account, t.to_account, t.amount_cents, t.from_version, t.order_id,
			t.reverses_id, t.created_at
		FROM ledger.transfers t
		WHERE t.position > coalesce(v_position, 0) AND t.position <= 9223372036854775807;
END $$;
--> statement-breakpoint

-- The selectivity of a search text: the planner takes no statistics from `transfers_search_idx`, which is partial.
CREATE STATISTICS ledger.transfers_search_stats ON (CASE WHEN order_id IS NULL THEN lower(method || E'\n' || note) END)
	FROM ledger.transfers;
--> statement-breakpoint
REVOKE ALL ON FUNCTION ledger.account_id, ledger.post_transfer, ledger.post_transfers, ledger.take_back,
	ledger.settle_receivable, ledger.recalculate_wallet, ledger.transfers_since_rollup FROM PUBLIC;
--> statement-breakpoint

-- The application signs in as a member of linkmarket_app: it may call the writer and read the ledger, no more.
-- Where the migrating role may not create roles, an operator creates it beforehand (docs/database.md) or the
-- application runs as the owner; the triggers above hold either way.
DO $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		BEGIN
			CREATE ROLE linkmarket_app NOLOGIN;
		EXCEPTION
			WHEN insufficient_privilege THEN RAISE NOTICE 'linkmarket_app was not created: no privilege';
			-- Roles are shared by the whole server: a concurrent migration of another database may create it first.
			WHEN duplicate_object OR unique_violation THEN NULL;
		END;
	END IF;
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		GRANT USAGE ON SCHEMA ledger TO linkmarket_app;
		GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO linkmarket_app;
		GRANT EXECUTE ON FUNCTION ledger.refuse_change, ledger.post_transfers, ledger.take_back, ledger.settle_receivable,
			ledger.recalculate_wallet, ledger.transfers_since_rollup TO linkmarket_app;
		-- The application reads how far the positions are given out.
		GRANT SELECT ON SEQUENCE ledger.transfers_position_seq TO linkmarket_app;
		GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO linkmarket_app;
		GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO linkmarket_app;
		ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO linkmarket_app;
		ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO linkmarket_app;
		REVOKE UPDATE, DELETE ON public.audit_logs FROM linkmarket_app;
		-- Read at start-up, to report missing migrations.
		GRANT USAGE ON SCHEMA drizzle TO linkmarket_app;
		GRANT SELECT ON ALL TABLES IN SCHEMA drizzle TO linkmarket_app;
	END IF;
END $$;
