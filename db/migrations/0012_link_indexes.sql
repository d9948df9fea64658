-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_earnings_out_idx" ON "ledger"."transfers" USING btree ("from_account","from_version") WHERE kind in ('earning', 'ripening') and from_version is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "placements_unwatched_idx" ON "placements" USING btree ("order_id") WHERE ((state = 'approved' and guarantee_starts_at is null)
  or (state in ('closed', 'settled') and ripened_cents < seller_cents - seller_returned_cents));
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger"."transfers_earnings_returned_idx";
