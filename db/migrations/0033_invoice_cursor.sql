CREATE TABLE "invoice_cursor" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	"unnumbered_id" text DEFAULT '' NOT NULL,
	"is_unnumbered_done" boolean DEFAULT false NOT NULL,
	CONSTRAINT "invoice_cursor_one_row" CHECK ("invoice_cursor"."id")
);
