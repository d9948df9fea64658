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
