ALTER TABLE "payment_reversals" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD COLUMN "evidence_due_by" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "payment_reversals_disputes_idx" ON "payment_reversals" USING btree ("created_at") WHERE kind = 'dispute';