-- Substring search in the catalogue (sites_search_idx). A trusted extension: the owner of the database may add it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE SCHEMA "ledger";
--> statement-breakpoint
CREATE TABLE "announcements" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"message" text NOT NULL,
	"type" text NOT NULL,
	"audience" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"provider" text NOT NULL,
	"sealed_key" text NOT NULL,
	"last_four" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"key_set_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"payload" jsonb NOT NULL,
	"summary" text NOT NULL,
	"amount_cents" bigint,
	"beneficiary_id" text,
	"state" text DEFAULT 'pending' NOT NULL,
	"requested_by" text NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decided_by" text,
	"decided_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_logs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"action" text NOT NULL,
	"details" text NOT NULL,
	"user_id" text,
	"user" text NOT NULL,
	"role" text NOT NULL,
	"amount_cents" bigint,
	"source" text NOT NULL,
	"entity_type" text NOT NULL,
	"entity_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"ip" text DEFAULT '' NOT NULL,
	"request_id" text DEFAULT '' NOT NULL,
	"mac" text,
	"timestamp" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"position" bigint PRIMARY KEY NOT NULL,
	"audit_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"key_id" text,
	"sealed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_seals_auditId_unique" UNIQUE("audit_id")
);
--> statement-breakpoint
CREATE TABLE "audit_unsealed" (
	"audit_id" bigint PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" text PRIMARY KEY NOT NULL,
	"file_name" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"origin" text NOT NULL,
	"with_files" boolean NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"size_bytes" bigint,
	"sha256" text,
	"manifest" jsonb,
	"error" text,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "bell_reads" (
	"user_id" text PRIMARY KEY NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "book_proofs" (
	"id" text PRIMARY KEY NOT NULL,
	"ran_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ran_by" text,
	"is_sound" boolean NOT NULL,
	"report" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "catalogue_stamps" (
	"slot" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalogue_stamps_slot_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"stamp" uuid DEFAULT gen_random_uuid() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"purpose" text NOT NULL,
	"token_hash" text NOT NULL,
	"new_email" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "email_tokens_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "feature_roles" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"user_id" text NOT NULL,
	"features" text[] NOT NULL,
	"permissions" text[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "features" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoice_counters" (
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "invoice_counters_kind_year_pk" PRIMARY KEY("kind","year")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"number" integer NOT NULL,
	"order_id" integer NOT NULL,
	"movement_key" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"moved_at" timestamp with time zone NOT NULL,
	"seller_name" text NOT NULL,
	"seller_address" text NOT NULL,
	"buyer_name" text NOT NULL,
	"buyer_email" text NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invoices_number_key" UNIQUE("kind","year","number"),
	CONSTRAINT "invoices_movement_key" UNIQUE("movement_key"),
	CONSTRAINT "invoices_number_positive" CHECK (number > 0),
	CONSTRAINT "invoices_amount_not_negative" CHECK (amount_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger"."accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger"."accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"owner" text DEFAULT '' NOT NULL,
	"currency" text NOT NULL,
	"guarded" boolean NOT NULL,
	"balance_cents" bigint DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "accounts_owner_key" UNIQUE("kind","owner","currency"),
	CONSTRAINT "accounts_currency_key" UNIQUE("id","currency"),
	CONSTRAINT "accounts_not_negative" CHECK (balance_cents >= 0),
	CONSTRAINT "accounts_unguarded_keeps_no_balance" CHECK (guarded or (balance_cents = 0 and version = 0))
);
--> statement-breakpoint
CREATE TABLE "ledger"."transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"from_account" bigint NOT NULL,
	"to_account" bigint NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"from_version" integer,
	"from_balance_cents" bigint,
	"to_version" integer,
	"to_balance_cents" bigint,
	"reverses_id" text,
	"order_id" integer,
	"actor_id" text,
	"method" text DEFAULT '' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"meta" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"effective_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "transfers_key_key" UNIQUE("key"),
	CONSTRAINT "transfers_reverses_key" UNIQUE("reverses_id"),
	CONSTRAINT "transfers_amount_positive" CHECK (amount_cents > 0),
	CONSTRAINT "transfers_two_sides" CHECK (from_account <> to_account)
);
--> statement-breakpoint
CREATE TABLE "licenses" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "licenses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"key" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"package_id" integer,
	"user_id" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_opt_outs" (
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_opt_outs_user_id_kind_pk" PRIMARY KEY("user_id","kind")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"sealed_body" text,
	"html" text DEFAULT '' NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"first_tried_at" timestamp with time zone,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "checkouts" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"idempotency_key" text,
	"request_hash" text NOT NULL,
	"total_cents" bigint NOT NULL,
	"answer" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_contents" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"file_name" text NOT NULL,
	"media_type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"storage_key" text NOT NULL,
	"uploaded_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"replaced_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"checkout_id" text NOT NULL,
	"kind" text NOT NULL,
	"site_id" integer,
	"package_id" integer,
	"project_id" text NOT NULL,
	"website" text DEFAULT '' NOT NULL,
	"post_type" text DEFAULT '' NOT NULL,
	"package_name" text DEFAULT '' NOT NULL,
	"package_desc" text DEFAULT '' NOT NULL,
	"quantity" integer DEFAULT 1 NOT NULL,
	"price_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"usd_micros_per_unit" bigint NOT NULL,
	"charged_cents" bigint NOT NULL,
	"status" text DEFAULT 'Pending' NOT NULL,
	"link_url" text DEFAULT '' NOT NULL,
	"admin_comments" text DEFAULT '' NOT NULL,
	"project_domain" text NOT NULL,
	"project_target_url" text NOT NULL,
	"project_keywords" text NOT NULL,
	"refund_count" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "packages" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "packages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"price_cents" bigint NOT NULL,
	"currency" text DEFAULT 'USD' NOT NULL,
	"links" text DEFAULT '' NOT NULL,
	"is_on_sale" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "packages_price_not_negative" CHECK ("packages"."price_cents" >= 0),
	CONSTRAINT "packages_sold_at_a_price" CHECK (not "packages"."is_on_sale" or "packages"."price_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"is_backed_up" boolean NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "passkeys_credentialId_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "payment_configs" (
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"secrets" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_configs_provider_mode_pk" PRIMARY KEY("provider","mode")
);
--> statement-breakpoint
CREATE TABLE "payment_modes" (
	"provider" text PRIMARY KEY NOT NULL,
	"mode" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"domain" text NOT NULL,
	"description" text NOT NULL,
	"niche" text NOT NULL,
	"post_type" text NOT NULL,
	"target_url" text NOT NULL,
	"keywords" text NOT NULL,
	"country" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "brand_logos" (
	"id" text PRIMARY KEY NOT NULL,
	"media_type" text NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "exchange_rates" (
	"id" text PRIMARY KEY NOT NULL,
	"currency" text NOT NULL,
	"usd_micros_per_unit" bigint NOT NULL,
	"set_by" text,
	"effective_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_by" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settlement_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"reference" text NOT NULL,
	"type" text NOT NULL,
	"provider_type" text NOT NULL,
	"gross_minor" bigint NOT NULL,
	"fee_minor" bigint NOT NULL,
	"net_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"source" text NOT NULL,
	"payment_reference" text,
	"named_topup_id" text,
	"occurred_at" timestamp with time zone NOT NULL,
	"available_on" timestamp with time zone,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	"topup_id" text,
	"outcome" text DEFAULT 'open' NOT NULL,
	"reason" text,
	"passed_minor" bigint DEFAULT 0 NOT NULL,
	"next_check_at" timestamp with time zone DEFAULT now(),
	"checks" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settlement_positions" (
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"read_until" timestamp with time zone NOT NULL,
	"window_from" timestamp with time zone,
	"window_until" timestamp with time zone,
	"cursor" text,
	"read_again_from" timestamp with time zone,
	"ledger_seen_at" timestamp with time zone NOT NULL,
	"last_read_at" timestamp with time zone,
	"error" text,
	"lease_until" timestamp with time zone,
	CONSTRAINT "settlement_positions_provider_mode_pk" PRIMARY KEY("provider","mode")
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"key" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" text,
	"network" text NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"is_recorded" boolean DEFAULT false NOT NULL,
	"first_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_imports" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"request_hash" text NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "marketplace_views" (
	"user_id" text PRIMARY KEY NOT NULL,
	"columns" text[] NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_filters" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_marks" (
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"site_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_marks_user_id_kind_site_id_pk" PRIMARY KEY("user_id","kind","site_id")
);
--> statement-breakpoint
CREATE TABLE "sites" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "sites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"url_key" text NOT NULL,
	"niche" text DEFAULT 'General' NOT NULL,
	"post_type" text DEFAULT 'Guest posts' NOT NULL,
	"country" text DEFAULT 'USA' NOT NULL,
	"language" text DEFAULT 'English' NOT NULL,
	"follow_type" text DEFAULT 'DoFollow' NOT NULL,
	"dr" double precision,
	"da" double precision,
	"authority_score" double precision,
	"spam" double precision,
	"traffic" bigint,
	"keywords_count" integer,
	"ref_domains" integer,
	"words" integer DEFAULT 600 NOT NULL,
	"tat" text DEFAULT '3 Days' NOT NULL,
	"tat_days" integer DEFAULT 3 NOT NULL,
	"seller_price_cents" bigint,
	"admin_price_cents" bigint,
	"public_price_cents" bigint,
	"public_currency" text DEFAULT 'USD' NOT NULL,
	"public_price_usd_cents" bigint,
	"status" text DEFAULT 'Pending' NOT NULL,
	"search_text" text GENERATED ALWAYS AS (lower(name || ' ' || url)) STORED,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "niches" (
	"name" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "post_types" (
	"name" text PRIMARY KEY NOT NULL,
	"position" integer DEFAULT 100 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_positions" (
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"covered_until" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"error" text,
	"failed_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "event_positions_provider_mode_pk" PRIMARY KEY("provider","mode")
);
--> statement-breakpoint
CREATE TABLE "payment_reversals" (
	"id" text PRIMARY KEY NOT NULL,
	"topup_id" text NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"payment_reference" text NOT NULL,
	"reference" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"amount_cents" bigint DEFAULT 0 NOT NULL,
	"excess_minor" bigint DEFAULT 0 NOT NULL,
	"money" text DEFAULT 'kept' NOT NULL,
	"outcome" text,
	"reason" text,
	"evidence_due_by" timestamp with time zone,
	"happened_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "topups" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"charge_amount_minor" bigint NOT NULL,
	"charge_currency" text NOT NULL,
	"rate_micros" bigint,
	"provider_reference" text,
	"payment_reference" text,
	"checkout_url" text,
	"pay_code" text,
	"status" text DEFAULT 'created' NOT NULL,
	"idempotency_key" text,
	"request_hash" text,
	"reason" text,
	"expires_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone,
	"next_check_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"processed_at" timestamp with time zone,
	"retry_at" timestamp with time zone DEFAULT now() + interval '2 minutes',
	"retries" integer DEFAULT 0 NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "user_avatars" (
	"user_id" text PRIMARY KEY NOT NULL,
	"image" "bytea" NOT NULL,
	"hash" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" text NOT NULL,
	"code_hash" text NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "role_permissions" (
	"role_name" text NOT NULL,
	"permission" text NOT NULL,
	CONSTRAINT "role_permissions_role_name_permission_pk" PRIMARY KEY("role_name","permission")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"name" text PRIMARY KEY NOT NULL,
	"is_built_in" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"authenticated_at" timestamp with time zone DEFAULT now(),
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"ip" text DEFAULT '' NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"status" text DEFAULT 'Pending' NOT NULL,
	"role" text NOT NULL,
	"role_since" timestamp with time zone,
	"email_verified_at" timestamp with time zone,
	"totp_secret" text,
	"totp_begun_at" timestamp with time zone,
	"totp_enabled_at" timestamp with time zone,
	"totp_last_step" bigint,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "bell_reads" ADD CONSTRAINT "bell_reads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_proofs" ADD CONSTRAINT "book_proofs_ran_by_users_id_fk" FOREIGN KEY ("ran_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_tokens" ADD CONSTRAINT "email_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feature_roles" ADD CONSTRAINT "feature_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."transfers" ADD CONSTRAINT "transfers_from_fk" FOREIGN KEY ("from_account","currency") REFERENCES "ledger"."accounts"("id","currency") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."transfers" ADD CONSTRAINT "transfers_to_fk" FOREIGN KEY ("to_account","currency") REFERENCES "ledger"."accounts"("id","currency") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."transfers" ADD CONSTRAINT "transfers_reverses_fk" FOREIGN KEY ("reverses_id") REFERENCES "ledger"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_opt_outs" ADD CONSTRAINT "mail_opt_outs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_contents" ADD CONSTRAINT "order_contents_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_contents" ADD CONSTRAINT "order_contents_uploaded_by_users_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_lines" ADD CONSTRAINT "settlement_lines_topup_id_topups_id_fk" FOREIGN KEY ("topup_id") REFERENCES "public"."topups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_imports" ADD CONSTRAINT "site_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "marketplace_views" ADD CONSTRAINT "marketplace_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_marks" ADD CONSTRAINT "site_marks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_marks" ADD CONSTRAINT "site_marks_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_topup_id_topups_id_fk" FOREIGN KEY ("topup_id") REFERENCES "public"."topups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topups" ADD CONSTRAINT "topups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_avatars" ADD CONSTRAINT "user_avatars_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_permissions" ADD CONSTRAINT "role_permissions_role_name_roles_name_fk" FOREIGN KEY ("role_name") REFERENCES "public"."roles"("name") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_role_roles_name_fk" FOREIGN KEY ("role") REFERENCES "public"."roles"("name") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "announcements_created_idx" ON "announcements" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_provider_name_idx" ON "api_keys" USING btree ("provider","name");--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_pending_idx" ON "approvals" USING btree ("subject") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "approvals_subject_idx" ON "approvals" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "approvals_state_idx" ON "approvals" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "audit_logs_entity_idx" ON "audit_logs" USING btree ("entity_type","entity_id","id");--> statement-breakpoint
CREATE INDEX "audit_logs_user_idx" ON "audit_logs" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "audit_logs_action_idx" ON "audit_logs" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "backups_created_idx" ON "backups" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "book_proofs_ran_idx" ON "book_proofs" USING btree ("ran_at");--> statement-breakpoint
CREATE INDEX "email_tokens_user_idx" ON "email_tokens" USING btree ("user_id","purpose");--> statement-breakpoint
CREATE UNIQUE INDEX "feature_roles_user_name_key" ON "feature_roles" USING btree ("user_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "features_name_idx" ON "features" USING btree ("name");--> statement-breakpoint
CREATE INDEX "invoices_order_idx" ON "invoices" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "transfers_from_idx" ON "ledger"."transfers" USING btree ("from_account","created_at");--> statement-breakpoint
CREATE INDEX "transfers_to_idx" ON "ledger"."transfers" USING btree ("to_account","created_at");--> statement-breakpoint
CREATE INDEX "transfers_order_idx" ON "ledger"."transfers" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "transfers_topup_idx" ON "ledger"."transfers" USING btree ((meta ->> 'topupId')) WHERE meta ->> 'topupId' is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "licenses_key_key" ON "licenses" USING btree (lower("key"));--> statement-breakpoint
CREATE INDEX "licenses_package_idx" ON "licenses" USING btree ("package_id");--> statement-breakpoint
CREATE INDEX "licenses_user_idx" ON "licenses" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "rate_limits_resets_idx" ON "rate_limits" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "mails_due_idx" ON "mails" USING btree ("next_attempt_at") WHERE sent_at is null and failed_at is null;--> statement-breakpoint
CREATE INDEX "notices_user_idx" ON "notices" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_idempotency_key" ON "checkouts" USING btree ("user_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "order_contents_order_idx" ON "order_contents" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_contents_in_force" ON "order_contents" USING btree ("order_id") WHERE "order_contents"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "order_contents_storage_key" ON "order_contents" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "orders_user_idx" ON "orders" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "orders_status_idx" ON "orders" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "orders_checkout_idx" ON "orders" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "orders_project_idx" ON "orders" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expires_idx" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_user_idx" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "projects_user_idx" ON "projects" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "exchange_rates_currency_idx" ON "exchange_rates" USING btree ("currency","effective_at");--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_lines_reference_key" ON "settlement_lines" USING btree ("provider","mode","reference");--> statement-breakpoint
CREATE INDEX "settlement_lines_occurred_idx" ON "settlement_lines" USING btree ("provider","mode","occurred_at");--> statement-breakpoint
CREATE INDEX "settlement_lines_topup_idx" ON "settlement_lines" USING btree ("topup_id");--> statement-breakpoint
CREATE INDEX "settlement_lines_source_idx" ON "settlement_lines" USING btree ("provider","source");--> statement-breakpoint
CREATE INDEX "settlement_lines_payment_idx" ON "settlement_lines" USING btree ("provider","payment_reference");--> statement-breakpoint
CREATE INDEX "settlement_lines_check_idx" ON "settlement_lines" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "sign_in_failures_first_idx" ON "sign_in_failures" USING btree ("first_at");--> statement-breakpoint
CREATE UNIQUE INDEX "site_imports_idempotency_key" ON "site_imports" USING btree ("user_id","idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_filters_user_name_key" ON "saved_filters" USING btree ("user_id",lower("name"));--> statement-breakpoint
CREATE INDEX "site_marks_site_idx" ON "site_marks" USING btree ("site_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sites_owner_url_type_key" ON "sites" USING btree ("owner_id","url_key","post_type") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_desk_status_idx" ON "sites" USING btree ("status","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_desk_facets_idx" ON "sites" USING btree ("country","niche","post_type","status") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_price_idx" ON "sites" USING btree ("public_price_usd_cents","id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_dr_idx" ON "sites" USING btree ("dr" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_da_idx" ON "sites" USING btree ("da" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_traffic_idx" ON "sites" USING btree ("traffic" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_name_idx" ON "sites" USING btree ("name","id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_added_idx" ON "sites" USING btree ("id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_facets_idx" ON "sites" USING btree ("country","language","niche","post_type","dr","spam","public_price_usd_cents") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_search_idx" ON "sites" USING gin ("search_text" gin_trgm_ops) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "payment_reversals_topup_idx" ON "payment_reversals" USING btree ("topup_id");--> statement-breakpoint
CREATE INDEX "payment_reversals_disputes_idx" ON "payment_reversals" USING btree ("created_at") WHERE kind = 'dispute';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_reversals_reference_key" ON "payment_reversals" USING btree ("provider","mode","kind","reference");--> statement-breakpoint
CREATE INDEX "topups_user_idx" ON "topups" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "topups_status_idx" ON "topups" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "topups_next_check_idx" ON "topups" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "topups_reference_key" ON "topups" USING btree ("provider","mode","provider_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "topups_idempotency_key" ON "topups" USING btree ("user_id","idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_events_event_key" ON "webhook_events" USING btree ("provider","mode","event_id");--> statement-breakpoint
CREATE INDEX "webhook_events_retry_idx" ON "webhook_events" USING btree ("retry_at") WHERE retry_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_stuck_idx" ON "webhook_events" USING btree ("provider","mode") WHERE processed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name_key" ON "roles" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "sessions_user_idx" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_role_idx" ON "users" USING btree ("role");--> statement-breakpoint
CREATE INDEX "users_staff_idx" ON "users" USING btree ("role") WHERE role not in ('User', 'Seller');