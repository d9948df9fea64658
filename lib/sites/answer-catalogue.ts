import { createHash } from 'node:crypto';
import { db } from '../../db/client';
import type { Actor } from '../auth/actor';
import { env } from '../env';
import { AppError } from '../errors';
import { turnedOff } from '../flags/flag-sql';
import { flags } from '../flags/flags';
import { longListResponse } from '../http/list-response';
import { wholeLists } from '../limits/limits';
import { openCatalogue } from './catalogue';
import { pageKey } from './catalogue-key';
import { readCatalogueVersion } from './catalogue-version';
import { listListedPage, wholeList } from './listed-page';
import type { SitesQuery } from './schemas';
import { totalHeaders } from './total-headers';
import { type VersionedCache, versionedCache } from './versioned-cache';
import { type PublicSiteRow, publicSiteView } from './views';

/** An answer of GET /api/guest-posts as a buyer gets it, ready to be sent; without a body where the list is long. */
type ReadyAnswer = { body: Uint8Array<ArrayBuffer> | null; headers: Record<string, string> };

// On globalThis for the same reason as in lib/sites/catalogue.ts.
const holder: typeof globalThis & { linkmarketAnswers?: VersionedCache<ReadyAnswer> } = globalThis;

const share = 0.7;
/**
 * Answers GET /api/guest-posts for callers who are not staff: the public view of listed sites, the same for everybody.
 * Bytes that were sent before are sent again as long as the catalogue has the same version. Browsers may keep the answer
 * but have to ask each time (`no-cache`), and then get 304 while its contents are the same; its price is read again by
 * the order (decision 13). A long list without a limit is not kept: it is sent while it is read, under a tag that holds
 * for the catalogue's version.
 * @param version the catalogue's, read within this request, or that it is turned off (lib/flags/flag-sql.ts)
 * @throws AppError not_configured while it is; rate_limited for a long list without a limit
 */
export async function answerCatalogue(
  actor: Pick<Actor, 'userId' | 'requestId'>,
  query: SitesQuery,
  headers: Pick<Headers, 'get'>,
  version?: string,
): Promise<Response> {
  if (version === turnedOff) throw new AppError('not_configured', flags.marketplace.off);
  const at = version ?? (await readCatalogueVersion());
  const ready = await answers().read(at, `${query.total ?? 'exact'} ${pageKey(query)}`, () => makeAnswer(query, at));
  if (isKnown(headers.get('if-none-match'), ready.headers.ETag ?? '')) {
    return new Response(null, { status: 304, headers: ready.headers });
  }
  if (ready.body === null) {
    return longListResponse({ caller: actor, rows: wholeList(query), view: publicSiteView }, ready.headers);
  }
  return new Response(ready.body, { headers: { 'Content-Type': 'application/json', ...ready.headers } });
}

function answers(): VersionedCache<ReadyAnswer> {
  holder.linkmarketAnswers ??= versionedCache(
    env().CATALOGUE_CACHE_MB * 1_000_000 * share,
    ({ body }) => body?.length ?? 100,
  );
  return holder.linkmarketAnswers;
}

async function makeAnswer(query: SitesQuery, version: string): Promise<ReadyAnswer> {
  if (query.limit === undefined) {
    const rows = await wholeList(query)(db()).limit(wholeLists.shortRows + 1);
    if (rows.length <= wholeLists.shortRows) return withTag(bytesOf(rows), {});
    return { body: null, headers: cacheHeaders(tagOf(version, pageKey(query))) };
  }
  const [{ rows, next }, counted] = await Promise.all([
    listListedPage(query),
    query.total === 'none'
      ? null
      : openCatalogue(version).then(({ count }) => count(query, query.total === 'capped' ? 'capped' : 'exact')),
  ]);
  return withTag(bytesOf(rows), { ...totalHeaders(counted), ...(next && { 'X-Next-Cursor': next }) });
}

const bytesOf = (rows: PublicSiteRow[]) => Buffer.from(JSON.stringify(rows.map(publicSiteView)));

const withTag = (body: Buffer<ArrayBuffer>, headers: Record<string, string>): ReadyAnswer => ({
  body,
  headers: { ...cacheHeaders(tagOf(body, JSON.stringify(headers))), ...headers },
});

const cacheHeaders = (etag: string) => ({ 'Cache-Control': 'private, no-cache', ETag: etag });

/** Weak, because Next.js compresses the body for callers that take it compressed. */
function tagOf(...parts: (Buffer | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((one) => one.trim() === etag || one.trim() === '*');
}
