CREATE TABLE "link_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "link_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"cause" text NOT NULL,
	"actor_id" text,
	"page_url" text NOT NULL,
	"target_url" text NOT NULL,
	"verdict" text NOT NULL,
	"status" integer,
	"final_url" text DEFAULT '' NOT NULL,
	"redirects" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"found" boolean NOT NULL,
	"rel" text DEFAULT '' NOT NULL,
	"anchor" text DEFAULT '' NOT NULL,
	"indexable" boolean,
	"reasons" text[] DEFAULT '{}' NOT NULL,
	"text_hash" text DEFAULT '' NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_digests" (
	"user_id" text PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_proofs" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"check_id" bigint NOT NULL,
	"statement" text NOT NULL,
	"signature" text NOT NULL,
	"key_id" text NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	"revoked_reason" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_watches" (
	"order_id" integer PRIMARY KEY NOT NULL,
	"buyer_id" text NOT NULL,
	"project_id" text,
	"seller_id" text,
	"site_url" text NOT NULL,
	"page_url" text NOT NULL,
	"host" text NOT NULL,
	"target_url" text NOT NULL,
	"anchor" text DEFAULT '' NOT NULL,
	"rel" text DEFAULT 'any' NOT NULL,
	"verdict" text,
	"checked_at" timestamp with time zone,
	"not_ok_since" timestamp with time zone,
	"broken_since" timestamp with time zone,
	"broken_confirmed_at" timestamp with time zone,
	"repair_due_at" timestamp with time zone,
	"reminded_at" timestamp with time zone,
	"unknown_since" timestamp with time zone,
	"started_at" timestamp with time zone NOT NULL,
	"next_check_at" timestamp with time zone,
	"next_cause" text DEFAULT 'schedule' NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proof_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"sealed_private_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "earning_rollups" ADD COLUMN "ripened_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "placements" ADD COLUMN "approval_percent" integer DEFAULT 40 NOT NULL;
--> statement-breakpoint
ALTER TABLE "placements" ADD COLUMN "guarantee_days" integer DEFAULT 90 NOT NULL;
--> statement-breakpoint
ALTER TABLE "placements" ADD COLUMN "ripened_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "placements" ADD COLUMN "guarantee_starts_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "placements" ADD COLUMN "ripen_count" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "link_checks" ADD CONSTRAINT "link_checks_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "link_digests" ADD CONSTRAINT "link_digests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "link_proofs" ADD CONSTRAINT "link_proofs_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "link_proofs" ADD CONSTRAINT "link_proofs_check_id_link_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."link_checks"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "link_watches" ADD CONSTRAINT "link_watches_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "link_watches" ADD CONSTRAINT "link_watches_buyer_id_users_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "link_watches" ADD CONSTRAINT "link_watches_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "link_checks_order_idx" ON "link_checks" USING btree ("order_id","id");
--> statement-breakpoint
CREATE INDEX "link_digests_due_idx" ON "link_digests" USING btree ("due_at");
--> statement-breakpoint
CREATE UNIQUE INDEX "link_proofs_check_key" ON "link_proofs" USING btree ("check_id");
--> statement-breakpoint
CREATE INDEX "link_proofs_order_idx" ON "link_proofs" USING btree ("order_id","id");
--> statement-breakpoint
CREATE INDEX "link_watches_next_check_idx" ON "link_watches" USING btree ("next_check_at") WHERE next_check_at is not null;
--> statement-breakpoint
CREATE INDEX "link_watches_delivery_idx" ON "link_watches" USING btree ("next_check_at") WHERE next_cause = 'delivery' and next_check_at is not null;
--> statement-breakpoint
CREATE INDEX "link_watches_verdict_idx" ON "link_watches" USING btree ("verdict","order_id") WHERE verdict is not null and ended_at is null;
--> statement-breakpoint
CREATE INDEX "link_watches_watched_idx" ON "link_watches" USING btree ("order_id") WHERE verdict is not null and ended_at is null;
--> statement-breakpoint
CREATE INDEX "link_watches_unknown_idx" ON "link_watches" USING btree ("unknown_since") WHERE ended_at is null and verdict = 'unknown';
--> statement-breakpoint
CREATE INDEX "link_watches_seller_repair_idx" ON "link_watches" USING btree ("seller_id","order_id") WHERE ended_at is null and (verdict = 'changed' or broken_confirmed_at is not null);
--> statement-breakpoint
CREATE INDEX "link_watches_buyer_idx" ON "link_watches" USING btree ("buyer_id","verdict","order_id") WHERE ended_at is null;
--> statement-breakpoint
CREATE INDEX "link_watches_project_idx" ON "link_watches" USING btree ("project_id","verdict","end_reason");
--> statement-breakpoint
CREATE INDEX "link_watches_project_lost_idx" ON "link_watches" USING btree ("project_id") WHERE end_reason = 'lost';
--> statement-breakpoint
CREATE UNIQUE INDEX "proof_keys_active_key" ON "proof_keys" USING btree ((true)) WHERE retired_at is null;
