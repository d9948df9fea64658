CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"payload" jsonb NOT NULL,
	"summary" text NOT NULL,
	"amount_cents" bigint,
	"beneficiary_id" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"requested_by" text NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_by" text,
	"decided_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_pending_idx" ON "approvals" USING btree ("subject") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "approvals_subject_idx" ON "approvals" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "approvals_state_idx" ON "approvals" USING btree ("state","id");