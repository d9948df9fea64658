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
	"fee_cents" bigint NOT NULL,
	"earned_cents" bigint NOT NULL,
	"returned_cents" bigint NOT NULL,
	"placement_count" integer NOT NULL,
	"legal_name" text NOT NULL,
	"address" text NOT NULL,
	"tax_id" text NOT NULL,
	"country" text NOT NULL,
	"operator_name" text NOT NULL,
	"operator_address" text NOT NULL,
	"issued_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "seller_statements_number_key" UNIQUE("year","number"),
	CONSTRAINT "seller_statements_month_key" UNIQUE("seller_id","month"),
	CONSTRAINT "seller_statements_number_positive" CHECK (number > 0),
	CONSTRAINT "seller_statements_amounts" CHECK (billed_cents >= 0 and placement_count >= 0)
);
--> statement-breakpoint
ALTER TABLE "seller_billing_profiles" ADD CONSTRAINT "seller_billing_profiles_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_statement_lines" ADD CONSTRAINT "seller_statement_lines_statement_id_seller_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."seller_statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_statement_lines" ADD CONSTRAINT "seller_statement_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_statements" ADD CONSTRAINT "seller_statements_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "seller_billing_profiles_next_idx" ON "seller_billing_profiles" USING btree ("next_month","seller_id");--> statement-breakpoint
CREATE INDEX "seller_statements_seller_idx" ON "seller_statements" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "seller_statements_issued_idx" ON "seller_statements" USING btree ("issued_at");