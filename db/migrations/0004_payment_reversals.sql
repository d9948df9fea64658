CREATE TABLE "payment_reversals" (
	"id" text PRIMARY KEY NOT NULL,
	"topup_id" text NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"amount_cents" bigint DEFAULT 0 NOT NULL,
	"excess_minor" bigint DEFAULT 0 NOT NULL,
	"money" text DEFAULT 'kept' NOT NULL,
	"outcome" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "pay_code" text;--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "next_check_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "checks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_topup_id_topups_id_fk" FOREIGN KEY ("topup_id") REFERENCES "public"."topups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_reversals_topup_idx" ON "payment_reversals" USING btree ("topup_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_reversals_reference_key" ON "payment_reversals" USING btree ("provider","mode","kind","reference");--> statement-breakpoint
CREATE INDEX "topups_next_check_idx" ON "topups" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
-- Top-ups that wait already are asked for by the reconcile job as well.
UPDATE "topups" SET "next_check_at" = now() WHERE "status" IN ('created', 'pending');
--> statement-breakpoint
ALTER TABLE "payment_reversals"
	ADD CONSTRAINT "payment_reversals_amounts" CHECK ("amount_minor" >= 0 AND "amount_cents" >= 0 AND "excess_minor" >= 0),
	ADD CONSTRAINT "payment_reversals_money" CHECK ("money" IN ('kept', 'taken', 'returned')),
	ADD CONSTRAINT "payment_reversals_outcome" CHECK ("outcome" IS NULL OR ("kind" = 'dispute' AND "outcome" IN ('won', 'lost')));
--> statement-breakpoint

-- Takes money back that a provider reclaimed: from the wallet what it holds, the rest from what its owner owes, so that
-- the wallet stays at zero or above. Exactly once for each key; p_ids are the ids of the at most two transfers.
-- Returns what came from the wallet and what is owed for it.
CREATE FUNCTION ledger.take_back(
	p_ids text[], p_key text, p_kind text, p_owner text, p_to_kind text, p_to_owner text, p_amount bigint,
	p_currency text, p_actor text, p_method text, p_note text, p_meta jsonb
) RETURNS TABLE (from_wallet bigint, owed bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog AS $$
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

-- Pays what a wallet's owner owes out of what the wallet holds, exactly once for each key. Everything that changes a
-- receivable holds its owner's wallet meanwhile, so that two payments cannot pay the same debt. Returns what was paid.
CREATE FUNCTION ledger.settle_receivable(
	p_id text, p_key text, p_owner text, p_currency text, p_actor text, p_note text, p_meta jsonb
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_catalog AS $$
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
REVOKE ALL ON FUNCTION ledger.take_back, ledger.settle_receivable FROM PUBLIC;
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		GRANT EXECUTE ON FUNCTION ledger.take_back, ledger.settle_receivable TO linkmarket_app;
	END IF;
END $$;
