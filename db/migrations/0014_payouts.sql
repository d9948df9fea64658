CREATE TABLE "payout_batches" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"mode" text DEFAULT '' NOT NULL,
	"payer" jsonb,
	"execution_date" text DEFAULT '' NOT NULL,
	"payout_count" integer NOT NULL,
	"total_cents" bigint NOT NULL,
	"provider_reference" text,
	"next_action_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text DEFAULT '' NOT NULL,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_methods" (
	"id" text PRIMARY KEY NOT NULL,
	"seller_id" text NOT NULL,
	"kind" text NOT NULL,
	"sealed_details" text NOT NULL,
	"last_four" text DEFAULT '' NOT NULL,
	"usable_at" timestamp with time zone NOT NULL,
	"replaced_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_profiles" (
	"seller_id" text PRIMARY KEY NOT NULL,
	"schedule" text DEFAULT 'manual' NOT NULL,
	"next_request_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" text PRIMARY KEY NOT NULL,
	"seller_id" text NOT NULL,
	"method_id" text NOT NULL,
	"method_kind" text NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"is_scheduled" boolean DEFAULT false NOT NULL,
	"idempotency_key" text,
	"request_hash" text,
	"first_approved_by" text,
	"first_approved_at" timestamp with time zone,
	"approved_by" text,
	"approved_at" timestamp with time zone,
	"batch_id" text,
	"provider_reference" text,
	"reference" text DEFAULT '' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"sent_at" timestamp with time zone,
	"paid_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payouts_amount_above_fee" CHECK (fee_cents >= 0 and amount_cents > fee_cents)
);
--> statement-breakpoint
ALTER TABLE "payout_methods" ADD CONSTRAINT "payout_methods_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_profiles" ADD CONSTRAINT "payout_profiles_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_method_id_payout_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."payout_methods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_batch_id_payout_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."payout_batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payout_batches_next_action_idx" ON "payout_batches" USING btree ("next_action_at") WHERE next_action_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payout_batches_reference_key" ON "payout_batches" USING btree ("kind","mode","provider_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_methods_current_key" ON "payout_methods" USING btree ("seller_id") WHERE replaced_at is null;--> statement-breakpoint
CREATE INDEX "payout_methods_seller_idx" ON "payout_methods" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "payout_profiles_next_request_idx" ON "payout_profiles" USING btree ("next_request_at") WHERE next_request_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_open_key" ON "payouts" USING btree ("seller_id") WHERE state in ('requested', 'approved');--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_idempotency_key" ON "payouts" USING btree ("seller_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "payouts_seller_idx" ON "payouts" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "payouts_state_idx" ON "payouts" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "payouts_batch_idx" ON "payouts" USING btree ("batch_id") WHERE batch_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_provider_reference_key" ON "payouts" USING btree ("method_kind","provider_reference");--> statement-breakpoint
CREATE INDEX "payouts_updated_idx" ON "payouts" USING brin ("updated_at") WITH (autosummarize=true);