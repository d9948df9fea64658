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
CREATE INDEX "sign_in_failures_first_idx" ON "sign_in_failures" USING btree ("first_at");