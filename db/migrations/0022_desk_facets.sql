DROP INDEX "sites_desk_country_idx";--> statement-breakpoint
DROP INDEX "sites_desk_niche_idx";--> statement-breakpoint
DROP INDEX "sites_desk_type_idx";--> statement-breakpoint
CREATE INDEX "sites_desk_facets_idx" ON "sites" USING btree ("country","niche","post_type","status") WHERE deleted_at is null;