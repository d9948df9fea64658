import { sql } from 'drizzle-orm';
import { sites } from '@/db/schema/sites';

/**
 * What buyers can see and order: approved, priced and not deleted. Word for word the predicate of the catalogue's
 * partial indexes (db/schema/sites.ts), so that they serve it.
 */
export const isListed = sql`${sites.status} = 'Approved' and ${sites.publicPriceUsdCents} is not null and ${sites.deletedAt} is null`;
