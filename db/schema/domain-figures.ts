import { sql } from 'drizzle-orm';
import { bigint, check, date, doublePrecision, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from '@/db/columns';
import { figureMetrics, figureSources } from '@/db/enums';

/**
 * Figures of registrable domains with their source and day. Append-only: a newer row of a source replaces its earlier ones
 * (lib/sites/domain-figures/). Figures that a seller typed count for the own listing only, all others for every listing of
 * the domain.
 */
export const domainFigures = pgTable(
  'domain_figures',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    domain: text().notNull(),
    metric: text({ enum: figureMetrics }).notNull(),
    /** Null after a person removed the figure. */
    value: doublePrecision(),
    source: text({ enum: figureSources }).notNull(),
    /** The day of the measurement, or of the entry. */
    asOf: date({ mode: 'string' }).notNull(),
    /** The listing of a seller's figure. Not a foreign key, because these rows outlive their listing. */
    siteId: integer(),
    createdAt: createdAt(),
  },
  (table) => [
    // Each row is in one of the two indexes, so an import of a seller's sites adds its rows at the end of the smaller one.
    index('domain_figures_domain_idx')
      .on(table.domain, table.metric, table.source, table.asOf.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`site_id is null`),
    index('domain_figures_site_idx')
      .on(table.siteId, table.metric, table.asOf.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`site_id is not null`),
    check('domain_figures_listing', sql`(source = 'seller') = (site_id is not null)`),
    check('domain_figures_value', sql`value is not null or source in ('seller', 'staff')`),
    // The ranges of the listing's columns. Scores have decimals, counts do not.
    check(
      'domain_figures_range',
      sql`value >= 0 and case when metric in ('dr', 'da', 'as', 'spam') then value <= 100
        else value <= 1e12 and value = floor(value) and (metric = 'traffic' or value <= 2e9) end`,
    ),
  ],
);
