/** Normalizes a text to one line without control characters and lone surrogates, with single spaces and NFC accents. */
export function cleanLine(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Extracts the host: "https://www.example.com/path" is "www.example.com". */
export function getHost(domain: string): string {
  return cleanLine(domain)
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '')
    .replace(/[/?#:].*$/, '');
}

/** Derives a brand name from a domain: "Example" from "https://www.example.co.uk/". */
export function getBrand(domain: string): string {
  const host = getHost(domain).replace(/^www\./i, '');
  const labels = host.split('.').filter((label) => label !== '');
  // Second-level names that belong to the suffix: example.co.uk, example.com.au.
  const isNested = labels.length > 2 && /^(co|com|net|org|gov|ac|edu)$/i.test(labels.at(-2) ?? '');
  const name = labels.at(isNested ? -3 : -2) ?? labels[0] ?? '';
  return capitalize(name.replace(/[-_]+/g, ' '));
}

/** Extracts the words of a path: "/blog/best-garden-spades.html" is "best garden spades". */
export function getSlugWords(slug: string): string {
  const path = cleanLine(slug).replace(/[?#].*$/, '');
  const last = path.split('/').findLast((part) => part.trim() !== '') ?? '';
  return cleanLine(
    decodeOrKeep(last)
      .replace(/\.[a-z0-9]{2,5}$/i, '')
      .replace(/[-_+]+/g, ' '),
  );
}

/** Capitalizes the first letter unless this would change the word ("ß", "ǆ"). */
export function capitalize(text: string): string {
  const [first = ''] = text;
  const large = first.toUpperCase();
  return large.toLowerCase() === first && large.length === first.length ? large + text.slice(first.length) : text;
}

/** Checks whether a text starts with whole words, case-insensitively. */
export function startsWithWords(text: string, words: string): boolean {
  const isPrefix = text.toLowerCase().startsWith(words.toLowerCase());
  return isPrefix && !/^[\p{L}\p{N}]/u.test(text.slice(words.length));
}

function decodeOrKeep(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
