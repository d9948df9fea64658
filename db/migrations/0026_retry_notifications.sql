ALTER TABLE "webhook_events" ADD COLUMN "retry_at" timestamp with time zone DEFAULT now() + interval '2 minutes';--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "retries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_events_retry_idx" ON "webhook_events" USING btree ("retry_at") WHERE retry_at is not null;--> statement-breakpoint
-- The default gave every row that there was a turn; what is processed needs none.
UPDATE "webhook_events" SET "retry_at" = NULL WHERE "processed_at" IS NOT NULL;
