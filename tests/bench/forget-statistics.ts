import postgres from 'postgres';

/**
 * Removes the statistics of all tables, as they are missing between a bulk load and the first ANALYZE.
 * @param adminUrl a superuser's URL
 */
export async function forgetStatistics(adminUrl: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    const own = sql`(select oid from pg_class where relnamespace in ('public'::regnamespace, 'ledger'::regnamespace))`;
    await sql`delete from pg_statistic where starelid in ${own}`;
    await sql`delete from pg_statistic_ext_data where stxoid in (select oid from pg_statistic_ext where stxrelid in ${own})`;
    // This also makes all connections plan their statements again.
    await sql`update pg_class set reltuples = -1, relpages = 0, relallvisible = 0 where oid in ${own} and relkind in ('r', 'i')`;
  } finally {
    await sql.end();
  }
}
