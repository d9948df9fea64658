-- The books' one writer, and the rules that make their rows immutable. docs/ledger.md tells the whole design.

-- Wallets and only wallets are guarded, and they are in USD (decision 8).
ALTER TABLE ledger.accounts
	ADD CONSTRAINT accounts_wallets_are_guarded CHECK (guarded = (kind = 'wallet')),
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

-- The account of a kind, owner and currency; made at first use. Returns its id.
CREATE FUNCTION ledger.account_id(p_kind text, p_owner text, p_currency text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog AS $$
DECLARE
	v_id bigint;
BEGIN
	SELECT id INTO v_id FROM accounts WHERE kind = p_kind AND owner = p_owner AND currency = p_currency;
	IF v_id IS NULL THEN
		IF p_kind = 'wallet' AND p_currency <> 'USD' THEN
			RAISE EXCEPTION 'A wallet holds USD, not %', p_currency USING ERRCODE = 'LM003';
		END IF;
		INSERT INTO accounts (kind, owner, currency, guarded) VALUES (p_kind, p_owner, p_currency, p_kind = 'wallet')
		ON CONFLICT (kind, owner, currency) DO NOTHING;
		SELECT id INTO STRICT v_id FROM accounts WHERE kind = p_kind AND owner = p_owner AND currency = p_currency;
	END IF;
	RETURN v_id;
END $$;
--> statement-breakpoint

-- Moves p_amount minor units from one account to another, exactly once for each key.
--   LM001 the paying wallet holds less; LM002 the key was used for another transfer;
--   LM003 the accounts cannot hold the currency; 23514 the amount is not positive or both sides are one account.
-- Order of steps: lock the wallets by id (no deadlock), THEN look the key up (a racing duplicate sees the first
-- result instead of an error), then check the funds, then write.
CREATE FUNCTION ledger.post_transfer(
	p_id text, p_key text, p_kind text,
	p_from_kind text, p_from_owner text, p_to_kind text, p_to_owner text,
	p_amount bigint, p_currency text,
	p_order integer DEFAULT NULL, p_actor text DEFAULT NULL, p_method text DEFAULT '', p_note text DEFAULT '',
	p_meta jsonb DEFAULT '{}', p_reverses text DEFAULT NULL
) RETURNS TABLE (transfer_id text, replayed boolean, from_balance bigint, to_balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog AS $$
#variable_conflict use_column
DECLARE
	v_from bigint := account_id(p_from_kind, p_from_owner, p_currency);
	v_to bigint := account_id(p_to_kind, p_to_owner, p_currency);
	v_from_guarded boolean := p_from_kind = 'wallet';
	v_to_guarded boolean := p_to_kind = 'wallet';
	v_known transfers%ROWTYPE;
	v_from_balance bigint;
	v_from_version integer;
	v_to_balance bigint;
	v_to_version integer;
BEGIN
	IF v_from_guarded AND v_to_guarded THEN
		PERFORM 1 FROM accounts WHERE id IN (v_from, v_to) ORDER BY id FOR NO KEY UPDATE;
	ELSIF v_from_guarded THEN
		PERFORM 1 FROM accounts WHERE id = v_from FOR NO KEY UPDATE;
	ELSIF v_to_guarded THEN
		PERFORM 1 FROM accounts WHERE id = v_to FOR NO KEY UPDATE;
	ELSE
		-- No wallet to queue on: queue on the key itself.
		PERFORM pg_advisory_xact_lock(hashtextextended(p_key, 0));
	END IF;

	SELECT * INTO v_known FROM transfers WHERE key = p_key;
	IF FOUND THEN
		IF v_known.kind = p_kind AND v_known.from_account = v_from AND v_known.to_account = v_to
			AND v_known.amount_cents = p_amount AND v_known.currency = p_currency
			AND v_known.order_id IS NOT DISTINCT FROM p_order AND v_known.reverses_id IS NOT DISTINCT FROM p_reverses THEN
			RETURN QUERY SELECT v_known.id, true, v_known.from_balance_cents, v_known.to_balance_cents;
			RETURN;
		END IF;
		RAISE EXCEPTION 'The key % was used for another transfer', p_key USING ERRCODE = 'LM002';
	END IF;

	IF p_amount <= 0 OR v_from = v_to THEN
		RAISE EXCEPTION 'A transfer moves a positive amount between two accounts' USING ERRCODE = '23514';
	END IF;

	IF v_from_guarded THEN
		UPDATE accounts SET balance_cents = balance_cents - p_amount, version = version + 1
		WHERE id = v_from AND balance_cents >= p_amount
		RETURNING balance_cents, version INTO v_from_balance, v_from_version;
		IF NOT FOUND THEN
			RAISE EXCEPTION 'The wallet holds less than the amount' USING ERRCODE = 'LM001';
		END IF;
	END IF;
	IF v_to_guarded THEN
		UPDATE accounts SET balance_cents = balance_cents + p_amount, version = version + 1
		WHERE id = v_to
		RETURNING balance_cents, version INTO v_to_balance, v_to_version;
	END IF;

	INSERT INTO transfers (
		id, key, kind, from_account, to_account, amount_cents, currency,
		from_version, from_balance_cents, to_version, to_balance_cents,
		reverses_id, order_id, actor_id, method, note, meta
	) VALUES (
		p_id, p_key, p_kind, v_from, v_to, p_amount, p_currency,
		v_from_version, v_from_balance, v_to_version, v_to_balance,
		p_reverses, p_order, p_actor, p_method, p_note, p_meta
	);
	RETURN QUERY SELECT p_id, false, v_from_balance, v_to_balance;
END $$;
--> statement-breakpoint

-- Compares a wallet's stored balance with the sum of its transfers and repairs the stored one, under the wallet's
-- lock (without it, a transfer in flight looks like a difference).
CREATE FUNCTION ledger.recalculate_wallet(p_owner text) RETURNS TABLE (stored bigint, derived bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog AS $$
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
REVOKE ALL ON FUNCTION ledger.account_id, ledger.post_transfer, ledger.recalculate_wallet FROM PUBLIC;
--> statement-breakpoint

-- The application signs in as a member of linkmarket_app: it may call the writer and read the books, no more.
-- Where the migrating role may not create roles, an operator creates it beforehand (docs/ledger.md) or the
-- application runs as the owner; the triggers above hold either way.
DO $$
BEGIN
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		BEGIN
			CREATE ROLE linkmarket_app NOLOGIN;
		EXCEPTION
			WHEN insufficient_privilege THEN RAISE NOTICE 'linkmarket_app was not created: no privilege';
			-- Roles are shared by the whole server: another database's migration may have been first.
			WHEN duplicate_object OR unique_violation THEN NULL;
		END;
	END IF;
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		GRANT USAGE ON SCHEMA ledger TO linkmarket_app;
		GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO linkmarket_app;
		GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ledger TO linkmarket_app;
		GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO linkmarket_app;
		GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO linkmarket_app;
		ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO linkmarket_app;
		ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO linkmarket_app;
		REVOKE UPDATE, DELETE ON public.audit_logs FROM linkmarket_app;
		-- Read at start-up, to say plainly that migrations are missing.
		GRANT USAGE ON SCHEMA drizzle TO linkmarket_app;
		GRANT SELECT ON ALL TABLES IN SCHEMA drizzle TO linkmarket_app;
	END IF;
END $$;
