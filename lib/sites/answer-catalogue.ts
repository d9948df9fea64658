import { createHash } from 'node:crypto';
import { env } from '../env';
import { AppError } from '../errors';
import { turnedOff } from '../flags/flag-sql';
import { flags } from '../flags/flags';
import { openCatalogue } from './catalogue';
import { pageKey } from './catalogue-key';
import { readCatalogueVersion } from './catalogue-version';
import { listListedPage } from './listed-page';
import type { SitesQuery } from './schemas';
import { totalHeaders } from './total-headers';
import { type VersionedCache, versionedCache } from './versioned-cache';
import { publicSiteView } from './views';

/** An answer of GET /api/guest-posts as a buyer gets it, ready to be sent. */
type ReadyAnswer = { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

// On globalThis for the same reason as in lib/sites/catalogue.ts.
const holder: typeof globalThis & { linkmarketAnswers?: VersionedCache<ReadyAnswer> } = globalThis;

const share = 0.7;
/**
 * Answers GET /api/guest-posts for whoever is not staff: the public view of listed sites, the same for everybody. Bytes
 * that were sent before are sent again as long as the catalogue has the same version. Browsers may keep the answer but
 * have to ask each time (`no-cache`), and then get 304 while its contents are the same; its price is read again by the
 * order (decision 13).
 * @param version the catalogue's, read within this request, or that it is turned off (lib/flags/flag-sql.ts)
 * @throws AppError not_configured while it is
 */
export async function answerCatalogue(query: SitesQuery, headers: Pick<Headers, 'get'>, version?: string) {
  if (version === turnedOff) throw new AppError('not_configured', flags.marketplace.off);
  const at = version ?? (await readCatalogueVersion());
  const ready = await answers().read(at, `${query.total ?? 'exact'} ${pageKey(query)}`, () => makeAnswer(query, at));
  if (isKnown(headers.get('if-none-match'), ready.headers.ETag ?? '')) {
    return new Response(null, { status: 304, headers: ready.headers });
  }
  return new Response(ready.body, { headers: { 'Content-Type': 'application/json', ...ready.headers } });
}

function answers(): VersionedCache<ReadyAnswer> {
  holder.linkmarketAnswers ??= versionedCache(env().CATALOGUE_CACHE_MB * 1_000_000 * share, ({ body }) => body.length);
  return holder.linkmarketAnswers;
}

async function makeAnswer(query: SitesQuery, version: string): Promise<ReadyAnswer> {
  const counts = query.limit !== undefined && query.total !== 'none';
  const [{ rows, next }, counted] = await Promise.all([
    listListedPage(query),
    counts ? (await openCatalogue(version)).count(query, query.total === 'capped' ? 'capped' : 'exact') : null,
  ]);
  const body = Buffer.from(JSON.stringify(rows.map(publicSiteView)));
  return {
    body,
    headers: {
      'Cache-Control': 'private, no-cache',
      // Weak, because Next.js compresses the body for callers that take it compressed.
      ETag: `W/"${createHash('sha256')
        .update(body)
        .update(JSON.stringify([counted, next]))
        .digest('base64url')
        .slice(0, 27)}"`,
      ...totalHeaders(counted),
      ...(next && { 'X-Next-Cursor': next }),
    },
  };
}

function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((one) => one.trim() === etag || one.trim() === '*');
}
