import { type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { blockedDomains } from '@/db/schema/project-domains';
import { sites } from '@/db/schema/sites';

/** A block list: that of a user, and with a project also that of the project. */
export type BlockScope = { userId: string; projectId?: string | undefined };

const inScope = ({ userId, projectId }: BlockScope): SQL =>
  sql`b.user_id = ${userId} and (b.project_id is null or b.project_id = ${projectId ?? null})`;

/** Builds the condition for sites of blocked domains. */
export const isBlocked = (scope: BlockScope): SQL =>
  sql`exists (select 1 from ${blockedDomains} b where ${inScope(scope)} and b.domain = ${sites.domain})`;

/** Returns which of these domains are blocked. @param domains as `sites.domain` */
export async function findBlocked(
  scope: BlockScope,
  domains: readonly string[],
  on: Executor = db(),
): Promise<Set<string>> {
  if (domains.length === 0) return new Set();
  const found = await on
    .select({ domain: sql<string>`b.domain` })
    .from(sql`${blockedDomains} b`)
    .where(
      sql`${inScope(scope)} and b.domain = any(array(select jsonb_array_elements_text(${JSON.stringify([...new Set(domains)])}::text::jsonb)))`,
    );
  return new Set(found.map(({ domain }) => domain));
}
