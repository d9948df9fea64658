CREATE TABLE "settlement_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"reference" text NOT NULL,
	"type" text NOT NULL,
	"provider_type" text NOT NULL,
	"gross_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"net_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"source" text NOT NULL,
	"payment_reference" text,
	"named_topup_id" text,
	"occurred_at" timestamp with time zone NOT NULL,
	"available_on" timestamp with time zone,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	"topup_id" text,
	"outcome" text DEFAULT 'open' NOT NULL,
	"reason" text,
	"passed_minor" bigint DEFAULT 0 NOT NULL,
	"next_check_at" timestamp with time zone DEFAULT now(),
	"checks" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settlement_positions" (
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"read_until" timestamp with time zone NOT NULL,
	"window_from" timestamp with time zone,
	"window_until" timestamp with time zone,
	"cursor" text,
	"read_again_from" timestamp with time zone,
	"ledger_seen_at" timestamp with time zone NOT NULL,
	"last_read_at" timestamp with time zone,
	"error" text,
	"lease_until" timestamp with time zone,
	CONSTRAINT "settlement_positions_provider_mode_pk" PRIMARY KEY("provider","mode")
);
--> statement-breakpoint
ALTER TABLE "settlement_lines" ADD CONSTRAINT "settlement_lines_topup_id_topups_id_fk" FOREIGN KEY ("topup_id") REFERENCES "public"."topups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_lines_reference_key" ON "settlement_lines" USING btree ("provider","mode","reference");--> statement-breakpoint
CREATE INDEX "settlement_lines_occurred_idx" ON "settlement_lines" USING btree ("provider","mode","occurred_at");--> statement-breakpoint
CREATE INDEX "settlement_lines_topup_idx" ON "settlement_lines" USING btree ("topup_id");--> statement-breakpoint
CREATE INDEX "settlement_lines_source_idx" ON "settlement_lines" USING btree ("provider","source");--> statement-breakpoint
CREATE INDEX "settlement_lines_payment_idx" ON "settlement_lines" USING btree ("provider","payment_reference");--> statement-breakpoint
CREATE INDEX "settlement_lines_check_idx" ON "settlement_lines" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "transfers_topup_idx" ON "ledger"."transfers" USING btree ((meta ->> 'topupId')) WHERE meta ->> 'topupId' is not null;--> statement-breakpoint

-- What a provider's statement said stays as it was read; only what became of a line changes.
CREATE FUNCTION public.keep_settlement_facts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	v_changing text[] := ARRAY['topup_id', 'outcome', 'reason', 'passed_minor', 'next_check_at', 'checks'];
BEGIN
	IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - v_changing = to_jsonb(NEW) - v_changing THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'public.settlement_lines is append-only: % is refused', TG_OP USING ERRCODE = 'LM004';
END $$;
--> statement-breakpoint
CREATE TRIGGER settlement_lines_immutable BEFORE UPDATE OR DELETE ON public.settlement_lines
FOR EACH ROW EXECUTE FUNCTION public.keep_settlement_facts();
--> statement-breakpoint
DO $$
BEGIN
	IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'linkmarket_app') THEN
		REVOKE UPDATE, DELETE ON public.settlement_lines FROM linkmarket_app;
		GRANT UPDATE (topup_id, outcome, reason, passed_minor, next_check_at, checks)
			ON public.settlement_lines TO linkmarket_app;
	END IF;
END $$;
