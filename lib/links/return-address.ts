import { domainToUnicode } from 'node:url';
import { canParseUrl } from '@/lib/network/can-parse-url';
import { getRegistrableDomain } from '@/lib/network/registrable-domain';

/** Parameters that tell where a visitor comes from, and not where the visitor returns to. */
const originParameter = /^(utm_.*|(http_?)?ref(err?er)?(_?ur[il])?|source|src|origin|via|aff(iliate)?|aspxerrorpath)$/i;

/** Parameters of pages that send their visitors back: consent, sign-in, a queue, a check. */
const returnParameter =
  /return|redir|callback|continu|forward|relay|bounce|^(.*[_-])?(next|back|goto|go|dest(ination)?|target|done|retpath|success|orig(inal)?|request(ed)?|cont|rurl|ru|rd|wreply|wctx|state|service|then|resume|after|landing|cb|ssc|t)([_-]?(ur[il]|to|page|path))?$/i;

/** The headers of an answer are no longer. */
const maxLength = 32 * 1024;

/**
 * Checks whether an address carries that of a page to which its visitors return, as those of consent, sign-in and queues do:
 * plain or without scheme, percent-encoded up to three times, or in base64; in a parameter, the path or the fragment. A path
 * alone counts beside the host. The host alone does not count: addresses where a domain is sold carry it, too.
 * @param addresses those of the page, before and after redirects
 */
export function carriesReturnAddress(address: string, addresses: readonly string[]): boolean {
  const url = parse(address);
  if (!url) return false;
  const parameters = readParameters(url).filter(({ name }) => !originParameter.test(name));
  const places = [...decodeAll(url.pathname), ...decodeAll(url.hash)];
  return addresses.flatMap(describePage).some((page) => {
    const isHostNamed = [...places, ...parameters.flatMap(({ texts }) => texts)].some((text) =>
      page.hosts.some((host) => findWhole(text, host, /^[\p{L}\p{N}_.-]/u)),
    );
    return (
      places.some((text) => hasAddress(text, page)) ||
      parameters.some(
        ({ name, texts }) =>
          texts.some((text) => hasAddress(text, page) || (isHostNamed && isPath(text, page, name))) ||
          (returnParameter.test(name) && texts.some((text) => leadsToSite(text, page))),
      )
    );
  });
}

/**
 * Checks whether an address of the page's own site is a gate in front of the page, such as a form for sign-in: a parameter
 * for the return has the address or the path of the page.
 */
export function isGateOfSite(address: string, addresses: readonly string[]): boolean {
  const url = parse(address);
  if (!url) return false;
  const parameters = readParameters(url).filter(({ name }) => returnParameter.test(name));
  const own = normalizePath(url.pathname);
  return addresses
    .flatMap(describePage)
    .some(
      (page) =>
        page.path !== own &&
        parameters.some(({ name, texts }) => texts.some((text) => hasAddress(text, page) || isPath(text, page, name))),
    );
}

function parse(address: string): URL | null {
  return address.length <= maxLength && canParseUrl(address) ? new URL(address) : null;
}

/** `path` without a slash at its end, decoded; `query` decoded, without the question mark. */
type Page = { hosts: string[]; domain: string; path: string; query: string };

function describePage(address: string): Page[] {
  const url = parse(address);
  if (!url) return [];
  const host = url.hostname.replace(/^www\./, '');
  return [
    {
      hosts: [...new Set([host, domainToUnicode(host).toLowerCase()])],
      domain: getRegistrableDomain(address),
      path: normalizePath(url.pathname),
      query: decode(url.search.slice(1)).toLowerCase(),
    },
  ];
}

const normalizePath = (path: string): string => decode(path).toLowerCase().replace(/\/$/, '');

/** Reads the parameters of the query and of the fragment, each value in all its readings. */
function readParameters({ search, hash }: URL): { name: string; texts: string[] }[] {
  // A fragment can be a path with a query of its own.
  const queries = [search.slice(1), hash.replace(/^#([^?=]*\?)?/, '')];
  return queries
    .flatMap((query) => query.split(/[&;]/))
    .filter((pair) => pair.includes('='))
    .map((pair) => {
      const equals = pair.indexOf('=');
      return { name: decode(pair.slice(0, equals)), texts: decodeAll(pair.slice(equals + 1)) };
    });
}

/** Returns a text in lower case as it is, decoded several times, and with what its parts are in base64 and as hex digits. */
function decodeAll(text: string): string[] {
  const [once, twice, thrice] = [decode(text), decode(decode(text)), decode(decode(decode(text)))];
  // A slash is a digit of base64, and the border of a part of a path.
  const parts = [once, twice].flatMap((plain) =>
    [/[\w+/-]{6,}/g, /[\w+-]{6,}/g].flatMap((part) => plain.match(part) ?? []),
  );
  const decoded = parts
    .flatMap((part) => [Buffer.from(part, 'base64'), Buffer.from(part, 'hex')])
    .flatMap((bytes) => [bytes.toString(), decode(bytes.toString())]);
  return [...new Set([text, once, twice, thrice, ...decoded].map((plain) => plain.toLowerCase()))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded, or in another encoding than UTF-8.
    return text;
  }
}

/** Checks whether a text has the address of a page, also without its scheme. For a root page the scheme is needed. */
function hasAddress(text: string, { hosts, path, query }: Page): boolean {
  return hosts.some((host) => {
    if (path !== '') return findWhole(text, host + path);
    if (query !== '') return [`${host}/?${query}`, `${host}?${query}`].some((whole) => findWhole(text, whole));
    return [`//${host}`, `//www.${host}`].some((whole) => findWhole(text, whole));
  });
}

/** Checks whether a text is the path of a page. That of a root page counts only in a parameter for the return. */
function isPath(text: string, { path, query }: Page, name: string): boolean {
  if (path === '' && !returnParameter.test(name)) return false;
  const [plain = '', rest = ''] = text.split('?', 2);
  return text.startsWith('/') && plain.replace(/\/$/, '') === path && (path !== '' || rest === query);
}

/** Checks whether a text is an address of the site, such as the one that ends a sign-in. */
function leadsToSite(text: string, { domain }: Page): boolean {
  return /^https?:\/\//.test(text) && getRegistrableDomain(text) === domain;
}

/** Finds a text that is not a part of a longer one. @param longer what continues it, by default a path after a slash */
function findWhole(text: string, part: string, longer = /^(:\d+)?\/?[\p{L}\p{N}_%.~-]/u): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + part.length, at + part.length + 8);
    if (!/[\p{L}\p{N}_-]/u.test(before) && !longer.test(after)) return true;
  }
  return false;
}
