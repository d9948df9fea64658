import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';

/** How many there are, and how many came in the last 30 days and in the 30 before them. */
export type Growth = { total: number; recent: number; before: number };

const row = z.object({
  name: z.enum(['users', 'projects', 'sites']),
  total: z.int(),
  recent: z.int(),
  before: z.int(),
});

/** Users, projects and guest-post sites that were not deleted. */
export async function getGrowth(): Promise<Record<'users' | 'projects' | 'sites', Growth>> {
  const rows = z.array(row).parse(
    await db().execute(sql`
      select name, count(*)::int as total,
        count(*) filter (where at >= now() - interval '30 days')::int as recent,
        count(*) filter (where at >= now() - interval '60 days' and at < now() - interval '30 days')::int as before
      from (
        select 'users' as name, created_at as at from users where deleted_at is null
        union all select 'projects', created_at from projects where deleted_at is null
        union all select 'sites', created_at from sites where deleted_at is null
      ) as things group by name`),
  );
  const nothing: Growth = { total: 0, recent: 0, before: 0 };
  const of = (name: z.output<typeof row>['name']): Growth => {
    const found = rows.find((candidate) => candidate.name === name);
    return found ? { total: found.total, recent: found.recent, before: found.before } : nothing;
  };
  return { users: of('users'), projects: of('projects'), sites: of('sites') };
}
