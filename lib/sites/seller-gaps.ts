import { or, type SQL, sql } from 'drizzle-orm';
import { sites } from '../../db/schema/sites';

/** What a seller can mend on a site, in the order it is recommended (spec 000, section 2; decision 22). */
export const sellerGaps = ['niche', 'spam', 'metrics', 'stale'] as const;
export type SellerGap = (typeof sellerGaps)[number];

/** A spam score changes within months; a price and the site itself within half a year. */
export const staleAfterDays = { spam: 90, site: 180 } as const;

const untouchedFor = (days: number) => sql`${sites.updatedAt} < now() - make_interval(days => ${days}::int)`;

/** The predicate of each gap: the count on the dashboard and the list behind it are the same sites. */
export const hasGap: Record<SellerGap, SQL> = {
  // "General" is what a site gets when nobody named its niche.
  niche: sql`(${sites.niche} in ('', 'General') or ${sites.language} = '')`,
  spam: sql`(${or(sql`${sites.spam} is null`, untouchedFor(staleAfterDays.spam))})`,
  metrics: sql`(${sites.dr} is null or ${sites.da} is null or ${sites.traffic} is null or ${sites.tat} = '')`,
  stale: sql`(${or(sql`${sites.sellerPriceCents} is null`, untouchedFor(staleAfterDays.site))})`,
};
