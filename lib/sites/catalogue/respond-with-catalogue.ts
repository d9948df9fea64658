import { createHash } from 'node:crypto';
import { and, eq, getTableColumns, isNull, type SQL } from 'drizzle-orm';
import { NextResponse } from 'next/server';
import { db } from '@/db/client';
import type { CappedCount } from '@/db/count-up-to';
import { type Freshness, onReplica, type Reading } from '@/db/replicas';
import { sites, siteValue } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Reader } from '@/db/snapshot';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { splitSearchWords } from '@/lib/network/search-words';
import type { Page } from '@/lib/platform/http/fields';
import { listResponse, longListResponse, totalHeader } from '@/lib/platform/http/list-response';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';
import { isOnlyBlocked } from '@/lib/projects/blocked-domains';
import { getProject } from '@/lib/projects/projects';
import { countSiteList, getSitePage } from '@/lib/sites/site-page';
import { type AdminSiteRow, adminSiteView, type PublicSiteRow, publicSiteView } from '@/lib/sites/views';
import { type Catalogue, openCatalogue } from './catalogue';
import { pageKey } from './catalogue-version';
import { siteCondition, siteOrder } from './filter-sql';
import { countCap, countListed, getSortValue, type ListedRow, listListedPage, selectAllListed } from './listed-sites';
import {
  buildBuyerCondition,
  type CatalogueBuyer,
  type CatalogueState,
  freshForBuyer,
  markLinked,
  toSharedQuery,
} from './personal';
import { encodeCursor, type SitesQuery } from './schemas';
import { createVersionedCache, type VersionedCache } from './versioned-cache';

/**
 * Lists the catalogue as buyers see it: approved, priced sites that match; all of them without a limit. Always queries
 * the database; lib/sites/catalogue/catalogue.ts caches.
 * @returns the rows of the page, and the total over all pages
 */
export async function listListedSites(query: SitesQuery): Promise<Page<PublicSiteRow>> {
  if (query.limit === undefined && !query.offset) return toSinglePage((await listListedPage(query)).rows);
  const [{ rows }, { total }] = await Promise.all([listListedPage(query), countListed(query, 'exact')]);
  return { rows, total };
}

type StaffRow = AdminSiteRow & Pick<ListedRow, 'value'>;

/**
 * Lists every site that is not deleted, in every status, with its owner's name; for staff who manage sites.
 * @param also a further condition
 * @returns the rows of the page, the cursor of the next page, and the total over all pages up to a cap; null if `total`
 * requests none or without a limit
 */
export async function listAllSites(
  query: SitesQuery,
  also?: SQL,
): Promise<{ rows: StaffRow[]; next: string | null; counted: CappedCount | null }> {
  const { limit, offset, cursor, sort = 'price', order = 'asc' } = query;
  if (limit === undefined) return { rows: await selectAllSites(query, also)(db()), next: null, counted: null };
  const list = {
    where: and(siteCondition(query), also),
    isSearch: splitSearchWords(query.q).length > 0,
    sort: { key: sort, order },
  };
  const at = cursor && { toward: cursor.toward, id: String(cursor.id) };
  const [page, counted] = await Promise.all([
    getSitePage(list, { limit, offset, cursor: at }, (where, orderBy) =>
      selectStaffRows(db()).where(where).orderBy(orderBy),
    ),
    query.total === 'none'
      ? null
      : countSiteList({ ...list, isSplit: true }, db(), query.total === 'capped' ? countCap : undefined),
  ]);
  const last = page.next === null ? undefined : page.rows.at(-1);
  const next = last
    ? encodeCursor({ toward: 'next', sort, order, value: getSortValue(last, sort), id: last.id })
    : null;
  return { rows: page.rows, next, counted };
}

/** Builds the query of `listAllSites` without a limit. */
export const selectAllSites = (query: SitesQuery, also?: SQL) => (on: Reader) =>
  selectStaffRows(on)
    .where(and(isNull(sites.deletedAt), siteCondition(query), also))
    .orderBy(...siteOrder(query))
    .offset(query.offset ?? 0);

const selectStaffRows = (on: Reader) =>
  on
    .select({ ...getTableColumns(sites), ownerName: users.name, value: siteValue })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId));

const toSinglePage = <Row>(rows: Row[]): Page<Row> => ({ rows, total: rows.length });

/** A serialized response of GET /api/guest-posts for buyers; `body` is null for a list that is streamed. */
type BuiltResponse = {
  body: Uint8Array<ArrayBuffer> | null;
  /** Null for a streamed list that is not identical for every caller. */
  etag: string | null;
  headers: Record<string, string>;
};

// On globalThis for the same reason as in lib/sites/catalogue/catalogue.ts.
const globalCache: typeof globalThis & { linkmarketResponses?: VersionedCache<BuiltResponse> } = globalThis;

const cacheShare = 0.7;
/**
 * Answers GET /api/guest-posts for callers who are not staff: the public view of listed sites, identical for every
 * caller without a project and a block list. Such responses are cached by catalogue version; others are built each time.
 * Browsers may store a response but must revalidate it (`no-cache`) and receive 304 while its contents are unchanged;
 * creating an order reads the price again. A long list without a limit is not cached: it is streamed, with an ETag
 * derived from the catalogue's version if it is identical for every caller.
 * @param state as read within this request
 * @throws AppError not_found for a project of another user; rate_limited for a long list without a limit
 */
