import { createHash } from 'node:crypto';
import { and, eq, getTableColumns, isNull } from 'drizzle-orm';
import { NextResponse } from 'next/server';
import { db } from '@/db/client';
import type { CappedCount } from '@/db/count-up-to';
import { sites, siteValue } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Reader } from '@/db/snapshot';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { splitSearchWords } from '@/lib/network/search-words';
import type { Page } from '@/lib/platform/http/fields';
import { listResponse, longListResponse, totalHeader } from '@/lib/platform/http/list-response';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';
import { flagOffMarker, flags } from '@/lib/settings/feature-flags';
import { countSiteList, getSitePage } from '@/lib/sites/site-page';
import { type AdminSiteRow, adminSiteView, type PublicSiteRow, publicSiteView } from '@/lib/sites/views';
import { openCatalogue } from './catalogue';
import { getCatalogueVersion, pageKey } from './catalogue-version';
import { siteCondition, siteOrder } from './filter-sql';
import { countCap, countListed, getSortValue, type ListedRow, listListedPage, selectAllListed } from './listed-sites';
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

/**
 * Lists every site that is not deleted, in every status, with its owner's name; for staff who manage sites.
 * @returns the rows of the page, the cursor of the next page, and the total over all pages up to a cap; null if `total`
 * requests none or without a limit
 */
export async function listAllSites(
  query: SitesQuery,
): Promise<{ rows: (AdminSiteRow & Pick<ListedRow, 'value'>)[]; next: string | null; counted: CappedCount | null }> {
  const { limit, offset, cursor, sort = 'price', order = 'asc' } = query;
  if (limit === undefined) return { rows: await selectAllSites(query)(db()), next: null, counted: null };
  const list = {
    where: siteCondition(query),
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
export const selectAllSites = (query: SitesQuery) => (on: Reader) =>
  selectStaffRows(on)
    .where(and(isNull(sites.deletedAt), siteCondition(query)))
    .orderBy(...siteOrder(query))
    .offset(query.offset ?? 0);

const selectStaffRows = (on: Reader) =>
  on
    .select({ ...getTableColumns(sites), ownerName: users.name, value: siteValue })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId));

const toSinglePage = <Row>(rows: Row[]): Page<Row> => ({ rows, total: rows.length });

/** A serialized response of GET /api/guest-posts for buyers; `body` is null for a list that is streamed. */
type CachedResponse = { body: Uint8Array<ArrayBuffer> | null; headers: Record<string, string> };

// On globalThis for the same reason as in lib/sites/catalogue/catalogue.ts.
const globalCache: typeof globalThis & { linkmarketResponses?: VersionedCache<CachedResponse> } = globalThis;

const cacheShare = 0.7;
/**
 * Answers GET /api/guest-posts for callers who are not staff: the public view of listed sites, identical for every
 * caller. Responses are cached by catalogue version. Browsers may store a response but must revalidate it (`no-cache`)
 * and receive 304 while its contents are unchanged; creating an order reads the price again. A long list without a limit
 * is not cached: it is streamed, with an ETag derived from the catalogue's version.
 * @param version the catalogue version read within this request, or `turnedOff` (lib/settings/feature-flags.ts)
 * @throws AppError not_configured while the marketplace is turned off; rate_limited for a long list without a limit
 */
export async function respondWithCatalogue(
  actor: Pick<Actor, 'userId' | 'requestId'>,
  query: SitesQuery,
  headers: Pick<Headers, 'get'>,
  version?: string,
): Promise<Response> {
  if (version === flagOffMarker) throw new AppError('not_configured', flags.marketplace.off);
  const at = version ?? (await getCatalogueVersion());
  const ready = await getResponseCache().read(at, `${query.total ?? 'exact'} ${pageKey(query)}`, () =>
    buildResponse(query, at),
  );
  if (matchesEtag(headers.get('if-none-match'), ready.headers.ETag ?? '')) {
    return new Response(null, { status: 304, headers: ready.headers });
  }
  if (ready.body === null) {
    return longListResponse({ caller: actor, rows: selectAllListed(query), view: publicSiteView }, ready.headers);
  }
  return new Response(ready.body, { headers: { 'Content-Type': 'application/json', ...ready.headers } });
}

function getResponseCache(): VersionedCache<CachedResponse> {
  globalCache.linkmarketResponses ??= createVersionedCache(
    env().CATALOGUE_CACHE_MB * 1_000_000 * cacheShare,
    ({ body }) => body?.length ?? 100,
  );
  return globalCache.linkmarketResponses;
}

async function buildResponse(query: SitesQuery, version: string): Promise<CachedResponse> {
  if (query.limit === undefined) {
    const rows = await selectAllListed(query)(db()).limit(unpaginatedLists.shortRows + 1);
    if (rows.length <= unpaginatedLists.shortRows) return withEtag(serializeRows(rows), {});
    return { body: null, headers: cacheHeaders(computeEtag(version, pageKey(query))) };
  }
  const [{ rows, next }, counted] = await Promise.all([
    listListedPage(query),
    query.total === 'none'
      ? null
      : openCatalogue(version).then(({ count }) => count(query, query.total === 'capped' ? 'capped' : 'exact')),
  ]);
  return withEtag(serializeRows(rows), {
    ...(counted && totalHeader(counted)),
    ...(next && { 'X-Next-Cursor': next }),
  });
}

const serializeRows = (rows: PublicSiteRow[]) => Buffer.from(JSON.stringify(rows.map(publicSiteView)));

const withEtag = (body: Buffer<ArrayBuffer>, headers: Record<string, string>): CachedResponse => ({
  body,
  headers: { ...cacheHeaders(computeEtag(body, JSON.stringify(headers))), ...headers },
});

const cacheHeaders = (etag: string) => ({ 'Cache-Control': 'private, no-cache', ETag: etag });

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
 * Answers GET /api/guest-posts for staff who manage sites: every site with every field.
 * @throws AppError rate_limited for a long list without a limit
 */
export async function respondWithStaffList(actor: Actor, query: SitesQuery): Promise<Response> {
  if (query.limit === undefined) {
    return listResponse({ caller: actor, limit: undefined, rows: selectAllSites(query), view: adminSiteView });
  }
  const { rows, next, counted } = await listAllSites(query);
  const headers = { ...(counted && totalHeader(counted)), ...(next && { 'X-Next-Cursor': next }) };
  return NextResponse.json(rows.map(adminSiteView), { headers });
}
