ALTER TABLE "payment_reversals" ADD COLUMN "payment_reference" text;
--> statement-breakpoint
-- Until now a row told only its top-up; its payment is the one that the top-up was settled by.
UPDATE "payment_reversals" r SET "payment_reference" = coalesce(t."payment_reference", '')
FROM "topups" t WHERE t."id" = r."topup_id";
--> statement-breakpoint
ALTER TABLE "payment_reversals" ALTER COLUMN "payment_reference" SET NOT NULL;
--> statement-breakpoint
-- A caller's temporary tables come before every named schema unless pg_temp is named itself: these functions write the
-- books with their owner's rights, so they must never read a table that their caller made.
ALTER FUNCTION ledger.account_id SET search_path = ledger, pg_catalog, pg_temp;
--> statement-breakpoint
ALTER FUNCTION ledger.post_transfer SET search_path = ledger, pg_catalog, pg_temp;
--> statement-breakpoint
ALTER FUNCTION ledger.recalculate_wallet SET search_path = ledger, pg_catalog, pg_temp;
--> statement-breakpoint
ALTER FUNCTION ledger.take_back SET search_path = ledger, pg_catalog, pg_temp;
--> statement-breakpoint
ALTER FUNCTION ledger.settle_receivable SET search_path = ledger, pg_catalog, pg_temp;
