import { connect } from '@/db/open-pool';
import { pendingMigrations } from '@/db/pending-migrations';
import { describeCertificateError } from '@/lib/network/database-tls';

/**
 * Checks that the database is reachable and has this version's schema.
 * @param url a role that may read the list of migrations; without that privilege the check is skipped
 * @throws Error with the action to take: the database cannot be reached, or `npm run db:migrate` was not run
 */
export async function checkMigrations(url: string): Promise<void> {
  const sql = connect(url, { max: 1, connect_timeout: 10 });
  const found = await pendingMigrations(sql)
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.message || error.name : String(error);
      const advice = describeCertificateError(error);
      throw new Error(`The database of DATABASE_URL cannot be used: ${reason}${advice ? `. ${advice}` : ''}`);
    })
    .finally(() => sql.end({ timeout: 2 }));
  if (!found || found.pending === 0) return;
  throw new Error(`The database lacks ${found.pending} of ${found.all} migrations. Run npm run db:migrate first.`);
}
