import type { linkRels } from '@/db/enums';
import type { LinkVerdict } from '@/db/schema/links';
import { getRegistrableDomain } from '@/lib/network/registrable-domain';
import { decodeText } from '@/lib/platform/decode-text';
import { maxUrlLength } from './address-rules';
import { hasText, normalizeAnchor } from './compare-anchors';
import { isSamePage, normalizePageUrl } from './compare-urls';
import { readIndexing } from './indexability';
import { isXmlType, type MediaType, readMediaType } from './media-type';
import { fetchFailures, type PageFetch, type PageResponse, type Redirect } from './page-fetch';
import { hashText, type PageLink, type ParsedPage, parsePage, resolveUrl } from './parse-page';
import { carriesReturnAddress, isGateOfSite } from './return-address';
import type { RobotsAnswer } from './robots';
import { findNotice, isWallByHeaders } from './wall-page';

const brokenReasons = ['page_missing', 'other_domain', 'link_missing', 'link_hidden'] as const;
const changedReasons = [
  'rel_changed',
  'anchor_changed',
  'link_without_text',
  'page_nofollow',
  'noindex_meta',
  'noindex_header',
  'canonical_elsewhere',
  'blocked_for_google',
  'meta_refresh',
] as const;
const unknownReasons = [
  'status',
  'bot_wall',
  'notice_page',
  'not_html',
  'charset',
  'too_complex',
  'needs_script',
  'leads_on',
  'link_maybe_hidden',
] as const;

/** `several_links` decides nothing: the page links to the target more than once, and the best link counted. */
const linkReasons = [
  ...brokenReasons,
  ...changedReasons,
  ...unknownReasons,
  ...fetchFailures,
  'several_links',
] as const;
export type LinkReason = (typeof linkReasons)[number];

/** What the order asks for. */
export type WantedLink = {
  /** The ordered site, as a host or an address. */
  siteDomain: string;
  /** The page that the link leads to, as an absolute address. */
  targetUrl: string;
  /** `dofollow` means none of the three others. */
  rel: (typeof linkRels)[number];
  /** Empty for any text. */
  anchor: string;
};

type LinkEvidence = {
  /** Null without a response. */
  status: number | null;
  /** The address after redirects, or the one that failed. */
  finalUrl: string;
  redirects: Redirect[];
  /** Whether a visible link to the target is on the page. */
  found: boolean;
  /** The tokens of the link's `rel`; null without a link. */
  rel: string[] | null;
  /** The text of the link; null without a link. */
  anchor: string | null;
  /** Whether Google may show the page; null where it is not known. */
  indexable: boolean | null;
  reasons: LinkReason[];
};

export type Judgement = {
  verdict: LinkVerdict;
  evidence: LinkEvidence;
  /** SHA-256 of the page's visible text; null where no page was read. */
  textHash: string | null;
};

/** Shorter pages with scripts are taken for frames that a script fills. */
const minStaticText = 200;
/** Google treats a faster refresh as a redirect, and a visitor cannot read the page. */
const maxRefreshSeconds = 5;

/**
 * Judges whether a page carries a link as ordered, from its response and the tree that a browser would build. It runs
 * no scripts and evaluates no style sheets; a link that these may show or hide is unknown. Two addresses are the same
 * page as in `normalizePageUrl`.
 * @param robots whether robots.txt lets Googlebot fetch the final address
 * @param now for `unavailable_after`
 * @param read replaces the reader, by an answer for a page that it cannot read
 */