export async function respondWithCatalogue(
  actor: Pick<Actor, 'userId' | 'requestId' | 'seen' | keyof AccountScope>,
  query: SitesQuery,
  headers: Pick<Headers, 'get'>,
  { version, hasBlocks }: CatalogueState,
): Promise<Response> {
  const { projectId } = query;
  const buyer = { accountId: actor.accountId, hasBlocks };
  const also = buildBuyerCondition(query, buyer);
  const isPersonal = also !== undefined || projectId !== undefined;
  const freshness = freshForBuyer(version, actor);
  const build = () => buildResponse(query, version, freshness, also && { also, buyer });
  const [ready] = await Promise.all([
    isPersonal ? build() : getResponseCache().read(version, `${query.total ?? 'exact'} ${pageKey(query)}`, build),
    projectId === undefined ? null : getProject(actor, projectId),
  ]);
  const { body, etag } = ready;
  const sent = { ...ready.headers, 'Cache-Control': 'private, no-cache', ...(etag !== null && { ETag: etag }) };
  if (etag !== null && matchesEtag(headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers: sent });
  }
  if (body === null) {
    const complete = projectId === undefined ? undefined : (rows: readonly ListedRow[]) => markLinked(rows, query);
    return longListResponse(
      { caller: { ...actor, ...freshness }, rows: selectAllListed(query, also), complete, view: publicSiteView },
      sent,
    );
  }
  return new Response(body, { headers: { 'Content-Type': 'application/json', ...sent } });
}

function getResponseCache(): VersionedCache<BuiltResponse> {
  globalCache.linkmarketResponses ??= createVersionedCache(
    env().CATALOGUE_CACHE_MB * 1_000_000 * cacheShare,
    ({ body }) => body?.length ?? 100,
  );
  return globalCache.linkmarketResponses;
}

type Personal = { also: SQL; buyer: CatalogueBuyer };

/** @param personal the condition of a response that is not cached for all */
async function buildResponse(
  query: SitesQuery,
  version: string,
  freshness: Freshness,
  personal?: Personal,
): Promise<BuiltResponse> {
  const { projectId, limit, total } = query;
  const also = personal?.also;
  const shared = toSharedQuery(query);
  if (limit === undefined) {
    const rows = await onReplica(freshness, (on) =>
      selectAllListed(shared, also)(on).limit(unpaginatedLists.shortRows + 1),
    );
    if (rows.length <= unpaginatedLists.shortRows) return withEtag(await markLinked(rows, query), {});
    const isPersonal = also !== undefined || projectId !== undefined;
    return { body: null, etag: isPersonal ? null : computeEtag(version, pageKey(query)), headers: {} };
  }
  const catalogue = await openCatalogue(version);
  const kind = total === 'capped' ? 'capped' : 'exact';
  const read = (on: Reading) =>
    Promise.all([
      listListedPage(shared, also, on),
      total === 'none' || !personal ? null : countForBuyer(query, catalogue, personal, on),
    ]);
  const readShared = () =>
    Promise.all([
      // The page of a project is the one of the marketplace's cache. A shared response is itself cached.
      projectId === undefined ? onReplica(freshness, (on) => listListedPage(shared, also, on)) : catalogue.page(shared),
      total === 'none' ? null : catalogue.count(shared, kind),
    ]);
  const [{ rows, next }, counted] = await (personal ? onReplica(freshness, read) : readShared());
  return withEtag(await markLinked(rows, query), {
    ...(counted && totalHeader(counted)),
    ...(next && { 'X-Next-Cursor': next }),
  });
}

/**
 * Counts a buyer's list. If only blocked domains are left out, an exact number is that of every buyer's list less their
 * sites, which are found by the domains. Without what links to a project, counting always stops at 1,000: what is left out
 * is known only by looking up each site.
 */
async function countForBuyer(
  query: SitesQuery,
  catalogue: Catalogue,
  { also, buyer }: Personal,
  on: Reading,
): Promise<CappedCount> {
  const { projectId, hideLinked, blocked, ids, total } = query;
  const shared = toSharedQuery(query);
  if (total === 'capped' || hideLinked === '1') return countListed(shared, 'capped', also, on);
  if (blocked || ids) return countListed(shared, 'exact', also, on);
  const [all, leftOut] = await Promise.all([
    catalogue.count(shared, 'exact'),
    countListed(shared, 'exact', isOnlyBlocked({ accountId: buyer.accountId, projectId }), on),
  ]);
  return { total: all.total - leftOut.total, isCapped: false };
}

function withEtag(rows: readonly PublicSiteRow[], headers: Record<string, string>): BuiltResponse {
  const body = Buffer.from(JSON.stringify(rows.map(publicSiteView)));
  return { body, etag: computeEtag(body, JSON.stringify(headers)), headers };
}

/** Returns a weak ETag, because Next.js may compress the body. */
function computeEtag(...parts: (Buffer | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((one) => one.trim() === etag || one.trim() === '*');
}

/**
 * Answers GET /api/guest-posts for staff who manage sites: every site with every field. Their block lists apply only to
 * `blocked`, because they manage the sites.
 * @throws AppError not_found for a project of another user; rate_limited for a long list without a limit
 */
export async function respondWithStaffList(actor: Actor, query: SitesQuery): Promise<Response> {
  const { limit, projectId } = query;
  if (projectId !== undefined) await getProject(actor, projectId);
  const also = buildBuyerCondition(query, { accountId: actor.accountId, hasBlocks: false });
  const complete = (rows: readonly StaffRow[]) => markLinked(rows, query);
  if (limit === undefined) {
    return listResponse({ caller: actor, limit, rows: selectAllSites(query, also), complete, view: adminSiteView });
  }
  const { rows, next, counted } = await listAllSites(query, also);
  const headers = { ...(counted && totalHeader(counted)), ...(next && { 'X-Next-Cursor': next }) };
  return NextResponse.json((await complete(rows)).map(adminSiteView), { headers });
}
