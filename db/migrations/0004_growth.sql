CREATE TABLE "chain_proofs" (
	"id" text PRIMARY KEY NOT NULL,
	"ran_at" timestamp with time zone DEFAULT now() NOT NULL,
	"statement" text NOT NULL,
	"mac" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proof_requests" (
	"kind" text PRIMARY KEY NOT NULL,
	"requested_by" text NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"progress" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_rollups" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"balance_cents" bigint NOT NULL,
	"version" integer NOT NULL,
	"last_transfer_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kind_rollups" (
	"kind" text NOT NULL,
	"currency" text NOT NULL,
	"balance_cents" bigint NOT NULL,
	CONSTRAINT "kind_rollups_kind_currency_pk" PRIMARY KEY("kind","currency")
);
--> statement-breakpoint
CREATE TABLE "ledger_rollup" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	"unnumbered_id" text DEFAULT '' NOT NULL,
	"is_unnumbered_done" boolean DEFAULT false NOT NULL,
	CONSTRAINT "ledger_rollup_one_row" CHECK ("ledger_rollup"."id")
);
--> statement-breakpoint
CREATE TABLE "project_rollups" (
	"project_id" text PRIMARY KEY NOT NULL,
	"paid_cents" bigint NOT NULL,
	"returned_cents" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "revenue_rollups" (
	"day" date PRIMARY KEY NOT NULL,
	"amount_cents" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "restore_progress" integer;
--> statement-breakpoint
ALTER TABLE "book_proofs" ADD COLUMN "is_whole" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE "book_proofs" ADD COLUMN "position" bigint;
--> statement-breakpoint
ALTER TABLE "book_proofs" ADD COLUMN "started_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "book_proofs" ADD COLUMN "mac" text;
--> statement-breakpoint
ALTER TABLE "ledger"."transfers" ADD COLUMN "position" bigint;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "last_seen_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "proof_requests" ADD CONSTRAINT "proof_requests_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
