ALTER TABLE "sessions" ADD COLUMN "authenticated_at" timestamp with time zone;--> statement-breakpoint
-- Sessions that are running already have to confirm the password first: they get no moment.
ALTER TABLE "sessions" ALTER COLUMN "authenticated_at" SET DEFAULT now();
