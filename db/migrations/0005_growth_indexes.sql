-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_logs_kind_idx" ON "audit_logs" USING btree ("action","entity_type","source","id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_logs_user_kind_idx" ON "audit_logs" USING btree ("user_id","action","entity_type","source","id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_logs_day_idx" ON "audit_logs" USING btree (((audit_logs."timestamp" at time zone 'UTC')::date),"id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_logs_search_idx" ON "audit_logs" USING gin ((lower(audit_logs.details || E'\n' || audit_logs."user")) gin_trgm_ops) WITH (gin_pending_list_limit=512);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "book_proofs_whole_idx" ON "book_proofs" USING btree ("ran_at") WHERE is_whole;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "email_tokens_used_idx" ON "email_tokens" USING btree ("used_at") WHERE used_at is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "email_tokens_expires_idx" ON "email_tokens" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_by_from_idx" ON "ledger"."transfers" USING btree ("from_account","id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_by_to_idx" ON "ledger"."transfers" USING btree ("to_account","id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_other_debits_idx" ON "ledger"."transfers" USING btree ("from_account","id") WHERE order_id is null;
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "transfers_position_key" ON "ledger"."transfers" USING btree ("position") WHERE position is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_line_idx" ON "ledger"."transfers" USING btree ((meta ->> 'settlementLine')) WHERE meta ->> 'settlementLine' is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_search_idx" ON "ledger"."transfers" USING gin (((case when transfers.order_id is null then lower(transfers.method || E'\n' || transfers.note) end)) gin_trgm_ops) WHERE order_id is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_amount_idx" ON "ledger"."transfers" USING btree ("amount_cents","id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_id_end_idx" ON "ledger"."transfers" USING btree (right(id, 8));
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_limit_idx" ON "ledger"."transfers" USING btree ("actor_id","created_at") WHERE kind in ('manual_topup', 'order_refund') and actor_id is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_refunds_idx" ON "ledger"."transfers" USING btree ("kind","id") WHERE kind in ('order_refund', 'order_recharge');
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "transfers_time_idx" ON "ledger"."transfers" USING brin ("created_at") WITH (autosummarize=true);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "mails_queue_idx" ON "mails" USING btree ((expires_at is null),"next_attempt_at") WHERE sent_at is null and failed_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "mails_clear_idx" ON "mails" USING btree ("id") WHERE sent_at is null and failed_at is null and sealed_body is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "mails_sent_idx" ON "mails" USING btree ("sent_at") WHERE sent_at is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "mails_failed_idx" ON "mails" USING btree ("failed_at","id") WHERE failed_at is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_by_status_idx" ON "orders" USING btree ("status","id") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_by_user_idx" ON "orders" USING btree ("user_id","id") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_user_status_idx" ON "orders" USING btree ("user_id","status","id") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_of_project_idx" ON "orders" USING btree ("project_id","id","status","user_id") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_live_links_idx" ON "orders" USING btree ("project_id","id") WHERE deleted_at is null and link_url <> '' and status not in ('Rejected', 'Refunded');
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_deleted_idx" ON "orders" USING btree ("project_id") WHERE deleted_at is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_updated_idx" ON "orders" USING brin ("updated_at") WITH (autosummarize=true,pages_per_range=16);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_search_idx" ON "orders" USING gin ((lower(orders.website || E'\n' || orders.package_name || E'\n' || orders.project_domain || E'\n' || orders.link_url)) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "projects_created_idx" ON "projects" USING btree ("created_at") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "settlement_lines_read_idx" ON "settlement_lines" USING btree ("read_at");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sites_created_idx" ON "sites" USING btree ("created_at") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sites_owner_idx" ON "sites" USING btree ("owner_id","id") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sites_unlisted_idx" ON "sites" USING btree ("id","owner_id","status","name","dr","da","traffic","spam","public_price_usd_cents","search_text") WHERE deleted_at is null and not (status = 'Approved' and public_price_usd_cents is not null);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sites_other_currency_idx" ON "sites" USING btree ("public_currency") WHERE public_currency <> 'USD';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_reversals_reference_idx" ON "payment_reversals" USING btree ("reference");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_reversals_payment_idx" ON "payment_reversals" USING btree ("payment_reference");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_reversals_updated_idx" ON "payment_reversals" USING btree ("updated_at");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "topups_updated_idx" ON "topups" USING btree ("updated_at");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "topups_pending_idx" ON "topups" USING btree ("id") WHERE status = 'pending';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "topups_pending_user_idx" ON "topups" USING btree ("user_id","id") WHERE status = 'pending';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "topups_provider_idx" ON "topups" USING btree ("provider","mode","created_at");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "topups_payment_idx" ON "topups" USING btree ("payment_reference") WHERE payment_reference is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "recovery_codes_legacy_idx" ON "recovery_codes" USING btree ("user_id") WHERE length(code_hash) = 64;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sessions_ended_idx" ON "sessions" USING btree ("ended_at") WHERE ended_at is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "sessions_expires_idx" ON "sessions" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_role_deleted_idx" ON "users" USING btree ("role","deleted_at");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_active_role_idx" ON "users" USING btree ("role") WHERE status = 'Active' and deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_totp_idx" ON "users" USING btree ("role") WHERE totp_enabled_at is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_by_role_idx" ON "users" USING btree (lower("role"),"id");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_name_idx" ON "users" USING btree (lower(coalesce(nullif(users.name, ''), users.email)),"id") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_by_status_idx" ON "users" USING btree ("status","id") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_joined_idx" ON "users" USING btree ("created_at","id") WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_seen_idx" ON "users" USING btree ("last_seen_at" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE deleted_at is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_search_idx" ON "users" USING gin ((lower(users.name || E'\n' || users.email || E'\n' || users.role)) gin_trgm_ops);
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "audit_logs_user_idx";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "audit_logs_action_idx";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger"."transfers_from_idx";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger"."transfers_to_idx";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_user_idx";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_status_idx";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_project_idx";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_role_idx";
