-- Substring search in the catalogue (sites_search_idx). A trusted extension: the owner of the database may add it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE SCHEMA "ledger";
--> statement-breakpoint
CREATE TABLE "account_controllers" (
	"account_id" text NOT NULL,
	"controller_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_controllers_account_id_controller_id_pk" PRIMARY KEY("account_id","controller_id")
);
--> statement-breakpoint
CREATE TABLE "account_invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"role" text NOT NULL,
	"project_ids" text[],
	"monthly_limit_cents" bigint,
	"email" text NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "account_invitations_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "account_invitations_limit" CHECK ("account_invitations"."monthly_limit_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "account_members" (
	"account_id" text NOT NULL,
	"role" text NOT NULL,
	"project_ids" text[],
	"monthly_limit_cents" bigint,
	"user_id" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_members_account_id_user_id_pk" PRIMARY KEY("account_id","user_id"),
	CONSTRAINT "account_members_limit" CHECK ("account_members"."monthly_limit_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"policy" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "project_anchor_plans" (
	"project_id" text PRIMARY KEY NOT NULL,
	"plan" jsonb NOT NULL,
	"brand_words" text[] NOT NULL,
	"pool" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
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
CREATE TABLE "api_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"last_four" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone,
	"allowed_ips" text[] DEFAULT '{}' NOT NULL,
	"daily_limit_cents" bigint,
	"spent_on" date,
	"spent_cents" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"last_used_ip" text DEFAULT '' NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_tokens_secretHash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "api_tokens_limit_check" CHECK ("api_tokens"."daily_limit_cents" >= 0 and "api_tokens"."spent_cents" >= 0)
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
	"mac" text NOT NULL,
	"timestamp" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"position" bigint PRIMARY KEY NOT NULL,
	"audit_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"key_id" text NOT NULL,
	"sealed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_seals_auditId_unique" UNIQUE("audit_id")
);
--> statement-breakpoint
CREATE TABLE "audit_unsealed" (
	"audit_id" bigint PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_proofs" (
	"id" text PRIMARY KEY NOT NULL,
	"ran_at" timestamp with time zone DEFAULT now() NOT NULL,
	"statement" text NOT NULL,
	"mac" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backups" (
	"id" text PRIMARY KEY NOT NULL,
	"file_name" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"origin" text NOT NULL,
	"with_files" boolean NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"restore_progress" integer,
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
CREATE TABLE "bank_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"content_key" text NOT NULL,
	"account" text NOT NULL,
	"booked_on" date NOT NULL,
	"amount_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"is_reversal" boolean NOT NULL,
	"remittance" text NOT NULL,
	"payer_name" text NOT NULL,
	"bank_reference" text,
	"file_sha256" text NOT NULL,
	"uploaded_by" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"request_id" text,
	"account_id" text,
	"credited_cents" bigint,
	"rate_micros" bigint,
	"credits" integer DEFAULT 0 NOT NULL,
	"resolved_by" text,
	"note" text DEFAULT '' NOT NULL,
	"resolved_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_lines_amount" CHECK (amount_minor > 0),
	CONSTRAINT "bank_lines_credited" CHECK ((state = 'matched') = (credited_cents is not null) and (state <> 'matched' or account_id is not null and reason is null)),
	CONSTRAINT "bank_lines_reversal" CHECK (not is_reversal or state in ('unmatched', 'returned'))
);
--> statement-breakpoint
CREATE TABLE "bank_transfer_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"reference" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"pay_minor" bigint NOT NULL,
	"currency" text NOT NULL,
	"rate_micros" bigint,
	"account" jsonb NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"idempotency_key" text,
	"request_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bank_transfer_requests_amounts" CHECK (amount_cents > 0 and pay_minor > 0)
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
	"report" jsonb NOT NULL,
	"is_whole" boolean NOT NULL,
	"position" bigint,
	"started_at" timestamp with time zone NOT NULL,
	"mac" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proof_requests" (
	"kind" text PRIMARY KEY NOT NULL,
	"requested_by" text NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"progress" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cart_items" (
	"cart_id" text NOT NULL,
	"site_id" integer NOT NULL,
	"position" integer NOT NULL,
	"brief" jsonb NOT NULL,
	"shown_price_cents" bigint NOT NULL,
	"shown_options_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "cart_items_cart_id_site_id_pk" PRIMARY KEY("cart_id","site_id"),
	CONSTRAINT "cart_items_position" CHECK ("cart_items"."position" >= 0)
);
--> statement-breakpoint
CREATE TABLE "carts" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"project_id" text,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "carts_account_project_key" UNIQUE NULLS NOT DISTINCT("account_id","project_id")
);
--> statement-breakpoint
CREATE TABLE "catalogue_stamps" (
	"slot" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalogue_stamps_slot_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"stamp" uuid DEFAULT gen_random_uuid() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_report_mails" (
	"project_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"prices" text NOT NULL,
	"markup_percent" integer,
	"fixed_cents" bigint,
	"password_hash" text,
	"brand_name" text NOT NULL,
	"brand_color" text NOT NULL,
	"brand_logo_id" text,
	"recipients" jsonb NOT NULL,
	"stopped" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"due_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_report_notes" (
	"order_id" integer PRIMARY KEY NOT NULL,
	"reference" text DEFAULT '' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client_reports" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"account_id" text NOT NULL,
	"prices" text NOT NULL,
	"markup_percent" integer,
	"fixed_cents" bigint,
	"password_hash" text,
	"brand_name" text NOT NULL,
	"brand_color" text NOT NULL,
	"brand_logo_id" text,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "client_reports_period" CHECK ("client_reports"."from_day" <= "client_reports"."to_day")
);
--> statement-breakpoint
CREATE TABLE "dispute_proposals" (
	"id" text PRIMARY KEY NOT NULL,
	"dispute_id" text NOT NULL,
	"number" integer NOT NULL,
	"made_by" text NOT NULL,
	"role" text NOT NULL,
	"buyer_percent" integer NOT NULL,
	"accepted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"opened_by" text NOT NULL,
	"role" text NOT NULL,
	"reason" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"from_state" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"outcome" text,
	"buyer_percent" integer,
	"returned_cents" bigint,
	"decided_by" text,
	"note" text DEFAULT '' NOT NULL,
	"decided_at" timestamp with time zone,
	"silence_due_at" timestamp with time zone,
	"next_action_at" timestamp with time zone,
	"clock_retries" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "domain_figures" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "domain_figures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"domain" text NOT NULL,
	"metric" text NOT NULL,
	"value" double precision,
	"source" text NOT NULL,
	"as_of" date NOT NULL,
	"site_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "domain_figures_listing" CHECK ((source = 'seller') = (site_id is not null)),
	CONSTRAINT "domain_figures_value" CHECK (value is not null or source in ('seller', 'staff')),
	CONSTRAINT "domain_figures_range" CHECK (value >= 0 and case when metric in ('dr', 'da', 'as', 'spam') then value <= 100
        else value <= 1e12 and value = floor(value) and (metric = 'traffic' or value <= 2e9) end)
);
--> statement-breakpoint
CREATE TABLE "domain_rating_checks" (
	"domain" text PRIMARY KEY NOT NULL,
	"is_listed" boolean NOT NULL,
	"next_check_at" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone,
	"is_unknown" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "domain_rating_use" (
	"service" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"requests" integer DEFAULT 0 NOT NULL,
	"key" text NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"paused_until" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_run_at" timestamp with time zone,
	"last_error" text,
	"last_error_at" timestamp with time zone
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
CREATE TABLE "events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"audience" text NOT NULL,
	"account_id" text,
	"data" jsonb NOT NULL,
	"position" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feature_roles" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"user_id" text NOT NULL,
	"features" text[] NOT NULL,
	"permissions" text[] NOT NULL,
	"granted_at" timestamp with time zone,
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
CREATE TABLE "delivery_providers" (
	"channel" text PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"url" text NOT NULL,
	"sealed_key" text NOT NULL,
	"last_four" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "delivery_providers_url" CHECK ("delivery_providers"."url" like 'https://%')
);
--> statement-breakpoint
CREATE TABLE "invoice_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"invoice_id" text NOT NULL,
	"channel" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"give_up_at" timestamp with time zone NOT NULL,
	"provider_id" text,
	"provider_host" text,
	"last_error" text DEFAULT '' NOT NULL,
	"sent_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invoice_deliveries_open" CHECK (next_attempt_at is null or state in ('waiting', 'sent'))
);
--> statement-breakpoint
CREATE TABLE "invoice_counters" (
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "invoice_counters_kind_year_pk" PRIMARY KEY("kind","year")
);
--> statement-breakpoint
CREATE TABLE "invoice_cursor" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "invoice_cursor_one_row" CHECK ("invoice_cursor"."id")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"number" integer NOT NULL,
	"account_id" text NOT NULL,
	"order_id" integer NOT NULL,
	"movement_key" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"tax_cents" bigint DEFAULT 0 NOT NULL,
	"taxes" jsonb NOT NULL,
	"accounting_tax" jsonb,
	"seller" jsonb NOT NULL,
	"buyer" jsonb NOT NULL,
	"moved_at" timestamp with time zone NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invoices_number_key" UNIQUE("kind","year","number"),
	CONSTRAINT "invoices_movement_key" UNIQUE("movement_key"),
	CONSTRAINT "invoices_number_positive" CHECK (number > 0),
	CONSTRAINT "invoices_amount_positive" CHECK (amount_cents > 0)
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"id" text PRIMARY KEY NOT NULL,
	"year" integer NOT NULL,
	"number" integer NOT NULL,
	"account_id" text NOT NULL,
	"movement_key" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"paid_minor" bigint NOT NULL,
	"paid_currency" text NOT NULL,
	"usd_micros_per_unit" bigint,
	"method" text NOT NULL,
	"moved_at" timestamp with time zone NOT NULL,
	"seller" jsonb NOT NULL,
	"buyer" jsonb NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "receipts_number_key" UNIQUE("year","number"),
	CONSTRAINT "receipts_movement_key" UNIQUE("movement_key"),
	CONSTRAINT "receipts_amounts" CHECK (number > 0 and amount_cents > 0 and paid_minor > 0)
);
--> statement-breakpoint
CREATE TABLE "tax_rollups" (
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"country" text NOT NULL,
	"rate" integer NOT NULL,
	"category" text NOT NULL,
	"currency" text NOT NULL,
	"documents" integer NOT NULL,
	"net_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"net_minor" bigint NOT NULL,
	"tax_minor" bigint NOT NULL,
	CONSTRAINT "tax_rollups_day_kind_country_rate_category_currency_pk" PRIMARY KEY("day","kind","country","rate","category","currency")
);
--> statement-breakpoint
CREATE TABLE "account_rollups" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"balance_cents" bigint NOT NULL,
	"version" integer NOT NULL,
	"last_transfer_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "earning_rollups" (
	"account_id" bigint NOT NULL,
	"month" date NOT NULL,
	"in_cents" bigint NOT NULL,
	"out_cents" bigint NOT NULL,
	"ripened_cents" bigint DEFAULT 0 NOT NULL,
	"entries" integer NOT NULL,
	"first_version" integer NOT NULL,
	"last_version" integer NOT NULL,
	CONSTRAINT "earning_rollups_account_id_month_pk" PRIMARY KEY("account_id","month")
);
--> statement-breakpoint
CREATE TABLE "flow_rollups" (
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"from_kind" text NOT NULL,
	"from_owner" text NOT NULL,
	"to_kind" text NOT NULL,
	"to_owner" text NOT NULL,
	"currency" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"entries" integer NOT NULL,
	CONSTRAINT "flow_rollups_key" PRIMARY KEY("day","kind","from_kind","from_owner","to_kind","to_owner","currency")
);
--> statement-breakpoint
CREATE TABLE "ledger_rollup" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "ledger_rollup_one_row" CHECK ("ledger_rollup"."id")
);
--> statement-breakpoint
CREATE TABLE "project_rollups" (
	"project_id" text PRIMARY KEY NOT NULL,
	"paid_cents" bigint NOT NULL,
	"returned_cents" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "spending_rollups" (
	"account_id" bigint NOT NULL,
	"month" date NOT NULL,
	"paid_cents" bigint NOT NULL,
	"returned_cents" bigint NOT NULL,
	CONSTRAINT "spending_rollups_account_id_month_pk" PRIMARY KEY("account_id","month")
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
	"position" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "ledger"."transfers_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "transfers_key_key" UNIQUE("key"),
	CONSTRAINT "transfers_amount_positive" CHECK (amount_cents > 0),
	CONSTRAINT "transfers_two_sides" CHECK (from_account <> to_account)
);
--> statement-breakpoint
CREATE TABLE "legal_consents" (
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"agreed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "legal_consents_user_id_kind_version_pk" PRIMARY KEY("user_id","kind","version")
);
--> statement-breakpoint
CREATE TABLE "legal_documents" (
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"text" text NOT NULL,
	"published_by" text,
	"published_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "legal_documents_kind_version_pk" PRIMARY KEY("kind","version")
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
CREATE TABLE "link_check_cursor" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "link_check_cursor_one_row" CHECK ("link_check_cursor"."id")
);
--> statement-breakpoint
CREATE TABLE "link_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "link_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"cause" text NOT NULL,
	"actor_id" text,
	"page_url" text NOT NULL,
	"target_url" text NOT NULL,
	"verdict" text NOT NULL,
	"status" integer,
	"final_url" text DEFAULT '' NOT NULL,
	"redirects" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"found" boolean NOT NULL,
	"rel" text DEFAULT '' NOT NULL,
	"anchor" text DEFAULT '' NOT NULL,
	"indexable" boolean,
	"reasons" text[] DEFAULT '{}' NOT NULL,
	"text_hash" text DEFAULT '' NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_digests" (
	"account_id" text PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	"booked" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_proofs" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"check_id" bigint NOT NULL,
	"statement" text NOT NULL,
	"signature" text NOT NULL,
	"key_id" text NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	"revoked_reason" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_watches" (
	"order_id" integer PRIMARY KEY NOT NULL,
	"buyer_id" text NOT NULL,
	"project_id" text,
	"seller_id" text,
	"site_url" text NOT NULL,
	"page_url" text NOT NULL,
	"host" text NOT NULL,
	"target_url" text NOT NULL,
	"anchor" text DEFAULT '' NOT NULL,
	"rel" text DEFAULT 'any' NOT NULL,
	"verdict" text,
	"checked_at" timestamp with time zone,
	"not_ok_since" timestamp with time zone,
	"broken_since" timestamp with time zone,
	"broken_confirmed_at" timestamp with time zone,
	"repair_due_at" timestamp with time zone,
	"reminded_at" timestamp with time zone,
	"unknown_since" timestamp with time zone,
	"started_at" timestamp with time zone NOT NULL,
	"next_check_at" timestamp with time zone,
	"next_cause" text DEFAULT 'schedule' NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "proof_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"sealed_private_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"gathers_for" text,
	"released_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"priority" smallint DEFAULT 2 NOT NULL,
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
	"account_id" text,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"order_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "order_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"buyer_id" text NOT NULL,
	"seller_id" text NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"text" text NOT NULL,
	"target_url" text DEFAULT '' NOT NULL,
	"anchor" text DEFAULT '' NOT NULL,
	"seller_cents" bigint NOT NULL,
	"margin_cents" bigint NOT NULL,
	"shown_tax_cents" bigint DEFAULT 0 NOT NULL,
	"seller_note" text DEFAULT '' NOT NULL,
	"charged_at" timestamp with time zone,
	"returned_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"check_verdict" text,
	"check_reasons" text[] DEFAULT '{}' NOT NULL,
	"check_anchor" text DEFAULT '' NOT NULL,
	"checked_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"next_action_at" timestamp with time zone,
	"retries" integer DEFAULT 0 NOT NULL,
	"ended_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_reads" (
	"order_id" integer NOT NULL,
	"account_id" text NOT NULL,
	"last_message_id" bigint DEFAULT 0 NOT NULL,
	"unread_count" integer DEFAULT 0 NOT NULL,
	"mailed_message_id" bigint DEFAULT 0 NOT NULL,
	"mail_due_at" timestamp with time zone,
	CONSTRAINT "message_reads_order_id_account_id_pk" PRIMARY KEY("order_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "order_message_files" (
	"id" text PRIMARY KEY NOT NULL,
	"message_id" bigint NOT NULL,
	"file_name" text NOT NULL,
	"media_type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"storage_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"author_id" text NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"has_contact_data" boolean DEFAULT false NOT NULL,
	"idempotency_key" text,
	"request_hash" text,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_request_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"request_id" text NOT NULL,
	"site_id" integer,
	"position" integer NOT NULL,
	"cents" bigint NOT NULL,
	"tax_cents" bigint DEFAULT 0 NOT NULL,
	"sent_cents" bigint DEFAULT 0 NOT NULL,
	"sent_tax_cents" bigint DEFAULT 0 NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"comment" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"project_id" text NOT NULL,
	"requested_by" text NOT NULL,
	"body" jsonb NOT NULL,
	"cart_items" jsonb,
	"total_cents" bigint NOT NULL,
	"reasons" jsonb NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"decided_by" text,
	"decided_at" timestamp with time zone,
	"checkout_id" text,
	"expires_at" timestamp with time zone NOT NULL,
	"link_hash" text,
	"former_link_hashes" text[] DEFAULT '{}' NOT NULL,
	"link_created_by" text,
	"link_created_at" timestamp with time zone,
	"link_expires_at" timestamp with time zone,
	"link_revoked_at" timestamp with time zone,
	"link_answered_at" timestamp with time zone,
	"link_prices" text DEFAULT 'none' NOT NULL,
	"link_markup_percent" integer,
	"link_fixed_cents" bigint,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_requests_linkHash_unique" UNIQUE("link_hash"),
	CONSTRAINT "order_requests_decided" CHECK ((state = 'open') = (decided_at is null))
);
--> statement-breakpoint
CREATE TABLE "checkouts" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
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
CREATE TABLE "order_quotes" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"request" jsonb NOT NULL,
	"snapshot" jsonb NOT NULL,
	"total_cents" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"ordered_by" text NOT NULL,
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
	"tax_cents" bigint DEFAULT 0 NOT NULL,
	"status" text DEFAULT 'Pending' NOT NULL,
	"is_fulfilled_by_seller" boolean DEFAULT false NOT NULL,
	"contact_data_at" timestamp with time zone,
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
CREATE TABLE "ownership_proofs" (
	"seller_id" text NOT NULL,
	"domain" text NOT NULL,
	"method" text,
	"verified_at" timestamp with time zone,
	"checked_at" timestamp with time zone NOT NULL,
	"failed_at" timestamp with time zone,
	"problems" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"next_check_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ownership_proofs_seller_id_domain_pk" PRIMARY KEY("seller_id","domain")
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
CREATE TABLE "payout_batches" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"mode" text DEFAULT '' NOT NULL,
	"payer" jsonb,
	"execution_date" text DEFAULT '' NOT NULL,
	"payout_count" integer NOT NULL,
	"total_cents" bigint NOT NULL,
	"provider_reference" text,
	"next_action_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"is_uncertain" boolean DEFAULT false NOT NULL,
	"error" text DEFAULT '' NOT NULL,
	"created_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_methods" (
	"id" text PRIMARY KEY NOT NULL,
	"seller_id" text NOT NULL,
	"kind" text NOT NULL,
	"sealed_details" text NOT NULL,
	"last_four" text DEFAULT '' NOT NULL,
	"usable_at" timestamp with time zone NOT NULL,
	"replaced_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payout_profiles" (
	"seller_id" text PRIMARY KEY NOT NULL,
	"schedule" text DEFAULT 'manual' NOT NULL,
	"next_request_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" text PRIMARY KEY NOT NULL,
	"seller_id" text NOT NULL,
	"method_id" text NOT NULL,
	"method_kind" text NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"is_scheduled" boolean DEFAULT false NOT NULL,
	"idempotency_key" text,
	"request_hash" text,
	"first_approved_by" text,
	"first_approved_at" timestamp with time zone,
	"approved_by" text,
	"approved_at" timestamp with time zone,
	"batch_id" text,
	"provider_reference" text,
	"provider_status" text DEFAULT '' NOT NULL,
	"provider_transaction_id" text,
	"provider_fee_cents" bigint DEFAULT 0 NOT NULL,
	"reference" text DEFAULT '' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"sent_at" timestamp with time zone,
	"paid_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payouts_amount_above_fee" CHECK (fee_cents >= 0 and amount_cents > fee_cents)
);
--> statement-breakpoint
CREATE TABLE "brief_articles" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"uploaded_by" text,
	"file_name" text NOT NULL,
	"media_type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"sha256" text NOT NULL,
	"storage_key" text NOT NULL,
	"attached_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_briefs" (
	"order_id" integer PRIMARY KEY NOT NULL,
	"target_url" text DEFAULT '' NOT NULL,
	"anchor" text DEFAULT '' NOT NULL,
	"writer" text DEFAULT 'seller' NOT NULL,
	"words" integer,
	"notes" text DEFAULT '' NOT NULL,
	"not_before" text,
	"rel" text DEFAULT 'any' NOT NULL,
	"article_id" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "placement_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "placement_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"action" text NOT NULL,
	"from_state" text,
	"to_state" text NOT NULL,
	"actor_id" text,
	"role" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"returned_cents" bigint DEFAULT 0 NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "placements" (
	"order_id" integer PRIMARY KEY NOT NULL,
	"seller_id" text NOT NULL,
	"buyer_id" text NOT NULL,
	"state" text DEFAULT 'offered' NOT NULL,
	"seller_cents" bigint NOT NULL,
	"margin_cents" bigint NOT NULL,
	"seller_returned_cents" bigint DEFAULT 0 NOT NULL,
	"margin_returned_cents" bigint DEFAULT 0 NOT NULL,
	"turnaround_days" integer NOT NULL,
	"answer_due_at" timestamp with time zone NOT NULL,
	"answer" text,
	"answer_role" text,
	"answered_at" timestamp with time zone,
	"delivery_due_at" timestamp with time zone,
	"extension_days" integer,
	"extension_reason" text DEFAULT '' NOT NULL,
	"extension_asked_at" timestamp with time zone,
	"extension_granted_at" timestamp with time zone,
	"extension_refused_at" timestamp with time zone,
	"released_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"delivered_url" text DEFAULT '' NOT NULL,
	"delivery_reason" text DEFAULT '' NOT NULL,
	"approve_due_at" timestamp with time zone,
	"revisions_used" integer DEFAULT 0 NOT NULL,
	"was_late" boolean DEFAULT false NOT NULL,
	"approved_at" timestamp with time zone,
	"approval_percent" integer DEFAULT 40 NOT NULL,
	"guarantee_days" integer DEFAULT 90 NOT NULL,
	"added_days" integer DEFAULT 0 NOT NULL,
	"guarantee_cents" bigint DEFAULT 0 NOT NULL,
	"ripened_cents" bigint DEFAULT 0 NOT NULL,
	"guarantee_starts_at" timestamp with time zone,
	"ripen_count" integer DEFAULT 0 NOT NULL,
	"ended_at" timestamp with time zone,
	"next_action_at" timestamp with time zone,
	"clock_retries" integer DEFAULT 0 NOT NULL,
	"reminded_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blocked_domains" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "blocked_domains_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"project_id" text,
	"domain" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "blocked_domains_key" UNIQUE NULLS NOT DISTINCT("account_id","project_id","domain")
);
--> statement-breakpoint
CREATE TABLE "project_anchors" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "project_anchors_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" text NOT NULL,
	"source" text NOT NULL,
	"anchor" text NOT NULL,
	"is_image" boolean NOT NULL,
	"first_seen_on" date,
	"links" integer NOT NULL,
	CONSTRAINT "project_anchors_key" UNIQUE NULLS NOT DISTINCT("project_id","source","anchor","is_image","first_seen_on"),
	CONSTRAINT "project_anchors_links" CHECK ("project_anchors"."links" > 0)
);
--> statement-breakpoint
CREATE TABLE "project_link_sources" (
	"project_id" text NOT NULL,
	"source" text NOT NULL,
	"live" integer NOT NULL,
	"lost" integer NOT NULL,
	"unknown" integer NOT NULL,
	"anchors" bigint NOT NULL,
	"imported_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_link_sources_project_id_source_pk" PRIMARY KEY("project_id","source")
);
--> statement-breakpoint
CREATE TABLE "project_linked_domains" (
	"project_id" text NOT NULL,
	"domain" text NOT NULL,
	"source" text NOT NULL,
	"state" text NOT NULL,
	"seen_on" date,
	"imported_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_linked_domains_project_id_domain_source_pk" PRIMARY KEY("project_id","domain","source")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"domain" text NOT NULL,
	"description" text NOT NULL,
	"niche" text NOT NULL,
	"post_type" text NOT NULL,
	"target_url" text NOT NULL,
	"keywords" text NOT NULL,
	"country" text NOT NULL,
	"hides_linked" boolean DEFAULT false NOT NULL,
	"monthly_budget_cents" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fulfilment_records" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "fulfilment_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"site_id" integer,
	"seller_id" text,
	"day" date NOT NULL,
	"computed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"orders" integer NOT NULL,
	"accepted" integer NOT NULL,
	"accepted_in_time" double precision NOT NULL,
	"delivered_in_time" double precision NOT NULL,
	"median_days" double precision,
	"revisions_per_order" double precision NOT NULL,
	"disputes_lost" integer NOT NULL,
	"alive" jsonb NOT NULL,
	"reliability" double precision,
	"is_copied" boolean DEFAULT true NOT NULL,
	CONSTRAINT "fulfilment_records_site_key" UNIQUE("site_id"),
	CONSTRAINT "fulfilment_records_seller_key" UNIQUE("seller_id"),
	CONSTRAINT "fulfilment_records_subject" CHECK (num_nonnulls(site_id, seller_id) = 1)
);
--> statement-breakpoint
CREATE TABLE "record_marks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "record_marks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"site_id" integer,
	"seller_id" text
);
--> statement-breakpoint
CREATE TABLE "record_rollup" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"day" date NOT NULL,
	"after_site" integer,
	"after_seller" text,
	"copied_at" timestamp with time zone,
	CONSTRAINT "record_rollup_one_row" CHECK ("record_rollup"."id")
);
--> statement-breakpoint
CREATE TABLE "seller_billing_profiles" (
	"seller_id" text PRIMARY KEY NOT NULL,
	"legal_name" text NOT NULL,
	"address" text NOT NULL,
	"tax_id" text DEFAULT '' NOT NULL,
	"country" text NOT NULL,
	"agreed_at" timestamp with time zone NOT NULL,
	"next_month" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seller_statement_counters" (
	"year" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seller_statement_lines" (
	"statement_id" text NOT NULL,
	"order_id" integer NOT NULL,
	"website" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "seller_statement_lines_statement_id_order_id_pk" PRIMARY KEY("statement_id","order_id")
);
--> statement-breakpoint
CREATE TABLE "seller_statements" (
	"id" text PRIMARY KEY NOT NULL,
	"year" integer NOT NULL,
	"number" integer NOT NULL,
	"seller_id" text NOT NULL,
	"month" text NOT NULL,
	"billed_cents" bigint NOT NULL,
	"tax_cents" bigint DEFAULT 0 NOT NULL,
	"taxes" jsonb NOT NULL,
	"accounting_tax" jsonb,
	"fee_cents" bigint NOT NULL,
	"earned_cents" bigint NOT NULL,
	"returned_cents" bigint NOT NULL,
	"placement_count" integer NOT NULL,
	"legal_name" text NOT NULL,
	"address" text NOT NULL,
	"tax_id" text NOT NULL,
	"country" text NOT NULL,
	"operator" jsonb NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "seller_statements_number_key" UNIQUE("year","number"),
	CONSTRAINT "seller_statements_month_key" UNIQUE("seller_id","month"),
	CONSTRAINT "seller_statements_number_positive" CHECK (number > 0),
	CONSTRAINT "seller_statements_amounts" CHECK (billed_cents >= 0 and tax_cents between 0 and billed_cents and placement_count >= 0)
);
--> statement-breakpoint
CREATE TABLE "service_answers" (
	"name" text PRIMARY KEY NOT NULL,
	"credentials" text NOT NULL,
	"ok" boolean NOT NULL,
	"message" text NOT NULL,
	"answered_at" timestamp with time zone DEFAULT now() NOT NULL
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
	"source_day" date,
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
CREATE TABLE "settings_stamps" (
	"slot" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "settings_stamps_slot_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"stamp" uuid DEFAULT gen_random_uuid() NOT NULL
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
CREATE TABLE "order_options" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"option_id" text NOT NULL,
	"kind" text NOT NULL,
	"days" integer,
	"topic" text,
	"words" integer,
	"charged_cents" bigint NOT NULL,
	"seller_cents" bigint NOT NULL,
	"margin_cents" bigint NOT NULL,
	"is_extension" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_options" (
	"id" text PRIMARY KEY NOT NULL,
	"site_id" integer NOT NULL,
	"kind" text NOT NULL,
	"days" integer,
	"topic" text,
	"is_refused" boolean DEFAULT false NOT NULL,
	"seller_cents" bigint,
	"percent" integer,
	"minimum_cents" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_options_key" UNIQUE NULLS NOT DISTINCT("site_id","kind","days","topic")
);
--> statement-breakpoint
CREATE TABLE "marketplace_views" (
	"user_id" text PRIMARY KEY NOT NULL,
	"columns" text[],
	"query" text DEFAULT '' NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_filters" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"list" text DEFAULT 'marketplace' NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_marks" (
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"site_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_marks_account_id_kind_site_id_pk" PRIMARY KEY("account_id","kind","site_id")
);
--> statement-breakpoint
CREATE TABLE "site_view_days" (
	"owner_id" text NOT NULL,
	"day" date NOT NULL,
	"views" integer NOT NULL,
	CONSTRAINT "site_view_days_owner_id_day_pk" PRIMARY KEY("owner_id","day")
);
--> statement-breakpoint
CREATE TABLE "site_view_marks" (
	"mark" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL
);
--> statement-breakpoint
CREATE TABLE "commission_rules" (
	"id" text PRIMARY KEY NOT NULL,
	"seller_id" text,
	"niche" text,
	"niche_key" text,
	"currency" text,
	"margin_basis_points" integer NOT NULL,
	"minimum_cents" bigint DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sites" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "sites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"url_key" text NOT NULL,
	"domain" text NOT NULL,
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
	"figure_sources" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"is_dr_measured" boolean GENERATED ALWAYS AS (coalesce(figure_sources -> 'dr' ->> 'source' in ('ahrefs', 'crux', 'common_crawl', 'majestic', 'search_console'), false)) STORED NOT NULL,
	"is_traffic_measured" boolean GENERATED ALWAYS AS (coalesce(figure_sources -> 'traffic' ->> 'source' in ('ahrefs', 'crux', 'common_crawl', 'majestic', 'search_console'), false)) STORED NOT NULL,
	"ownership" text,
	"reliability" double precision,
	"words" integer DEFAULT 600 NOT NULL,
	"tat" text DEFAULT '3 Days' NOT NULL,
	"tat_days" integer DEFAULT 3 NOT NULL,
	"sample_posts" text DEFAULT '' NOT NULL,
	"rules" text DEFAULT '' NOT NULL,
	"seller_price_cents" bigint,
	"admin_price_cents" bigint,
	"public_price_cents" bigint,
	"public_currency" text DEFAULT 'USD' NOT NULL,
	"is_price_stale" boolean DEFAULT false NOT NULL,
	"public_price_usd_cents" bigint,
	"status" text DEFAULT 'Pending' NOT NULL,
	"rejection_reason" text,
	"rejection_note" text DEFAULT '' NOT NULL,
	"is_fulfilled_by_staff" boolean DEFAULT false NOT NULL,
	"paused_at" timestamp with time zone,
	"paused_until" timestamp with time zone,
	"search_text" text GENERATED ALWAYS AS (lower(name || ' ' || url)) STORED,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "sites_figures_sourced" CHECK (figure_sources ?& array_remove(array[case when dr is not null then 'dr' end, case when da is not null then 'da' end, case when authority_score is not null then 'as' end, case when traffic is not null then 'traffic' end, case when keywords_count is not null then 'keywords' end, case when ref_domains is not null then 'ref_domains' end, case when spam is not null then 'spam' end], null))
);
--> statement-breakpoint
CREATE TABLE "source_refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"topup_id" text NOT NULL,
	"account_id" text NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"payment_reference" text NOT NULL,
	"state" text DEFAULT 'requested' NOT NULL,
	"money" text DEFAULT 'none' NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"charge_minor" bigint,
	"charge_currency" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"requested_by" text NOT NULL,
	"approved_by" text,
	"second_approved_by" text,
	"approved_at" timestamp with time zone,
	"declined_by" text,
	"answer" text DEFAULT '' NOT NULL,
	"provider_reference" text,
	"error" text DEFAULT '' NOT NULL,
	"next_action_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"idempotency_key" text,
	"request_hash" text,
	"ended_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "source_refunds_amount_positive" CHECK (amount_cents > 0 and (charge_minor is null or charge_minor > 0)),
	CONSTRAINT "source_refunds_money_matches_state" CHECK (case state when 'processing' then money in ('held', 'sent') when 'succeeded' then money = 'sent'
        when 'failed' then money = 'returned' else money = 'none' end)
);
--> statement-breakpoint
CREATE TABLE "order_tags" (
	"order_id" integer NOT NULL,
	"tag" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_tags_order_id_tag_pk" PRIMARY KEY("order_id","tag")
);
--> statement-breakpoint
CREATE TABLE "staff_notes" (
	"id" integer PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "staff_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" text,
	"order_id" integer,
	"author_id" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "staff_notes_subject" CHECK (num_nonnulls("staff_notes"."user_id", "staff_notes"."order_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "user_tags" (
	"user_id" text NOT NULL,
	"tag" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_tags_user_id_tag_pk" PRIMARY KEY("user_id","tag")
);
--> statement-breakpoint
CREATE TABLE "billing_profiles" (
	"account_id" text PRIMARY KEY NOT NULL,
	"company" text NOT NULL,
	"street" text NOT NULL,
	"postcode" text NOT NULL,
	"city" text NOT NULL,
	"region" text NOT NULL,
	"country" text NOT NULL,
	"vat_id" text NOT NULL,
	"reference" text NOT NULL,
	"email" text NOT NULL,
	"vat_check" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_tax_returns" (
	"movement_key" text NOT NULL,
	"charge_key" text NOT NULL,
	"net_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_tax_returns_movement_key_charge_key_pk" PRIMARY KEY("movement_key","charge_key"),
	CONSTRAINT "order_tax_returns_amounts" CHECK (net_cents > 0 and tax_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE "order_taxes" (
	"movement_key" text PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"net_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"rate" integer NOT NULL,
	"category" text NOT NULL,
	"reason" text NOT NULL,
	"text" text NOT NULL,
	"country" text NOT NULL,
	"buyer" jsonb NOT NULL,
	"seller" jsonb NOT NULL,
	"home_country" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_taxes_amounts" CHECK (net_cents > 0 and tax_cents >= 0 and rate between 0 and 10000),
	CONSTRAINT "order_taxes_rated" CHECK (category = 'S' or (rate = 0 and tax_cents = 0))
);
--> statement-breakpoint
CREATE TABLE "reference_rates" (
	"day" date NOT NULL,
	"currency" text NOT NULL,
	"usd_micros_per_unit" bigint NOT NULL,
	"unit_micros_per_usd" bigint NOT NULL,
	CONSTRAINT "reference_rates_day_currency_pk" PRIMARY KEY("day","currency"),
	CONSTRAINT "reference_rates_positive" CHECK (usd_micros_per_unit > 0 and unit_micros_per_usd > 0)
);
--> statement-breakpoint
CREATE TABLE "niche_proposals" (
	"key" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"niche" text,
	"proposed_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
	"account_id" text NOT NULL,
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
	"granted_at" timestamp with time zone,
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
	"authenticated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"viewed_user_id" text,
	"view_ends_at" timestamp with time zone,
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
	"rights_since" timestamp with time zone,
	"email_verified_at" timestamp with time zone,
	"invited_at" timestamp with time zone,
	"totp_secret" text,
	"totp_begun_at" timestamp with time zone,
	"totp_enabled_at" timestamp with time zone,
	"totp_last_step" bigint,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone,
	"has_weekly_mail" boolean DEFAULT false NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"delivery_id" text NOT NULL,
	"url" text NOT NULL,
	"request_headers" jsonb NOT NULL,
	"status" integer,
	"answer" text DEFAULT '' NOT NULL,
	"error" text DEFAULT '' NOT NULL,
	"duration_ms" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"endpoint_id" text NOT NULL,
	"event_id" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"give_up_at" timestamp with time zone NOT NULL,
	"last_status" integer,
	"last_error" text DEFAULT '' NOT NULL,
	"finished_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"saved_by" text,
	"is_installation" boolean DEFAULT false NOT NULL,
	"channel" text DEFAULT 'webhook' NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"sealed_secret" text NOT NULL,
	"sealed_previous_secret" text,
	"previous_secret_until" timestamp with time zone,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"off_reason" text,
	"disabled_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"leased_until" timestamp with time zone DEFAULT now() NOT NULL,
	"paused_until" timestamp with time zone DEFAULT now() NOT NULL,
	"is_slow" boolean DEFAULT false NOT NULL,
	"last_attempt_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_posts" (
	"order_id" integer PRIMARY KEY NOT NULL,
	"site_id" integer NOT NULL,
	"host" text NOT NULL,
	"state" text DEFAULT 'publishing' NOT NULL,
	"leased_until" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"media_id" integer,
	"media_hash" text DEFAULT '' NOT NULL,
	"post_id" integer,
	"url" text DEFAULT '' NOT NULL,
	"publish_at" timestamp with time zone,
	"check_at" timestamp with time zone,
	"retries" integer DEFAULT 0 NOT NULL,
	"last_error" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_wordpress" (
	"site_id" integer PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"host" text NOT NULL,
	"api_root" text NOT NULL,
	"username" text NOT NULL,
	"author_id" integer NOT NULL,
	"roles" text[] NOT NULL,
	"sealed_password" text,
	"password_uuid" text NOT NULL,
	"publish" text DEFAULT 'draft' NOT NULL,
	"state" text DEFAULT 'connected' NOT NULL,
	"last_error" text DEFAULT '' NOT NULL,
	"last_used_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wordpress_requests" (
	"site_id" integer PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"session_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"host" text NOT NULL,
	"api_root" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wordpress_requests_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "database_timelines" (
	"system" text NOT NULL,
	"timeline" text NOT NULL,
	"mark" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "database_timelines_system_timeline_pk" PRIMARY KEY("system","timeline")
);
--> statement-breakpoint
CREATE TABLE "write_positions" (
	"owner" text PRIMARY KEY NOT NULL,
	"position" "pg_lsn" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_controllers" ADD CONSTRAINT "account_controllers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_controllers" ADD CONSTRAINT "account_controllers_controller_id_users_id_fk" FOREIGN KEY ("controller_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_invitations" ADD CONSTRAINT "account_invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_invitations" ADD CONSTRAINT "account_invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_members" ADD CONSTRAINT "account_members_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_members" ADD CONSTRAINT "account_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_anchor_plans" ADD CONSTRAINT "project_anchor_plans_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_request_id_bank_transfer_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."bank_transfer_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_lines" ADD CONSTRAINT "bank_lines_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bank_transfer_requests" ADD CONSTRAINT "bank_transfer_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bell_reads" ADD CONSTRAINT "bell_reads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "book_proofs" ADD CONSTRAINT "book_proofs_ran_by_users_id_fk" FOREIGN KEY ("ran_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proof_requests" ADD CONSTRAINT "proof_requests_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_cart_id_carts_id_fk" FOREIGN KEY ("cart_id") REFERENCES "public"."carts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_items" ADD CONSTRAINT "cart_items_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "carts" ADD CONSTRAINT "carts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "carts" ADD CONSTRAINT "carts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_report_mails" ADD CONSTRAINT "client_report_mails_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_report_mails" ADD CONSTRAINT "client_report_mails_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_report_mails" ADD CONSTRAINT "client_report_mails_brand_logo_id_brand_logos_id_fk" FOREIGN KEY ("brand_logo_id") REFERENCES "public"."brand_logos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_report_notes" ADD CONSTRAINT "client_report_notes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_reports" ADD CONSTRAINT "client_reports_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_reports" ADD CONSTRAINT "client_reports_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "client_reports" ADD CONSTRAINT "client_reports_brand_logo_id_brand_logos_id_fk" FOREIGN KEY ("brand_logo_id") REFERENCES "public"."brand_logos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_proposals" ADD CONSTRAINT "dispute_proposals_dispute_id_disputes_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."disputes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_proposals" ADD CONSTRAINT "dispute_proposals_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_opened_by_users_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_tokens" ADD CONSTRAINT "email_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feature_roles" ADD CONSTRAINT "feature_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_deliveries" ADD CONSTRAINT "invoice_deliveries_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."transfers" ADD CONSTRAINT "transfers_from_fk" FOREIGN KEY ("from_account","currency") REFERENCES "ledger"."accounts"("id","currency") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."transfers" ADD CONSTRAINT "transfers_to_fk" FOREIGN KEY ("to_account","currency") REFERENCES "ledger"."accounts"("id","currency") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger"."transfers" ADD CONSTRAINT "transfers_reverses_fk" FOREIGN KEY ("reverses_id") REFERENCES "ledger"."transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_consents" ADD CONSTRAINT "legal_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_consents" ADD CONSTRAINT "legal_consents_kind_version_legal_documents_kind_version_fk" FOREIGN KEY ("kind","version") REFERENCES "public"."legal_documents"("kind","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "legal_documents" ADD CONSTRAINT "legal_documents_published_by_users_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_checks" ADD CONSTRAINT "link_checks_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_digests" ADD CONSTRAINT "link_digests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_proofs" ADD CONSTRAINT "link_proofs_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_watches" ADD CONSTRAINT "link_watches_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_watches" ADD CONSTRAINT "link_watches_buyer_id_accounts_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_watches" ADD CONSTRAINT "link_watches_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_opt_outs" ADD CONSTRAINT "mail_opt_outs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_gathers_for_users_id_fk" FOREIGN KEY ("gathers_for") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_buyer_id_accounts_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reads" ADD CONSTRAINT "message_reads_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_reads" ADD CONSTRAINT "message_reads_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_message_files" ADD CONSTRAINT "order_message_files_message_id_order_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."order_messages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_messages" ADD CONSTRAINT "order_messages_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_messages" ADD CONSTRAINT "order_messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_request_lines" ADD CONSTRAINT "order_request_lines_request_id_order_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."order_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_request_lines" ADD CONSTRAINT "order_request_lines_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_requests" ADD CONSTRAINT "order_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_requests" ADD CONSTRAINT "order_requests_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_requests" ADD CONSTRAINT "order_requests_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_requests" ADD CONSTRAINT "order_requests_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_requests" ADD CONSTRAINT "order_requests_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_requests" ADD CONSTRAINT "order_requests_link_created_by_users_id_fk" FOREIGN KEY ("link_created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_contents" ADD CONSTRAINT "order_contents_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_contents" ADD CONSTRAINT "order_contents_uploaded_by_users_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_quotes" ADD CONSTRAINT "order_quotes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_ordered_by_users_id_fk" FOREIGN KEY ("ordered_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_package_id_packages_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."packages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ownership_proofs" ADD CONSTRAINT "ownership_proofs_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_methods" ADD CONSTRAINT "payout_methods_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_profiles" ADD CONSTRAINT "payout_profiles_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_method_id_payout_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."payout_methods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_batch_id_payout_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."payout_batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "brief_articles" ADD CONSTRAINT "brief_articles_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "brief_articles" ADD CONSTRAINT "brief_articles_uploaded_by_users_id_fk" FOREIGN KEY ("uploaded_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_briefs" ADD CONSTRAINT "order_briefs_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_briefs" ADD CONSTRAINT "order_briefs_article_id_brief_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."brief_articles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "placement_events" ADD CONSTRAINT "placement_events_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "placements" ADD CONSTRAINT "placements_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "placements" ADD CONSTRAINT "placements_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "placements" ADD CONSTRAINT "placements_buyer_id_accounts_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocked_domains" ADD CONSTRAINT "blocked_domains_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blocked_domains" ADD CONSTRAINT "blocked_domains_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_anchors" ADD CONSTRAINT "project_anchors_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_link_sources" ADD CONSTRAINT "project_link_sources_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_linked_domains" ADD CONSTRAINT "project_linked_domains_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fulfilment_records" ADD CONSTRAINT "fulfilment_records_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fulfilment_records" ADD CONSTRAINT "fulfilment_records_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_billing_profiles" ADD CONSTRAINT "seller_billing_profiles_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_statement_lines" ADD CONSTRAINT "seller_statement_lines_statement_id_seller_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."seller_statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_statement_lines" ADD CONSTRAINT "seller_statement_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_statements" ADD CONSTRAINT "seller_statements_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_lines" ADD CONSTRAINT "settlement_lines_topup_id_topups_id_fk" FOREIGN KEY ("topup_id") REFERENCES "public"."topups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_imports" ADD CONSTRAINT "site_imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_options" ADD CONSTRAINT "order_options_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_options" ADD CONSTRAINT "site_options_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "marketplace_views" ADD CONSTRAINT "marketplace_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_marks" ADD CONSTRAINT "site_marks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_marks" ADD CONSTRAINT "site_marks_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_view_days" ADD CONSTRAINT "site_view_days_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_rules" ADD CONSTRAINT "commission_rules_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_refunds" ADD CONSTRAINT "source_refunds_topup_id_topups_id_fk" FOREIGN KEY ("topup_id") REFERENCES "public"."topups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_refunds" ADD CONSTRAINT "source_refunds_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_tags" ADD CONSTRAINT "order_tags_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notes" ADD CONSTRAINT "staff_notes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notes" ADD CONSTRAINT "staff_notes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notes" ADD CONSTRAINT "staff_notes_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_tags" ADD CONSTRAINT "user_tags_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_profiles" ADD CONSTRAINT "billing_profiles_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_tax_returns" ADD CONSTRAINT "order_tax_returns_charge_key_order_taxes_movement_key_fk" FOREIGN KEY ("charge_key") REFERENCES "public"."order_taxes"("movement_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_taxes" ADD CONSTRAINT "order_taxes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_proposals" ADD CONSTRAINT "niche_proposals_niche_niches_name_fk" FOREIGN KEY ("niche") REFERENCES "public"."niches"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_proposals" ADD CONSTRAINT "niche_proposals_proposed_by_users_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_topup_id_topups_id_fk" FOREIGN KEY ("topup_id") REFERENCES "public"."topups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "topups" ADD CONSTRAINT "topups_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_avatars" ADD CONSTRAINT "user_avatars_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_permissions" ADD CONSTRAINT "role_permissions_role_name_roles_name_fk" FOREIGN KEY ("role_name") REFERENCES "public"."roles"("name") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_viewed_user_id_users_id_fk" FOREIGN KEY ("viewed_user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_role_roles_name_fk" FOREIGN KEY ("role") REFERENCES "public"."roles"("name") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_owner_id_accounts_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_saved_by_users_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_posts" ADD CONSTRAINT "order_posts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_posts" ADD CONSTRAINT "order_posts_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_wordpress" ADD CONSTRAINT "site_wordpress_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_wordpress" ADD CONSTRAINT "site_wordpress_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_requests" ADD CONSTRAINT "wordpress_requests_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wordpress_requests" ADD CONSTRAINT "wordpress_requests_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_invitations_email_key" ON "account_invitations" USING btree ("account_id",lower("email"));--> statement-breakpoint
CREATE INDEX "account_invitations_expires_idx" ON "account_invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "account_members_user_idx" ON "account_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "accounts_name_idx" ON "accounts" USING btree (lower(coalesce(nullif(accounts.name, ''), accounts.email)),"id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "accounts_team_search_idx" ON "accounts" USING gin ((lower(accounts.name || E'\n' || accounts.email)) gin_trgm_ops) WHERE kind = 'team';--> statement-breakpoint
CREATE INDEX "announcements_created_idx" ON "announcements" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_provider_name_idx" ON "api_keys" USING btree ("provider","name");--> statement-breakpoint
CREATE INDEX "api_tokens_user_idx" ON "api_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "api_tokens_account_idx" ON "api_tokens" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "api_tokens_revoked_idx" ON "api_tokens" USING btree ("revoked_at") WHERE revoked_at is not null;--> statement-breakpoint
CREATE INDEX "api_tokens_expires_idx" ON "api_tokens" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_pending_idx" ON "approvals" USING btree ("subject") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "approvals_subject_idx" ON "approvals" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "approvals_state_idx" ON "approvals" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "audit_logs_entity_idx" ON "audit_logs" USING btree ("entity_type","entity_id","id");--> statement-breakpoint
CREATE INDEX "audit_logs_kind_idx" ON "audit_logs" USING btree ("action","entity_type","source","id");--> statement-breakpoint
CREATE INDEX "audit_logs_user_kind_idx" ON "audit_logs" USING btree ("user_id","action","entity_type","source","id");--> statement-breakpoint
CREATE INDEX "audit_logs_day_idx" ON "audit_logs" USING btree (((audit_logs."timestamp" at time zone 'UTC')::date),"id");--> statement-breakpoint
CREATE INDEX "audit_logs_search_idx" ON "audit_logs" USING gin ((lower(audit_logs.details || E'\n' || audit_logs."user")) gin_trgm_ops) WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE INDEX "backups_created_idx" ON "backups" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_lines_key" ON "bank_lines" USING btree ("key");--> statement-breakpoint
CREATE INDEX "bank_lines_content_idx" ON "bank_lines" USING btree ("content_key");--> statement-breakpoint
CREATE INDEX "bank_lines_state_idx" ON "bank_lines" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "bank_lines_request_idx" ON "bank_lines" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "bank_lines_account_idx" ON "bank_lines" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "bank_lines_updated_idx" ON "bank_lines" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "bank_lines_pending_idx" ON "bank_lines" USING btree ("id") WHERE reason = 'pending';--> statement-breakpoint
CREATE INDEX "bank_lines_payers_idx" ON "bank_lines" USING btree ("booked_on") WHERE state in ('matched', 'returned') and (payer_name <> '' or remittance <> '');--> statement-breakpoint
CREATE UNIQUE INDEX "bank_transfer_requests_reference_key" ON "bank_transfer_requests" USING btree ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "bank_transfer_requests_idempotency_key" ON "bank_transfer_requests" USING btree ("account_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "bank_transfer_requests_account_idx" ON "bank_transfer_requests" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "book_proofs_ran_idx" ON "book_proofs" USING btree ("ran_at");--> statement-breakpoint
CREATE INDEX "book_proofs_whole_idx" ON "book_proofs" USING btree ("ran_at") WHERE is_whole;--> statement-breakpoint
CREATE INDEX "cart_items_site_idx" ON "cart_items" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "cart_items_article_idx" ON "cart_items" USING btree ((brief ->> 'articleId')) WHERE brief ->> 'articleId' is not null;--> statement-breakpoint
CREATE INDEX "carts_project_idx" ON "carts" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "client_report_mails_due_idx" ON "client_report_mails" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "client_report_mails_account_idx" ON "client_report_mails" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "client_reports_project_idx" ON "client_reports" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "client_reports_account_idx" ON "client_reports" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "dispute_proposals_number_key" ON "dispute_proposals" USING btree ("dispute_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_open_key" ON "disputes" USING btree ("order_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "disputes_order_idx" ON "disputes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "disputes_open_idx" ON "disputes" USING btree ("id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "disputes_open_amount_idx" ON "disputes" USING btree ("amount_cents","id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "disputes_ended_idx" ON "disputes" USING btree ("id") WHERE state <> 'open';--> statement-breakpoint
CREATE INDEX "disputes_ended_amount_idx" ON "disputes" USING btree ("amount_cents","id") WHERE state <> 'open';--> statement-breakpoint
CREATE INDEX "disputes_ended_reason_idx" ON "disputes" USING btree ("reason","id") WHERE state <> 'open';--> statement-breakpoint
CREATE INDEX "disputes_ended_role_idx" ON "disputes" USING btree ("role","id") WHERE state <> 'open';--> statement-breakpoint
CREATE INDEX "disputes_next_action_idx" ON "disputes" USING btree ("next_action_at") WHERE next_action_at is not null;--> statement-breakpoint
CREATE INDEX "domain_figures_domain_idx" ON "domain_figures" USING btree ("domain","metric","source","as_of" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE site_id is null;--> statement-breakpoint
CREATE INDEX "domain_figures_site_idx" ON "domain_figures" USING btree ("site_id","metric","as_of" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE site_id is not null;--> statement-breakpoint
CREATE INDEX "domain_rating_checks_due_idx" ON "domain_rating_checks" USING btree ("is_listed","next_check_at");--> statement-breakpoint
CREATE INDEX "email_tokens_user_idx" ON "email_tokens" USING btree ("user_id","purpose");--> statement-breakpoint
CREATE INDEX "email_tokens_used_idx" ON "email_tokens" USING btree ("used_at") WHERE used_at is not null;--> statement-breakpoint
CREATE INDEX "email_tokens_expires_idx" ON "email_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "events_new_idx" ON "events" USING btree ("created_at") WHERE position is null;--> statement-breakpoint
CREATE UNIQUE INDEX "events_position_key" ON "events" USING btree ("position");--> statement-breakpoint
CREATE INDEX "events_account_idx" ON "events" USING btree ("account_id","position") WHERE account_id is not null;--> statement-breakpoint
CREATE INDEX "events_installation_idx" ON "events" USING btree ("position") WHERE account_id is null;--> statement-breakpoint
CREATE INDEX "events_created_idx" ON "events" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "feature_roles_user_name_key" ON "feature_roles" USING btree ("user_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "features_name_idx" ON "features" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "invoice_deliveries_document_key" ON "invoice_deliveries" USING btree ("invoice_id","channel") WHERE state <> 'rejected';--> statement-breakpoint
CREATE INDEX "invoice_deliveries_invoice_idx" ON "invoice_deliveries" USING btree ("invoice_id");--> statement-breakpoint
CREATE INDEX "invoice_deliveries_state_idx" ON "invoice_deliveries" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "invoice_deliveries_due_idx" ON "invoice_deliveries" USING btree ("next_attempt_at") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "invoices_order_idx" ON "invoices" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "invoices_account_idx" ON "invoices" USING btree ("account_id","issued_at","id","kind","amount_cents","tax_cents");--> statement-breakpoint
CREATE INDEX "invoices_moved_idx" ON "invoices" USING btree ("moved_at","id");--> statement-breakpoint
CREATE INDEX "receipts_account_idx" ON "receipts" USING btree ("account_id","issued_at","id","amount_cents");--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_reverses_key" ON "ledger"."transfers" USING btree ("reverses_id") WHERE reverses_id is not null;--> statement-breakpoint
CREATE INDEX "transfers_by_from_idx" ON "ledger"."transfers" USING btree ("from_account","id");--> statement-breakpoint
CREATE INDEX "transfers_by_to_idx" ON "ledger"."transfers" USING btree ("to_account","id");--> statement-breakpoint
CREATE INDEX "transfers_other_debits_idx" ON "ledger"."transfers" USING btree ("from_account","id") WHERE order_id is null;--> statement-breakpoint
CREATE INDEX "transfers_order_idx" ON "ledger"."transfers" USING btree ("order_id") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "transfers_topup_idx" ON "ledger"."transfers" USING btree ((meta ->> 'topupId')) WHERE meta ->> 'topupId' is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transfers_position_key" ON "ledger"."transfers" USING btree ("position");--> statement-breakpoint
CREATE INDEX "transfers_line_idx" ON "ledger"."transfers" USING btree ((meta ->> 'settlementLine')) WHERE meta ->> 'settlementLine' is not null;--> statement-breakpoint
CREATE INDEX "transfers_search_idx" ON "ledger"."transfers" USING gin (((case when transfers.order_id is null then lower(transfers.method || E'\n' || transfers.note) end)) gin_trgm_ops) WHERE order_id is null;--> statement-breakpoint
CREATE INDEX "transfers_amount_idx" ON "ledger"."transfers" USING btree ("amount_cents","id");--> statement-breakpoint
CREATE INDEX "transfers_id_end_idx" ON "ledger"."transfers" USING btree (right(id, 8));--> statement-breakpoint
CREATE INDEX "transfers_limit_idx" ON "ledger"."transfers" USING btree ("actor_id","created_at") WHERE (kind in ('manual_topup', 'order_refund', 'tax_refund') or kind = 'topup' and starts_with(key, 'bank:')) and actor_id is not null;--> statement-breakpoint
CREATE INDEX "transfers_refunds_idx" ON "ledger"."transfers" USING btree ("kind","id") WHERE kind in ('order_refund', 'order_recharge', 'tax', 'tax_refund');--> statement-breakpoint
CREATE INDEX "transfers_charges_idx" ON "ledger"."transfers" USING btree ("from_account","created_at") WHERE kind in ('order', 'order_recharge', 'tax');--> statement-breakpoint
CREATE INDEX "transfers_earned_idx" ON "ledger"."transfers" USING btree ("to_account","to_version") WHERE kind = 'earning';--> statement-breakpoint
CREATE INDEX "transfers_earnings_out_idx" ON "ledger"."transfers" USING btree ("from_account","from_version") WHERE kind in ('earning', 'ripening') and from_version is not null;--> statement-breakpoint
CREATE INDEX "transfers_payable_in_idx" ON "ledger"."transfers" USING btree ("to_account","to_version") WHERE kind in ('ripening', 'seller_payout_return');--> statement-breakpoint
CREATE INDEX "transfers_payable_out_idx" ON "ledger"."transfers" USING btree ("from_account","from_version") WHERE kind = 'seller_payout';--> statement-breakpoint
CREATE INDEX "transfers_partial_refunds_idx" ON "ledger"."transfers" USING btree ("id") WHERE kind = 'order_refund' and starts_with(note, 'Partial refund ');--> statement-breakpoint
CREATE INDEX "transfers_time_idx" ON "ledger"."transfers" USING brin ("created_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE UNIQUE INDEX "licenses_key_key" ON "licenses" USING btree (lower("key"));--> statement-breakpoint
CREATE INDEX "licenses_package_idx" ON "licenses" USING btree ("package_id");--> statement-breakpoint
CREATE INDEX "licenses_user_idx" ON "licenses" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "rate_limits_resets_idx" ON "rate_limits" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "link_checks_order_idx" ON "link_checks" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "link_digests_due_idx" ON "link_digests" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "link_hosts_hour_idx" ON "link_hosts" USING btree ("hour");--> statement-breakpoint
CREATE UNIQUE INDEX "link_proofs_check_key" ON "link_proofs" USING btree ("check_id");--> statement-breakpoint
CREATE INDEX "link_proofs_order_idx" ON "link_proofs" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "link_watches_next_check_idx" ON "link_watches" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "link_watches_delivery_idx" ON "link_watches" USING btree ("next_check_at") WHERE next_cause = 'delivery' and next_check_at is not null;--> statement-breakpoint
CREATE INDEX "link_watches_verdict_idx" ON "link_watches" USING btree ("verdict","order_id") WHERE verdict is not null and ended_at is null;--> statement-breakpoint
CREATE INDEX "link_watches_watched_idx" ON "link_watches" USING btree ("order_id") WHERE verdict is not null and ended_at is null;--> statement-breakpoint
CREATE INDEX "link_watches_unknown_idx" ON "link_watches" USING btree ("unknown_since") WHERE ended_at is null and verdict = 'unknown';--> statement-breakpoint
CREATE INDEX "link_watches_seller_repair_idx" ON "link_watches" USING btree ("seller_id","order_id") WHERE ended_at is null and (verdict = 'changed' or broken_confirmed_at is not null);--> statement-breakpoint
CREATE INDEX "link_watches_buyer_repair_idx" ON "link_watches" USING btree ("buyer_id","order_id") WHERE ended_at is null
  and (verdict in ('changed', 'broken') or repair_due_at is not null);--> statement-breakpoint
CREATE INDEX "link_watches_buyer_idx" ON "link_watches" USING btree ("buyer_id","verdict","order_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "link_watches_buyer_started_idx" ON "link_watches" USING btree ("buyer_id","started_at") WHERE seller_id is null;--> statement-breakpoint
CREATE INDEX "link_watches_buyer_lost_idx" ON "link_watches" USING btree ("buyer_id","ended_at","order_id") WHERE end_reason = 'lost';--> statement-breakpoint
CREATE INDEX "link_watches_project_idx" ON "link_watches" USING btree ("project_id","verdict","end_reason");--> statement-breakpoint
CREATE INDEX "link_watches_project_lost_idx" ON "link_watches" USING btree ("project_id") WHERE end_reason = 'lost';--> statement-breakpoint
CREATE UNIQUE INDEX "proof_keys_active_key" ON "proof_keys" USING btree ((true)) WHERE retired_at is null;--> statement-breakpoint
CREATE INDEX "mails_due_idx" ON "mails" USING btree ("next_attempt_at") WHERE sent_at is null and failed_at is null and gathers_for is null;--> statement-breakpoint
CREATE INDEX "mails_queue_idx" ON "mails" USING btree ("priority","next_attempt_at") WHERE sent_at is null and failed_at is null and gathers_for is null;--> statement-breakpoint
CREATE INDEX "mails_gather_idx" ON "mails" USING btree ("next_attempt_at") WHERE gathers_for is not null;--> statement-breakpoint
CREATE INDEX "mails_gatherer_idx" ON "mails" USING btree ("gathers_for","kind") WHERE gathers_for is not null;--> statement-breakpoint
CREATE INDEX "mails_released_idx" ON "mails" USING btree ("recipient","kind","released_at") WHERE released_at is not null;--> statement-breakpoint
CREATE INDEX "mails_sent_idx" ON "mails" USING btree ("sent_at") WHERE sent_at is not null;--> statement-breakpoint
CREATE INDEX "mails_failed_idx" ON "mails" USING btree ("failed_at","id") WHERE failed_at is not null;--> statement-breakpoint
CREATE INDEX "notices_user_idx" ON "notices" USING btree ("user_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "notices_unread_idx" ON "notices" USING btree ("user_id","kind","created_at") WHERE read_at is null;--> statement-breakpoint
CREATE INDEX "notices_created_idx" ON "notices" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "order_changes_order_idx" ON "order_changes" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_changes_open_key" ON "order_changes" USING btree ("order_id") WHERE state in ('asked', 'priced', 'accepted', 'delivered');--> statement-breakpoint
CREATE INDEX "order_changes_seller_idx" ON "order_changes" USING btree ("seller_id","order_id") WHERE state in ('asked', 'priced', 'accepted', 'delivered');--> statement-breakpoint
CREATE INDEX "order_changes_buyer_idx" ON "order_changes" USING btree ("buyer_id","order_id") WHERE state in ('asked', 'priced', 'accepted', 'delivered');--> statement-breakpoint
CREATE INDEX "order_changes_next_action_idx" ON "order_changes" USING btree ("next_action_at") WHERE next_action_at is not null;--> statement-breakpoint
CREATE INDEX "order_changes_charged_idx" ON "order_changes" USING btree ("charged_at") WHERE charged_at is not null;--> statement-breakpoint
CREATE INDEX "order_changes_updated_idx" ON "order_changes" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "message_reads_unread_idx" ON "message_reads" USING btree ("account_id","order_id") WHERE unread_count > 0;--> statement-breakpoint
CREATE INDEX "message_reads_mail_due_idx" ON "message_reads" USING btree ("mail_due_at") WHERE mail_due_at is not null;--> statement-breakpoint
CREATE INDEX "order_message_files_message_idx" ON "order_message_files" USING btree ("message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_message_files_storage_key" ON "order_message_files" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "order_messages_order_idx" ON "order_messages" USING btree ("order_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_messages_idempotency_key" ON "order_messages" USING btree ("author_id","idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "order_request_lines_position_key" ON "order_request_lines" USING btree ("request_id","position");--> statement-breakpoint
CREATE INDEX "order_request_lines_site_idx" ON "order_request_lines" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "order_requests_account_idx" ON "order_requests" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "order_requests_state_idx" ON "order_requests" USING btree ("account_id","state","id");--> statement-breakpoint
CREATE INDEX "order_requests_project_idx" ON "order_requests" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "order_requests_former_links_idx" ON "order_requests" USING gin ("former_link_hashes");--> statement-breakpoint
CREATE INDEX "order_requests_expires_idx" ON "order_requests" USING btree ("expires_at") WHERE state = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "order_requests_checkout_key" ON "order_requests" USING btree ("checkout_id");--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_idempotency_key" ON "checkouts" USING btree ("account_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "order_contents_order_idx" ON "order_contents" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "order_contents_in_force" ON "order_contents" USING btree ("order_id") WHERE "order_contents"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "order_contents_storage_key" ON "order_contents" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "order_quotes_expires_idx" ON "order_quotes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "orders_by_status_idx" ON "orders" USING btree ("status","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "orders_by_charge_idx" ON "orders" USING btree ("charged_cents","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "orders_of_staff_idx" ON "orders" USING btree ("id") WHERE deleted_at is null and not is_fulfilled_by_seller;--> statement-breakpoint
CREATE INDEX "orders_contact_data_idx" ON "orders" USING btree ("id") WHERE deleted_at is null and contact_data_at is not null;--> statement-breakpoint
CREATE INDEX "orders_contact_data_at_idx" ON "orders" USING btree ("contact_data_at") WHERE deleted_at is null and contact_data_at is not null;--> statement-breakpoint
CREATE INDEX "orders_by_account_idx" ON "orders" USING btree ("account_id","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "orders_account_status_idx" ON "orders" USING btree ("account_id","status","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "orders_of_project_idx" ON "orders" USING btree ("project_id","id","status","account_id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "orders_project_site_idx" ON "orders" USING btree ("project_id","site_id") WHERE deleted_at is null and site_id is not null;--> statement-breakpoint
CREATE INDEX "orders_of_site_idx" ON "orders" USING btree ("site_id","created_at") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "orders_live_links_idx" ON "orders" USING btree ("project_id","id") WHERE deleted_at is null and link_url <> '' and status not in ('Rejected', 'Refunded');--> statement-breakpoint
CREATE INDEX "orders_deleted_ids_idx" ON "orders" USING btree ("id") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "orders_deleted_idx" ON "orders" USING btree ("project_id") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "orders_checkout_idx" ON "orders" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "orders_updated_idx" ON "orders" USING brin ("updated_at") WITH (autosummarize=true,pages_per_range=16);--> statement-breakpoint
CREATE INDEX "orders_search_idx" ON "orders" USING gin ((lower(orders.website || E'\n' || orders.package_name || E'\n' || orders.project_domain || E'\n' || orders.link_url)) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "ownership_proofs_domain_idx" ON "ownership_proofs" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "ownership_proofs_due_idx" ON "ownership_proofs" USING btree ("next_check_at");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expires_idx" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_user_idx" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "payout_batches_next_action_idx" ON "payout_batches" USING btree ("next_action_at") WHERE next_action_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payout_batches_reference_key" ON "payout_batches" USING btree ("kind","mode","provider_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_methods_current_key" ON "payout_methods" USING btree ("seller_id") WHERE replaced_at is null;--> statement-breakpoint
CREATE INDEX "payout_methods_seller_idx" ON "payout_methods" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "payout_profiles_next_request_idx" ON "payout_profiles" USING btree ("next_request_at") WHERE next_request_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_open_key" ON "payouts" USING btree ("seller_id") WHERE state in ('requested', 'approved');--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_idempotency_key" ON "payouts" USING btree ("seller_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "payouts_seller_idx" ON "payouts" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "payouts_state_idx" ON "payouts" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "payouts_paid_idx" ON "payouts" USING btree ("seller_id","id","amount_cents") WHERE state = 'paid';--> statement-breakpoint
CREATE INDEX "payouts_batch_idx" ON "payouts" USING btree ("batch_id","state") WHERE batch_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_provider_reference_key" ON "payouts" USING btree ("method_kind","provider_reference");--> statement-breakpoint
CREATE INDEX "payouts_transaction_idx" ON "payouts" USING btree ("provider_transaction_id") WHERE provider_transaction_id is not null;--> statement-breakpoint
CREATE INDEX "payouts_updated_idx" ON "payouts" USING brin ("updated_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE UNIQUE INDEX "brief_articles_storage_key" ON "brief_articles" USING btree ("storage_key");--> statement-breakpoint
CREATE INDEX "brief_articles_unattached_idx" ON "brief_articles" USING btree ("created_at") WHERE attached_at is null;--> statement-breakpoint
CREATE INDEX "brief_articles_account_unattached_idx" ON "brief_articles" USING btree ("account_id") WHERE attached_at is null;--> statement-breakpoint
CREATE INDEX "order_briefs_article_idx" ON "order_briefs" USING btree ("article_id") WHERE article_id is not null;--> statement-breakpoint
CREATE INDEX "placement_events_order_idx" ON "placement_events" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "placements_seller_state_idx" ON "placements" USING btree ("seller_id","state","order_id");--> statement-breakpoint
CREATE INDEX "placements_seller_idx" ON "placements" USING btree ("seller_id","order_id","created_at");--> statement-breakpoint
CREATE INDEX "placements_reserved_idx" ON "placements" USING btree ("seller_id","seller_cents") WHERE (state in ('offered', 'accepted', 'in_revision', 'delivered', 'disputed')
  and approved_at is null);--> statement-breakpoint
CREATE INDEX "placements_state_idx" ON "placements" USING btree ("state","order_id");--> statement-breakpoint
CREATE INDEX "placements_waiting_for_buyer_idx" ON "placements" USING btree ("buyer_id","order_id") WHERE (state in ('delivered', 'disputed') or (state in ('accepted', 'in_revision') and (
  released_at is not null or reminded_at >= delivery_due_at
  or (extension_asked_at is not null and extension_granted_at is null and extension_refused_at is null))));--> statement-breakpoint
CREATE INDEX "placements_buyer_answer_idx" ON "placements" USING btree ("buyer_id","answer_due_at","order_id") WHERE state = 'offered';--> statement-breakpoint
CREATE INDEX "placements_buyer_due_idx" ON "placements" USING btree ("buyer_id","delivery_due_at","order_id") WHERE state in ('accepted', 'in_revision');--> statement-breakpoint
CREATE INDEX "placements_buyer_approved_idx" ON "placements" USING btree ("buyer_id","approved_at") WHERE approved_at is not null;--> statement-breakpoint
CREATE INDEX "placements_due_idx" ON "placements" USING btree ("delivery_due_at","order_id") WHERE state in ('accepted', 'in_revision');--> statement-breakpoint
CREATE INDEX "placements_seller_answer_idx" ON "placements" USING btree ("seller_id","answer_due_at","order_id") WHERE state = 'offered';--> statement-breakpoint
CREATE INDEX "placements_seller_due_idx" ON "placements" USING btree ("seller_id","delivery_due_at","order_id") WHERE state in ('accepted', 'in_revision');--> statement-breakpoint
CREATE INDEX "placements_next_action_idx" ON "placements" USING btree ("next_action_at") WHERE next_action_at is not null;--> statement-breakpoint
CREATE INDEX "placements_due_day_idx" ON "placements" USING brin ("delivery_due_at") WITH (autosummarize=true) WHERE not (state in ('accepted', 'in_revision'));--> statement-breakpoint
CREATE INDEX "placements_updated_idx" ON "placements" USING brin ("updated_at") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "blocked_domains_project_idx" ON "blocked_domains" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "projects_account_idx" ON "projects" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "projects_created_idx" ON "projects" USING btree ("created_at") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "fulfilment_records_to_copy_idx" ON "fulfilment_records" USING btree ("site_id") WHERE not is_copied;--> statement-breakpoint
CREATE INDEX "record_marks_site_idx" ON "record_marks" USING btree ("site_id") WHERE site_id is not null;--> statement-breakpoint
CREATE INDEX "record_marks_seller_idx" ON "record_marks" USING btree ("seller_id") WHERE seller_id is not null;--> statement-breakpoint
CREATE INDEX "seller_billing_profiles_next_idx" ON "seller_billing_profiles" USING btree ("next_month","seller_id");--> statement-breakpoint
CREATE INDEX "seller_statements_seller_idx" ON "seller_statements" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "seller_statements_issued_idx" ON "seller_statements" USING btree ("issued_at");--> statement-breakpoint
CREATE INDEX "exchange_rates_currency_idx" ON "exchange_rates" USING btree ("currency","effective_at");--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_lines_reference_key" ON "settlement_lines" USING btree ("provider","mode","reference");--> statement-breakpoint
CREATE INDEX "settlement_lines_occurred_idx" ON "settlement_lines" USING btree ("provider","mode","occurred_at");--> statement-breakpoint
CREATE INDEX "settlement_lines_newest_idx" ON "settlement_lines" USING btree ("occurred_at","id");--> statement-breakpoint
CREATE INDEX "settlement_lines_unbooked_idx" ON "settlement_lines" USING btree ("outcome","occurred_at","id") WHERE outcome <> 'booked';--> statement-breakpoint
CREATE INDEX "settlement_lines_read_idx" ON "settlement_lines" USING btree ("read_at");--> statement-breakpoint
CREATE INDEX "settlement_lines_topup_idx" ON "settlement_lines" USING btree ("topup_id");--> statement-breakpoint
CREATE INDEX "settlement_lines_source_idx" ON "settlement_lines" USING btree ("provider","source");--> statement-breakpoint
CREATE INDEX "settlement_lines_payment_idx" ON "settlement_lines" USING btree ("provider","payment_reference");--> statement-breakpoint
CREATE INDEX "settlement_lines_check_idx" ON "settlement_lines" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "sign_in_failures_first_idx" ON "sign_in_failures" USING btree ("first_at");--> statement-breakpoint
CREATE UNIQUE INDEX "site_imports_idempotency_key" ON "site_imports" USING btree ("user_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "order_options_order_idx" ON "order_options" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_options_extension_idx" ON "order_options" USING btree ("created_at") WHERE is_extension;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_filters_user_name_key" ON "saved_filters" USING btree ("user_id","list",lower("name"));--> statement-breakpoint
CREATE INDEX "site_marks_site_idx" ON "site_marks" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "site_view_days_day_idx" ON "site_view_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "site_view_marks_day_idx" ON "site_view_marks" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "commission_rules_scope_key" ON "commission_rules" USING btree (coalesce(seller_id, ''),coalesce(niche_key, ''),coalesce(currency, ''));--> statement-breakpoint
CREATE UNIQUE INDEX "sites_owner_url_type_key" ON "sites" USING btree ("owner_id","url_key","post_type") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_created_idx" ON "sites" USING btree ("created_at") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_desk_status_idx" ON "sites" USING btree ("status","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_desk_facets_idx" ON "sites" USING btree ("country","niche","post_type","status") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_desk_ownership_idx" ON "sites" USING btree ("ownership","id") WHERE deleted_at is null and ownership is not null;--> statement-breakpoint
CREATE INDEX "sites_domain_idx" ON "sites" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "sites_owner_idx" ON "sites" USING btree ("owner_id","id","status") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_unlisted_idx" ON "sites" USING btree ("id","owner_id","status","name","dr","da","traffic","spam","reliability","public_price_usd_cents","search_text") WHERE deleted_at is null and not (status = 'Approved' and public_price_usd_cents is not null
          and paused_at is null);--> statement-breakpoint
CREATE INDEX "sites_resume_idx" ON "sites" USING btree ("paused_until") WHERE paused_until is not null;--> statement-breakpoint
CREATE INDEX "sites_listed_price_idx" ON "sites" USING btree ("public_price_usd_cents","id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_dr_idx" ON "sites" USING btree ("dr" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_da_idx" ON "sites" USING btree ("da" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_traffic_idx" ON "sites" USING btree ("traffic" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_value_idx" ON "sites" USING btree ((floor(dr * log((abs(traffic) + 10)::double precision) * 1000000 / nullif(public_price_usd_cents, 0))) desc nulls last,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_reliability_idx" ON "sites" USING btree ("reliability" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_name_idx" ON "sites" USING btree ("name","id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_added_idx" ON "sites" USING btree ("id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_dr_measured_idx" ON "sites" USING btree ("id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null and is_dr_measured;--> statement-breakpoint
CREATE INDEX "sites_listed_traffic_measured_idx" ON "sites" USING btree ("id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null and is_traffic_measured;--> statement-breakpoint
CREATE INDEX "sites_listed_owner_idx" ON "sites" USING btree ("id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null and ownership = 'owner';--> statement-breakpoint
CREATE INDEX "sites_listed_facets_idx" ON "sites" USING btree ("country","language","niche","post_type","dr","spam","public_price_usd_cents") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_niche_idx" ON "sites" USING btree ("niche","post_type","public_price_usd_cents","id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE INDEX "sites_other_currency_idx" ON "sites" USING btree ("public_currency") WHERE public_currency <> 'USD';--> statement-breakpoint
CREATE INDEX "sites_search_idx" ON "sites" USING gin ("search_text" gin_trgm_ops) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null
      and paused_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "source_refunds_requested_key" ON "source_refunds" USING btree ("topup_id") WHERE state = 'requested';--> statement-breakpoint
CREATE UNIQUE INDEX "source_refunds_reference_key" ON "source_refunds" USING btree ("provider","mode","provider_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "source_refunds_idempotency_key" ON "source_refunds" USING btree ("requested_by","idempotency_key");--> statement-breakpoint
CREATE INDEX "source_refunds_topup_idx" ON "source_refunds" USING btree ("topup_id","id");--> statement-breakpoint
CREATE INDEX "source_refunds_account_idx" ON "source_refunds" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "source_refunds_state_idx" ON "source_refunds" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "source_refunds_approved_idx" ON "source_refunds" USING btree ("approved_by","approved_at") WHERE approved_by is not null;--> statement-breakpoint
CREATE INDEX "source_refunds_next_action_idx" ON "source_refunds" USING btree ("next_action_at") WHERE next_action_at is not null;--> statement-breakpoint
CREATE INDEX "source_refunds_updated_idx" ON "source_refunds" USING btree ("updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "order_tags_tag_key" ON "order_tags" USING btree ("tag","order_id");--> statement-breakpoint
CREATE INDEX "staff_notes_user_idx" ON "staff_notes" USING btree ("user_id","id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "staff_notes_order_idx" ON "staff_notes" USING btree ("order_id","id") WHERE order_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "user_tags_tag_key" ON "user_tags" USING btree ("tag","user_id");--> statement-breakpoint
CREATE INDEX "order_tax_returns_charge_idx" ON "order_tax_returns" USING btree ("charge_key");--> statement-breakpoint
CREATE INDEX "order_taxes_order_idx" ON "order_taxes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payment_reversals_topup_idx" ON "payment_reversals" USING btree ("topup_id");--> statement-breakpoint
CREATE INDEX "payment_reversals_reference_idx" ON "payment_reversals" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "payment_reversals_payment_idx" ON "payment_reversals" USING btree ("payment_reference");--> statement-breakpoint
CREATE INDEX "payment_reversals_updated_idx" ON "payment_reversals" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "payment_reversals_disputes_idx" ON "payment_reversals" USING btree ("created_at") WHERE kind = 'dispute';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_reversals_reference_key" ON "payment_reversals" USING btree ("provider","mode","kind","reference");--> statement-breakpoint
CREATE INDEX "topups_account_idx" ON "topups" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "topups_status_idx" ON "topups" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "topups_updated_idx" ON "topups" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "topups_pending_idx" ON "topups" USING btree ("id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "topups_pending_account_idx" ON "topups" USING btree ("account_id","id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "topups_next_check_idx" ON "topups" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "topups_provider_idx" ON "topups" USING btree ("provider","mode","created_at");--> statement-breakpoint
CREATE INDEX "topups_payment_idx" ON "topups" USING btree ("payment_reference") WHERE payment_reference is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "topups_reference_key" ON "topups" USING btree ("provider","mode","provider_reference");--> statement-breakpoint
CREATE UNIQUE INDEX "topups_idempotency_key" ON "topups" USING btree ("account_id","idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_events_event_key" ON "webhook_events" USING btree ("provider","mode","event_id");--> statement-breakpoint
CREATE INDEX "webhook_events_retry_idx" ON "webhook_events" USING btree ("retry_at") WHERE retry_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_stuck_idx" ON "webhook_events" USING btree ("provider","mode") WHERE processed_at is null;--> statement-breakpoint
CREATE INDEX "webhook_events_processed_idx" ON "webhook_events" USING btree ("processed_at") WHERE processed_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name_key" ON "roles" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "sessions_user_idx" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_ended_idx" ON "sessions" USING btree ("ended_at") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "sessions_expires_idx" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_role_deleted_idx" ON "users" USING btree ("role","deleted_at");--> statement-breakpoint
CREATE INDEX "users_active_role_idx" ON "users" USING btree ("role") WHERE status = 'Active' and deleted_at is null;--> statement-breakpoint
CREATE INDEX "users_totp_idx" ON "users" USING btree ("role") WHERE totp_enabled_at is not null;--> statement-breakpoint
CREATE INDEX "users_by_role_idx" ON "users" USING btree (lower("role"),"id");--> statement-breakpoint
CREATE INDEX "users_name_idx" ON "users" USING btree (lower(coalesce(nullif(users.name, ''), users.email)),"id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "users_by_status_idx" ON "users" USING btree ("status","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "users_joined_idx" ON "users" USING btree ("created_at","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "users_seen_idx" ON "users" USING btree ("last_seen_at" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "users_search_idx" ON "users" USING gin ((lower(users.name || E'\n' || users.email || E'\n' || users.role)) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_staff_idx" ON "users" USING btree ("role") WHERE role not in ('User', 'Seller');--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery_idx" ON "webhook_attempts" USING btree ("delivery_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event_key" ON "webhook_deliveries" USING btree ("endpoint_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event_idx" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint_idx" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_give_up_idx" ON "webhook_deliveries" USING btree ("give_up_at") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_owner_idx" ON "webhook_endpoints" USING btree ("owner_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_chat_key" ON "webhook_endpoints" USING btree ("owner_id","channel") WHERE channel <> 'webhook';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_installation_idx" ON "webhook_endpoints" USING btree ("id") WHERE is_installation;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_turn_idx" ON "webhook_endpoints" USING btree ("leased_until") WHERE is_enabled;--> statement-breakpoint
CREATE INDEX "order_posts_site_idx" ON "order_posts" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "order_posts_check_idx" ON "order_posts" USING btree ("check_at") WHERE check_at is not null;--> statement-breakpoint
CREATE INDEX "site_wordpress_owner_idx" ON "site_wordpress" USING btree ("owner_id");