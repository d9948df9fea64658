/** Google ignores what a line has beyond this length. */
const maxLineLength = 8 * 2083 - 1;
/** The comparisons of characters that rules with asterisks may need: those of the largest file and a path of 100 characters. */
const maxCompared = 60_000_000;

/** The lengths of the longest rules that match; 0 without one, and for the rule that is empty. */
type Group = { allow: number; disallow: number };

/**
 * Decides whether a crawler may request a page by a robots.txt, as RFC 9309 describes it and as Google's published parser
 * (github.com/google/robotstxt) reads it. Only rules end a list of crawlers: Crawl-delay, Sitemap and unknown lines do
 * not. All groups that name the crawler count together, and only without one those for every crawler. The longest matching
 * rule wins, the one that allows among equals. Frequent spelling mistakes and a missing colon are accepted, and a rule
 * that allows /x/index.html also allows /x/. A file with so many asterisks that it would occupy the server allows nothing.
 * @param file the bytes of the file as characters (latin1): rules are compared byte by byte
 * @param crawler the product token, of letters, hyphens and underscores
 * @param path the path and the query of the page as the URL parser writes them
 */
export function isAllowedByRobots(file: string, crawler: string, path: string): boolean {
  const own: Group = { allow: 0, disallow: 0 };
  const every: Group = { allow: 0, disallow: 0 };
  const requested = encodePath(path);
  let [isNamed, compared] = [false, 0];
  let [forOwn, forEvery, isListEnded] = [false, false, false];
  for (const { kind, value } of readLines(file)) {
    if (kind === 'crawler') {
      if (isListEnded) [forOwn, forEvery, isListEnded] = [false, false, false];
      if (/^\*(?:\s|$)/.test(value)) forEvery = true;
      else if (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === crawler.toLowerCase()) [forOwn, isNamed] = [true, true];
    } else if (forOwn || forEvery) {
      isListEnded = true;
      // At worst the search for a part compares all of it at each place.
      if (value.includes('*')) compared += requested.length * value.length;
      if (compared > maxCompared) return false;
      const group = forOwn ? own : every;
      group[kind] = Math.max(group[kind], measureMatch(kind, encodePath(value), requested));
    }
  }
  const group = isNamed ? own : every;
  return group.disallow <= group.allow;
}

type Line = { kind: 'crawler' | 'allow' | 'disallow'; value: string };

/** Reads the lines whose key begins with a known one. A space instead of the colon is accepted in a line of two words. */
function* readLines(file: string): Generator<Line> {
  // A byte order mark, also a part of one, precedes the first line.
  const lines =
    /(?<=^|[\r\n]|^\xef(?:\xbb\xbf?)?)[\t\v\f ]*(?:(user[- ]?agent)|(allow)|diss?all?ow|diasllow|disallaw)[^\r\n]*/gi;
  for (const [line, crawler, allow] of file.matchAll(lines)) {
    const text = strip(line.slice(0, maxLineLength).split('#', 1)[0] ?? '');
    const colon = text.indexOf(':');
    const value = colon === -1 ? /^[^ \t]+[ \t]+([^ \t]+)$/.exec(text)?.[1] : strip(text.slice(colon + 1));
    if (value !== undefined) yield { kind: crawler ? 'crawler' : allow ? 'allow' : 'disallow', value };
  }
}

/** Removes white space of ASCII. In a file of bytes, \xa0 is a part of other characters. */
function strip(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);

/** Encodes bytes above ASCII, and writes percent-encoding in upper case. */
function encodePath(path: string): string {
  return path.replace(/%[\da-f]{2}|[\x80-\xff]/gi, (found) =>
    found.length > 1 ? found.toUpperCase() : `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Returns the length of a rule that matches the path; 0 otherwise. */
function measureMatch(kind: 'allow' | 'disallow', rule: string, path: string): number {
  if (matches(rule, path)) return rule.length;
  const slash = rule.lastIndexOf('/');
  if (kind === 'disallow' || slash === -1 || !rule.startsWith('/index.htm', slash)) return 0;
  const folder = `${rule.slice(0, slash + 1)}$`;
  return matches(folder, path) ? folder.length : 0;
}

/**
 * Checks whether a path begins with what a rule describes: an asterisk is any text, a dollar sign at the end is the end.
 * Takes the first place of each part between asterisks, so that a rule of many asterisks takes no more time than others.
 */
function matches(rule: string, path: string): boolean {
  const isWhole = rule.endsWith('$');
  const [first = '', ...others] = (isWhole ? rule.slice(0, -1) : rule).split('*');
  if (!path.startsWith(first)) return false;
  const last = isWhole ? others.pop() : undefined;
  if (isWhole && last === undefined) return path === first;
  let position = first.length;
  for (const part of others) {
    const found = path.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return last === undefined || (path.length - last.length >= position && path.endsWith(last));
}
