ALTER TABLE "topups" ADD COLUMN "idempotency_key" text;--> statement-breakpoint
ALTER TABLE "topups" ADD COLUMN "request_hash" text;--> statement-breakpoint
CREATE UNIQUE INDEX "topups_idempotency_key" ON "topups" USING btree ("user_id","idempotency_key");