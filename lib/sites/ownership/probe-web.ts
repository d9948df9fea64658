import { decodePage } from '@/lib/links/decode-page';
import { fetchPage } from '@/lib/links/fetch-page';
import { readMediaType } from '@/lib/links/media-type';
import type { FetchFailure, PageResponse } from '@/lib/links/page-fetch';
import { parsePage } from '@/lib/links/parse-page';
import { isElement, readAttribute } from '@/lib/links/walk-tree';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import type { Finding, TokenCheck } from './probe-dns';
import { marketplaceHost, proofName, proofPlaces } from './show';

/** Looks for a line with the token in the file of the domain. */
export const probeFile = (domain: string, isToken: TokenCheck): Promise<Finding> =>
  probe(domain, { url: proofPlaces(domain).file, maxBytes: 64 * 1024, keepsPath: true }, (page, url) => {
    const text = readTextFile(page);
    if (text === null) return `${url} is a web page instead of a text file.`;
    return findInFile(text, isToken) ? null : `${url} has no line with your token.`;
  });

/** Looks for the line with the token in the domain's ads.txt. */
export const probeAdsTxt = (domain: string, isToken: TokenCheck): Promise<Finding> =>
  probe(domain, { url: proofPlaces(domain).adsTxt, maxBytes: 2 * 1024 * 1024, keepsPath: true }, (page, url) => {
    const text = readTextFile(page);
    if (text === null) return `${url} is a web page instead of a text file.`;
    const found = findInAdsTxt(text, marketplaceHost(), isToken);
    if (found === 'RESELLER') return `${url} has your token with RESELLER. Only DIRECT proves the domain.`;
    return found === 'DIRECT' ? null : `${url} has no line with ${marketplaceHost()}, your token and DIRECT.`;
  });

/** Looks for the meta element with the token in the head of the home page. */
export const probeMeta = (domain: string, isToken: TokenCheck): Promise<Finding> =>
  probe(domain, { url: proofPlaces(domain).meta, maxBytes: 512 * 1024, keepsPath: false }, (page, url) => {
    const found = findInHead(page, isToken);
    if (found === 'not_html') return `${url} is not an HTML page.`;
    if (found === 'unreadable') return `${url} could not be parsed.`;
    return found ? null : `The head of ${url} has no meta element with your token.`;
  });

type Place = {
  url: string;
  maxBytes: number;
  /** Whether redirects must lead to the same path: content systems redirect missing files to uploads of a similar name. */
  keepsPath: boolean;
};

/**
 * Fetches a place of a proof, over https only: without it, anyone on the way could forge the answer. Redirects stay on
 * the registrable domain, as another one proves nothing about this one.
 */
async function probe(
  domain: string,
  { url, maxBytes, keepsPath }: Place,
  judge: (page: PageResponse, url: string) => string | null,
): Promise<Finding> {
  const { pathname } = new URL(url);
  const fetched = await fetchPage(url, {
    maxBytes,
    whenLonger: 'cut',
    maxRedirects: 5,
    beforeRequest: async (target) => {
      const isInside = target.protocol === 'https:' && getSiteDomain(target.href) === domain;
      return isInside && (!keepsPath || target.pathname === pathname) ? null : 'refused';
    },
  });
  if (!fetched.ok) {
    const { failure, refusal } = fetched;
    if (failure === 'refused' && refusal === null) {
      const rule = keepsPath ? `https://, ${domain} and ${pathname}` : `https:// and ${domain}`;
      return { message: `${url} redirects to ${fetched.url}. Redirects must stay on ${rule}.` };
    }
    return {
      message: `${url} ${failures[failure]}.`,
      isUnanswered: silent.has(failure),
      isProxyDown: failure === 'proxy',
    };
  }
  if (fetched.status !== 200) return { message: `${url} answered with the status ${fetched.status}.` };
  return { message: judge(fetched, url) };
}

const failures: Record<FetchFailure, string> = {
  refused: 'has an address that may not be requested',
  dns: 'could not be resolved',
  connect: 'did not accept a connection',
  proxy: 'could not be reached through the proxy of this marketplace',
  tls: 'has no valid TLS certificate',
  timeout: 'did not answer in time',
  interrupted: 'broke the connection off',
  malformed: 'sent an answer that is not valid',
  too_many_redirects: 'redirects too many times',
  too_large: 'is too large',
  headers_too_large: 'sent headers that are too large',
  encoding: 'could not be decompressed',
  robots_disallowed: 'is disallowed by robots.txt',
  robots_unreachable: 'has no readable robots.txt',
};
const silent: ReadonlySet<FetchFailure> = new Set(['dns', 'connect', 'proxy', 'timeout']);

const typeOf = (page: PageResponse) => readMediaType(page.headers['content-type'] ?? []);

/** Decodes a text file. @returns null for HTML and XML, by its type or its content: sites answer missing files with pages */
function readTextFile(page: PageResponse): string | null {
  const type = typeOf(page) ?? { essence: 'text/plain', charset: null };
  if (/html|xml/.test(type.essence)) return null;
  const text = decodePage(page.body, { essence: 'text/plain', charset: type.charset });
  return text === null || /^\s*</.test(text) ? null : text;
}

const lines = (text: string): string[] => text.split(/\r\n|\n|\r/);

/** Finds the token in the lines of the file, which may have those of other marketplaces, and comments after #. */
const findInFile = (text: string, isToken: TokenCheck): boolean =>
  lines(text)
    .flatMap((line) => fileLine.exec(line)?.[1] ?? [])
    .some(isToken);

const fileLine = new RegExp(`^\\s*${proofName}\\s*=\\s*([^\\s#]+)\\s*(?:#.*)?$`, 'i');

/** Finds the relationship that ads.txt (IAB Tech Lab, 1.1) states for the marketplace and the token; DIRECT wins. */
function findInAdsTxt(text: string, host: string, isToken: TokenCheck): 'DIRECT' | 'RESELLER' | null {
  const records = lines(text).map((line) =>
    // Without comments, and extensions after a semicolon.
    (line.split(/[#;]/, 1)[0] ?? '').split(',').map((field) => field.trim()),
  );
  const own = records.filter(([system = '', account = '']) => system.toLowerCase() === host && isToken(account));
  const relationships = own.map(([, , relationship = '']) => relationship.toUpperCase());
  if (relationships.includes('DIRECT')) return 'DIRECT';
  return relationships.includes('RESELLER') ? 'RESELLER' : null;
}

/** Finds the token in the head that a browser would build: not in the body, comments, noscript or templates. */
function findInHead(page: PageResponse, isToken: TokenCheck): boolean | 'not_html' | 'unreadable' {
  const type = typeOf(page) ?? { essence: 'text/html', charset: null };
  if (!['text/html', 'application/xhtml+xml'].includes(type.essence)) return 'not_html';
  const parsed = parsePage(page.body, type, page.url);
  if (typeof parsed === 'string') return parsed === 'not_html' ? 'not_html' : 'unreadable';
  const child = (of: (typeof parsed)['document'] | ElementNode, name: string) =>
    of.childNodes.filter(isElement).filter(({ tagName }) => tagName === name);
  return child(parsed.document, 'html')
    .flatMap((root) => child(root, 'head'))
    .flatMap((head) => child(head, 'meta'))
    .filter((meta) => readAttribute(meta, 'name')?.trim().toLowerCase() === proofName)
    .some((meta) => isToken(readAttribute(meta, 'content') ?? ''));
}

type ElementNode = Parameters<typeof readAttribute>[0];
