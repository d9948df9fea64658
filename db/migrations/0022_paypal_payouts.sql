ALTER TABLE "payout_batches" ADD COLUMN "is_uncertain" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "provider_status" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "provider_transaction_id" text;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "provider_fee_cents" bigint DEFAULT 0 NOT NULL;
