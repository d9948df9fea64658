CREATE TABLE "catalogue_stamps" (
	"slot" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "catalogue_stamps_slot_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"stamp" uuid DEFAULT gen_random_uuid() NOT NULL
);
--> statement-breakpoint
DROP INDEX "sites_listed_dr_idx";--> statement-breakpoint
DROP INDEX "sites_listed_da_idx";--> statement-breakpoint
DROP INDEX "sites_listed_traffic_idx";--> statement-breakpoint
DROP INDEX "sites_listed_facets_idx";--> statement-breakpoint
CREATE INDEX "sites_listed_name_idx" ON "sites" USING btree ("name","id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_added_idx" ON "sites" USING btree ("id") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_dr_idx" ON "sites" USING btree ("dr" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_da_idx" ON "sites" USING btree ("da" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_traffic_idx" ON "sites" USING btree ("traffic" DESC NULLS LAST,"id" DESC NULLS FIRST) WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_listed_facets_idx" ON "sites" USING btree ("country","language","niche","post_type","dr","spam","public_price_usd_cents") WHERE status = 'Approved' and public_price_usd_cents is not null and deleted_at is null;--> statement-breakpoint
-- Gives the catalogue a new version in the writer's own transaction: readers see it with the commit, neither before nor
-- after. A transaction takes the first stamp that no other one holds, and makes another when all are held, so that an
-- import of minutes keeps nobody waiting. Writes that touch no listed site (a seller's drafts) leave the version alone.
CREATE FUNCTION raise_catalogue_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	touches boolean := true;
BEGIN
	IF TG_OP IN ('UPDATE', 'DELETE') THEN
		SELECT EXISTS (SELECT FROM before_rows WHERE status = 'Approved' AND public_price_usd_cents IS NOT NULL AND deleted_at IS NULL) INTO touches;
	END IF;
	IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NOT touches) THEN
		SELECT EXISTS (SELECT FROM after_rows WHERE status = 'Approved' AND public_price_usd_cents IS NOT NULL AND deleted_at IS NULL) INTO touches;
	END IF;
	IF NOT touches THEN
		RETURN NULL;
	END IF;
	UPDATE catalogue_stamps SET stamp = gen_random_uuid()
	WHERE slot = (SELECT slot FROM catalogue_stamps ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED);
	IF NOT FOUND THEN
		INSERT INTO catalogue_stamps DEFAULT VALUES;
	END IF;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sites_insert_raises_version AFTER INSERT ON sites
REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
CREATE TRIGGER sites_update_raises_version AFTER UPDATE ON sites
REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
CREATE TRIGGER sites_delete_raises_version AFTER DELETE ON sites
REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
CREATE TRIGGER sites_truncate_raises_version AFTER TRUNCATE ON sites
FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version();
