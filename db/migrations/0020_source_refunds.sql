CREATE TABLE "source_refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"topup_id" text NOT NULL,
	"user_id" text NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"payment_reference" text NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"money" text DEFAULT 'none' NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"charge_minor" bigint,
	"charge_currency" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"requested_by" text NOT NULL,
	"approved_by" text,
	"second_approved_by" text,
	"approved_at" timestamp with time zone,
	"declined_by" text,
	"answer" text DEFAULT '' NOT NULL,
	"provider_reference" text,
	"error" text DEFAULT '' NOT NULL,
	"next_action_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"idempotency_key" text,
	"request_hash" text,
	"ended_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "source_refunds_amount_positive" CHECK (amount_cents > 0 and (charge_minor is null or charge_minor > 0)),
	CONSTRAINT "source_refunds_money_matches_state" CHECK (case state when 'processing' then money in ('held', 'sent') when 'succeeded' then money = 'sent'
        when 'failed' then money = 'returned' else money = 'none' end)
);
--> statement-breakpoint
ALTER TABLE "source_refunds" ADD CONSTRAINT "source_refunds_topup_id_topups_id_fk" FOREIGN KEY ("topup_id") REFERENCES "public"."topups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_refunds" ADD CONSTRAINT "source_refunds_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "source_refunds_requested_key" ON "source_refunds" USING btree ("topup_id") WHERE state = 'requested';--> statement-breakpoint
CREATE UNIQUE INDEX "source_refunds_reference_key" ON "source_refunds" USING btree ("provider","mode","provider_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "source_refunds_idempotency_key" ON "source_refunds" USING btree ("requested_by","idempotency_key");--> statement-breakpoint
CREATE INDEX "source_refunds_topup_idx" ON "source_refunds" USING btree ("topup_id","id");--> statement-breakpoint
CREATE INDEX "source_refunds_user_idx" ON "source_refunds" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "source_refunds_state_idx" ON "source_refunds" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "source_refunds_approved_idx" ON "source_refunds" USING btree ("approved_by","approved_at") WHERE approved_by is not null;--> statement-breakpoint
CREATE INDEX "source_refunds_next_action_idx" ON "source_refunds" USING btree ("next_action_at") WHERE next_action_at is not null;--> statement-breakpoint
CREATE INDEX "source_refunds_updated_idx" ON "source_refunds" USING btree ("updated_at");