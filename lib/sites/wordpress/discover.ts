import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { describeReason } from '@/lib/links/describe-reason';
import { fetchPage } from '@/lib/links/fetch-page';
import type { PageFetch } from '@/lib/links/page-fetch';
import { parseUrl } from '@/lib/network/can-parse-url';
import { getSiteDomainOfHost } from '@/lib/network/registrable-domain';
import { parseJson } from './client';

/** Where the REST API of a site is, and its screen on which a user creates an application password. */
export type WordPressApi = { host: string; apiRoot: string; authorizationUrl: string };

/** The beginning of a home page: only its headers count. */
const homeBytes = 64 * 1024;
/** The index lists every route of every plugin. */
const indexBytes = 4 * 1024 * 1024;

const index = z.object({
  namespaces: z.array(z.string()),
  // WordPress writes an empty object as an empty array.
  authentication: z.unknown(),
});
const authentication = z.object({
  'application-passwords': z.object({ endpoints: z.object({ authorization: z.string() }) }),
});

/**
 * Finds the REST API of a WordPress site: by the Link header of its home page, at /wp-json/, or by `?rest_route=`. Every
 * address, redirects included, must be on the proved domain and on https: otherwise anyone on the way could answer.
 * @param listedUrl the address of the listing
 * @param domain the domain of the listing, which its seller proved
 * @throws AppError unprocessable with what is missing; provider_failed if the site does not answer
 */
export async function discoverWordPress(listedUrl: string, domain: string): Promise<WordPressApi> {
  const siteUrl = listedUrl.replace(/^http:/i, 'https:');
  const home = await fetchOnDomain(siteUrl, domain, homeBytes);
  if (!home.ok) throw new AppError('provider_failed', describeFailure(siteUrl, home));
  let closed = 0;
  for (const candidate of [...listLinked(home), ...listUsual(home.url)]) {
    const url = parseUrl(candidate, home.url);
    if (!url || !isOnDomain(url, domain)) {
      throw new AppError(
        'unprocessable',
        `${domain} names a REST API on another domain (${url?.hostname ?? candidate}). Only the domain that you proved can be connected.`,
      );
    }
    const found = await fetchOnDomain(url.href, domain, indexBytes);
    const known = found.ok && found.status === 200 ? index.safeParse(parseJson(found.body.toString('utf8'))) : null;
    if (found.ok && known?.success && known.data.namespaces.includes('wp/v2'))
      return readIndex(known.data, new URL(found.url), domain);
    if (found.ok && (found.status === 401 || found.status === 403)) closed = found.status;
  }
  if (closed !== 0) {
    throw new AppError(
      'unprocessable',
      `${domain} does not show its REST API to visitors (${closed}). Allow it in the security plugin or the firewall, then connect again.`,
    );
  }
  throw new AppError(
    'unprocessable',
    `No WordPress was found at ${siteUrl}. Its REST API must be reachable: some security plugins turn it off.`,
  );
}

function readIndex(known: z.output<typeof index>, root: URL, domain: string): WordPressApi {
  const passwords = authentication.safeParse(known.authentication);
  if (!passwords.success) {
    throw new AppError(
      'unprocessable',
      `WordPress on ${root.hostname} offers no application passwords. They need WordPress 5.7, https, and no security plugin that turns them off.`,
    );
  }
  const screen = parseUrl(passwords.data['application-passwords'].endpoints.authorization);
  if (screen?.protocol !== 'https:') {
    throw new AppError('unprocessable', `WordPress on ${root.hostname} must use https to be connected.`);
  }
  if (!isOnDomain(screen, domain)) {
    throw new AppError(
      'unprocessable',
      `The sign-in of WordPress is on ${screen.hostname}, which is not on ${domain}.`,
    );
  }
  return { host: root.hostname, apiRoot: root.href, authorizationUrl: screen.href };
}

const isOnDomain = ({ hostname }: URL, domain: string): boolean => getSiteDomainOfHost(hostname) === domain;

/** Fetches a page without leaving a domain. */
const fetchOnDomain = (url: string, domain: string, maxBytes: number): Promise<PageFetch> =>
  fetchPage(url, {
    maxBytes,
    whenLonger: 'cut',
    timeoutMs: 10_000,
    maxRedirects: 5,
    beforeRequest: async (next) => (next.protocol === 'https:' && isOnDomain(next, domain) ? null : 'refused'),
  });

function describeFailure(siteUrl: string, { failure, url }: Extract<PageFetch, { ok: false }>): string {
  const leaves = failure === 'refused' && url !== siteUrl;
  return leaves
    ? `${siteUrl} leads to ${url}. Only https and the domain that you proved can be connected.`
    : `${siteUrl} could not be opened. ${describeReason(failure)}`;
}

/** Lists the addresses that the Link headers of a page name as the REST API of WordPress (RFC 8288). */
function listLinked(home: Extract<PageFetch, { ok: true }>): string[] {
  const links = (home.headers.link ?? []).join(', ');
  return [...links.matchAll(/<([^>]*)>((?:\s*;\s*[\w-]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)/g)].flatMap(
    ([, address = '', parameters = '']) =>
      /;\s*rel\s*=\s*"?[^";]*https:\/\/api\.w\.org\//i.test(parameters) ? [address] : [],
  );
}

function listUsual(home: string): string[] {
  const base = new URL(home);
  base.search = '';
  base.hash = '';
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return [new URL('wp-json/', base).href, new URL('?rest_route=/', base).href];
}
