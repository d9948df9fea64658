-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sites_listed_value_idx" ON "sites" USING btree ((floor(dr * log((abs(traffic) + 10)::double precision) * 1000000 / nullif(public_price_usd_cents, 0))) desc nulls last,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sites_listed_niche_idx" ON "sites" USING btree ("niche","post_type","public_price_usd_cents","id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;
