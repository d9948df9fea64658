CREATE TABLE "spending_rollups" (
	"account_id" bigint NOT NULL,
	"month" date NOT NULL,
	"paid_cents" bigint NOT NULL,
	"returned_cents" bigint NOT NULL,
	"entries" integer NOT NULL,
	CONSTRAINT "spending_rollups_account_id_month_pk" PRIMARY KEY("account_id","month")
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
ALTER TABLE "ledger_rollup" ADD COLUMN "spending_position" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "ledger_rollup" ADD COLUMN "spending_unnumbered_id" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "site_view_days" ADD CONSTRAINT "site_view_days_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "site_view_days_day_idx" ON "site_view_days" USING btree ("day");
--> statement-breakpoint
CREATE INDEX "site_view_marks_day_idx" ON "site_view_marks" USING btree ("day");
