-- Every installation has these (spec 000, section 6), and the marketplace's default tabs and niche (spec 001, sections 2 and 9).
INSERT INTO roles (name, is_built_in) VALUES ('Admin', true), ('User', true), ('Seller', true);
--> statement-breakpoint
INSERT INTO post_types (name, position) VALUES ('Guest posts', 1), ('Homepage links', 2), ('Innerpage links', 3), ('Sitewide links', 4);
--> statement-breakpoint
INSERT INTO niches (name) VALUES ('General');
--> statement-breakpoint
-- The wallet's own currency; the others need a rate of an admin before a site may be sold in them.
INSERT INTO exchange_rates (id, currency, usd_micros_per_unit) VALUES ('00000000000000000000000usd', 'USD', 1000000);
