import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { z } from 'zod';
import { projectRoot } from '../process/root';

const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

/**
 * Makes sure that the database is there and has this version's schema.
 * @param url a role that may read the list of migrations; when it may not, the list counts as right
 * @throws Error that says what to do: the database cannot be reached, or `npm run db:migrate` has not run
 */
export async function checkMigrations(url: string): Promise<void> {
  const file = join(projectRoot, 'db/migrations/meta/_journal.json');
  const wanted = journal.parse(JSON.parse(readFileSync(file, 'utf8'))).entries.map((entry) => entry.when);
  const newest = await newestMigration(url);
  if (newest === 'unknown' || newest >= Math.max(...wanted)) return;
  const missing = wanted.filter((when) => when > newest).length;
  throw new Error(`The database lacks ${missing} of ${wanted.length} migrations. Run npm run db:migrate first.`);
}

async function newestMigration(url: string): Promise<number | 'unknown'> {
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    const [schema] = await sql<{ exists: boolean; readable: boolean }[]>`
      select exists(select from pg_namespace where nspname = 'drizzle'),
        coalesce((select has_schema_privilege(oid, 'usage') from pg_namespace where nspname = 'drizzle'), false) as readable`;
    if (!schema?.exists) return 0;
    if (!schema.readable) return 'unknown';
    const [row] = await sql<{ newest: string | null }[]>`
      select max(created_at) as newest from drizzle.__drizzle_migrations`;
    return Number(row?.newest ?? 0);
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new Error(`The database of DATABASE_URL cannot be used: ${reason}`);
  } finally {
    await sql.end({ timeout: 2 });
  }
}
