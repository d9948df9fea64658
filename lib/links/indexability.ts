import { isSamePage } from './compare-urls';
import { type ParsedPage, resolveUrl } from './parse-page';

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
  const meta = page.metas.filter(({ name }) => name === 'robots' || name === 'googlebot');
  const fromMeta = meta.flatMap(({ content }) => readDirectives(content));
  const fromHeader = (headers['x-robots-tag'] ?? []).flatMap(readHeaderDirectives);
  const isNoindex = (directives: string[]) =>
    directives.some((text) => text === 'noindex' || text === 'none' || isPast(text, now));
  const problems: IndexingProblem[] = [];
  if (isNoindex(fromMeta)) problems.push('noindex_meta');
  if (isNoindex(fromHeader)) problems.push('noindex_header');
  const canonicals = [...page.canonicals, ...readCanonicalHeaders(headers.link ?? [], url)];
  // With several canonical addresses Google chooses one itself; one of them is the page.
  if (canonicals.length > 0 && !canonicals.some((canonical) => isSamePage(canonical, url))) {
    problems.push('canonical_elsewhere');
  }
  const isNofollow = [...fromMeta, ...fromHeader].some((text) => text === 'nofollow' || text === 'none');
  return { problems, isNofollow };
}

/** Splits "noindex, unavailable_after: 25 Jun 2010 15:00:00 GMT". The dates of some formats contain a comma. */
function readDirectives(content: string): string[] {
  return content
    .toLowerCase()
    .split(/,(?!\s*\d{1,2}[\s-])/)
    .map((directive) => directive.trim());
}

/** Directives with a value. Another word before a colon is the name of a crawler. */
const valued = /^(unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

/** Reads one X-Robots-Tag, such as "googlebot: noindex, otherbot: none": a name counts up to the next one. */
function readHeaderDirectives(value: string): string[] {
  let isForGoogle = true;
  return readDirectives(value).flatMap((directive) => {
    const [, name, rest = ''] = /^([\w*-]+)\s*:(.*)$/.exec(directive) ?? [];
    if (name === undefined || valued.test(name)) return isForGoogle ? [directive] : [];
    isForGoogle = name === 'googlebot' || name === '*';
    return isForGoogle ? [rest.trim()] : [];
  });
}

function isPast(directive: string, now: Date): boolean {
  const date = /^unavailable_after\s*:(.*)$/.exec(directive)?.[1];
  // A date that cannot be read compares as false.
  return date !== undefined && Date.parse(date) < now.getTime();
}

/** Reads `<address>; rel="canonical"` from the header Link (RFC 8288). */
function readCanonicalHeaders(values: string[], url: string): string[] {
  return values.flatMap((value) =>
    [...value.matchAll(/<([^<>]*)>([^<]*)/g)].flatMap(([, address = '', parameters = '']) => {
      const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
      const rel = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
      return rel.includes('canonical') ? (resolveUrl(address, url) ?? []) : [];
    }),
  );
}
