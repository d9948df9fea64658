import type { Sql } from 'postgres';
import { z } from 'zod';
import journal from './migrations/meta/_journal.json';

const wanted = z
  .object({ entries: z.array(z.object({ when: z.number() })) })
  .parse(journal)
  .entries.map((entry) => entry.when);

/**
 * Counts this version's migrations that a database lacks. A database that is ahead, because a newer version runs beside
 * this one, lacks none.
 * @returns null if the role may not read the table of migrations
 */
export async function pendingMigrations(sql: Sql): Promise<{ pending: number; all: number } | null> {
  const [schema] = await sql<{ exists: boolean; readable: boolean }[]>`
    select exists(select from pg_namespace where nspname = 'drizzle'),
      coalesce((select has_schema_privilege(oid, 'usage') from pg_namespace where nspname = 'drizzle'), false) as readable`;
  if (schema?.exists && !schema.readable) return null;
  const newest = schema?.exists ? await newestMigration(sql) : 0;
  return { pending: wanted.filter((when) => when > newest).length, all: wanted.length };
}

async function newestMigration(sql: Sql): Promise<number> {
  const [row] = await sql<{ newest: string | null }[]>`
    select max(created_at) as newest from drizzle.__drizzle_migrations`;
  return Number(row?.newest ?? 0);
}
