-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "notices_created_idx" ON "notices" USING btree ("created_at");