export function judgePage(
  requested: WantedLink,
  fetched: PageFetch,
  { robots, now = new Date() }: { robots: RobotsAnswer; now?: Date },
  read: typeof readPage = readPage,
): Judgement {
  const evidence: LinkEvidence = {
    status: fetched.ok ? fetched.status : null,
    finalUrl: fetched.url.slice(0, maxUrlLength),
    redirects: fetched.redirects.map((redirect) => ({ ...redirect, to: redirect.to.slice(0, maxUrlLength) })),
    found: false,
    rel: null,
    anchor: null,
    indexable: null,
    reasons: [],
  };
  const end = (verdict: LinkVerdict, reasons: LinkReason[], page?: ParsedPage): Judgement => ({
    verdict,
    evidence: { ...evidence, reasons },
    textHash: page ? hashText(page) : null,
  });
  const isElsewhere = (url: string) => getRegistrableDomain(url) !== getRegistrableDomain(requested.siteDomain);
  const addresses = [...fetched.redirects.map(({ from }) => from), fetched.url];
  const own = addresses.filter((url) => !isElsewhere(url));
  const isGate = (url: string) => isElsewhere(url) && carriesReturnAddress(url, own);
  if (fetched.ok && isElsewhere(fetched.url) && addresses.some(isGate)) return end('unknown', ['leads_on']);
  const unread = fetched.ok ? judgeStatus(fetched, read) : fetched.failure;
  if (!fetched.ok || unread) return end(unread === 'page_missing' ? 'broken' : 'unknown', unread ? [unread] : []);

  const page = read(fetched);
  if (typeof page === 'string')
    return isElsewhere(fetched.url) ? end('broken', ['other_domain']) : end('unknown', [page]);

  const target = normalizePageUrl(requested.targetUrl);
  const matches = page.links.filter((link) => target !== null && normalizePageUrl(link.url) === target);
  const levels = new Map(matches.map((link) => [link, link.readLevel()]));
  const visible = matches.filter((link) => levels.get(link) === 'shown');
  const best = chooseBest(requested, visible);
  const notice = best ? null : findNotice(page, fetched.url);
  // A notice of another website says nothing about the ordered one.
  if (notice === 'bot_wall' || (notice && !isElsewhere(fetched.url))) return end('unknown', [notice], page);
  const refresh = readRefresh(page, fetched);
  if (refresh !== null && isGate(refresh)) return end('unknown', ['leads_on'], page);
  if (isElsewhere(refresh ?? fetched.url)) return end('broken', ['other_domain'], page);

  const { problems, isNofollow } = readIndexing(page, { url: fetched.url, headers: fetched.headers, now });
  const isIndexable = problems.length === 0 && robots !== 'disallowed' && refresh === null;
  evidence.indexable = isIndexable && robots === 'unreachable' ? null : isIndexable;
  if (!best) {
    if (refresh !== null || isGateOfSite(fetched.url, own)) return end('unknown', ['leads_on'], page);
    if (fetched.isPartial) return end('unknown', ['interrupted'], page);
    if ([...levels.values()].includes('doubtful')) return end('unknown', ['link_maybe_hidden'], page);
    if (matches.length > 0) return end('broken', ['link_hidden'], page);
    const needsScript = page.hasScript && page.visibleText.length < minStaticText;
    return needsScript ? end('unknown', ['needs_script'], page) : end('broken', ['link_missing'], page);
  }
  const shownRel = best.rel.slice(0, 10).map((token) => cut(token, 50));
  Object.assign(evidence, { found: true, rel: shownRel, anchor: best.anchor });
  const reasons: LinkReason[] = [];
  if (!hasWantedRel(requested, best.rel)) reasons.push('rel_changed');
  else if (requested.rel === 'dofollow' && isNofollow) reasons.push('page_nofollow');
  if (!hasText(best.anchor)) reasons.push('link_without_text');
  else if (!hasWantedAnchor(requested, best.anchor)) reasons.push('anchor_changed');
  reasons.push(...problems);
  if (robots === 'disallowed') reasons.push('blocked_for_google');
  if (refresh !== null) reasons.push('meta_refresh');
  const verdict = reasons.length > 0 ? 'changed' : 'ok';
  if (visible.length > 1) reasons.push('several_links');
  return end(verdict, reasons, page);
}

