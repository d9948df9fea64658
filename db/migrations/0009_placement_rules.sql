-- Placements: append-only tables, and the flags of installations that have orders already.

CREATE TRIGGER placement_events_immutable BEFORE UPDATE OR DELETE ON public.placement_events FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
CREATE TRIGGER order_messages_immutable BEFORE UPDATE OR DELETE ON public.order_messages FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE UPDATE, DELETE ON public.placement_events, public.order_messages FROM linkmarket_app;
	END IF;
END $$;
--> statement-breakpoint

-- An upgrade does not change who fulfils orders: an admin turns the flags on. A new installation starts with them on.
INSERT INTO public.settings (key, value)
SELECT flag, 'false'::jsonb FROM unnest(ARRAY['flag.seller-orders', 'flag.order-messages']) AS flag
WHERE (SELECT is_called FROM public.orders_id_seq)
ON CONFLICT (key) DO NOTHING;
--> statement-breakpoint

-- Wallets and the accounts of sellers store a balance. No version has created an account of a seller before, so one that
-- stores no balance is an error.
DO $$
BEGIN
	-- By the index, however small the table is.
	PERFORM set_config('enable_seqscan', 'off', true);
	IF EXISTS (SELECT FROM ledger.accounts WHERE kind IN ('seller_pending', 'seller_payable') AND NOT guarded) THEN
		RAISE EXCEPTION 'ledger.accounts contains accounts of sellers that store no balance, which this migration cannot convert.';
	END IF;
	PERFORM set_config('enable_seqscan', 'on', true);
END $$;
--> statement-breakpoint
ALTER TABLE ledger.accounts
	DROP CONSTRAINT accounts_wallets_are_guarded,
	ADD CONSTRAINT accounts_guarded_kinds
		CHECK (guarded = (kind IN ('wallet', 'seller_pending', 'seller_payable'))) NOT VALID;
--> statement-breakpoint

-- As in 0001_ledger.sql, with all guarded kinds.
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
CREATE OR REPLACE FUNCTION ledger.post_transfer(
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
CREATE OR REPLACE FUNCTION ledger.post_transfers(p_transfers jsonb)
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
