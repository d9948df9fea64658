import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { auditLogs } from '../../db/schema/audit';
import { type SiteStatus, siteStatuses, sites } from '../../db/schema/sites';

export type SellerEvent = {
  id: string;
  siteName: string;
  at: Date;
  /** The new status; null for the event that the site was created. */
  status: SiteStatus | null;
};

/**
 * Lists the latest events of a seller's own sites: creation, and changes of status from the audit log, newest first. No
 * other entries are read, because they contain staff names and prices hidden from sellers.
 */
export async function getSellerActivity(ownerId: string, keep = 6): Promise<SellerEvent[]> {
  const own = and(eq(sites.ownerId, ownerId), isNull(sites.deletedAt));
  const became = sql<string>`${auditLogs.after}->>'status'`;
  const was = sql<string>`${auditLogs.before}->>'status'`;
  const [added, changed] = await Promise.all([
    db()
      .select({ id: sites.id, siteName: sites.name, at: sites.createdAt })
      .from(sites)
      .where(own)
      .orderBy(desc(sites.createdAt), desc(sites.id))
      .limit(keep),
    db()
      .select({ id: auditLogs.id, siteName: sites.name, at: auditLogs.timestamp, became })
      .from(auditLogs)
      .innerJoin(sites, sql`${auditLogs.entityId} = ${sites.id}::text`)
      .where(and(eq(auditLogs.entityType, 'site'), own, sql`${was} <> ${became}`))
      .orderBy(desc(auditLogs.id))
      .limit(keep),
  ]);
  return mergeNewest<SellerEvent>(
    [
      added.map(({ id, ...site }) => ({ ...site, id: `added ${id}`, status: null })),
      changed.flatMap(({ id, became, ...site }) => {
        const status = siteStatuses.find((known) => known === became);
        return status ? [{ ...site, id: `changed ${id}`, status }] : [];
      }),
    ],
    keep,
  );
}

/** Merges several lists and returns the newest `keep` items. */
export function mergeNewest<T extends { at: Date }>(lists: readonly (readonly T[])[], keep: number): T[] {
  return lists
    .flat()
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, keep);
}
