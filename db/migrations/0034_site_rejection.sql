ALTER TABLE "sites" ADD COLUMN "rejection_reason" text;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "rejection_note" text DEFAULT '' NOT NULL;