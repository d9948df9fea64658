import { isSamePage } from './compare-urls';
import { type ParsedPage, resolveUrl } from './parse-page';
import { maxDateLength, readDate } from './read-date';

/** What keeps a page, or its links, out of Google's results. */
type IndexingProblem = 'noindex_meta' | 'noindex_header' | 'canonical_elsewhere';

export type Indexing = {
  problems: IndexingProblem[];
  /** Whether the page asks crawlers to follow none of its links: each of them then counts as nofollow. */
  isNofollow: boolean;
};

/**
 * Reads what a page tells Google about itself: `<meta name=robots>` and `<meta name=googlebot>`, X-Robots-Tag, and the
 * canonical address in the head and in the header Link. The most restrictive value counts, as Google documents it.
 * @param url the address after redirects
 * @param now for `unavailable_after`
 */
export function readIndexing(
  page: ParsedPage,
  { url, headers, now }: { url: string; headers: Partial<Record<string, string[]>>; now: Date },
): Indexing {
  // Google reads the name in the singular as well.
  const metas = page.metas.filter(({ name }) => /^(robots?|googlebot)$/.test(name));
  const inMeta = metas.map(({ content }) => readDirectives(content, now));
  const inHeader = (headers['x-robots-tag'] ?? []).map((value) => readDirectives(value, now));
  const problems: IndexingProblem[] = [];
  if (inMeta.some(({ isNoindex }) => isNoindex)) problems.push('noindex_meta');
  if (inHeader.some(({ isNoindex }) => isNoindex)) problems.push('noindex_header');
  const canonicals = [...page.canonicals, ...readCanonicalHeaders(headers.link ?? [], url)];
  // With several canonical addresses Google chooses one itself; one of them is the page.
  if (canonicals.length > 0 && !canonicals.some((canonical) => isSamePage(canonical, url))) {
    problems.push('canonical_elsewhere');
  }
  return { problems, isNofollow: [...inMeta, ...inHeader].some(({ isNofollow }) => isNofollow) };
}

/** Directives before a colon. Each other word before one is the name of a crawler. */
const directives = new Set(
  'all follow index none noarchive nocache nofollow noimageindex noindex noodp nosnippet notranslate'.split(' '),
);
/** What addresses Google before a colon. */
const googleNames = new Set(['*', 'googlebot', 'robots', 'x-robots-tag']);

/**
 * Reads a list such as "noindex, unavailable_after: 25 Jun 2010 15:00:00 GMT" or "otherbot: none, googlebot: nofollow":
 * the name of a crawler counts up to the next one. Google documents commas between directives. Here every other character
 * separates them as well, so that a directive that Google may read never passes. A date that cannot be read is ignored, as
 * Google documents it.
 */
function readDirectives(text: string, now: Date): { isNoindex: boolean; isNofollow: boolean } {
  const word = /([\w*-]+)(?:\/[\w.]*)?(?:\s*([:=]))?\s*/g;
  const value = /[^\s,;|]*/y;
  let [isForGoogle, isNoindex, isNofollow] = [true, false, false];
  const skipValue = () => {
    value.lastIndex = word.lastIndex;
    value.exec(text);
    word.lastIndex = value.lastIndex;
  };
  for (let match = word.exec(text); match; match = word.exec(text)) {
    const name = (match[1] ?? '').toLowerCase();
    if (name === 'unavailable_after') {
      const date = readDate(text.slice(word.lastIndex, word.lastIndex + maxDateLength));
      if (date) word.lastIndex += date.length;
      else skipValue();
      if (isForGoogle && date && date.time < now.getTime()) isNoindex = true;
    } else if (match[2] && name.startsWith('max-')) skipValue();
    else if (match[2] === ':' && /^[a-z*]/.test(name) && !directives.has(name)) isForGoogle = googleNames.has(name);
    else if (isForGoogle) {
      if (name === 'noindex' || name === 'none') isNoindex = true;
      if (name === 'nofollow' || name === 'none') isNofollow = true;
    }
  }
  return { isNoindex, isNofollow };
}

/** Reads `<address>; rel="canonical"` from the header Link (RFC 8288). The first `rel` of a link counts. */
function readCanonicalHeaders(values: string[], url: string): string[] {
  return values.flatMap((value) =>
    [...value.matchAll(/<([^<>]*)>([^<]*)/g)].flatMap(([, address = '', parameters = '']) => {
      const [, , quoted, bare] =
        [...parameters.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/g)].find(
          ([, name]) => name?.toLowerCase() === 'rel',
        ) ?? [];
      const rel = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
      return rel.includes('canonical') ? (resolveUrl(address, url) ?? []) : [];
    }),
  );
}
