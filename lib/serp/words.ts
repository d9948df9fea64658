/** A typed text as one line: no control characters, no halves of characters, single spaces, accents joined. */
export function cleanLine(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The host of a typed domain: "https://www.example.com/path" is "www.example.com". */
export function hostOf(domain: string): string {
  return cleanLine(domain)
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#:].*$/, '');
}

/** "Example" of "https://www.example.co.uk/": how a brand without a better name is called. */
export function brandOf(domain: string): string {
  const host = hostOf(domain).replace(/^www\./i, '');
  const labels = host.split('.').filter((label) => label !== '');
  // Second-level names that belong to the ending, not to the brand: example.co.uk, example.com.au.
  const isNested = labels.length > 2 && /^(co|com|net|org|gov|ac|edu)$/i.test(labels.at(-2) ?? '');
  const name = labels.at(isNested ? -3 : -2) ?? labels[0] ?? '';
  return upperFirst(name.replace(/[-_]+/g, ' '));
}

/** The words of a path: "/blog/best-garden-spades.html" is "best garden spades". */
export function slugWords(slug: string): string {
  const path = cleanLine(slug).replace(/[?#].*$/, '');
  const last = path.split('/').findLast((part) => part.trim() !== '') ?? '';
  return cleanLine(
    decoded(last)
      .replace(/\.[a-z0-9]{2,5}$/i, '')
      .replace(/[-_+]+/g, ' '),
  );
}

/** With its first letter large, unless that would change the word ("ß", "ǆ"). */
export function upperFirst(text: string): string {
  const [first = ''] = text;
  const large = first.toUpperCase();
  return large.toLowerCase() === first && large.length === first.length ? large + text.slice(first.length) : text;
}

/** Does a text begin with these words, whatever their case, and not with a longer one? */
export function startsWithWords(text: string, words: string): boolean {
  const isPrefix = text.toLowerCase().startsWith(words.toLowerCase());
  return isPrefix && !/^[\p{L}\p{N}]/u.test(text.slice(words.length));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
