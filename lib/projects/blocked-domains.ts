import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { blockedDomains } from '@/db/schema/project-domains';
import { sites } from '@/db/schema/sites';

/** A block list: that of a user, and with a project also that of the project. */
export type BlockScope = { accountId: string | Placeholder; projectId?: string | Placeholder | null | undefined };

/** Builds the condition for sites of blocked domains. Each list is one lookup in its index. */
export const isBlocked = ({ accountId, projectId }: BlockScope): SQL => {
  const isIn = (list: SQL) => sql`exists (
    select 1 from ${blockedDomains} b where b.account_id = ${accountId} and b.domain = ${sites.domain} and ${list})`;
  const ofUser = isIn(sql`b.project_id is null`);
  return projectId == null ? ofUser : sql`(${ofUser} or ${isIn(sql`b.project_id = ${projectId}`)})`;
};

const blockedList = ({ accountId, projectId = null }: BlockScope): SQL => sql`
  select b.domain from ${blockedDomains} b
  where b.account_id = ${accountId} and (b.project_id is null or b.project_id = ${projectId})`;

/** Builds the same condition for a list of blocked sites only, which is read from the block list. */
export const isOnlyBlocked = (scope: BlockScope): SQL => sql`${sites.domain} = any(array(${blockedList(scope)}))`;

/** Builds SQL that is true for a user who blocks a domain, for any project. @param accountId the user, or their column */
export const blocksAny = (accountId: SQL | Placeholder): SQL<boolean> =>
  sql<boolean>`exists (select 1 from ${blockedDomains} b where b.account_id = ${accountId})`;

const rows = z.array(z.object({ domain: z.string() }));

/** Returns which of these domains are blocked. @param domains as `sites.domain` */
export async function findBlocked(
  scope: BlockScope,
  domains: readonly string[],
  on: Executor = db(),
): Promise<Set<string>> {
  if (domains.length === 0) return new Set();
  const found = await on.execute(sql`${blockedList(scope)}
    and b.domain = any(array(select jsonb_array_elements_text(${JSON.stringify([...new Set(domains)])}::text::jsonb)))`);
  return new Set(rows.parse([...found]).map(({ domain }) => domain));
}