/** Judges a status: 200 and 203 deliver the page, 404 and 410 say that it is gone, every other leaves it open. */
function judgeStatus(response: PageResponse, read: typeof readPage): 'page_missing' | 'bot_wall' | 'status' | null {
  const { status, headers, url } = response;
  if (isWallByHeaders(headers)) return 'bot_wall';
  if (status === 404 || status === 410) return 'page_missing';
  if (status === 200 || status === 203) return null;
  const page = read(response);
  return typeof page !== 'string' && findNotice(page, url) === 'bot_wall' ? 'bot_wall' : 'status';
}

const unknownTypes = new Set(['unknown/unknown', 'application/unknown']);

/** Guesses the type of a response without one, as browsers do. */
const guessType = (body: Uint8Array): MediaType | null =>
  /^[\ufeff\s]*</.test(decodeText(body.subarray(0, 512), 'utf-8')) ? { essence: 'text/html', charset: null } : null;

/** Parses a page. @returns why it cannot be read instead */
function readPage({ headers, body, url }: PageResponse): ParsedPage | LinkReason {
  const stated = readMediaType(headers['content-type'] ?? []);
  const type = stated && !unknownTypes.has(stated.essence) ? stated : guessType(body);
  if (type === null || !(type.essence === 'text/html' || isXmlType(type))) return 'not_html';
  // gzip or zstd, compressed once more than the headers say.
  if (/^(1f8b|28b52ffd)/.test(Buffer.from(body.subarray(0, 4)).toString('hex'))) return 'encoding';
  return parsePage(body, type, url);
}

/** Finds where the page sends its visitors by itself; null if it does not, or reloads itself. */
function readRefresh(page: ParsedPage, response: PageResponse): string | null {
  const content = response.headers.refresh?.[0] ?? page.refresh;
  // A pattern in which two parts can read the same digits would need quadratic time.
  const match = /^\s*(\d*)(?:\.[\d.]*)?[\s;,]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is.exec(content ?? '');
  if (!match || Number(match[1]) > maxRefreshSeconds) return null;
  const text = (match[2] ?? match[3] ?? match[4] ?? '').trim();
  const url = text === '' ? null : resolveUrl(text, page.baseUrl);
  // Browsers do not follow other schemes from here.
  return url === null || !/^https?:/.test(url) || isSamePage(url, response.url) ? null : url;
}

/** Cuts a text, but no character in two. */
function cut(text: string, length: number): string {
  return [...text.slice(0, 2 * length)].slice(0, length).join('');
}

type Candidate = { rel: string[]; anchor: string };

/** The number of links to the target that are compared with the order. */
const maxCandidates = 200;
const maxAnchorLength = 500;

/** Chooses among several links: the first one with the ordered `rel` and text counts, then by `rel`, then by text. */
function chooseBest(requested: WantedLink, links: PageLink[]): Candidate | undefined {
  const rate = ({ rel, anchor }: Candidate) =>
    (hasWantedRel(requested, rel) ? 4 : 0) + (hasWantedAnchor(requested, anchor) ? 2 : 0) + (hasText(anchor) ? 1 : 0);
  const read = (link: PageLink): Candidate => {
    const anchors = link.readAnchors().map((anchor) => cut(anchor, maxAnchorLength));
    const anchor = anchors.find((text) => hasWantedAnchor(requested, text)) ?? anchors[0] ?? '';
    return { rel: link.rel, anchor };
  };
  return links
    .slice(0, maxCandidates)
    .map(read)
    .reduce<Candidate | undefined>((best, link) => (best && rate(best) >= rate(link) ? best : link), undefined);
}

function hasWantedRel({ rel: requested }: WantedLink, rel: string[]): boolean {
  if (requested === 'any') return true;
  if (requested !== 'dofollow') return rel.includes(requested);
  return !['nofollow', 'sponsored', 'ugc'].some((token) => rel.includes(token));
}

function hasWantedAnchor({ anchor: requested }: WantedLink, anchor: string): boolean {
  return requested.trim() === '' || normalizeAnchor(requested) === normalizeAnchor(anchor);
}
