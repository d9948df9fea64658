import { and, asc, count, desc, eq, exists, getTableColumns, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { sites } from '../../db/schema/sites';
import { users } from '../../db/schema/users';
import type { Page } from '../http/pagination';
import type { DeskFilter, DeskQuery, DeskSortKey } from './desk-schemas';
import { siteCondition } from './filter-sql';
import { siteNotFound } from './site-errors';
import type { AdminSiteRow } from './views';

const columns = { ...getTableColumns(sites), ownerName: users.name, ownerEmail: users.email };
export type DeskSiteRow = AdminSiteRow & { ownerEmail: string };

const sortColumns = {
  added: sites.id,
  name: sites.name,
  dr: sites.dr,
  traffic: sites.traffic,
  price: sites.publicPriceUsdCents,
  status: sites.status,
} as const satisfies Record<DeskSortKey, unknown>;

function deskCondition({ status, userId, ...filter }: DeskFilter): SQL | undefined {
  return and(
    isNull(sites.deletedAt),
    siteCondition(filter),
    status && eq(sites.status, status),
    userId ? eq(sites.ownerId, userId) : undefined,
  );
}

/** By id where the key is equal. What nobody filled in comes last, whichever way the column runs. */
function deskOrder({ key, order }: DeskQuery['sort']): SQL[] {
  const direction = order === 'asc' ? asc : desc;
  // Never empty, and said so, because only then the primary key gives this order without a sort of the whole table.
  if (key === 'added') return [direction(sites.id)];
  return [sql`${direction(sortColumns[key])} nulls last`, desc(sites.id)];
}

/** The Guest Post Manager's list: every site that was not deleted, newest first unless sorted. */
export async function listDeskSites(query: DeskQuery): Promise<Page<DeskSiteRow>> {
  const where = deskCondition(query);
  const [rows, [counted]] = await Promise.all([
    db()
      .select(columns)
      .from(sites)
      .innerJoin(users, eq(users.id, sites.ownerId))
      .where(where)
      .orderBy(...deskOrder(query.sort))
      .limit(query.limit)
      .offset(query.offset),
    db().select({ total: count() }).from(sites).where(where),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** The next sites of a filtered list in the order of their ids, for reading all of it without holding it. */
export async function listDeskSitesAfter(filter: DeskFilter, afterId: number, limit: number): Promise<DeskSiteRow[]> {
  return db()
    .select(columns)
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(and(deskCondition(filter), gt(sites.id, afterId)))
    .orderBy(asc(sites.id))
    .limit(limit);
}

/** @throws AppError not_found, also for a deleted one */
export async function getAnySite(id: number, executor: Executor = db()): Promise<DeskSiteRow> {
  const [site] = await executor
    .select(columns)
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(and(eq(sites.id, id), isNull(sites.deletedAt)));
  if (!site) throw siteNotFound(id);
  return site;
}

/** How many owners a filter offers. */
const maxOwners = 500;

/** Whoever has sites, by name, for the filter by owner. */
export async function listSiteOwners(): Promise<{ id: string; name: string; email: string }[]> {
  const owned = db()
    .select({ one: sql`1` })
    .from(sites)
    .where(and(eq(sites.ownerId, users.id), isNull(sites.deletedAt)));
  return db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(exists(owned))
    .orderBy(asc(users.name), asc(users.email))
    .limit(maxOwners);
}

/** The countries of all sites, for the filter. */
export async function listDeskCountries(): Promise<string[]> {
  const rows = await db()
    .selectDistinct({ name: sites.country })
    .from(sites)
    .where(isNull(sites.deletedAt))
    .orderBy(asc(sites.country));
  return rows.map(({ name }) => name);
}
