-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_payable_in_idx" ON "ledger"."transfers" USING btree ("to_account","to_version") WHERE kind in ('ripening', 'seller_payout_return');
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_payable_out_idx" ON "ledger"."transfers" USING btree ("from_account","from_version") WHERE kind = 'seller_payout';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "placements_reserved_idx" ON "placements" USING btree ("seller_id","seller_cents") WHERE (state in ('offered', 'accepted', 'in_revision', 'delivered', 'disputed')
  and approved_at is null);