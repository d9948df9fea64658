CREATE TABLE "niche_proposals" (
	"key" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"niche" text,
	"proposed_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "niche_proposals" ADD CONSTRAINT "niche_proposals_niche_niches_name_fk" FOREIGN KEY ("niche") REFERENCES "public"."niches"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "niche_proposals" ADD CONSTRAINT "niche_proposals_proposed_by_users_id_fk" FOREIGN KEY ("proposed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;