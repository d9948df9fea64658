-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_of_staff_idx" ON "orders" USING btree ("id") WHERE deleted_at is null and not is_fulfilled_by_seller;
