-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payouts_transaction_idx" ON "payouts" USING btree ("provider_transaction_id") WHERE provider_transaction_id is not null;
