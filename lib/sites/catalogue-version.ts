import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { catalogueStamps } from '../../db/schema/catalogue';

/** The catalogue's version in SQL, for a query that asks something else as well. */
export const catalogueVersion = sql<string>`(select coalesce(string_agg(${catalogueStamps.stamp}::text, ' ' order by ${catalogueStamps.slot}), 'new') from ${catalogueStamps})`;

const answered = z.tuple([z.object({ version: z.string() })]);

/**
 * The version of what buyers see. Two equal versions mean equal catalogues: every committed write that touches a
 * listed site changes it (db/schema/catalogue.ts), whichever instance made it, and none ever comes back.
 */
export async function readCatalogueVersion(): Promise<string> {
  return answered.parse([...(await db().execute(sql`select ${catalogueVersion} as version`))])[0].version;
}
