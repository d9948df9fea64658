import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { AppError } from '@/lib/errors';

/** Why a site is a duplicate: an order of the project, or another site of the request. */
export type Duplicate = { orderId: number } | { siteId: number };

const rows = z.array(z.object({ id: z.int(), domain: z.string(), postType: z.string(), orderId: z.int().nullable() }));

/**
 * Finds the sites whose domain a project has ordered with the same post type, by an order that was neither refunded nor
 * declined, and those that repeat the domain and post type of an earlier site of the list.
 * @param projectId null for a cart without a project
 * @returns the reasons by site
 */
export async function findDuplicates(
  on: Executor,
  projectId: string | null,
  siteIds: readonly number[],
): Promise<Map<number, Duplicate>> {
  if (siteIds.length === 0) return new Map();
  const found = await on.execute(sql`
    with ordered as (
      select ${sites.domain}, ${orders.postType}, max(${orders.id}) as id
      from ${orders} join ${sites} on ${sites.id} = ${orders.siteId}
      where ${orders.projectId} = ${projectId} and ${orders.deletedAt} is null
        and ${orders.status} not in ('Refunded', 'Rejected')
      group by ${sites.domain}, ${orders.postType}
    )
    select ${sites.id}, ${sites.domain}, ${sites.postType} as "postType", ordered.id as "orderId"
    from jsonb_array_elements_text(${JSON.stringify(siteIds)}::text::jsonb) with ordinality as listed (id, place)
    join ${sites} on ${sites.id} = listed.id::int
    left join ordered on ordered.domain = ${sites.domain} and ordered.post_type = ${sites.postType}
    order by listed.place`);
  const duplicates = new Map<number, Duplicate>();
  const first = new Map<string, number>();
  for (const { id, domain, postType, orderId } of rows.parse([...found])) {
    const key = JSON.stringify([domain, postType]);
    const earlier = first.get(key);
    if (orderId !== null) duplicates.set(id, { orderId });
    else if (earlier !== undefined) duplicates.set(id, { siteId: earlier });
    if (earlier === undefined) first.set(key, id);
  }
  return duplicates;
}

/**
 * Requires that an order has no duplicates.
 * @throws AppError duplicate_site, with the sites as fields
 */
export async function requireNew(
  on: Executor,
  project: Pick<typeof projects.$inferSelect, 'id' | 'domain'>,
  siteIds: readonly number[],
): Promise<void> {
  const duplicates = await findDuplicates(on, project.id, siteIds);
  const fields = Object.fromEntries(
    [...duplicates].map(([siteId, reason]) => [String(siteId), describeDuplicate(siteId, reason, project.domain)]),
  );
  const [message] = Object.values(fields);
  if (message === undefined) return;
  const others = duplicates.size - 1;
  const more = others === 0 ? '' : ` The same applies to ${others} more ${others === 1 ? 'site' : 'sites'}.`;
  throw new AppError('duplicate_site', `${message}${more} Nothing was ordered.`, { fields });
}

// By number: models read this text, and sellers write the addresses of sites.
const describeDuplicate = (siteId: number, reason: Duplicate, domain: string): string =>
  'orderId' in reason
    ? `Order #${reason.orderId} for ${domain} already has the domain of site #${siteId}.`
    : `Site #${siteId} has the same domain and post type as site #${reason.siteId} of this order.`;

/**
 * Requires that an order has no duplicates, and keeps other orders of the project that require the same from being
 * created until the transaction ends.
 * @throws AppError duplicate_site
 */
export async function lockAndRequireNew(
  tx: Executor,
  project: Pick<typeof projects.$inferSelect, 'id' | 'domain'>,
  siteIds: readonly number[],
): Promise<void> {
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, project.id)).for('no key update');
  await requireNew(tx, project, siteIds);
}
