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
CREATE TABLE "earning_rollups" (
	"account_id" bigint NOT NULL,
	"month" date NOT NULL,
	"in_cents" bigint NOT NULL,
	"out_cents" bigint NOT NULL,
	"entries" integer NOT NULL,
	"first_version" integer NOT NULL,
	"last_version" integer NOT NULL,
	CONSTRAINT "earning_rollups_account_id_month_pk" PRIMARY KEY("account_id","month")
);
--> statement-breakpoint
CREATE TABLE "message_reads" (
	"order_id" integer NOT NULL,
	"user_id" text NOT NULL,
	"last_message_id" bigint DEFAULT 0 NOT NULL,
	"unread_count" integer DEFAULT 0 NOT NULL,
	"mailed_message_id" bigint DEFAULT 0 NOT NULL,
	"mail_due_at" timestamp with time zone,
	CONSTRAINT "message_reads_order_id_user_id_pk" PRIMARY KEY("order_id","user_id")
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
CREATE TABLE "brief_articles" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
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
	"delivery_due_at" timestamp with time zone,
	"extension_days" integer,
	"extension_reason" text DEFAULT '' NOT NULL,
	"extension_asked_at" timestamp with time zone,
	"extension_granted_at" timestamp with time zone,
	"extension_refused_at" timestamp with time zone,
	"released_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"delivered_url" text DEFAULT '' NOT NULL,
	"approve_due_at" timestamp with time zone,
	"revisions_used" integer DEFAULT 0 NOT NULL,
	"approved_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"next_action_at" timestamp with time zone,
	"clock_retries" integer DEFAULT 0 NOT NULL,
	"reminded_at" timestamp with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "revenue_rollups" ADD COLUMN "reserved_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "revenue_rollups" ADD COLUMN "earned_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "notices" ADD COLUMN "order_id" integer;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "is_fulfilled_by_seller" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "contact_data_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "is_fulfilled_by_staff" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "dispute_proposals" ADD CONSTRAINT "dispute_proposals_dispute_id_disputes_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."disputes"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "dispute_proposals" ADD CONSTRAINT "dispute_proposals_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_opened_by_users_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "message_reads" ADD CONSTRAINT "message_reads_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "message_reads" ADD CONSTRAINT "message_reads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "order_message_files" ADD CONSTRAINT "order_message_files_message_id_order_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."order_messages"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "order_messages" ADD CONSTRAINT "order_messages_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "order_messages" ADD CONSTRAINT "order_messages_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "brief_articles" ADD CONSTRAINT "brief_articles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "order_briefs" ADD CONSTRAINT "order_briefs_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "order_briefs" ADD CONSTRAINT "order_briefs_article_id_brief_articles_id_fk" FOREIGN KEY ("article_id") REFERENCES "public"."brief_articles"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "placement_events" ADD CONSTRAINT "placement_events_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "placements" ADD CONSTRAINT "placements_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "placements" ADD CONSTRAINT "placements_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "placements" ADD CONSTRAINT "placements_buyer_id_users_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "dispute_proposals_number_key" ON "dispute_proposals" USING btree ("dispute_id","number");
--> statement-breakpoint
CREATE UNIQUE INDEX "disputes_open_key" ON "disputes" USING btree ("order_id") WHERE state = 'open';
--> statement-breakpoint
CREATE INDEX "disputes_order_idx" ON "disputes" USING btree ("order_id");
--> statement-breakpoint
CREATE INDEX "disputes_open_idx" ON "disputes" USING btree ("id") WHERE state = 'open';
--> statement-breakpoint
CREATE INDEX "disputes_open_amount_idx" ON "disputes" USING btree ("amount_cents","id") WHERE state = 'open';
--> statement-breakpoint
CREATE INDEX "disputes_ended_idx" ON "disputes" USING btree ("id") WHERE state <> 'open';
--> statement-breakpoint
CREATE INDEX "disputes_ended_amount_idx" ON "disputes" USING btree ("amount_cents","id") WHERE state <> 'open';
--> statement-breakpoint
CREATE INDEX "disputes_ended_reason_idx" ON "disputes" USING btree ("reason","id") WHERE state <> 'open';
--> statement-breakpoint
CREATE INDEX "disputes_ended_role_idx" ON "disputes" USING btree ("role","id") WHERE state <> 'open';
--> statement-breakpoint
CREATE INDEX "disputes_next_action_idx" ON "disputes" USING btree ("next_action_at") WHERE next_action_at is not null;
--> statement-breakpoint
CREATE INDEX "message_reads_unread_idx" ON "message_reads" USING btree ("user_id","order_id") WHERE unread_count > 0;
--> statement-breakpoint
CREATE INDEX "message_reads_mail_due_idx" ON "message_reads" USING btree ("mail_due_at") WHERE mail_due_at is not null;
--> statement-breakpoint
CREATE INDEX "order_message_files_message_idx" ON "order_message_files" USING btree ("message_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "order_message_files_storage_key" ON "order_message_files" USING btree ("storage_key");
--> statement-breakpoint
CREATE INDEX "order_messages_order_idx" ON "order_messages" USING btree ("order_id","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "order_messages_idempotency_key" ON "order_messages" USING btree ("author_id","idempotency_key");
--> statement-breakpoint
CREATE UNIQUE INDEX "brief_articles_storage_key" ON "brief_articles" USING btree ("storage_key");
--> statement-breakpoint
CREATE INDEX "brief_articles_unattached_idx" ON "brief_articles" USING btree ("created_at") WHERE attached_at is null;
--> statement-breakpoint
CREATE INDEX "brief_articles_user_unattached_idx" ON "brief_articles" USING btree ("user_id") WHERE attached_at is null;
--> statement-breakpoint
CREATE INDEX "order_briefs_article_idx" ON "order_briefs" USING btree ("article_id") WHERE article_id is not null;
--> statement-breakpoint
CREATE INDEX "placement_events_order_idx" ON "placement_events" USING btree ("order_id","id");
--> statement-breakpoint
CREATE INDEX "placements_seller_state_idx" ON "placements" USING btree ("seller_id","state","order_id");
--> statement-breakpoint
CREATE INDEX "placements_seller_idx" ON "placements" USING btree ("seller_id","order_id");
--> statement-breakpoint
CREATE INDEX "placements_state_idx" ON "placements" USING btree ("state","order_id");
--> statement-breakpoint
CREATE INDEX "placements_waiting_for_buyer_idx" ON "placements" USING btree ("buyer_id","order_id") WHERE (state in ('delivered', 'disputed') or (state in ('accepted', 'in_revision') and (
  released_at is not null or reminded_at >= delivery_due_at
  or (extension_asked_at is not null and extension_granted_at is null and extension_refused_at is null))));
--> statement-breakpoint
CREATE INDEX "placements_due_idx" ON "placements" USING btree ("delivery_due_at","order_id") WHERE state in ('accepted', 'in_revision');
--> statement-breakpoint
CREATE INDEX "placements_seller_answer_idx" ON "placements" USING btree ("seller_id","answer_due_at","order_id") WHERE state = 'offered';
--> statement-breakpoint
CREATE INDEX "placements_seller_due_idx" ON "placements" USING btree ("seller_id","delivery_due_at","order_id") WHERE state in ('accepted', 'in_revision');
--> statement-breakpoint
CREATE INDEX "placements_next_action_idx" ON "placements" USING btree ("next_action_at") WHERE next_action_at is not null;
--> statement-breakpoint
CREATE INDEX "placements_updated_idx" ON "placements" USING brin ("updated_at") WITH (autosummarize=true);
