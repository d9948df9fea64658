import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
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

/** A seller's newest sites, whose events are read one by one. */
const newestSites = 300;
/** The newest entries of the log, in which the events of a seller's other sites are found. */
const newestEntries = 5_000;

/**
 * Lists the latest events of a seller's own sites: creation, and changes of status from the audit log, newest first. No
 * other entries are read, because they contain staff names and prices hidden from sellers. Of a seller with more than
 * `newestSites`, older changes of older sites are left out.
 */
export async function getSellerActivity(ownerId: string, keep = 6): Promise<SellerEvent[]> {
  const own = await db()
    .select({ id: sites.id, siteName: sites.name, at: sites.createdAt })
    .from(sites)
    .where(and(eq(sites.ownerId, ownerId), isNull(sites.deletedAt)))
    .orderBy(desc(sites.id))
    .limit(newestSites);
  const ids = sql.param(own.map(({ id }) => id));
  const changed = await Promise.all([
    listChanges(
      keep,
      sql`unnest(${ids}::int[]) as own(site_id) cross join lateral (
        select * from ${auditLogs} where entity_type = 'site' and entity_id = own.site_id::text and ${isStatusChange}
        order by id desc limit ${keep}
      ) as change join ${sites} on ${sites.id} = own.site_id`,
    ),
    own.length < newestSites
      ? []
      : listChanges(
          keep,
          sql`(select * from ${auditLogs} order by id desc limit ${newestEntries}) as change
          join ${sites} on ${sites.id} = ${siteIdOfChange} and ${sites.ownerId} = ${ownerId}
            and ${sites.deletedAt} is null and ${isStatusChange}`,
        ),
  ]);
  const added = own.slice(0, keep).map(({ id, ...site }) => ({ ...site, id: `added ${id}`, status: null }));
  // A change may be in both lists.
  const events = [...added, ...changed.flat()];
  return mergeNewest<SellerEvent>([[...new Map(events.map((event) => [event.id, event])).values()]], keep);
}

const isStatusChange = sql`before ->> 'status' <> after ->> 'status'`;
/** Null for entries about other records. */
const siteIdOfChange = sql`case when change.entity_type = 'site' and change.entity_id ~ '^[0-9]{1,9}$'
  then change.entity_id::int end`;

const changeRow = z.object({ id: z.coerce.number(), name: z.string(), at: z.coerce.date(), became: z.string() });

/** Lists the newest changes of status. @param source the tables `change` and `sites` */
async function listChanges(keep: number, source: SQL): Promise<SellerEvent[]> {
  const rows = await db().execute(sql`
    select change.id, ${sites.name} as name, change.timestamp as at, change.after ->> 'status' as became
    from ${source} order by change.id desc limit ${keep}`);
  return z
    .array(changeRow)
    .parse([...rows])
    .flatMap(({ id, name, at, became }) => {
      const status = siteStatuses.find((known) => known === became);
      return status ? [{ id: `changed ${id}`, siteName: name, at, status }] : [];
    });
}

/** Merges several lists and returns the newest `keep` items. */
export function mergeNewest<T extends { at: Date }>(lists: readonly (readonly T[])[], keep: number): T[] {
  return lists
    .flat()
    .sort((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, keep);
}
