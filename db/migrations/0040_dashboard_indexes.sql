-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "placements_buyer_answer_idx" ON "placements" USING btree ("buyer_id","answer_due_at","order_id") WHERE state = 'offered';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "placements_buyer_due_idx" ON "placements" USING btree ("buyer_id","delivery_due_at","order_id") WHERE state in ('accepted', 'in_revision');
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "placements_buyer_approved_idx" ON "placements" USING btree ("buyer_id","approved_at") WHERE approved_at is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "link_watches_buyer_started_idx" ON "link_watches" USING btree ("buyer_id","started_at") WHERE seller_id is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "link_watches_buyer_lost_idx" ON "link_watches" USING btree ("buyer_id","ended_at","order_id") WHERE end_reason = 'lost';
