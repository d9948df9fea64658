import { createHash } from 'node:crypto';
import { NextResponse } from 'next/server';
import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { listResponse, longListResponse, totalHeader } from '@/lib/platform/http/list-response';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';
import { flags } from '@/lib/settings/feature-flags/flags';
import { flagOffMarker } from '@/lib/settings/feature-flags/read-flags';
import { adminSiteView, type PublicSiteRow, publicSiteView } from '@/lib/sites/views';
import { openCatalogue } from './catalogue';
import { pageKey, readCatalogueVersion } from './catalogue-version';
import { listListedPage, selectAllListed } from './listed-page';
import { listAllSites, selectAllSites } from './queries';
import type { SitesQuery } from './schemas';
import { createVersionedCache, type VersionedCache } from './versioned-cache';

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
 * @param version the catalogue version read within this request, or `turnedOff` (lib/settings/feature-flags/read-flags.ts)
 * @throws AppError not_configured while the marketplace is turned off; rate_limited for a long list without a limit
 */
export async function respondWithCatalogue(
  actor: Pick<Actor, 'userId' | 'requestId'>,
  query: SitesQuery,
  headers: Pick<Headers, 'get'>,
  version?: string,
): Promise<Response> {
  if (version === flagOffMarker) throw new AppError('not_configured', flags.marketplace.off);
  const at = version ?? (await readCatalogueVersion());
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
