ALTER TABLE "sites" ADD COLUMN "figures_updated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "figures_source" text;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "sample_posts" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "rules" text DEFAULT '' NOT NULL;