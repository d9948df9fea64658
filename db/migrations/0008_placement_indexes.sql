-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_earned_idx" ON "ledger"."transfers" USING btree ("to_account","to_version") WHERE kind = 'earning';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_earnings_returned_idx" ON "ledger"."transfers" USING btree ("from_account","from_version") WHERE kind = 'earning' and from_version is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_partial_refunds_idx" ON "ledger"."transfers" USING btree ("id") WHERE kind = 'order_refund' and starts_with(note, 'Partial refund ');
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_of_staff_idx" ON "orders" USING btree ("id") WHERE deleted_at is null and not is_fulfilled_by_seller;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_contact_data_idx" ON "orders" USING btree ("id") WHERE deleted_at is null and contact_data_at is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_contact_data_at_idx" ON "orders" USING btree ("contact_data_at") WHERE deleted_at is null and contact_data_at is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_deleted_ids_idx" ON "orders" USING btree ("id") WHERE deleted_at is not null;
