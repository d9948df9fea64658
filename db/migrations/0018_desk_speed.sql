CREATE INDEX "sites_desk_status_idx" ON "sites" USING btree ("status","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_desk_country_idx" ON "sites" USING btree ("country","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_desk_niche_idx" ON "sites" USING btree ("niche","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sites_desk_type_idx" ON "sites" USING btree ("post_type","id") WHERE deleted_at is null;