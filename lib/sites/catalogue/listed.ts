import { sql } from 'drizzle-orm';
import { sites } from '@/db/schema/sites';

/**
 * The condition for sites that buyers can see and order: approved, priced and not deleted. Must equal the predicate of
 * the catalogue's partial indexes (db/schema/sites.ts), otherwise PostgreSQL does not use them.
 */
export const isListed = sql`${sites.status} = 'Approved' and ${sites.publicPriceUsdCents} is not null and ${sites.deletedAt} is null`;
